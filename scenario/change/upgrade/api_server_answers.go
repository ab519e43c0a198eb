package upgrade

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
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
	return p.answers.get(rules, func() stored {
		kept, refusal := sim.Create(rules, p.set)
		if refusal != nil {
			return stored{refusal: refusal.Message}
		}
		return stored{set: kept}
	})
}

// api says which fields that the set gives only one of the versions of a hop keeps, and which version refuses it.
// Fields that have no effect are passed over, as is a set that both refuse. If only one version refuses it, the refusal
// is all that is said: that version has no stored set to compare.
func (p *player) api(h *hop) []string {
	set, from, to := p.set, p.stored(h.from), p.stored(h.to)
	name := h.names
	switch {
	case from.refusal != "" && to.refusal != "":
		return []string{}
	case from.refusal != "":
		return []string{fmt.Sprintf("%s refuses it, and %s does not: %s", name[0], name[1], from.refusal)}
	case to.refusal != "":
		return []string{fmt.Sprintf("%s refuses it, and %s does not: %s", name[1], name[0], to.refusal)}
	}
	list := []string{}
	for _, f := range manifest.VersionedFields {
		given := f.Text(&set.Spec)
		a, b := given != "" && f.Text(&from.set.Spec) == given, given != "" && f.Text(&to.set.Spec) == given
		switch {
		case a && !b:
			list = append(list, fmt.Sprintf("%s: %s is dropped by %s and kept by %s", f.Path, given, name[1], name[0]))
		case b && !a:
			list = append(list, fmt.Sprintf("%s: %s is dropped by %s and kept by %s", f.Path, given, name[0], name[1]))
		}
	}
	return list
}
