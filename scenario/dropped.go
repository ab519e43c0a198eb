package scenario

import (
	"fmt"

	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// warnDropped warns of a field that the API server of the version drops from a set without a word.
func (s *step) warnDropped(set *manifest.Set) {
	const path, gate = "spec.updateStrategy.rollingUpdate.maxUnavailable", "MaxUnavailableStatefulSet"
	at, profile := set.Place(path), &s.scenario.Profile
	if at == nil || s.refused || profile.Gate(gate) {
		return
	}
	want := "set featureGates: {" + gate + ": true}, or leave the field out"
	if !profile.Knows(gate) {
		want = "leave the field out, or play a version that has it, from 1.24 on"
	}
	s.warnings = append(s.warnings, strict.Problem{File: set.File, Line: at.Line, Column: at.Column,
		What: fmt.Sprintf("Kubernetes %s drops maxUnavailable", profile.Version()), Want: want})
}
