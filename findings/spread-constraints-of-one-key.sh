#!/usr/bin/env bash
# Strategic merge patch, as client-side kubectl apply uses it, and topologySpreadConstraints that share a topologyKey.
#
# Packages: k8s.io/api v0.37.2, k8s.io/apimachinery v0.37.2 (pkg/util/strategicpatch), Go 1.26.
#
# A pod template may have two constraints for one topologyKey: a hard one (DoNotSchedule) and a soft one
# (ScheduleAnyway). The API server tells them apart: the keys of this list are topologyKey and whenUnsatisfiable. The
# strategic merge patch knows one key, topologyKey.
#
# The guess: the three-way patch of a change gives what the new manifest says, or an error.
# What happens, without an error, for a StatefulSet that runs with what was applied before:
#   1. maxSkew of the soft constraint is raised: that of the hard one is raised instead.
#   2. A soft constraint is added beside the hard one: it is left out.
#   3. The soft constraint is removed: both are.
# Each of these changes the template, or fails to: the pods roll to a spread that no manifest asks for. Server-side apply
# is not affected. A JSON merge patch replaces the whole list.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > go.mod <<'MOD'
module finding

go 1.26

require (
	k8s.io/api v0.37.2
	k8s.io/apimachinery v0.37.2
)
MOD

cat > main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

func zone(action corev1.UnsatisfiableConstraintAction, skew int32) corev1.TopologySpreadConstraint {
	return corev1.TopologySpreadConstraint{TopologyKey: "topology.kubernetes.io/zone", WhenUnsatisfiable: action, MaxSkew: skew}
}

func manifest(constraints []corev1.TopologySpreadConstraint) []byte {
	var set appsv1.StatefulSet
	set.Spec.Template.Spec.TopologySpreadConstraints = constraints
	return must(json.Marshal(set))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func show(of []corev1.TopologySpreadConstraint) string {
	text := ""
	for _, c := range of {
		text += fmt.Sprintf(" %s:%d", c.WhenUnsatisfiable, c.MaxSkew)
	}
	if text == "" {
		text = " none"
	}
	return text
}

func main() {
	hard, soft := zone(corev1.DoNotSchedule, 1), zone(corev1.ScheduleAnyway, 1)
	meta := must(strategicpatch.NewPatchMetaFromStruct(appsv1.StatefulSet{}))
	for _, change := range []struct {
		name        string
		old, wanted []corev1.TopologySpreadConstraint
	}{
		{"raise the soft one", []corev1.TopologySpreadConstraint{hard, soft},
			[]corev1.TopologySpreadConstraint{hard, zone(corev1.ScheduleAnyway, 3)}},
		{"add a soft one", []corev1.TopologySpreadConstraint{hard}, []corev1.TopologySpreadConstraint{hard, soft}},
		{"remove the soft one", []corev1.TopologySpreadConstraint{hard, soft}, []corev1.TopologySpreadConstraint{hard}},
	} {
		old := manifest(change.old)
		patch := must(strategicpatch.CreateThreeWayMergePatch(old, manifest(change.wanted), old, meta, true))
		var got appsv1.StatefulSet
		if err := json.Unmarshal(must(strategicpatch.StrategicMergePatchUsingLookupPatchMeta(old, patch, meta)), &got); err != nil {
			panic(err)
		}
		fmt.Printf("%s: wanted%s, got%s\n", change.name, show(change.wanted),
			show(got.Spec.Template.Spec.TopologySpreadConstraints))
	}
}
GO

cat > expected <<'OUT'
raise the soft one: wanted DoNotSchedule:1 ScheduleAnyway:3, got DoNotSchedule:3 ScheduleAnyway:1
add a soft one: wanted DoNotSchedule:1 ScheduleAnyway:1, got DoNotSchedule:1
remove the soft one: wanted DoNotSchedule:1, got none
OUT

go mod tidy
go run . > got
diff expected got
echo "as seen on 29 November 2026"
