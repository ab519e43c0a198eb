package explain_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestCostsNameThePods: a fix says which pods go and come back, also one that is Terminating already, which go for
// good, and how many serve meanwhile, seen from how many serve now.
func TestCostsNameThePods(t *testing.T) {
	for _, c := range []struct{ name, text, command, says string }{
		{"a pod that is Terminating already", "nodes: {count: 3}\nsteps:\n" + three + "- nodeDown: {node: node-2, off: true}\n",
			"delete pod web-1 --force", ", replaces web-1, and at least 2 of 3 serve meanwhile"},
		{"a rollout that goes on", "steps:\n" + three + "- unready: {pod: web-0}\n- setImage: {image: \"app:v2\"}\n",
			"delete pod web-0", ", replaces web-0, web-2 and web-1, and at least 2 of 3 serve meanwhile"},
		{"pods that go for good", "steps:\n" + three + "- unready: {pod: web-0}\n- scale: {replicas: 1}\n",
			"delete pod web-0", ", replaces web-0, removes web-2 and web-1, and 1 of 1 serves meanwhile"},
		{"many pods", bad + "steps:\n- create: {name: web, replicas: 7, image: \"app:v1\", podManagementPolicy: Parallel}\n" + toBad,
			"set image", ", replaces web-6, web-5, web-4, web-3 and 3 more, and at least 6 of 7 serve meanwhile"},
		{"the only pod", "steps:\n" + strings.Replace(three, "3", "1", 1) + "- unready: {pod: web-0}\n- setImage: {image: \"app:v2\"}\n",
			"delete pod web-0", ", replaces web-0, and no pod serves at first"},
		{"pods below a sick one", bad + "steps:\n" + three + toBad + back, "scale statefulset/web --replicas=2", ", replaces web-2, and at least 2 of 3"},
		{"a first start", bad + "steps:\n- create: {name: web, replicas: 3, image: \"app:bad\"}\n",
			"set image", ", replaces web-0, and no pod serves at first"},
		{"a name that is taken", "steps:\n- createPod: {name: web-1, image: \"tool:1\", labels: {app: tool}}\n" + three,
			"label --overwrite", ", replaces web-1, and at least 2 of 3 serve meanwhile"},
		{"a set that is to go", "kubelet: {rules: [{match: {pod: web-2}, stop: never}]}\nsteps:\n" + three + "- delete: statefulset/web\n  cascade: foreground\n",
			"--force", ", removes web-2. DANGER"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
			require.NoError(t, err)
			real := &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
			d := dumpedAfter(t, real.State(nil), 10*time.Minute)
			ways := explain.Begin(d, labOf(s, d), "").All(nil).Sets[0].WaysOut
			at := slices.IndexFunc(ways, func(w explain.WayOut) bool {
				return w.Heals && strings.Contains(strings.Join(w.Commands, "\n"), c.command)
			})
			require.GreaterOrEqual(t, at, 0, "%+v", ways)
			require.Contains(t, said(t, ways[at]), c.says)
			require.Equal(t, strings.Contains(c.says, "removes"), len(ways[at].Removes) > 0)
		})
	}
}

// said is what is printed of a way, in one line.
func said(t *testing.T, way explain.WayOut) string {
	t.Helper()
	e := explain.Explanation{Sets: []*explain.Set{{Tried: true, WaysOut: []explain.WayOut{way}}}}
	var text strings.Builder
	require.NoError(t, e.Document().Text(&text, render.Style{Width: 1 << 20}))
	return strings.Join(strings.Fields(text.String()), " ")
}
