package heal_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

const three = "- create: {name: web, replicas: 3, image: \"app:v1\"}\n"

// live is a set in a world that begins with a dump of the end of a scenario, ten minutes later. Nobody has done
// anything in it yet.
func live(t *testing.T, kubelet, steps string) *heal.Stuck {
	t.Helper()
	s := stuck(t, kubelet, steps)
	var printed bytes.Buffer
	epoch := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	require.NoError(t, printing.Print(&printed, s.Lab.State(nil), epoch))
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: printed.Bytes()}}, dump.Options{At: epoch.Add(10 * time.Minute)})
	require.NoError(t, err)
	lab := &play.Lab{Profile: s.Lab.Profile, World: d.Begin(s.Lab.World)}
	return &heal.Stuck{Key: key, Lab: lab, State: d.State, Events: lab.Run(nil), Asleep: true}
}

// TestAsleep: where nothing happens to a set, as in a dump that is some time old, the first command acts at once, and
// the others when it has returned.
func TestAsleep(t *testing.T) {
	s := live(t, "rules: [{match: {image: \"app:bad\"}, start: never}]", three+"- setImage: {image: \"app:bad\"}\n")
	best, others := s.Best()
	require.NotNil(t, best)
	require.Equal(t, "undoing the rollout and deleting web-2", best.What)
	require.Equal(t, "deleting web-2; undoing the rollout", whatOf(others))
	require.Equal(t, "step 2 at 0s: kubectl -n default delete pod web-2", steps(best.Events))
	for _, way := range s.All() {
		at := play.StepAt(way.Events, 1)
		require.Zero(t, way.Events[at].T, "%s: the first command acts at once", way.What)
	}
}

// TestWake: a change of an annotation wakes the controller, which is all that a set needs which waits for a claim that
// is long gone.
func TestWake(t *testing.T) {
	text := "kubernetes: \"1.37\"\ncollector: {delay: 50ms}\nsteps:\n- apply: " + withClaim(3) +
		"- scale: {replicas: 1}\n- after: 1s\n  scale: {replicas: 3}\n"
	loaded, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err)
	lab := &play.Lab{Profile: loaded.Profile, World: loaded.Config(scenario.RunOptions{}), Before: loaded.Steps}
	s := &heal.Stuck{Key: key, Lab: lab, Events: lab.Run(nil), State: lab.State(nil)}
	require.False(t, heal.Whole(s.Events, key))
	way := s.Wake(nil)
	require.True(t, way.Heals)
	require.Equal(t, []string{"kubectl -n default annotate --overwrite statefulset web touched=yes"}, way.Commands)
	require.Equal(t, "step 4 at 11.05s: kubectl -n default annotate --overwrite statefulset web touched=yes", steps(way.Events))
}

// TestMissingPriorityClass: pods that ask for a PriorityClass which does not exist are refused until somebody creates
// it. Where pods are refused for another reason, or ask for none, nobody is sent to create one.
func TestMissingPriorityClass(t *testing.T) {
	const class, create = "priorityClassName: high, ", "creating the PriorityClass high"
	manifest := func(fields string) string {
		return "- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 2, serviceName: web, " +
			"selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {" + fields +
			"containers: [{name: app, image: \"app:v1\"}]}}}}\n"
	}
	refuses := func(*model.Pod) *model.APIError {
		return &model.APIError{Reason: model.Forbidden, Message: "no PriorityClass with name high was found"}
	}
	for name, c := range map[string]struct {
		fields string
		admit  func(*model.Pod) *model.APIError
		want   bool
	}{
		"the class is missing":      {class, refuses, true},
		"they ask for none":         {"", refuses, false},
		"nothing looks at the pods": {class, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := stuck(t, "", manifest(c.fields))
			s.Lab.World.Admit = c.admit
			s.Events = s.Lab.Run(nil)
			var way *heal.Way
			for _, w := range s.All() {
				if w.What == create {
					way = &w
				}
			}
			require.Equal(t, c.want, way != nil)
			if way == nil {
				return
			}
			require.True(t, way.Heals)
			require.Equal(t, []string{"kubectl create priorityclass high --value=0",
				"kubectl -n default annotate --overwrite statefulset web touched=yes"}, way.Commands)
			require.Equal(t, "there is no such PriorityClass (kubectl get priorityclass; kubectl describe shows the refusal)",
				way.Needs)
			require.NotNil(t, s.Lab.World.Admit, "the world of the others still refuses")
		})
	}
	s := stuck(t, "ready: never", manifest(class))
	s.Lab.World.Admit = func(*model.Pod) *model.APIError { return nil }
	for _, w := range s.All() {
		require.NotEqual(t, create, w.What, "the pods are admitted, and are not Ready for another reason")
	}
}

