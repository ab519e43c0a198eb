package advise

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// setting is what a person can choose about the rollouts of a set. The zero setting is that of a new StatefulSet.
type setting struct {
	policy model.PodManagement
	// atOnce is maxUnavailable; nil is the default, one at once.
	atOnce   *model.IntOrPercent
	minReady int32
	// stages are the partitions of a canary, from the first one down to 0; none is a rollout in one go. pause is how long
	// somebody watches the new pods of a stage before the next one.
	stages []int32
	pause  time.Duration
	// onDelete says that the pods are deleted by hand, from the highest ordinal down, each when the last one is back.
	onDelete bool
}

// settingOf returns the setting that a set has. A partition that holds pods back counts as a canary: somebody lowers it
// to 0 when the pods above it are available.
func settingOf(set *model.StatefulSet) setting {
	s := setting{
		policy: set.Spec.PodManagement, minReady: set.Spec.MinReadySeconds,
		onDelete: set.Spec.Strategy.Type == model.OnDeleteStrategy,
	}
	if block := set.Spec.Strategy.RollingUpdate; block != nil && !s.onDelete {
		// One at once is the default, which newer API servers write out.
		if s.atOnce = block.MaxUnavailable; s.atOnce != nil && *s.atOnce == (model.IntOrPercent{Value: 1}) {
			s.atOnce = nil
		}
		if block.Partition > 0 {
			s.stages = []int32{block.Partition, 0}
		}
	}
	return s
}

// partition is that of the first stage.
func (s *setting) partition() int32 {
	if len(s.stages) == 0 {
		return 0
	}
	return s.stages[0]
}

// on returns a set with the setting. The set itself does not change. A set that has no rollingUpdate block, and needs
// none, gets none: what is not written has a meaning of its own.
func (s *setting) on(set *model.StatefulSet) *model.StatefulSet {
	as := *set
	as.Spec.PodManagement, as.Spec.MinReadySeconds = s.policy, s.minReady
	switch block := set.Spec.Strategy.RollingUpdate; {
	case s.onDelete:
		as.Spec.Strategy = model.Strategy{Type: model.OnDeleteStrategy}
	case set.Spec.Strategy.Type == model.RollingUpdateStrategy && block == nil && s.atOnce == nil && s.partition() == 0:
	default:
		as.Spec.Strategy = model.Strategy{Type: model.RollingUpdateStrategy, RollingUpdate: &model.RollingUpdate{
			Partition: s.partition(), MaxUnavailable: s.atOnce,
		}}
	}
	return &as
}

// same reports whether two settings are the same.
func (s *setting) same(other *setting) bool {
	return s.policy == other.policy && s.minReady == other.minReady && s.pause == other.pause &&
		s.onDelete == other.onDelete && slices.Equal(s.stages, other.stages) && s.atOnceText() == other.atOnceText()
}

// atOnceText is maxUnavailable as a manifest has it; "" if it is not set.
func (s *setting) atOnceText() string {
	if s.atOnce == nil {
		return ""
	}
	return s.atOnce.String()
}

// changes counts what differs from another setting, for those who want to change as little as they can. A field that
// cannot be changed counts most.
func (s *setting) changes(from *setting) int {
	n := 0
	for _, differs := range []bool{
		s.minReady != from.minReady, s.atOnceText() != from.atOnceText(), s.onDelete != from.onDelete,
		!slices.Equal(s.stages, from.stages) || s.pause != from.pause,
	} {
		if differs {
			n++
		}
	}
	n += max(0, len(s.stages)-1)
	if s.policy != from.policy {
		n += immutable
	}
	return n
}

// immutable is what a change of a field counts that needs the set to be made anew: more than all others.
const immutable = 100

// patch returns the merge patch that gives a live set, which has a strategy, the setting in the place of another one;
// "{}" if that is the same. The policy is in it too, although the API server refuses that of a live set.
func (s *setting) patch(from *setting, block bool) json.RawMessage {
	spec := map[string]any{}
	if s.policy != from.policy {
		spec["podManagementPolicy"] = s.policy.String()
	}
	if s.minReady != from.minReady {
		spec["minReadySeconds"] = s.minReady
	}
	rolling := map[string]any{}
	if s.atOnceText() != from.atOnceText() {
		rolling["maxUnavailable"] = number(s.atOnce)
	}
	if s.partition() != from.partition() {
		rolling["partition"] = s.partition()
	}
	switch {
	case s.onDelete && !from.onDelete:
		spec["updateStrategy"] = map[string]any{"type": "OnDelete", "rollingUpdate": nil}
	case !s.onDelete && from.onDelete:
		spec["updateStrategy"] = map[string]any{"type": "RollingUpdate", "rollingUpdate": rolling}
	case len(rolling) > 0:
		if !block {
			// What a block leaves out gets its default, which is 0.
			rolling["partition"] = s.partition()
		}
		spec["updateStrategy"] = map[string]any{"rollingUpdate": rolling}
	}
	whole := map[string]any{}
	if len(spec) > 0 {
		whole["spec"] = spec
	}
	text, err := json.Marshal(whole)
	if err != nil {
		panic("advise: a patch cannot be encoded: " + err.Error())
	}
	return text
}

// number is maxUnavailable as JSON has it: a number, a percentage as text, or null.
func number(v *model.IntOrPercent) any {
	switch {
	case v == nil:
		return nil
	case v.Percent || v.Text != "":
		return v.String()
	}
	return v.Value
}

// String says what the setting is, in the words of a manifest.
func (s setting) String() string {
	if s.onDelete {
		return s.policy.String() + ", OnDelete, one pod after the other by hand"
	}
	words := []string{s.policy.String()}
	if s.atOnce != nil {
		words = append(words, "maxUnavailable "+s.atOnce.String())
	}
	if s.minReady > 0 {
		words = append(words, fmt.Sprintf("minReadySeconds %d", s.minReady))
	}
	if len(s.stages) > 0 {
		words = append(words, "partition "+s.schedule())
	}
	return strings.Join(words, ", ")
}

// schedule says through which partitions the rollout goes.
func (s *setting) schedule() string {
	var parts []string
	for _, p := range s.stages {
		parts = append(parts, fmt.Sprint(p))
	}
	text := strings.Join(parts, ", then ")
	if s.pause > 0 {
		text += " (watched " + render.Brief(s.pause) + " each)"
	}
	return text
}
