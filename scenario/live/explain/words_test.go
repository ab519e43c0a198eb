package explain_test

import (
	"github.com/statefulsim/statefulsim/sim/view/render"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/play"
)

// TestWordsOfADump: what is printed of a dump says what the reader would otherwise miss, and gives no advice that the
// simulation refutes.
func TestWordsOfADump(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want, not  []string
	}{
		{"a wait is no advice", bad + "steps:\n" + three + toBad,
			[]string{"It ends when web-2 becomes Ready.", "Not enough (simulated): deleting web-2;",
				"Set the partition in Git too"}, []string{"is deleted"}},
		{"an undo that brings the broken image back", bad + "steps:\n" + three + toBad + back,
			[]string{"Not enough (simulated): undoing the rollout; undoing the rollout and deleting web-2.\n" +
				"  - web-2 still has app:bad, and the StatefulSet already asks for app:v1: an undo brings app:bad back.\n",
				"Fixes in case web-2 does not become Ready, the safest first (each simulated from this state, as printed):"}, nil},
		{"an undo that brings back what is not broken", "steps:\n" + three + "- unready: {pod: web-0}\n- setImage: {image: \"app:v2\"}\n",
			[]string{"Not enough (simulated): undoing the rollout"}, []string{"an undo brings"}},
		{"an undo that is what is needed", bad + "steps:\n" + three + toBad, []string{"undoing the rollout", "IMAGE stands for an image that works"},
			[]string{"an undo brings"}},
		{"OnDelete at rest", "steps:\n- create: {name: web, replicas: 3, image: \"app:v1\", updateStrategy: {type: OnDelete}}\n" +
			"- setImage: {image: \"app:v2\"}\n- delete: pod/web-1\n",
			[]string{"AT REST default/web (3 of 3); 2 pods are still at an old revision (OnDelete)"}, nil},
		{"a partition at rest", "steps:\n- create: {name: web, replicas: 2, image: \"app:v1\", " +
			"updateStrategy: {rollingUpdate: {partition: 1}}}\n- setImage: {image: \"app:v2\"}\n",
			[]string{"(2 of 2); 1 pod is still at an old revision (partition 1)"}, nil},
		{"a drain", "nodes: {count: 2}\nsteps:\n" + three + strings.Replace(budgeted, "2", "3", 1) + "- cordon: node-2\n",
			[]string{"node node-2 is cordoned: a drain of it cannot finish",
				"Waiting: web-1 cannot be evicted", "The disruption budget web needs 3 healthy pods and has 3 currently",
				"It ends when the budget allows a disruption, when it covers one more healthy pod, or when web-1 is deleted " +
					"instead of evicted.",
				"Change the budget in Git too, or the next apply undoes it.",
				"Fixes, those without DANGER first (each simulated from this state, as printed):",
				"DANGER: do this only if the PodDisruptionBudget web may be violated"}, []string{"becomes healthy"}},
		{"a node that is off", "nodes: {count: 3}\nsteps:\n" + three + "- nodeDown: {node: node-2, off: true}\n",
			[]string{"When the node is back, remove the taint (kubectl taint nodes node-2 node.kubernetes.io/out-of-service-).",
				"node-2 does not answer, and only its kubelet can say that the process of web-1 has ended. The wait ends when node-2 is back, or by " +
					"one of the fixes below.",
				"Fixes, each with a DANGER (each simulated from this state, as printed):"}, []string{"Ways out"}},
		{"a container that crashes", "kubelet: {rules: [{match: {image: \"app:bad\"}, crash: 1s}]}\nuntil: 10m\nsteps:\n" + three + toBad,
			[]string{"kubectl -n default logs web-2 -c app --previous"}, []string{"Its container says"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
			require.NoError(t, err)
			real := &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
			d := dumpedAfter(t, real.State(nil), 0)
			var text strings.Builder
			require.NoError(t, explain.Begin(d, labOf(s, d), "").All(nil).Document().Text(&text, render.Style{Width: 1 << 20}))
			for _, want := range c.want {
				require.Contains(t, text.String(), want)
			}
			for _, not := range c.not {
				require.NotContains(t, text.String(), not)
			}
		})
	}
}

// TestUnblocksADrain: a fix that lets a drain go on is not called useless only because another pod stays not Ready.
func TestUnblocksADrain(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte("nodes: {count: 2}\nsteps:\n- create: {name: web, replicas: 4, image: \"app:v1\", "+
		"podManagementPolicy: Parallel}\n"+strings.Replace(budgeted, "2", "3", 1)+"- unready: web-0\n- drain: node-2\n"),
		nil, scenario.Options{})
	require.NoError(t, err)
	lab := &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
	e, err := explain.Explain(lab.Run(nil), explain.Options{Lab: lab})
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, e.Document().Text(&text, render.Style{Width: 1 << 20}))
	require.Contains(t, text.String(), "Lets the drain continue, but does not heal the StatefulSet (simulated). Deleting web-1")
	require.NotContains(t, text.String(), "; deleting web-1 instead of evicting it")
	early := time.Duration(0)
	s, err = scenario.Parse("s.yaml", []byte("steps:\n- at: 9s\n  create: {name: web, replicas: 1, image: \"app:v1\"}\n"), nil,
		scenario.Options{})
	require.NoError(t, err)
	lab = &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
	e, err = explain.Explain(lab.Run(nil), explain.Options{At: &early})
	require.NoError(t, err)
	text.Reset()
	require.NoError(t, e.Document().Text(&text, render.Style{Width: 1 << 20}))
	require.Contains(t, text.String(), "There is no StatefulSet at this instant.")
}
