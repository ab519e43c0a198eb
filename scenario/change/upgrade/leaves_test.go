package upgrade

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/search/atlas"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
)

// TestNotAtRestByStatus: of a set whose pods are not in the file the status says what it was about. A partition and
// OnDelete leave pods at an older revision for good.
func TestNotAtRestByStatus(t *testing.T) {
	const rolls = "status: {replicas: 3, readyReplicas: 3, updatedReplicas: 1, currentRevision: a, updateRevision: b}"
	for spec, says := range map[string]string{
		"  replicas: 3\n" + rolls:                                                                        "(2 of 3 pods run an older template)",
		"  replicas: 3\n  updateStrategy: {type: OnDelete}\n" + rolls:                                    "",
		"  replicas: 3\n  updateStrategy: {rollingUpdate: {partition: 2}}\n" + rolls:                     "",
		"  replicas: 3\nstatus: {replicas: 2, readyReplicas: 2, currentRevision: a, updateRevision: a}":  "(it has 2 pods, and its spec asks for 3)",
		"  replicas: 3\nstatus: {replicas: 3, readyReplicas: 2, currentRevision: a, updateRevision: a}":  "(2 of 3 pods are Ready)",
		"  replicas: 3\nstatus: {replicas: 3, readyReplicas: 3, currentRevision: a, updateRevision: a}":  "",
		"  replicas: 3\nstatus: {replicas: 1, readyReplicas: 0, updatedReplicas: 1, currentRevision: a}": "",
	} {
		report := read(t, setText("web", spec)).Compare(between(t, "1.36", "1.37"))
		require.Equal(t, says != "", len(report.NotAtRest) == 1, spec)
		if says != "" {
			require.Contains(t, movingLines(report.Moving)[0], says)
		}
	}
	const still = "  replicas: 1\nstatus: {replicas: 1, readyReplicas: 1, observedGeneration: 1, currentRevision: a, updateRevision: a}"
	for meta, says := range map[string]string{
		"web, generation: 2": "(the controller has not seen its newest spec yet)",
		`web, generation: 1, deletionTimestamp: "2026-01-31T11:00:00Z"`: "(it is being deleted)",
	} {
		report := read(t, setText(meta, still)).Compare(between(t, "1.36", "1.37"))
		require.Len(t, report.Moving, 1, meta)
		require.Contains(t, movingLines(report.Moving)[0], says)
	}
}

// TestHiddenPods: where one set has no pods, those of another that the dump does not show are not missing.
func TestHiddenPods(t *testing.T) {
	const state = "  replicas: 3\nstatus: {replicas: 3, readyReplicas: READY, observedGeneration: 1, currentRevision: a, updateRevision: a}"
	none := setText("api, uid: api, generation: 1", "  replicas: 0\nstatus: {replicas: 0, observedGeneration: 1}")
	for ready, says := range map[string][]string{"3": nil, "2": {"2 of 3 pods are Ready"}} {
		in := read(t, none, setText("web, uid: web, generation: 1", strings.Replace(state, "READY", ready, 1)))
		require.NoError(t, in.ReadState(strict.Limits{}))
		var shows []string
		for _, m := range in.Compare(between(t, "1.36", "1.37")).Moving {
			shows = append(shows, m.Shows)
		}
		require.Equal(t, says, shows)
	}
}

// TestASetThatHasNoPods: no pod is missing from a dump of a set that has none, as in a plan. A status that somebody has
// shortened, or none, does not say that.
func TestASetThatHasNoPods(t *testing.T) {
	for status, shown := range map[string]bool{
		"status: {replicas: 0}": true, "status: {replicas: 0, observedGeneration: 1}": true,
		"status: {observedGeneration: 1}": true, "status: {}": false, "": false,
		"status: {replicas: 1, observedGeneration: 1}": false,
	} {
		in := read(t, setText("api, uid: api, generation: 1", "  replicas: 1\n"+status))
		require.NoError(t, in.ReadState(strict.Limits{}))
		require.Equal(t, shown, len(in.Compare(between(t, "1.36", "1.37")).Moving) == 1, "%q", status)
	}
}

