package stored

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Fate is what the API server makes of a set.
type Fate int

// The fates. Unchanged: nothing changes. Accepted: it changes, or is created. Refused: the API server does not accept
// the change. Invalid: something is wrong with the set itself. Gone: the new files do not have it.
const (
	Unchanged Fate = iota
	Accepted
	Refused
	Invalid
	Gone
)

// Set is a set of the change, and the result of its change in the API server. Copies stand for the same set under
// another role (Still, Stands).
type Set struct {
	// Pair is the set in both streams. At least one of its sides is given, or it is wrong.
	Pair *pair.Pair
	Fate Fate
	// Message is what the API server says about a change that it refuses, or what is wrong with an invalid set.
	Message string
	// Given is the running set as it would be if it were created again, Live the same set as it is stored; both are nil
	// if there is none. Live has the defaults of the version.
	Given, Live *model.StatefulSet
	// Wanted is the new set as stored after the change, Fresh the same set if it were created from nothing; Wanted is
	// nil if nothing changes. If the change is refused, Wanted is what was asked for.
	Wanted, Fresh *model.StatefulSet
	// Changes are the fields that change, the most important first. Fixed are those of them that nobody can change, and
	// for which the change is refused.
	Changes, Fixed []diff.Change
	// Applied says what kubectl apply does to fields that the new manifest does not have.
	Applied []string
	// Timings are the times of the set's pods by stage.
	Timings times.Timings
	// Staged is the rollout that the set has begun and not ended, nil if it has none, or if the dump shows it.
	Staged *Staged
	// Kept are the fields that the new manifest does not have, and that an apply leaves.
	Kept []string
	// Held is true if the version keeps the running set although it would not create it: it has the strategy Recreate,
	// and the feature gate has been turned off since, or a newer API server has stored it. The controller fails its syncs.
	Held bool
	Shown

	// shownAs is the change of the set as the dump has it, nil if that is the change of Live.
	shownAs *shownAs
}

// Shown is what a dump shows of a set.
type Shown struct {
	// Part is the dump of the set and of what concerns it; nil if the set is assumed to be at rest.
	Part *dump.Dump
	// Judged says how the set stands in the dump; nil if no dump shows its pods.
	Judged *judge.Set
	// Cured says what NEW brings that its pods lack, as a clause; "" for nothing.
	Cured string
	// Resting is true if the dump shows the set at rest; Now is its state otherwise.
	Resting bool
	Now     string
	// Bared is true if the set could not be created today and has no pods.
	Bared bool
}

// Key returns the name under which the set is played.
func (s *Set) Key() model.Key { return s.Pair.Key }

// Answered says whether the change has something to be said about: it changes the set, or is refused.
func (s *Set) Answered() bool { return s.Fate == Accepted || s.Fate == Refused || s.Fate == Invalid }

// Rolls says whether the template changes. It needs Wanted, if the set runs.
func (s *Set) Rolls() bool {
	return s.Live != nil && s.Live.Spec.Template.Data != s.Wanted.Spec.Template.Data
}

// Scales says whether the number of replicas changes.
func (s *Set) Scales() bool { return s.Live != nil && s.Live.Spec.Replicas != s.Wanted.Spec.Replicas }

// Renumbers says whether ordinals.start changes. Each pod has its name, and its claims, by its ordinal: a pod whose
// ordinal goes is never replaced.
func (s *Set) Renumbers() bool { return s.Live != nil && s.Live.Start() != s.Wanted.Start() }

// OnDelete says whether the new set has the strategy OnDelete.
func (s *Set) OnDelete() bool {
	return s.Wanted != nil && s.Wanted.Spec.Strategy.Type == model.OnDeleteStrategy
}

// Newest returns the set whose template says how long its pods take: the new one, or else the one that runs.
func (s *Set) Newest() *model.StatefulSet {
	if s.Wanted != nil {
		return s.Wanted
	}
	return s.Live
}

// Made says whether the set must be created before the change, because it runs now and no dump shows it.
func (s *Set) Made() bool { return s.Given != nil && s.Part == nil }

// About says how well a time is known that was played with the times of the set.
func (s *Set) About() string {
	return s.Timings.About(s.Live != nil && times.Regraced(s.Live, s.Newest()))
}

// Still returns a set that runs and does not change.
func (s *Set) Still() *Set {
	as := *s
	as.Wanted, as.Fate = nil, Unchanged
	return &as
}

// Stands returns the set under the name of a stand-in.
func (s *Set) Stands(alias model.Key) *Set {
	named := func(set *model.StatefulSet) *model.StatefulSet {
		if set == nil {
			return nil
		}
		as := *set
		as.Namespace, as.Name = alias.Namespace, alias.Name
		return &as
	}
	as, pair := *s, *s.Pair
	pair.Key, as.Pair = alias, &pair
	as.Given, as.Live, as.Wanted, as.Fresh = named(s.Given), named(s.Live), named(s.Wanted), named(s.Fresh)
	return &as
}

