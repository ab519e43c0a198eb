package upgrade

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// stored is the answer of an API server to a new set: the set as stored, or the refusal.
type stored struct {
	// Exactly one of the two is given. The set is a copy, with the defaults of that version, and without the fields that
	// the version does not know.
	set     *model.StatefulSet
	refusal string
}

// stored sends the set to the API server of a version, once for all versions with the same rules. The set itself is not
// changed.
func (p *player) stored(profile statefulset.Profile) stored {
	rules := profile.API()
	if answer, known := p.answers[rules]; known {
		return answer
	}
	var answer stored
	kept, refusal := sim.Create(rules, p.set)
	if answer.set = kept; refusal != nil {
		answer = stored{refusal: refusal.Message}
	}
	p.answers[rules] = answer
	return answer
}

// api says which fields that the set gives only one of the versions of a hop keeps, and which version refuses it.
// Fields that have no effect are passed over, as is a set that both refuse. If only one version refuses it, the refusal
// is all that is said: that version has no stored set to compare.
func (p *player) api(h *hop) []string {
	set, from, to := p.set, p.stored(h.from), p.stored(h.to)
	name := h.names
	switch {
	case from.refusal != "" && to.refusal != "":
		return nil
	case from.refusal != "":
		return []string{fmt.Sprintf("%s refuses it, and %s does not: %s", name[0], name[1], from.refusal)}
	case to.refusal != "":
		return []string{fmt.Sprintf("%s refuses it, and %s does not: %s", name[1], name[0], to.refusal)}
	}
	var list []string
	for _, f := range fields {
		given := f.text(&set.Spec)
		a, b := given != "" && f.text(&from.set.Spec) == given, given != "" && f.text(&to.set.Spec) == given
		switch {
		case a && !b:
			list = append(list, fmt.Sprintf("%s: %s is dropped by %s and kept by %s", f.path, given, name[1], name[0]))
		case b && !a:
			list = append(list, fmt.Sprintf("%s: %s is dropped by %s and kept by %s", f.path, given, name[0], name[1]))
		}
	}
	return list
}

// field is a field of the spec that not every version keeps. Its text is "" if it is not given or has no effect.
type field struct {
	path string
	// The text is also what is compared: a field counts as kept if its text is the same before and after the server.
	text func(*model.Spec) string
}

// fields are all fields of the model that not every supported version has. A version that lacks one drops it silently,
// as an API server does with fields whose gate is off.
var fields = []field{
	{"spec.updateStrategy.rollingUpdate.maxUnavailable", func(s *model.Spec) string {
		block := s.Strategy.RollingUpdate
		if block == nil || block.MaxUnavailable == nil || *block.MaxUnavailable == (model.IntOrPercent{Value: 1}) {
			return ""
		}
		return block.MaxUnavailable.String()
	}},
	{"spec.minReadySeconds", func(s *model.Spec) string {
		if s.MinReadySeconds == 0 {
			return ""
		}
		return fmt.Sprint(s.MinReadySeconds)
	}},
	{"spec.ordinals.start", func(s *model.Spec) string {
		if s.Ordinals == nil || s.Ordinals.Start == 0 {
			return ""
		}
		return fmt.Sprint(s.Ordinals.Start)
	}},
	{"spec.persistentVolumeClaimRetentionPolicy", func(s *model.Spec) string {
		if s.Retention == nil || *s.Retention == (model.Retention{}) {
			return ""
		}
		words := map[bool]string{true: "Delete", false: "Retain"}
		return fmt.Sprintf("{whenDeleted: %s, whenScaled: %s}",
			words[s.Retention.DeleteWithSet], words[s.Retention.DeleteWhenScaled])
	}},
}