// TestTheLowestPodOfAnUpdate: a case about the lowest pod is about the lowest one that the partition lets the update
// reach, and about the first one if there is none.
func TestTheLowestPodOfAnUpdate(t *testing.T) {
	for partition, low := range map[int32]string{0: "web-5", 2: "web-7", 3: "web-5", 4: "web-5"} {
		set := &model.StatefulSet{Meta: model.Meta{Name: "web"}, Spec: model.Spec{
			Replicas: 3, Ordinals: &model.Ordinals{Start: 5}, Template: &model.Template{Data: "{}", Containers: []model.Container{{Name: "app"}}},
			Strategy: model.Strategy{Type: model.RollingUpdateStrategy, RollingUpdate: &model.RollingUpdate{Partition: partition}},
		}}
		o := between(t, "1.36", "1.37")
		require.Equal(t, low, newPlayer(set, &o).subject.Low)
	}
}

// TestTrapsOfVersionsThatCannotBePlayed: a trap that the atlas cannot play on a version is called new on neither.
func TestTrapsOfVersionsThatCannotBePlayed(t *testing.T) {
	for i := range atlas.Traps {
		require.False(t, traps{}.isNew(&atlas.Traps[i], [2]string{"1.0", "1.37"}))
	}
}

// TestWholeRunsOfEndings: only where a run has ended, and in no livelock, do two runs differ in how they end.
func TestWholeRunsOfEndings(t *testing.T) {
	for verdict, whole := range map[timeline.Verdict]bool{"": false, timeline.Settled: true, timeline.Livelock: false} {
		p := &Pair{Parting: &versus.Parting{}}
		require.False(t, p.whole())
		p.Parting.Sides[1].Moment = &versus.Moment{Verdict: verdict}
		require.Equal(t, whole, p.whole(), verdict)
	}
}

// TestASetToWhichNothingHappens stays as it is: it does not settle after no time.
func TestASetToWhichNothingHappens(t *testing.T) {
	require.Equal(t, "stays as it is", liveSettles(0))
	require.Equal(t, "settles after 4s", liveSettles(4*time.Second))
}

// TestUnknownField: a field that is not known is a mistake of a manifest, and nothing in what a server has printed: it
// may be newer.
func TestUnknownField(t *testing.T) {
	const manifest = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\nspec: {servicename: web, selector: {matchLabels: " +
		"{app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: a}]}}}\n"
	in := &Input{}
	require.NoError(t, in.Read("f", []byte(manifest), strict.Limits{}))
	require.Equal(t, []string{`f:4:8: unknown field "spec.servicename": did you mean serviceName?`}, in.Invalid)
	in = &Input{}
	require.NoError(t, in.Read("f", []byte(strings.Replace(manifest, "name: web}", "name: web, uid: u}", 1)), strict.Limits{}))
	require.Empty(t, in.Invalid)
	require.Len(t, in.Sets, 1)
}

// TestPodsThatAreWrong: where only one of the versions looks at the pods of a set, a set with wrong ones is a row of
// the upgrade. Where both do, it is left out.
func TestPodsThatAreWrong(t *testing.T) {
	const manifest = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\nspec: {selector: {matchLabels: " +
		"{app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app}]}}}\n"
	in := &Input{}
	require.NoError(t, in.Read("f", []byte(manifest), strict.Limits{}))
	require.Empty(t, in.Invalid)
	of := func(version string) statefulset.Profile {
		profile, err := statefulset.Lookup(version)
		require.NoError(t, err)
		return profile
	}
	require.Len(t, in.accepted(Options{From: of("1.33"), To: of("1.34")}).Sets, 1)
	left := in.accepted(Options{From: of("1.34"), To: of("1.37")})
	require.Empty(t, left.Sets)
	require.Equal(t, []string{"f:4:108: spec.template.spec.containers[0].image: Required value: Kubernetes refuses such a set " +
		"from 1.34 on; before, it refuses each of its pods"}, left.Invalid)
	require.Len(t, in.Sets, 1)
}