// TestBlockEnds: a rollingUpdate block that is written while the controller deletes the same pod again and again ends
// the loop. Fewer than three rounds are none; what the block itself brings about is not counted.
func TestBlockEnds(t *testing.T) {
	loop := "- create: {name: web, replicas: 3, image: \"app:v1\", podManagementPolicy: Parallel, " +
		"updateStrategy: {type: RollingUpdate}}\n"
	cases := []struct {
		name, kubelet, steps string
		before               play.Script
		want                 bool
	}{
		{"a loop", "", loop, play.Script{play.Unready(pod("web-0"), 0), play.SetImage(key, "app", "app:v2").After(0)}, true},
		{"two rollouts are no loop", "", three + "- restart: web\n", play.Script{play.SetImage(key, "app", "app:v2")}, false},
		{"three are as good as one", "", three + "- restart: web\n- setImage: {image: \"app:v2\"}\n",
			play.Script{play.SetImage(key, "app", "app:v3")}, true},
		{"the third is that of the block", "", three + "- restart: web\n- setImage: {image: \"app:v2\"}\n" +
			"- patch: {spec: {updateStrategy: {rollingUpdate: {partition: 3}}}}\n", play.Script{play.SetImage(key, "app", "app:v3")}, false},
		{"of another set", "", three + "- create: {name: db, replicas: 1, image: \"db:1\"}\n- delete: pod/db-0\n- delete: pod/db-0\n" +
			"- delete: pod/db-0\n", nil, false},
		{"it never becomes whole", "rules: [{match: {image: \"app:bad\"}, ready: never}]", three + "- restart: web\n- restart: web\n" +
			"- restart: web\n", play.Script{play.SetImage(key, "app", "app:bad")}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, heal.BlockEnds(key, stuck(t, c.kubelet, c.steps).Lab, c.before))
		})
	}
}

// whatOf names what was tried.
func whatOf(ways []heal.Way) string {
	words := make([]string, len(ways))
	for i := range ways {
		words[i] = ways[i].What
	}
	return strings.Join(words, "; ")
}

func pod(name string) model.Key { return model.Key{Namespace: key.Namespace, Name: name} }

// TestNotToBeContinued: nothing is tried for a run that ended in the midst of something, and it is not whole.
func TestNotToBeContinued(t *testing.T) {
	s := stuck(t, "", "- create: {name: web, replicas: 3, image: \"app:v1\", podManagementPolicy: Parallel, "+
		"updateStrategy: {type: RollingUpdate}}\n- unready: {pod: web-0}\n- after: 0s\n  setImage: {image: \"app:v2\"}\n")
	require.Equal(t, timeline.Livelock, s.Events[len(s.Events)-1].Result.Verdict)
	require.Empty(t, s.All())
	best, others := s.Best()
	require.Nil(t, best)
	require.Empty(t, others)
	require.False(t, heal.Whole(s.Events, key))

	s = stuck(t, "", three)
	end := s.Events[len(s.Events)-1].Result
	require.True(t, heal.Whole(s.Events, key))
	end.Verdict = timeline.Limit
	require.False(t, heal.Whole(s.Events, key), "all pods serve, but nobody knows what was to come")
}

