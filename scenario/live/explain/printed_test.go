package explain_test

import (
	"encoding/json"
	"fmt"
	"github.com/statefulsim/statefulsim/scenario/live/oncall"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

const budgeted = "- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, " +
	"spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}}\n"

// instants are instants of runs; pod is the one that is asked for, and at 0 is the end.
var instants = []struct {
	name, text, pod string
	at              time.Duration
}{
	{"the last instant", "steps:\n" + three, "", 9 * time.Second},
	{"the instant before it", "steps:\n" + three, "", 9*time.Second - 1},
	{"a wait that a step ends", "steps:\n- create: {name: web, replicas: 2, image: \"app:v1\", updateStrategy: {rollingUpdate: {partition: 1}}}\n" +
		"- setImage: {image: \"app:v2\"}\n- at: 1m\n  patch: {spec: {updateStrategy: {rollingUpdate: {partition: 0}}}}\n", "", 30 * time.Second},
	{"a wait like one of another set", "steps:\n- create: {name: web, replicas: 2, image: \"app:v1\", updateStrategy: {rollingUpdate: {partition: 1}}}\n- create: {name: api, replicas: 2, image: \"app:v1\", updateStrategy: {rollingUpdate: {partition: 1}}}\n" +
		"- setImage: {statefulset: web, image: \"app:v2\"}\n- setImage: {statefulset: api, image: \"app:v2\"}\n- at: 1m\n  patch: {statefulset: api, spec: {updateStrategy: {rollingUpdate: {partition: 0}}}}\n", "", 40 * time.Second},
	{"two pods on one node", "nodes: {count: 1}\nsteps:\n- create: {name: web, replicas: 2, image: \"app:v1\"}\n" + budgeted + "- drain: node-1\n", "", 0},
	{"one of two pods", "nodes: {count: 1}\nsteps:\n- create: {name: web, replicas: 2, image: \"app:v1\"}\n" + budgeted + "- drain: node-1\n", "web-1", 0},
	{"a pod on another node", "nodes: {count: 2}\nsteps:\n- create: {name: web, replicas: 2, image: \"app:v1\"}\n" + budgeted + "- drain: node-1\n", "web-1", 0},
	{"a drain after one that gave up", "nodes: {count: 2}\nsteps:\n- create: {name: web, replicas: 2, image: \"app:v1\"}\n" + budgeted +
		"- drain: {node: node-1, timeout: 30s}\n- after: 1m\n  drain: node-1\n", "", 0},
	{"a drain that has ended", "nodes: {count: 2}\nsteps:\n- create: {name: web, replicas: 3, image: \"app:v1\"}\n" + budgeted +
		"- drain: node-1\n- after: 1m\n  setImage: {image: \"app:v2\"}\n", "", time.Minute},
	{"a drain that meets the new pod of a name", "nodes: {count: 2}\nsteps:\n- create: {name: web, replicas: 1, image: \"app:v1\"}\n" + strings.Replace(budgeted, "2", "1", 1) + "- drain: node-1\n- after: 10s\n  delete: pod/web-0\n", "", 0},
	{"a call that is refused", "steps:\n" + three + "faults: [{write: {verb: create, kind: pod}, error: Forbidden, message: exceeded quota, times: always}]\n", "", 0},
	{"containers that crash", "kubelet: {rules: [{match: {image: \"app:bad\"}, crash: 1s}]}\nuntil: 2m\nsteps:\n" + three + toBad, "", time.Minute},
	{"a livelock of which a broken image is left", bad + "kubernetes: \"1.37\"\nsteps:\n- create: {name: web, replicas: 3, image: \"app:v1\", " +
		"podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}\n- unready: {pod: web-0}\n" + toBad, "", 0},
}

// lives are dumps of sets that are not stuck, or not by themselves.
var lives = []struct {
	name, text string
	after      time.Duration
}{
	{"a livelock", "kubernetes: \"1.37\"\nuntil: 3s\nsteps:\n- create: {name: web, replicas: 3, image: \"app:v1\", " +
		"podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}\n- at: 1s\n  delete: pod/web-0\n- at: 3s\n  setImage: {image: \"app:v2\"}\n", 0},
	{"a set that is stuck, beside one on its way", bad + "until: 18s\nsteps:\n" + three + "- at: 10s\n  setImage: {image: \"app:bad\"}\n- at: 13s\n  create: {name: api, replicas: 3, image: \"api:1\"}\n", 0},
	{"pods without an owner", "steps:\n" + three + "- create: {name: db, replicas: 1, image: \"db:1\"}\n- delete: statefulset/web\n  cascade: orphan\n", time.Minute},
	{"pods of two sets without an owner", "steps:\n- create: {name: web, replicas: 11, podManagementPolicy: Parallel, image: \"app:1\"}\n" +
		"- create: {name: db, replicas: 1, image: \"db:1\"}\n- delete: statefulset/web\n  cascade: orphan\n- delete: statefulset/db\n  cascade: orphan\n", time.Minute},
	{"eight changes to come", "until: 3500ms\nsteps:\n- create: {name: web, replicas: 4, image: \"app:v1\"}\n", 0},
	{"two sets on their way, of which one takes longer", "until: 4s\nsteps:\n- create: {name: api, replicas: 2, image: \"api:1\"}\n" + three, 0},
	{"a drain that a budget stops, and a set on its way", "until: 20s\nnodes: {count: 2}\nsteps:\n" + three + strings.Replace(budgeted, "2", "3", 1) + "- cordon: node-2\n" +
		"- at: 19s\n  create: {name: api, replicas: 2, image: \"api:1\"}\n", 0},
	{"a node that can be drained", "nodes: {count: 2}\nsteps:\n" + three + budgeted + "- cordon: node-2\n", time.Minute},
	{"a drain of which one set is stuck anyway", bad + "nodes: {count: 2}\nsteps:\n" + three + budgeted + "- create: {name: db, replicas: 2, image: \"db:1\"}\n" +
		"- setImage: {statefulset: web, image: \"app:bad\"}\n- cordon: node-2\n", time.Hour},
}

// TestPrinted compares what is printed of instants of runs, and of dumps, with testdata/printed.txt.
func TestPrinted(t *testing.T) {
	var text strings.Builder
	for _, c := range instants {
		s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
		require.NoError(t, err, c.name)
		lab := &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
		o := explain.Options{Pod: c.pod, Lab: lab}
		if c.at > 0 {
			o.At = &c.at
		}
		e, err := explain.Explain(lab.Run(nil), o)
		require.NoError(t, err, c.name)
		fmt.Fprintf(&text, "# %s\n\n", c.name)
		require.NoError(t, e.Document().Text(&text, render.Style{Width: 1 << 20}))
		text.WriteString("\n")
	}
	for _, c := range lives {
		s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
		require.NoError(t, err, c.name)
		real := &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
		d := dumpedAfter(t, real.State(nil), c.after)
		fmt.Fprintf(&text, "# %s\n\n", c.name)
		dumped := explain.Begin(d, labOf(s, d), "").All(nil)
		require.NoError(t, dumped.Document().Text(&text, render.Style{Width: 1 << 20}))
		fmt.Fprintf(&text, "\nheld: %v\n\n", dumped.Held())
	}
	goldenfile.Equal(t, "testdata/printed.txt", text.String())
}

// TestHeldByFinalizer: what a pod that is being deleted waits for is its finalizer, and not that of a pod that runs.
func TestHeldByFinalizer(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte("until: 12s\nsteps:\n"+three+"- at: 11s\n  delete: pod/web-1\n"), nil, scenario.Options{})
	require.NoError(t, err)
	real := &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
	state := real.State(nil)
	for i := range state.Pods {
		pod := *state.Pods[i].Pod
		pod.Finalizers = []string{"example.com/" + pod.Name}
		state.Pods[i].Pod = &pod
	}
	d := dumpedAfter(t, state, time.Hour)
	dumped := explain.Begin(d, labOf(s, d), "").All(nil)
	require.Len(t, dumped.Sets, 1)
	require.Equal(t, "web-1", dumped.Sets[0].StuckOn)
	require.Contains(t, strings.Join(dumped.Sets[0].Facts, "\n"), "It has the finalizer example.com/web-1.")
	require.Contains(t, dumped.Sets[0].Waits[0].Release, "example.com/web-1")
}

