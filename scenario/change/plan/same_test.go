package plan

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/scenario/play/whatif"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// realChanges are image changes of real manifests.
var realChanges = []struct{ name, file, old, new string }{
	{"zookeeper", manifests + "zookeeper.yaml", "registry.example/zookeeper:3.4.10",
		"registry.example/zookeeper:3.4.11"},
	{"cockroachdb", "../../../scenarios/manifests/cockroachdb/cockroachdb.yaml", "cockroach:v24.1", "cockroach:v24.2"},
	{"cassandra", manifests + "cassandra.yaml", "registry.example/cassandra:v13", "registry.example/cassandra:v14"},
	{"chart", manifests + "chart.yaml", "registry.example/basket:1.4.0", "registry.example/basket:1.5.0"},
	{"dump", manifests + "dump.yaml", "registry.example/server:0.21", "registry.example/server:0.22"},
}

// TestEveryCaseAsScenario writes the change, and each thing that may go wrong with it, as a scenario, and plays that:
// the same happens in it, and the commands that heal do so there.
func TestEveryCaseAsScenario(t *testing.T) {
	for _, change := range realChanges {
		for _, version := range []string{"1.34", "1.37"} {
			t.Run(change.name+" "+version, func(t *testing.T) {
				before := read(t, change.file)
				sameAsScenario(t, before, strings.ReplaceAll(before, change.old, change.new), change.new, version)
			})
		}
	}
}

// TestEveryShapeAsScenario does the same with sets of every policy and strategy, on versions that treat them
// differently.
func TestEveryShapeAsScenario(t *testing.T) {
	strategies := []string{
		"", typeAlone, "updateStrategy: {rollingUpdate: {partition: 0}}", "updateStrategy: {rollingUpdate: {partition: 2}}",
		"updateStrategy: {rollingUpdate: {maxUnavailable: 2}}", "updateStrategy: {rollingUpdate: {maxUnavailable: 50%, partition: 1}}",
		"updateStrategy: {type: OnDelete}", "updateStrategy: {rollingUpdate: {partition: 9}}",
		"persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}\n  volumeClaimTemplates: [{metadata: {name: data}, " +
			"spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]",
	}
	for i, version := range []string{"1.27.4", "1.34", "1.35.0", "1.37"} {
		for j, strategy := range strategies {
			for _, policy := range []string{"", parallel} {
				fields := []string{strategy, policy, []string{"", "minReadySeconds: 7"}[(i+j)%2]}
				t.Run(version+strings.Join(fields, " "), func(t *testing.T) {
					sameAsScenario(t, probed(web("4", "a:1", fields...)), probed(web("4", "a:2", fields...)), "a:2", version)
				})
			}
		}
	}
}

func sameAsScenario(t *testing.T, before, after, image, version string) {
	t.Helper()
	require.NotEqual(t, before, after)
	plan := plans(t, before, after, &Options{Profiles: profiles(t, version)})
	s := plan.Sets[0]
	w := asScenario{t: t, plan: plan, set: s, version: version, image: image, dir: t.TempDir(), probed: strings.Contains(after, "readinessProbe")}
	w.write("old.yaml", before)
	w.write("new.yaml", after)
	w.same(plan.Show(Rollout)[0].Events, "", apply)
	require.NotEmpty(t, s.Cases)
	for _, c := range s.Cases {
		w.playCase(c)
	}
}

const apply = "- name: change\n  apply: new.yaml\n"

// asScenario writes what a plan plays as scenarios.
type asScenario struct {
	t              *testing.T
	plan           *Plan
	set            *Set
	version, image string
	dir            string
	// probed says that the pods have a readiness probe.
	probed bool
	// node is the node that is lost, "" if none is.
	node string
}

func (w *asScenario) write(name, text string) {
	require.NoError(w.t, os.WriteFile(w.dir+"/"+name, []byte(text), 0o644))
}