// Early says that it is too early to say whether the set is stuck; "" if it is not.
func (s *Set) Early() string {
	if s.Judged == nil || s.Judged.State != judge.TooEarly {
		return ""
	}
	return "it is too early to say whether it is stuck: " + strings.TrimSuffix(s.Judged.Early.Again, ".")
}

// unanswered are the causes for which a set of a dump is stuck although a run of it continues, and that no change of the
// set ends: what has to act does not, or another program undoes it.
var unanswered = []string{"controller-idle", "scheduler-idle", "made-again", symptom.Unremovable.Name}

// Unanswered says why a set of a dump is stuck in a way that a run does not show and that its change does not end; "" if
// it is not.
func (s *Set) Unanswered() string {
	if s.Judged == nil || s.Judged.State != judge.Stuck || s.Judged.Plays || len(s.Judged.Causes) == 0 ||
		!slices.Contains(unanswered, s.Judged.Causes[0].Name) {
		return ""
	}
	return s.Judged.Why
}

// Disobeyed says what the controller of a version does with a set that the version only holds, and the way out; "" if
// the set has another strategy after the change.
func (s *Set) Disobeyed(version string) string {
	if !s.Held || s.Newest().Spec.Strategy.Type != model.RecreateStrategy {
		return ""
	}
	return fmt.Sprintf("Kubernetes %s only keeps the strategy Recreate, because the feature gate %s is off: every sync of the "+
		"controller fails (event UnknownStrategy), so no pod is created, replaced or deleted, and the status stays as it is. "+
		"Change updateStrategy.type to RollingUpdate, or turn the gate on for kube-apiserver and kube-controller-manager",
		version, recreates)
}

// Young says whether what a run is stuck on is a pod of which it is too early to say that it does not become Ready.
func (s *Set) Young(stuck *timeline.Stuck) bool {
	return s.Early() != "" && stuck != nil && slices.ContainsFunc(s.Judged.Early.Pods, func(p *dump.Pod) bool {
		return p.Name == stuck.Why.Object
	})
}

// Doubt says why a set cannot be trusted whose status is not at rest, in a dump without its pods; "" if it can.
func (s *Set) Doubt() string {
	switch status := s.Pair.Status; {
	case s.Part != nil || s.Live == nil:
		return ""
	case s.Pair.Deleting:
		return "it is being deleted"
	case status.Unfinished(s.Live) != "":
		return "in the dump " + status.Unfinished(s.Live)
	}
	return ""
}

// Leaves says what stays of a live set although its manifest does not have it, and why; "" if that is nothing.
func (s *Set) Leaves() string {
	if len(s.Kept) == 0 {
		return ""
	}
	n := len(s.Kept)
	return fmt.Sprintf("%s %s, though the new manifest does not have %s: the live object was not created with kubectl "+
		"apply, and a first apply removes nothing from it; kubectl replace does, or the tool that has created it",
		render.List(s.Kept, 3), render.Agree(n, "stays", "stay"), render.Agree(n, "it", "them")) + s.ByHelm()
}

// ByHelm says how to plan what helm upgrade removes of a live set, as a sentence to append; "" if it removes nothing
// that an apply leaves.
func (s *Set) ByHelm() string {
	release := pair.ReleaseOf(s.Pair.Old)
	if release == "" || len(s.Kept) == 0 {
		return ""
	}
	return fmt.Sprintf(". An upgrade by Helm does, if its last release had %s: to plan that, OLD is what %s prints",
		render.Agree(len(s.Kept), "it", "them"), shell.Line("helm", "-n", s.Pair.Key.Namespace, "get", "manifest", release))
}

// Staged is a rollout that the running set has begun and not ended: some pods still run an older template.
type Staged struct {
	// Why says how that is known, or that it is assumed.
	Why string
	// Updated is the number of pods that somebody has deleted, from the top, under OnDelete.
	Updated int
}

func templatesOf(set *model.StatefulSet) []string {
	var names []string
	for _, t := range set.Spec.ClaimTemplates {
		names = append(names, t.Name)
	}
	return names
}

// Reclaims returns the names of the claim templates that the change takes away, adds, and leaves or only changes.
func (s *Set) Reclaims() (gone, come, kept []string) {
	before, after := templatesOf(s.Live), templatesOf(s.Wanted)
	for _, name := range before {
		if slices.Contains(after, name) {
			kept = append(kept, name)
		} else {
			gone = append(gone, name)
		}
	}
	come = slices.DeleteFunc(after, func(name string) bool { return slices.Contains(before, name) })
	return gone, come, kept
}

