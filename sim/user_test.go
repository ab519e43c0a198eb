package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

var (
	theSet = model.Key{Namespace: "default", Name: "web"}
	thePod = model.Key{Namespace: "default", Name: "web-0"}
)

// TestWhereADeedStandsInTheTimeline: the event of a step, and that of a fault, is about the set and the pod that it has
// changed, with what came of it.
func TestWhereADeedStandsInTheTimeline(t *testing.T) {
	for _, test := range []struct {
		name     string
		outcome  sim.Outcome
		set, pod string
		effect   timeline.Effect
		refusal  string
		warning  string
	}{
		{name: "a set", outcome: sim.Outcome{Effect: timeline.Configured, Sets: []*model.StatefulSet{setOfOne()}}, set: "web", effect: timeline.Configured},
		{name: "a set that is gone", outcome: sim.Outcome{Effect: timeline.Done, Removed: []model.Key{theSet}}, set: "web", effect: timeline.Done},
		{name: "a pod", outcome: sim.Outcome{Effect: timeline.Done, Pod: thePod}, set: "web", pod: "web-0", effect: timeline.Done},
		{name: "a claim of nobody", outcome: sim.Outcome{Effect: timeline.Done, Claim: model.Key{Namespace: "default", Name: "data"}}, effect: timeline.Done},
		{name: "nothing", outcome: sim.Outcome{Effect: timeline.Unchanged}, effect: timeline.Unchanged},
		{name: "a refusal", outcome: sim.Outcome{Err: &model.APIError{Message: "no"}}, effect: timeline.Refused, refusal: "no"},
		{name: "a warning", outcome: sim.Outcome{Effect: timeline.Done, Warning: "take care"}, effect: timeline.Done, warning: "take care"},
	} {
		t.Run(test.name, func(t *testing.T) {
			at, config := 10*time.Second, plainConfig(t)
			deed := func(*sim.User) sim.Outcome { return test.outcome }
			config.Faults = []sim.Fault{{Number: 7, Verb: "do", At: &at, Act: deed}}
			events := sim.New(config).Run([]sim.Step{
				creating(setOfOne()), {Number: 2, Verb: "do", Refused: test.refusal, When: sim.When{Trigger: sim.After, D: at}, Act: deed},
			})
			var about []string
			for i := range events {
				switch e := &events[i]; {
				case e.Kind == timeline.KindFault:
					require.Equal(t, test.effect, e.Fault.Effect)
					require.Equal(t, test.refusal, e.Fault.Refusal)
					about = append(about, e.Set.Name+"/"+e.Pod)
				case e.Kind == timeline.KindStep && e.Step.Number == 2:
					require.Equal(t, test.effect, e.Step.Effect)
					require.Equal(t, test.refusal, e.Step.Refusal)
					about = append(about, e.Set.Name+"/"+e.Pod)
				}
			}
			require.Equal(t, []string{test.set + "/" + test.pod, test.set + "/" + test.pod}, about)
			var want []string
			if test.warning != "" {
				want = []string{"fault 7: " + test.warning, "step 2: " + test.warning}
			}
			require.Equal(t, want, events[len(events)-1].Result.Warnings)
		})
	}
}

// held returns a pod of a world that has finalizers, bound to its only node.
func held(t *testing.T, finalizers ...string) *sim.World {
	w := driven(t, sim.Config{})
	w.Act(step(func(u *sim.User) {
		require.Nil(t, u.CreatePod(&model.Pod{Meta: model.Meta{Namespace: "default", Name: "web-0", Finalizers: finalizers},
			Template: template("app:v1")}))
	}))
	w.Advance(w.Now().Add(time.Minute))
	return w
}

// TestFinalizersThatAUserTakesAway let a pod go that only waits for them. A pod that is not being deleted stays, as does
// one whose containers run; and where there is nothing to take away the user hears so.
func TestFinalizersThatAUserTakesAway(t *testing.T) {
	for _, test := range []struct {
		name       string
		finalizers []string
		before     func(*sim.User)
		wait       time.Duration
		freed      bool
		left       int
	}{
		{name: "a pod that is not being deleted", finalizers: []string{"a/b"}, freed: true, left: 1},
		{name: "a pod that still stops", finalizers: []string{"a/b"}, before: deletes(false), freed: true, left: 1},
		{name: "a pod that has stopped", finalizers: []string{"a/b"}, before: deletes(false), wait: time.Minute, freed: true},
		{name: "a pod that is deleted by force", finalizers: []string{"a/b"}, before: deletes(true), freed: true},
		{name: "a pod that has none", left: 1},
		{name: "a pod that is gone", before: deletes(true)},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := held(t, test.finalizers...)
			if test.before != nil {
				w.Act(step(test.before))
			}
			w.Advance(w.Now().Add(test.wait))
			var freed bool
			w.Act(step(func(u *sim.User) { freed = u.FreePod(thePod) }))
			require.Equal(t, test.freed, freed)
			require.Len(t, w.Pods(), test.left)
			for _, pod := range w.Pods() {
				require.Empty(t, pod.Finalizers)
			}
		})
	}
}

func deletes(force bool) func(*sim.User) {
	return func(u *sim.User) { u.DeletePod(thePod, force) }
}

