package play_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

var web = model.Key{Namespace: "prod", Name: "web"}

func pod(name string) model.Key { return model.Key{Namespace: web.Namespace, Name: name} }

// read reads the one set of a manifest.
func read(t *testing.T, image string, fields ...string) *manifest.Set {
	t.Helper()
	text := "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\nspec:\n  replicas: 3\n" +
		"  selector: {matchLabels: {app: web}}\n" +
		"  template: {metadata: {labels: {app: web, tier: new}}, spec: {containers: [{name: app, image: \"" + image + "\"}]}}\n"
	for _, field := range fields {
		text += "  " + field + "\n"
	}
	docs, problems := strict.Parse("web.yaml", []byte(text), strict.Limits{})
	r := &strict.Reader{File: "web.yaml", Problems: problems}
	file := manifest.Read(r, docs)
	require.Empty(t, r.Problems)
	require.Len(t, file.Sets, 1)
	return file.Sets[0]
}

// lab is a laboratory in which a pod starts in 1s, is Ready 2s later and stops in 2s; one with the image broken never
// is.
func lab(t *testing.T) *play.Lab {
	t.Helper()
	profile, err := statefulset.Lookup("1.36")
	require.NoError(t, err)
	return &play.Lab{Profile: profile, World: sim.Config{Kubelet: behaviour.Behaviour{
		Default: behaviour.Times{
			Schedule: behaviour.Constant(0), Start: behaviour.Constant(time.Second),
			Ready: behaviour.Constant(2 * time.Second), Stop: behaviour.Constant(2 * time.Second),
		},
		Rules: []behaviour.Rule{{Match: behaviour.Match{Image: "broken"}, Times: behaviour.Times{Ready: behaviour.Never}}},
	}}}
}

// steps are the instants at which the steps of a run acted.
func steps(events []timeline.Event) []string {
	var list []string
	for i := range events {
		if step := events[i].Step; step != nil {
			list = append(list, events[i].T.Seconds()+"s "+step.Verb)
		}
	}
	return list
}

// TestCommands: what is shown of a deed is the command that does it.
func TestCommands(t *testing.T) {
	set := read(t, "a:1")
	cases := []struct {
		deed play.Deed
		want string
	}{
		{play.Apply(set, "prod"), "kubectl -n prod apply -f web.yaml"},
		{play.Scale(web, 5), "kubectl -n prod scale statefulset/web --replicas=5"},
		{play.SetImage(web, "app", "a:2"), "kubectl -n prod set image statefulset/web app=a:2"},
		{play.SetImage(web, "", "a:2"), "kubectl -n prod set image statefulset/web '*=a:2'"},
		{play.Undo(web), "kubectl -n prod rollout undo statefulset/web"},
		{play.WriteBlock(web), "kubectl -n prod patch statefulset web --type merge " +
			`-p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}'`},
		{play.Annotate(web, "touched", "it's"), `kubectl -n prod annotate --overwrite statefulset web 'touched=it'\''s'`},
		{play.DeleteSet(web, sim.Orphan), "kubectl -n prod delete statefulset web --cascade=orphan"},
		{play.DeleteSet(web, sim.Foreground), "kubectl -n prod delete statefulset web --cascade=foreground"},
		{play.DeleteSet(web, sim.Background), "kubectl -n prod delete statefulset web"},
		{play.Delete(pod("web-0"), false), "kubectl -n prod delete pod web-0"},
		{play.Delete(pod("web-0"), true), "kubectl -n prod delete pod web-0 --force --grace-period=0"},
		{play.DeleteClaim(pod("data-web-0"), false), "kubectl -n prod delete pvc data-web-0 --wait=false"},
		{play.DeleteClaim(pod("data-web-0"), true),
			`kubectl -n prod patch pvc data-web-0 --type merge -p '{"metadata":{"finalizers":null}}'`},
		{play.Label([]model.Key{pod("web-0"), pod("web-1")}, map[string]string{"b": "2", "a": "1"}),
			"kubectl -n prod label --overwrite pod web-0 web-1 a=1 b=2"},
		{play.OutOfService("node-1"), "kubectl taint nodes node-1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"},
		{play.OutOfService("node-1", "node-2"), "kubectl taint nodes node-1 node-2 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"},
		{play.RolloutStatus(web), "kubectl -n prod rollout status statefulset/web"},
		{play.WaitForReady(web, 3), "kubectl -n prod wait statefulset/web --for='jsonpath={.status.readyReplicas}=3' --timeout=-1s"},
	}
	for _, c := range cases {
		assert.Equal(t, c.want, c.deed.Kubectl)
	}
}