// Makes says whether a claim template of the set gives a claim its name.
func (s *Set) Makes(key model.Key) bool {
	for _, set := range []*model.StatefulSet{s.Live, s.Wanted} {
		if set == nil || set.Namespace != key.Namespace {
			continue
		}
		_, ordinal := model.SplitPodName(key.Name)
		for i := range set.Spec.ClaimTemplates {
			if model.ClaimName(set, &set.Spec.ClaimTemplates[i], ordinal) == key.Name {
				return true
			}
		}
	}
	return false
}

// resumes finds out whether a change without a new template lets a held rollout continue; nil if not.
func resumes(s *Set) *Staged {
	if s.Live == nil || s.Wanted == nil || s.Rolls() || s.Wanted.Spec.Strategy.Type == model.OnDeleteStrategy {
		return nil
	}
	known := s.Pair.Status
	if known != nil && known.Behind() == 0 {
		return nil
	}
	from, to := s.Live.Partition(), s.Wanted.Partition()
	switch {
	case s.Live.Spec.Strategy.Type == model.OnDeleteStrategy && known != nil:
		return &Staged{Updated: int(known.Updated), Why: "in the dump " + dump.Outdated(&known.Status) +
			": RollingUpdate replaces the pods that OnDelete has left"}
	case s.Live.Spec.Strategy.Type == model.OnDeleteStrategy || to >= from:
		return nil
	case known != nil:
		return &Staged{Why: fmt.Sprintf("the partition goes from %d to %d: the pods below %d still ran an older template "+
			"when it was dumped (%d of %d updated)", from, to, from, known.Updated, known.Replicas)}
	}
	return &Staged{Why: fmt.Sprintf("the partition goes from %d to %d; assumed: the pods below %d run an older "+
		"template, which the files do not show; if they do not, no pod is touched", from, to, from)}
}

// older and newer are annotations that make a template differ from the set's own: they stand for an older one that is
// not known, and for the next one.
const older, newer = times.Annotation + "older", times.Annotation + "newer"

// Older returns a set with a template that stands for the one before. The set itself does not change.
func Older(set *model.StatefulSet) *model.StatefulSet { return marked(set, older) }

// Newer returns a set with a template that stands for the next one. The set itself does not change.
func Newer(set *model.StatefulSet) *model.StatefulSet { return marked(set, newer) }

// marked returns a set whose template has an annotation more.
func marked(set *model.StatefulSet, mark string) *model.StatefulSet {
	var template corev1.PodTemplateSpec
	if err := kube.Unmarshal([]byte(set.Spec.Template.Data), &template); err != nil {
		panic(fmt.Sprintf("stored: the template of %s cannot be decoded: %v", set.Key(), err))
	}
	template.Annotations = maps.Clone(template.Annotations)
	if template.Annotations == nil {
		template.Annotations = map[string]string{}
	}
	template.Annotations[mark] = "true"
	data, err := kube.Marshal(template)
	if err != nil {
		panic(fmt.Sprintf("stored: the template of %s cannot be encoded: %v", set.Key(), err))
	}
	before, marked := *set, *set.Spec.Template
	marked.Data, marked.ID = string(data), 0
	before.Spec.Template = &marked
	return &before
}

// Assumed lists where the dump differs from what a run of a set without pods in the dump assumes.
func (s *Set) Assumed() []string {
	var notes []string
	status := s.Pair.Status
	if status != nil && dump.Unready(&status.Status) != "" {
		notes = append(notes, "in the dump "+dump.Unready(&status.Status)+"; assumed: all are")
	}
	if status != nil && status.Behind() > 0 && s.Staged == nil {
		notes = append(notes, "in the dump "+dump.Outdated(&status.Status)+"; assumed: all run the template of the dump")
	}
	if s.Staged == nil && !s.Rolls() && status == nil && s.Live.Spec.Strategy.Type == model.OnDeleteStrategy &&
		!s.OnDelete() {
		notes = append(notes, "RollingUpdate immediately replaces, from the top, the pods that OnDelete has left with an "+
			"older template; assumed: all pods have the newest")
	}
	return notes
}

// Dropped names the fields of a manifest that the version does not know, so that its API server drops them silently.
func (s *Set) Dropped(version string) []string {
	var list []string
	asked := s.Fresh
	if asked == nil && s.Pair.New == nil {
		return nil
	}
	if asked == nil {
		var refusal *model.APIError
		if asked, refusal = s.Pair.New.New(s.Key().Namespace); refusal != nil {
			return nil
		}
	}
	for _, f := range manifest.VersionedFields {
		given := f.Text(&asked.Spec)
		if given != "" && f.Text(&s.Newest().Spec) != given {
			list = append(list, fmt.Sprintf("%s: Kubernetes %s drops %s: %s, since it does not have the field or its feature "+
				"gate is off.", s.Key(), version, f.Path, given))
		}
	}
	return list
}