// TestExplainPod: of one pod is its set, also of a pod that the set is stuck on and that does not exist. What is said
// of the set is what is said of it among the others.
func TestExplainPod(t *testing.T) {
	for _, c := range []struct{ file, pod, want string }{
		{"two-sets-at-capacity", "db-2", "db"}, {"two-sets-at-capacity", "web-0", "web"},
		{"two-sets-at-capacity", "cache-0", ""}, {"a-quota-for-cpu", "web-2", "web"},
	} {
		data := oncall.Of(c.file)
		d, err := dump.Read([]dump.Source{{Name: c.file, Data: data}}, dump.Options{})
		require.NoError(t, err)
		s, err := scenario.Parse("s.yaml", []byte("kubernetes: \"1.36\"\nsteps:\n"+three), nil, scenario.Options{})
		require.NoError(t, err)
		said := map[string]string{}
		for _, set := range explain.Begin(d, labOf(s, d), "").All(nil).Sets {
			text, err := json.Marshal(set)
			require.NoError(t, err)
			said[set.Name] = string(text)
		}
		dumped := explain.Begin(d, labOf(s, d), c.pod).All(nil)
		require.Equal(t, c.want != "", len(dumped.Sets) == 1, "%s %s", c.file, c.pod)
		for _, set := range dumped.Sets {
			text, err := json.Marshal(set)
			require.NoError(t, err)
			require.Equal(t, c.want, set.Name)
			require.Equal(t, said[c.want], string(text))
		}
	}
}

// TestWaysPrinted: five ways out are printed, and how many more there are.
func TestWaysPrinted(t *testing.T) {
	ways := func(n int) (list []explain.WayOut) {
		for i := range n {
			list = append(list, explain.WayOut{Way: reasons.Way{What: fmt.Sprintf("way %d", i), Commands: []string{fmt.Sprintf("do %d", i)}, Heals: true}})
		}
		return list
	}
	for n, want := range map[int]string{5: "", 6: "- (1 more with -o json)\n", 7: "- (2 more with -o json)\n"} {
		var text strings.Builder
		e := explain.Explanation{Sets: []*explain.Set{{Tried: true, WaysOut: ways(n)}}}
		require.NoError(t, e.Document().Text(&text, render.Style{}))
		require.Contains(t, text.String(), " do 4\n")
		require.NotContains(t, text.String(), "do 5\n")
		if want == "" {
			require.NotContains(t, text.String(), " more ")
		} else {
			require.Contains(t, text.String(), want)
		}
	}
}