// TestPasted: each line of a block acts when the command before it has returned, and no earlier.
func TestPasted(t *testing.T) {
	l, set := lab(t), read(t, "a:1")
	before := play.Script{play.Apply(set, "prod")}
	cases := []struct {
		name   string
		block  play.Script
		steps  []string
		hangs  string
		fewest int
		takes  time.Duration
	}{
		{"deletions wait for the pods to be gone",
			play.Script{play.Delete(pod("web-2"), false), play.Delete(pod("web-1"), false)},
			[]string{"0s apply", "9s delete", "11s delete"}, "", 1, 7 * time.Second},
		{"a wait between them", play.Script{
			play.Delete(pod("web-2"), false), play.WaitForReady(web, 3), play.Delete(pod("web-1"), false), play.RolloutStatus(web),
			play.Annotate(web, "done", "yes")},
			[]string{"0s apply", "9s delete", "11s wait", "14s delete", "16s wait", "19s patch"}, "", 2, 10 * time.Second},
		{"an image, and its rollout status",
			play.Script{play.SetImage(web, "", "a:2"), play.RolloutStatus(web), play.Scale(web, 2)},
			[]string{"0s apply", "9s setImage", "9s wait", "24s scale"}, "", 2, 17 * time.Second},
		{"what never returns keeps the rest from being played",
			play.Script{play.SetImage(web, "", "broken"), play.RolloutStatus(web), play.Scale(web, 2)},
			[]string{"0s apply", "9s setImage", "9s wait"}, "kubectl -n prod rollout status statefulset/web", 2, 3 * time.Second},
		{"a forced deletion returns at once",
			play.Script{play.Delete(pod("web-2"), true), play.Scale(web, 2)},
			[]string{"0s apply", "9s delete", "9s scale"}, "", 2, 2 * time.Second},
		{"an orphan delete, and the set again", play.Script{play.DeleteSet(web, sim.Orphan), play.Apply(set, "prod"),
			play.RolloutStatus(web)},
			[]string{"0s apply", "9s delete", "9s apply", "9s wait"}, "", 3, 0},
		{"a pod of no set is waited for too",
			play.Script{play.DeleteSet(web, sim.Orphan), play.Delete(pod("web-1"), false), play.Apply(set, "prod"), waitForPod("web-0")},
			[]string{"0s apply", "9s delete", "9s delete", "11s apply", "11s wait"}, "", 2, 5 * time.Second},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := l.Paste(before, c.block)
			assert.Equal(t, c.steps, steps(p.Events))
			assert.Equal(t, c.hangs, p.Hangs)
			assert.Equal(t, c.block.Commands(), p.Commands)
			assert.Equal(t, 2, p.First)
			fewest, takes := play.Cost(p.Events, web, p.First)
			assert.Equal(t, c.fewest, fewest, "fewest serving")
			assert.Equal(t, c.takes, takes)
		})
	}
}

// TestEffects: a deed does what it says, and leaves alone what is not there.
func TestEffects(t *testing.T) {
	l, set := lab(t), read(t, "a:1")
	gone := model.Key{Namespace: "prod", Name: "db"}
	cases := []struct {
		deed   play.Deed
		effect timeline.Effect
	}{
		{play.Apply(set, "prod"), timeline.Unchanged},
		{play.Apply(read(t, "a:2"), "prod"), timeline.Configured},
		{play.Apply(read(t, "a:1", "podManagementPolicy: Parallel"), "prod"), timeline.Refused},
		{play.Scale(web, 1), timeline.Configured},
		{play.Scale(gone, 1), timeline.Refused},
		{play.SetImage(web, "other", "a:2"), timeline.Refused},
		{play.Undo(web), timeline.Refused},
		{play.Unready(pod("web-0"), time.Second), timeline.Done},
		{play.Unready(pod("web-7"), time.Second), timeline.None},
		{play.Fail(pod("web-0"), "Evicted"), timeline.Done},
		{play.Succeed(pod("web-7"), "Completed"), timeline.None},
		{play.Delete(pod("web-7"), false), timeline.None},
		{play.DeleteAll(web), timeline.Deleted},
		{play.DeleteHighest(gone, 2), timeline.Refused},
		{play.DeleteSet(gone, sim.Orphan), timeline.Refused},
		{play.OutOfService("nowhere"), timeline.None},
		{play.OutOfService("node-1", "nowhere"), timeline.Done},
		{play.UpgradeControlPlane(l.Profile), timeline.Done},
		{play.Label([]model.Key{pod("web-0")}, map[string]string{"a": "b"}), timeline.Done},
	}
	for _, c := range cases {
		events := l.Run(play.Script{play.Apply(set, "prod"), c.deed})
		at := play.StepAt(events, 2)
		require.Positive(t, at, c.deed.Does)
		assert.Equal(t, c.effect, events[at].Step.Effect, c.deed.Does)
	}
}

