package explain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/cluster/explain"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
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
