package upgrade

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// cluster plays a scenario, and returns what kubectl prints of its cluster at the end.
func cluster(t *testing.T, head, steps string) string {
	t.Helper()
	s, err := scenario.Parse("s.yaml", []byte(head+"steps:\n"+steps), nil, scenario.Options{})
	require.NoError(t, err)
	world := sim.New(s.Config(scenario.RunOptions{}))
	world.Run(s.Steps)
	var printed bytes.Buffer
	require.NoError(t, printing.Print(&printed, world.State(), time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)))
	return printed.String()
}

// unrest is a dump of sets that are not at rest: one that the upgrade makes worse off, one that goes on as it would
// without it, one that is stuck, and one that is at rest.
func unrest(t *testing.T) string {
	const create = "- create: {name: %s, replicas: 3, image: \"app:v1\", podManagementPolicy: %s}\n"
	return cluster(t, "kubernetes: \"1.36\"\nkubelet: {rules: [{match: {image: \"app:bad\"}, ready: never}]}\nuntil: 1h\n",
		fmt.Sprintf(create, "loops", "Parallel")+fmt.Sprintf(create, "stuck", "OrderedReady")+fmt.Sprintf(create, "rests", "OrderedReady")+
			"- setImage: {statefulset: stuck, image: \"app:bad\"}\n- setImage: {statefulset: loops, image: \"app:bad\"}\n"+
			"- delete: pod/loops-1\n")
}

// young is a dump of a set whose image changed before minReadySeconds were over: 1.37 takes down all its pods at once.
// The set before it goes on as it would without the upgrade.
func young(t *testing.T) string {
	return cluster(t, "kubernetes: \"1.36\"\nuntil: 21s\n",
		"- create: {name: able, replicas: 2, image: \"app:v1\"}\n"+
			"- create: {name: web, replicas: 3, image: \"app:v1\", podManagementPolicy: Parallel, minReadySeconds: 60}\n"+
			"- {at: 20s, setImage: {statefulset: web, image: \"app:v2\"}}\n- {at: 20s, delete: pod/able-0}\n")
}