// TestDeleteHighest deletes from the top, and no more than there are.
func TestDeleteHighest(t *testing.T) {
	l := lab(t)
	for n, want := range map[int][]string{0: nil, 2: {"web-2", "web-1"}, 9: {"web-2", "web-1", "web-0"}} {
		var pods []string
		events := l.Run(play.Script{play.Apply(read(t, "a:1"), "prod"), play.DeleteHighest(web, n).After(time.Minute)})
		for i := range events {
			if events[i].State == timeline.Terminating {
				pods = append(pods, events[i].Pod)
			}
		}
		assert.Equal(t, want, pods)
	}
}

// TestStore: the API server fills in the defaults of the version, and refuses in its words.
func TestStore(t *testing.T) {
	l := lab(t)
	given, err := read(t, "a:1").New("prod")
	require.Nil(t, err)
	stored, err := l.Store(given)
	require.Nil(t, err)
	assert.NotZero(t, stored.UID)

	before, after, err := l.Change(given, func(set *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
		next := *set
		next.Spec.PodManagement = model.Parallel
		return &next, nil
	})
	assert.NotNil(t, before)
	assert.Nil(t, after)
	assert.Contains(t, err.Message, "updates to statefulset spec for fields other than")

	before, after, err = l.Change(given, nil)
	require.Nil(t, err)
	assert.Equal(t, before, after, "nothing is changed")
	assert.NotNil(t, after)

	given.Name = "Not A Name"
	_, err = l.Store(given)
	assert.NotNil(t, err)
}

// TestLabIsAValue: a laboratory plays the same script to the same timeline each time.
func TestLabIsAValue(t *testing.T) {
	l := lab(t)
	script := play.Script{play.Apply(read(t, "a:1"), "prod"), play.DeleteAll(web), play.RolloutStatus(web)}.Pasted()
	assert.Equal(t, timeline.Digest(l.Run(script)), timeline.Digest(l.Run(script)))
	assert.Equal(t, "1.36", l.Run(script)[0].Run.Kubernetes)
	assert.Len(t, script.Then(play.Scale(web, 1)), 4)
	assert.Len(t, script, 3)
}

// TestStoreInACluster: in a world that begins with a cluster the API server has the set already, and a change is of that one.
func TestStoreInACluster(t *testing.T) {
	l, script := lab(t), play.Script{play.Apply(read(t, "a:1"), "prod"), play.Scale(web, 5)}
	l.World.Start = l.State(script)
	l.World.Start.Rest = nil // A dump has objects alone.
	given, err := read(t, "a:1").New("prod")
	require.Nil(t, err)
	stored, err := l.Store(given)
	require.Nil(t, err)
	assert.EqualValues(t, 5, stored.Spec.Replicas)
	before, after, err := l.Change(given, func(set *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
		next := *set
		next.Spec.Replicas++
		return &next, nil
	})
	require.Nil(t, err)
	assert.Equal(t, [2]int32{5, 6}, [2]int32{before.Spec.Replicas, after.Spec.Replicas})
	given.Name = "other"
	stored, err = l.Store(given)
	require.Nil(t, err)
	assert.EqualValues(t, 3, stored.Spec.Replicas, "a set that the cluster does not have")
}

// TestState is the cluster when all has settled, or when the time is up; from a common beginning it is the same.
func TestState(t *testing.T) {
	l, before := lab(t), play.Script{play.Apply(read(t, "a:1"), "prod")}
	begun := l.Begun(before)
	script := before.Then(play.Scale(web, 4))
	for name, s := range map[string]*sim.State{"": l.State(script), "from a beginning": begun.State(script)} {
		require.Len(t, s.Pods, 4, name)
		require.EqualValues(t, 4, s.Sets[0].Status.Ready, name)
	}
	require.Len(t, begun.State(before).Pods, 3)
	short, chosen := *begun, lab(t)
	short.World.Until = 10 * time.Second
	require.Len(t, short.State(before.Then(play.Scale(web, 5))).Pods, 4, "the run is over before the last pod is created")
	chosen.World.Chooser = choose.Func(func(choose.Kind, int) int { return 0 })
	require.Len(t, chosen.State(before).Pods, 3, "there is no beginning")
	l.World.Until = time.Minute
	stuck := l.State(play.Script{play.Apply(read(t, "broken"), "prod")})
	require.Len(t, stuck.Pods, 1)
	require.Zero(t, stuck.Sets[0].Status.Ready)
}

