package scenario

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
)

// warnDropped warns of each field of a set that the API server of the version drops without a word.
func (s *step) warnDropped(set *manifest.Set) {
	var given []manifest.VersionedField
	for _, f := range manifest.VersionedFields {
		if set.Place(f.Path) != nil {
			given = append(given, f)
		}
	}
	if len(given) == 0 || s.refused {
		return
	}
	wanted, err := set.New(s.namespace)
	if err != nil {
		return
	}
	stored, err := sim.Create(s.scenario.Profile.API(), wanted)
	if err != nil {
		return
	}
	for _, f := range given {
		if f.Text(&wanted.Spec) == f.Text(&stored.Spec) {
			continue
		}
		want := "set featureGates: {" + f.Gate + ": true}, or leave the field out"
		if !s.scenario.Profile.Knows(f.Gate) {
			want = "leave the field out, or play a version that has it"
		}
		at, name := set.Place(f.Path), strings.TrimPrefix(strings.TrimPrefix(f.Path, "spec."), "updateStrategy.rollingUpdate.")
		s.warnings = append(s.warnings, strict.Problem{File: set.File, Line: at.Line, Column: at.Column,
			What: fmt.Sprintf("Kubernetes %s drops %s", s.scenario.Profile.Version(), name), Want: want})
	}
}