// playCase plays a case as a scenario, with the commands that heal it.
func (w *asScenario) playCase(c *run.Case) {
	var rule, steps string
	w.node = ""
	events := w.plan.replay(w.set, c)
	low := w.set.Name + "-0"
	byHand := apply + "- delete: pod/" + low + "\n"
	switch {
	case c.Name == "young" || c.Name == "again":
		// What these wait for no step of a scenario does: their own test holds them to what a real controller did.
		return
	case c.Unprobed():
		took := w.times()
		rule = fmt.Sprintf("{match: {image: %q}, crash: %s}", w.image, took[recording.Stop]+took[recording.Start]+took[recording.Ready]+5*time.Second)
		if steps = apply; len(w.set.Moves) == 0 {
			steps = byHand
		}
	case c.Name == "broken":
		rule, steps = fmt.Sprintf("{match: {image: %q}, ready: never}", w.image), apply
		if len(w.set.Moves) == 0 {
			steps = byHand
		}
	case c.Name == "slow":
		longer := w.times()[recording.Ready] + whatif.Slowness
		rule, steps = fmt.Sprintf("{match: {image: %q, pod: %s}, ready: %s}", w.image, w.set.Moves[0].Pod, longer), apply
	case c.Name == "unready":
		steps = "- unready: {pod: " + low + "}\n- name: change\n  after: 1s\n  apply: new.yaml\n"
	case c.Name == "node":
		steps = w.lostNode(events, low)
	case len(w.set.Moves) == 0:
		steps = byHand
	default:
		first := w.set.Moves[0]
		middle := clockOf(first.Down + max(0, first.Back-first.Down)/2)
		steps = apply + "- after: " + middle + "\n  delete: pod/" + low + "\n"
	}
	healed := steps
	if c.Prevents {
		require.True(w.t, c.Ends, c.Name)
		healed = "- patch: {spec: {updateStrategy: {rollingUpdate: {partition: 0}}}}\n" + steps
		w.same(events, rule, steps)
	} else {
		healed += strings.ReplaceAll(asSteps(w.t, c.Commands), whatif.Node, w.node)
		w.same(events, rule, healed)
	}
	if c.Name == "node" && c.Loops {
		// The node alone is not what holds the set up: the loop that follows is prevented.
		require.True(w.t, c.Prevents)
		healed += "- nodeUp: " + w.node + "\n"
	}
	if c.Trap {
		require.NotEmpty(w.t, c.Commands, c.Name)
		require.Equal(w.t, timeline.Settled, w.play(rule, healed).Result.Verdict, c.Name)
	}
}

// lostNode are the steps of the case that loses a node: in a cluster with a node for each pod and one to spare, it
// falls silent so that this shows when the first pod that is replaced has just begun to stop.
func (w *asScenario) lostNode(events []timeline.Event, low string) string {
	grace := 50 * time.Second
	if w.version < "1.32" {
		grace = 40 * time.Second
	}
	first := w.set.Moves[0]
	shows := time.Duration(first.Down) + min(time.Second, time.Duration(max(0, first.Back-first.Down)/2))
	w.node = ""
	for i := range events {
		if e := &events[i]; e.Pod == low && e.Node != "" && w.node == "" {
			w.node = e.Node
		}
	}
	if shows < grace {
		return fmt.Sprintf("- nodeDown: %s\n- name: change\n  after: %s\n  apply: new.yaml\n", w.node, grace-shows)
	}
	return apply + fmt.Sprintf("- after: %s\n  nodeDown: %s\n", shows-grace, w.node)
}

// times are those with which the pods of the set are played: what the duration does not have takes no part in it.
func (w *asScenario) times() [recording.Stages]time.Duration {
	took := [recording.Stages]time.Duration{2 * time.Second, time.Second, 2 * time.Second}
	took[recording.Stop] = 30 * time.Second
	if !w.probed {
		took[recording.Ready] = 0
	}
	for i, name := range times.Names {
		for _, t := range w.set.Duration.Timings {
			if t.Stage == name {
				took[i] = recording.Typical(t.Delay)
			}
		}
	}
	return took
}

// play plays a scenario with the times of the plan, a rule for what goes wrong, and steps behind the first apply.
func (w *asScenario) play(rule, steps string) *scenario.Outcome {
	text := fmt.Sprintf("kubernetes: %q\nuntil: 720h\nkubelet: {schedule: 0s, rules: [%s]", w.version, rule)
	if w.node != "" {
		var names []string
		for i := range w.set.Serving.Replicas + 1 {
			names = append(names, fmt.Sprintf("%s-%d", whatif.Node, i+1))
		}
		text = "nodes: {names: [" + strings.Join(names, ", ") + "]}\n" + text
	}
	for i, name := range times.Names {
		text += fmt.Sprintf(", %s: %s", name, w.times()[i])
	}
	text += "}\nsteps:\n- apply: old.yaml\n" + steps
	loaded, err := scenario.Parse("s.yaml", []byte(text), os.DirFS(w.dir), scenario.Options{})
	require.NoError(w.t, err, text)
	return loaded.Run(scenario.RunOptions{})
}

// same holds what a plan has played against the same thing as a scenario: what happens to the pods, when, and how it
// ends.
func (w *asScenario) same(events []timeline.Event, rule, steps string) {
	outcome := w.play(rule, steps)
	require.Equal(w.t, podsOf(events), podsOf(outcome.Timeline), steps)
	require.Equal(w.t, events[len(events)-1].Result.Verdict, outcome.Result.Verdict)
}

// podsOf are the changes of pods in a run, up to so many that a livelock is as good as a line.
func podsOf(events []timeline.Event) []string {
	var lines []string
	for i := range events {
		if e := &events[i]; e.Kind == timeline.KindPod && len(lines) < 200 {
			lines = append(lines, fmt.Sprintf("%s %s@%d %s", e.T.Seconds(), e.Pod, e.Template, e.State))
		}
	}
	return lines
}

func clockOf(s run.Seconds) string {
	text, _ := s.MarshalJSON()
	return string(text) + "s"
}