// TestWords compares what is printed of upgrades, as text and as Markdown, with all sets and with those alone that are
// worse off, with testdata/words.txt.
func TestWords(t *testing.T) {
	const parallel = "  replicas: 4\n  podManagementPolicy: Parallel"
	const byHand = "  replicas: 2\n  updateStrategy: {type: OnDelete}"
	alike := func(n int, spec string) (text string) {
		for i := range n {
			text += setText(fmt.Sprintf("s%02d", i), spec)
		}
		return text
	}
	shapes := ""
	for i, spec := range []string{
		parallel, "  replicas: 3\n  podManagementPolicy: Parallel", "  replicas: 2\n  podManagementPolicy: Parallel",
		parallel + "\n  updateStrategy: {type: RollingUpdate}", parallel + "\n  minReadySeconds: 30",
		"  replicas: 5\n  podManagementPolicy: Parallel\n  updateStrategy: {type: RollingUpdate}",
		"  replicas: 2\n  updateStrategy: {type: OnDelete}", "  replicas: 4\n  updateStrategy: {type: OnDelete}",
		"  replicas: 3\n  updateStrategy: {rollingUpdate: {maxUnavailable: 2}}", "  replicas: 3",
	} {
		shapes += setText(fmt.Sprintf("shape%02d", i), spec)
	}
	via := func(o Options, names ...string) Options {
		for _, name := range names {
			o.Path = append(o.Path, Stop{Name: name, Profile: between(t, name, name).To})
		}
		return o
	}
	cases := []struct {
		name, input string
		options     Options
		adjust      func(*Report)
	}{
		{"nothing changes for one set", setText("web", "  replicas: 3"), between(t, "1.36", "1.37"), nil},
		{"nothing changes for two", setText("web", "  replicas: 3") + setText("db", "  replicas: 2"), between(t, "1.36", "1.37"), nil},
		{"some for the worse", setText("web", parallel+"\n  updateStrategy: {type: RollingUpdate}") + setText("db", "  replicas: 2") +
			setText("hand", "  replicas: 2\n  updateStrategy: {type: OnDelete}"), between(t, "1.36", "1.37"), nil},
		{"many that are alike", alike(22, parallel), between(t, "1.36", "1.37"), nil},
		{"many groups", shapes, via(between(t, "1.34", "1.37"), "1.34", "1.35", "1.36", "1.37"), nil},
		{"a patch that is to be avoided", setText("web", "  replicas: 2\n  podManagementPolicy: Parallel"), between(t, "1.34", "1.35"), nil},
		{"on a path", setText("web", "  replicas: 3\n  updateStrategy: {rollingUpdate: {partition: 1}}") + setText("db", parallel+"\n  minReadySeconds: 30"),
			via(between(t, "1.26", "1.28"), "1.26", "1.27", "1.28"), nil},
		{"a field that one of them drops", setText("web", "  replicas: 1\n  ordinals: {start: 1}"), between(t, "1.27", "1.26"), nil},
		{"sets that are not at rest", unrest(t), between(t, "1.36", "1.37"), nil},
		{"gates, and what is left out", setText("web", parallel), between(t, "1.36", "1.37"), func(r *Report) {
			r.FromGates, r.ToGates = "A=true", "B=false"
			r.Invalid, r.Ignored, r.Interrupted = []string{"sets.yaml:1:1: it is wrong"}, []string{"ConfigMap", "Secret"}, true
		}},
		{"as many that are alike as a line names", alike(20, byHand), between(t, "1.36", "1.37"), nil},
		{"the API servers alone", setText("web", "  replicas: 1\n  updateStrategy: {rollingUpdate: {maxUnavailable: 2}}"),
			between(t, "1.36", "1.37"), nil},
		{"refused by both", setText("web", "  replicas: 2\n  updateStrategy: {type: Recreate}"), between(t, "1.35", "1.36"), nil},
		{"a set that the upgrade takes down", young(t), between(t, "1.36", "1.37"), nil},
		{"a partition above all pods", setText("db", "  replicas: 2\n  updateStrategy: {rollingUpdate: {partition: 2}}"), between(t, "1.26", "1.27"), nil},
		{"causes that are not known", setText("web", "  replicas: 3\n  updateStrategy: {rollingUpdate: {partition: 1}}") + setText("hand", byHand),
			between(t, "1.27.3", "1.27.4"), withoutCauses},
	}
	var text bytes.Buffer
	for _, c := range cases {
		c.options.Show = func(from, to, what string) string { return fmt.Sprintf("sim upgrade %s %s --show %s", from, to, what) }
		in := read(t, c.input)
		require.NoError(t, in.ReadState(strict.Limits{}))
		r := in.Compare(c.options)
		if c.adjust != nil {
			c.adjust(r)
		}
		for _, view := range []View{{}, {All: true, OnlyWorse: true}} {
			fmt.Fprintf(&text, "# %s%s\n\n", c.name, map[bool]string{true: ", the worse alone"}[view.OnlyWorse])
			d := r.Document(view)
			require.NoError(t, d.Text(&text, render.Style{Width: 110}))
			text.WriteString("\n")
			require.NoError(t, d.Markdown(&text))
			text.WriteString("\n")
			for _, run := range r.Runs(view, c.options) {
				fmt.Fprintf(&text, "run %s (%s): %s\n", run.Name, run.Description, run.Events[len(run.Events)-1].Result.Verdict)
			}
			text.WriteString("\n")
		}
	}
	text.WriteString("# on a narrow terminal\n\n")
	narrow := read(t, setText("web", parallel)+setText("quiet", "  replicas: 0")).Compare(between(t, "1.36", "1.37"))
	require.NoError(t, narrow.Document(View{}).Text(&text, render.Style{Width: 24}))
	goldenfile.Equal(t, "testdata/words.txt", text.Bytes())
}

// withoutCauses takes from each row by which differences its runs diverge.
func withoutCauses(r *Report) {
	for _, hop := range r.Path {
		for _, g := range hop.Groups {
			for _, row := range g.Rows {
				row.Parting.Causes = nil
			}
		}
	}
}
