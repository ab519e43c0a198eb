package scenario

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim"
)

// patch reads a kubectl patch of a set: a merge patch, or a strategic one. The patch itself is checked here, what it
// makes of the live set by the API server in the run. A patch that may change containers makes their names uncertain.
func (s *step) patch() *action {
	m := s.r.Map(s.value, "patch", "statefulset", "type", "spec", "metadata")
	key, ok := s.set(m)
	if m == nil {
		return nil
	}
	strategic := m.OneOf("type", "merge", "strategic") == "strategic"
	if !m.Has("spec") && !m.Has("metadata") {
		s.r.Problem(m.Node, "the patch changes nothing", "give it spec or metadata")
		return nil
	}
	patch := manifest.ReadPatch(s.r, s.value, strategic)
	if patch == nil || !ok {
		return nil
	}
	patch.CheckLimits(s.r)
	if !s.refused {
		patch.Check(s.r)
	}
	if k := s.census.byKey[key]; k != nil && patch.ChangesTemplate() {
		k.uncertain = true
	}
	does := "patch " + key.Name + patch.Summary()
	return setAction(key, does, func(_ *sim.User, live *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
		return patch.Apply(live)
	})
}
