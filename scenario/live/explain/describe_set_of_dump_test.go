package explain_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// TestPace: beside every time that depends on how long pods take stands which times were taken for them, and where they
// come from: the pods of the dump, the user, or nowhere.
func TestPace(t *testing.T) {
	const unseen = "steps:\n- create: {name: web, replicas: 3, image: \"app:bad\"}\n"
	const quiet = "kubelet: {start: 3s, rules: [{match: {image: \"app:bad\"}, ready: never}]}\n"
	five := behaviour.Constant(5 * time.Second)
	of := func(name string) map[model.Key]behaviour.Times {
		return map[model.Key]behaviour.Times{{Namespace: "default", Name: name}: {Start: five, Ready: five, Stop: five}}
	}
	for _, c := range []struct {
		name, text string
		given      behaviour.Times
		sets       map[model.Key]behaviour.Times
		want       string
	}{
		{"the pods of the dump", quiet + "steps:\n" + three + toBad, behaviour.Times{}, nil,
			"pods start in 3s and become Ready in 2s (as in the dump); stop in 2s (assumed; at most their grace period, 30s)"},
		{"no pod is Ready", quiet + unseen, behaviour.Times{}, nil,
			"pods start in 1s and become Ready in 2s (assumed); stop in 2s (assumed; at most their grace period, 30s)"},
		{"the user", quiet + "steps:\n" + three + toBad, behaviour.Times{Ready: five, Stop: five}, nil,
			"pods start in 3s (as in the dump); become Ready in 5s and stop in 5s (as given)"},
		{"a distribution", quiet + "steps:\n" + three + toBad,
			behaviour.Times{Stop: behaviour.Uniform(time.Second, 3*time.Second)}, nil,
			"pods start in 3s and become Ready in 2s (as in the dump); stop in {uniform: [1s, 3s]} (as given)"},
		{"a recording of this StatefulSet", quiet + "steps:\n" + three + toBad, behaviour.Times{}, of("web"),
			"pods start in 5s, become Ready in 5s and stop in 5s (as given)"},
		{"a recording of another", quiet + "steps:\n" + three + toBad, behaviour.Times{}, of("db"),
			"pods start in 3s and become Ready in 2s (as in the dump); stop in 2s (assumed; at most their grace period, 30s)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
			require.NoError(t, err)
			real := &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
			d := dumpedAfter(t, real.State(nil), time.Hour)
			lab := labOf(s, d)
			times := &lab.World.Kubelet.Default
			if c.given.Ready != nil {
				times.Ready = c.given.Ready
			}
			if c.given.Stop != nil {
				times.Stop = c.given.Stop
			}
			lab.World.Kubelet.Sets = c.sets
			require.Equal(t, c.want, explain.Begin(d, lab, "").All(nil).Sets[0].Pace)
		})
	}
}

// TestWhatComesNextIsNotWaitedFor: a pod that the controller is about to delete is not terminating yet, so nobody is
// told that it still is.
func TestWhatComesNextIsNotWaitedFor(t *testing.T) {
	const ready = `phase: Running, conditions: [{type: PodScheduled, status: "True"}, {type: Ready, status: "True", ` +
		`lastTransitionTime: "2026-01-01T10:00:02Z"}], containerStatuses: [{name: app, ready: true, state: {running: {}}}]`
	text := strings.NewReplacer("META", "", "SPEC", "", "WEB-2", ready, "NODE", "nodeName: node-3, ", "CORDONED", "false", "READY", ready,
		"OWNER", `creationTimestamp: "2026-01-01T10:00:00Z", ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true}]`).Replace(rolling)
	dumped, _ := explained(t, text, time.Date(2026, time.January, 1, 10, 2, 0, 0, time.UTC))
	require.True(t, dumped.Sets[0].GoesOn)
	require.Equal(t, "web-1 Terminating", dumped.Sets[0].Next[0])
	for _, w := range dumped.Sets[0].Waits {
		require.NotContains(t, w.Sentence, "is still terminating")
	}
}

// TestADumpWithoutTimes: if no object of a dump has a time, nothing is said of when it was taken.
func TestADumpWithoutTimes(t *testing.T) {
	d, err := dump.Read([]dump.Source{{Name: "sts.yaml", Data: []byte(`
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, generation: 1}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:1"}]}}
`)}}, dump.Options{})
	require.NoError(t, err)
	s, err := scenario.Parse("s.yaml", []byte("steps:\n"+three), nil, scenario.Options{})
	require.NoError(t, err)
	dumped := explain.Begin(d, labOf(s, d), "").All(nil)
	require.Equal(t, "1 StatefulSet: 0 stuck, 1 in progress, 0 at rest.", dumped.Heading())
	document, err := json.Marshal(dumped)
	require.NoError(t, err)
	require.NotContains(t, string(document), `"at":`)
}