// TestOpened: a script that acts when its world begins has the same timeline from a beginning that was played before,
// whether the cluster is at rest or in the middle of a rollout. Without such a beginning it is played from its start.
func TestOpened(t *testing.T) {
	l := lab(t)
	for name, before := range map[string]play.Script{
		"at rest":    {play.Apply(read(t, "a:1"), "prod")},
		"broken":     {play.Apply(read(t, "broken"), "prod")},
		"on the way": {play.Apply(read(t, "a:1"), "prod"), play.SetImage(web, "", "a:2"), play.DeletePods([]model.Key{pod("web-1")}, false)},
	} {
		began := lab(t)
		l.World.Until = time.Minute
		began.World.Start = l.State(before)
		began.World.Start.Rest = nil
		opened := began.Opened()
		for _, script := range []play.Script{
			{play.Scale(web, 4)}, {play.SetImage(web, "", "a:3")}, play.Script{play.Undo(web)}.Then(play.DeletePods([]model.Key{pod("web-0")}, false)),
		} {
			script = script.Pasted()
			script[0].When = sim.When{Trigger: sim.At}
			require.Equal(t, began.Run(script), opened.Run(script), "%s, %v", name, script.Commands())
		}
	}
	l.Before = play.Script{play.Apply(read(t, "a:1"), "prod")}.Steps(0)
	script := play.Script{play.Scale(web, 4)}
	require.Equal(t, l.Run(script), l.Opened().Run(script), "there are steps before the script")
}

// TestNoBeginning: where the answers of a chooser cannot be asked for again from some point on, each script is played from
// its start.
func TestNoBeginning(t *testing.T) {
	l, before := lab(t), play.Script{play.Apply(read(t, "a:1"), "prod")}
	asked := 0
	l.World.Chooser = choose.Func(func(choose.Kind, int) int {
		asked++
		return 0
	})
	require.Nil(t, l.Begun(before).Reached())
	l.Opened()
	require.Zero(t, asked)
	l.World.Chooser = choose.Seeded(1)
	require.NotNil(t, l.Begun(before).Reached())
}

// TestDeedsLeaveThePastAlone: what a deed changes of a set is not changed in what the timeline has of the set before.
func TestDeedsLeaveThePastAlone(t *testing.T) {
	events := lab(t).Run(play.Script{play.Apply(read(t, "a:1"), "prod"), play.Annotate(web, "a", "1"), play.Annotate(web, "b", "2")})
	var annotations []int
	for i := range events {
		if step := events[i].Step; step != nil {
			annotations = append(annotations, len(step.Sets[0].Annotations))
		}
	}
	first := annotations[0]
	require.Equal(t, []int{first, first + 1, first + 2}, annotations)

	claims := read(t, "a:1", `volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]`)
	var classless []bool
	events = lab(t).Run(append(play.Script{play.Apply(claims, "prod")}, play.WithClass(web, "", "fast")...))
	for i := range events {
		if step := events[i].Step; step != nil && len(step.Sets) > 0 {
			classless = append(classless, play.Classless(&step.Sets[0].Spec.ClaimTemplates[0]))
		}
	}
	require.Equal(t, []bool{true, false}, classless)
}

// TestUpgradeControlPlane: what is done after the upgrade is answered by the version that there is then. 1.30 refuses
// another revisionHistoryLimit.
func TestUpgradeControlPlane(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"1.30", "1.30", "refused"}, {"1.30", "1.36", "configured"}, {"1.36", "1.30", "refused"},
	} {
		l := lab(t)
		from, err := statefulset.Lookup(c.from)
		require.NoError(t, err)
		to, err := statefulset.Lookup(c.to)
		require.NoError(t, err)
		l.Profile = from
		events := l.Run(play.Script{
			play.Apply(read(t, "a:1"), "prod"), play.UpgradeControlPlane(to), play.Apply(read(t, "a:1", "revisionHistoryLimit: 3"), "prod"),
		})
		i := play.StepAt(events, 3)
		require.EqualValues(t, c.want, events[i].Step.Effect, "from %s to %s", c.from, c.to)
	}
}

// TestWriteBlock: a set that has no rollingUpdate block has one afterwards, as if it had been written from the start.
func TestWriteBlock(t *testing.T) {
	l := lab(t)
	for _, script := range []play.Script{
		{play.Apply(read(t, "a:1", "updateStrategy: {type: RollingUpdate}"), "prod")},
		{play.Apply(read(t, "a:1", "updateStrategy: {type: RollingUpdate}"), "prod"), play.WriteBlock(web)},
	} {
		set := l.State(script).Sets[0]
		require.Equal(t, len(script) == 1, play.LacksBlock(set))
	}
}