// TestTriedBefore: what was tried before the best way was found is named; the search ends as soon as as many pods
// serve on a way as do now.
func TestTriedBefore(t *testing.T) {
	const broken = "rules: [{match: {image: \"app:bad\"}, start: never}]"
	for name, c := range map[string]struct {
		kubelet, steps, best, tried string
	}{
		"a broken image": {broken, three + "- setImage: {image: \"app:bad\"}\n", "undoing the rollout and deleting web-2",
			"deleting web-2; undoing the rollout"},
		"an unready pod": {"start: 1s", three + "- unready: {pod: web-2}\n", "deleting web-2", ""},
		"one that does not stop": {"rules: [{match: {pod: web-2, nth: 1}, stop: never}]", three + "- delete: pod/web-2\n",
			"deleting web-2 by force", ""},
		"pods that cannot be updated": {"", "- create: {name: web, replicas: 2, image: \"app:v1\"}\n- delete: statefulset/web\n" +
			"  cascade: orphan\n- apply: " + withClaim(2), "deleting web-0, web-1 one after the other, since they cannot be updated in place",
			"deleting web-0, web-1 at once, since they cannot be updated in place"},
		"nothing helps": {"ready: never", three, "", "deleting web-0; fixing the template; fixing the template and deleting web-0; " +
			"recreating the StatefulSet with Parallel"},
	} {
		t.Run(name, func(t *testing.T) {
			best, others := stuck(t, c.kubelet, c.steps).Best()
			what := ""
			if best != nil {
				what = best.What
			}
			require.Equal(t, c.best, what)
			require.Equal(t, c.tried, whatOf(others))
		})
	}
}

// TestTriedOnlyWhereItFits: a way that cannot help is not tried, and one that only just can is.
func TestTriedOnlyWhereItFits(t *testing.T) {
	const budget = "- apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, " +
		"spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}}\n"
	const byExpression = "- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 2, " +
		"serviceName: web, selector: {matchExpressions: [{key: app, operator: Exists}]}, template: {metadata: {labels: {app: web}}, " +
		"spec: {containers: [{name: app, image: \"app:v1\"}]}}}}\n"
	for name, c := range map[string]struct {
		kubelet, steps, way string
		tried               bool
	}{
		"a drain of the first pod's node": {"", budget + three + "- drain: node-1\n", "deleting web-0 instead of evicting it", true},
		"the budget over the pod":         {"", budget + three + "- drain: node-1\n", "letting the budget web allow one disruption", true},
		"no budget over other pods": {"", budget + strings.ReplaceAll(budget, "web", "db") + three +
			"- create: {name: db, replicas: 2, image: \"db:1\"}\n- drain: node-1\n", "letting the budget db allow one disruption", false},
		"scaling to below the sick pod": {"start: 1s", three + "- unready: {pod: web-2}\n- setImage: {image: \"app:v2\"}\n", "scaling to 2 and back", true},
		"not to where it is scaled already": {"start: 1s", three + "- unready: {pod: web-2}\n- after: 0s\n  scale: {replicas: 2}\n" +
			"faults: [{write: {verb: delete, kind: pod}, error: NotFound, times: always}]\n", "scaling to 2 and back", false},
		"labels of a selector that names one": {"", "- createPod: {name: web-1, image: \"tool:1\", labels: {x: y}}\n" + three,
			"labelling web-1 so that the StatefulSet adopts it", true},
		"no labels of one that names none": {"", "- createPod: {name: web-1, image: \"tool:1\", labels: {x: y}}\n" + byExpression,
			"labelling web-1 so that the StatefulSet adopts it", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := stuck(t, c.kubelet, c.steps)
			require.Equal(t, timeline.IsStuck, s.Events[len(s.Events)-1].Result.Verdict)
			all := s.All()
			at := slices.IndexFunc(all, func(w heal.Way) bool { return w.What == c.way })
			require.Equal(t, c.tried, at >= 0)
			if c.tried {
				require.True(t, all[at].Heals || strings.HasPrefix(c.way, "scaling"), "%+v", all[at].Way)
			}
		})
	}
}