// TestASecondDeletionEndsOneInTheForeground: web-1 is deleted in the foreground at 13s, stops within 2s, and waits for its
// claim then. A second deletion lets it go; but before 15s it only heeds one by force.
func TestASecondDeletionEndsOneInTheForeground(t *testing.T) {
	const before = `
steps:
- create:
    name: web
    replicas: 4
    image: "app:v1"
    persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}
    volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
- scale: {replicas: 1}
- {after: 1s, delete: statefulset/web, cascade: foreground}
`
	for name, test := range map[string]struct{ step, gone string }{
		"none":                          {"", ""},
		"while it stops":                {"- {at: 14s, delete: pod/web-1}\n", ""},
		"while it stops, by force":      {"- {at: 14s, delete: pod/web-1, force: true}\n", "14"},
		"when it has stopped":           {"- {at: 20s, delete: pod/web-1}\n", "20"},
		"when it has stopped, by force": {"- {at: 21s, delete: pod/web-1, force: true}\n", "21"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := scenario.Parse("test.yaml", []byte(before+test.step), nil, scenario.Options{})
			require.NoError(t, err)
			gone := ""
			for _, e := range s.Run(scenario.RunOptions{}).Timeline {
				if e.Kind == timeline.KindPod && e.Pod == "web-1" && e.State == timeline.Gone {
					gone = e.T.Seconds()
				}
			}
			require.Equal(t, test.gone, gone)
		})
	}
}

// TestASetIsFreedOfItsDeletion: a set that waits for its pods, or that is to leave them behind, is gone at once; one that
// has no finalizers is not touched.
func TestASetIsFreedOfItsDeletion(t *testing.T) {
	for _, test := range []struct {
		name       string
		policy     sim.DeletionPolicy
		finalizers []string
		deleted    bool
		freed      bool
		left       int
	}{
		{name: "in the foreground", policy: sim.Foreground, deleted: true, freed: true},
		{name: "not deleted, held by another", finalizers: []string{"a/b"}, freed: true, left: 1},
		{name: "not deleted", left: 1},
		{name: "gone", deleted: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, set := driven(t, sim.Config{}), setOfOne()
			set.Finalizers = test.finalizers
			creation := creating(set)
			w.Act(&creation)
			w.Advance(model.Time(time.Minute))
			var freed bool
			w.Act(step(func(u *sim.User) {
				if test.deleted {
					require.Nil(t, u.DeleteSet(theSet, test.policy))
				}
				freed = u.FreeSet(theSet)
			}))
			require.Equal(t, test.freed, freed)
			require.Len(t, w.Sets(), test.left)
		})
	}
}

// TestLabelsOfAPod: a label is set, another removed, the rest stays; the user hears whether that has changed anything.
func TestLabelsOfAPod(t *testing.T) {
	w := driven(t, sim.Config{})
	creation := creating(setOfOne())
	w.Act(&creation)
	w.Advance(model.Time(time.Minute))
	label := func(key model.Key, labels map[string]string, removed ...string) (found, changed bool) {
		w.Act(step(func(u *sim.User) { found, changed = u.LabelPod(key, labels, removed) }))
		return found, changed
	}
	for _, test := range []struct {
		labels         map[string]string
		removed        []string
		changed        bool
		track, version string
	}{
		{map[string]string{"track": "canary", "version": "1"}, nil, true, "canary", "1"},
		{map[string]string{"track": "canary"}, nil, false, "canary", "1"},
		{map[string]string{"track": "stable"}, []string{"version"}, true, "stable", ""},
		{nil, []string{"version"}, false, "stable", ""},
	} {
		found, changed := label(thePod, test.labels, test.removed...)
		require.True(t, found)
		require.Equal(t, test.changed, changed)
		labels := w.Pods()[0].Labels
		require.Equal(t, "web", labels["app"])
		require.Equal(t, test.track, labels["track"])
		require.Equal(t, test.version, labels["version"])
	}
	found, changed := label(model.Key{Namespace: "default", Name: "web-1"}, map[string]string{"a": "b"})
	require.False(t, found)
	require.False(t, changed)
}

// TestAServiceThatIsChanged keeps its address.
func TestAServiceThatIsChanged(t *testing.T) {
	w, key := driven(t, sim.Config{}), model.Key{Namespace: "default", Name: "front"}
	w.Act(step(func(u *sim.User) {
		require.Nil(t, u.Service(key))
		u.CreateService(&model.Service{Meta: model.Meta{Namespace: "default", Name: "front"}, Selector: webPods})
		address := u.Service(key).ClusterIP
		require.NotEmpty(t, address)
		u.UpdateService(&model.Service{Meta: model.Meta{Namespace: "default", Name: "front"}, Selector: webPods, PublishNotReady: true})
		require.True(t, u.Service(key).PublishNotReady)
		require.Equal(t, address, u.Service(key).ClusterIP)
		require.True(t, u.DeleteService(key))
		require.False(t, u.DeleteService(key))
		require.Nil(t, u.Service(key))
	}))
}

// TestTheHistoryOfASet is what it owns, in the history's order; a set that does not exist has none.
func TestTheHistoryOfASet(t *testing.T) {
	w := driven(t, sim.Config{})
	for _, name := range []string{"web", "other"} {
		set := setOfOne()
		set.Name, set.Spec.RevisionHistoryLimit = name, 10
		creation := creating(set)
		w.Act(&creation)
		w.Advance(w.Now().Add(time.Minute))
	}
	w.Act(step(func(u *sim.User) {
		next := *u.Set(theSet)
		next.Spec.Template = template("app:v2")
		u.Update(&next)
	}))
	w.Advance(w.Now().Add(time.Minute))
	w.Act(step(func(u *sim.User) {
		history := u.Revisions(theSet)
		require.Len(t, history, 2)
		require.EqualValues(t, 1, history[0].Number)
		require.EqualValues(t, 2, history[1].Number)
		require.Nil(t, u.Revisions(model.Key{Namespace: "default", Name: "wob"}))
	}))
}
