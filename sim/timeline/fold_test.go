package timeline_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// newSet is a set of 3 replicas, with 2 minReadySeconds, whose template is the given one.
func newSet(template int) *model.StatefulSet {
	return &model.StatefulSet{Meta: model.Meta{Namespace: web.Namespace, Name: web.Name}, Spec: model.Spec{Replicas: 3, MinReadySeconds: 2,
		Template: &model.Template{ID: template, Data: "{}"}}}
}

func step(at time.Duration, sets ...*model.StatefulSet) timeline.Event {
	return timeline.Entry{T: model.Time(at), Kind: timeline.KindStep, Step: &timeline.Step{Sets: sets}}.Event()
}

func pod(at time.Duration, name string, uid model.UID, state timeline.State) timeline.Event {
	return timeline.Entry{T: model.Time(at), Kind: timeline.KindPod, Set: web, Pod: name, UID: uid, State: state, Template: 1}.Event()
}

// TestFoldCounts: after any events the counts are those of a recount, and the pods are those of a plain map.
func TestFoldCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f timeline.Fold
		plain := map[string]timeline.Event{}
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			e := drawChange(t, f.T)
			f.Apply(&e)
			if e.Kind == timeline.KindPod && e.State == timeline.Gone {
				delete(plain, e.Pod)
			} else if e.Kind == timeline.KindPod {
				plain[e.Pod] = e
			}
			if set := f.Set(web); set != nil {
				recount(t, set, f.T)
				require.Equal(t, len(plain), set.Pods.Len())
				for p := range set.Pods.All {
					require.Equal(t, plain[p.Name].UID, p.UID)
					require.Equal(t, plain[p.Name].State, p.State)
				}
			}
		}
	})
}

func drawChange(t *rapid.T, now model.Time) timeline.Event {
	at := time.Duration(now) + rapid.SampledFrom([]time.Duration{0, 0, time.Second, 1500 * time.Millisecond}).Draw(t, "after")
	if rapid.IntRange(0, 9).Draw(t, "what") == 0 {
		set := newSet(rapid.IntRange(1, 2).Draw(t, "template"))
		set.Spec.MinReadySeconds = rapid.Int32Range(0, 3).Draw(t, "minReadySeconds")
		return step(at, set)
	}
	e := pod(at, fmt.Sprintf("web-%d", rapid.IntRange(0, 4).Draw(t, "ordinal")), model.UID(rapid.IntRange(1, 3).Draw(t, "uid")),
		timeline.State(rapid.IntRange(int(timeline.Pending), int(timeline.Gone)).Draw(t, "state")))
	e.Template = rapid.IntRange(1, 2).Draw(t, "template")
	return e
}

func recount(t *rapid.T, set *timeline.Set, now model.Time) {
	var ready, serving, available, outdated int
	for p := range set.Pods.All {
		if p.Ready {
			ready++
		}
		if p.Ready && !p.Terminating {
			serving++
			if int64(now-p.ReadySince) >= int64(set.Spec.Spec.MinReadySeconds)*1e9 {
				available++
			}
		}
		if p.Template != set.Spec.Spec.Template.ID {
			outdated++
		}
	}
	require.Equal(t, []int{ready, serving, available, outdated},
		[]int{set.Ready(), set.Serving(), set.Available(now), set.Outdated()})
	require.True(t, slices.IsSortedFunc(slices.Collect(set.Pods.All), func(a, b *timeline.Pod) int { return a.Ordinal - b.Ordinal }))
}

func TestFoldPod(t *testing.T) {
	var f timeline.Fold
	for _, e := range []timeline.Event{
		step(0, newSet(1)), pod(0, "web-0", 1, timeline.Pending), pod(1e9, "web-0", 1, timeline.Running),
		pod(3e9, "web-0", 1, timeline.Ready), pod(9e9, "web-0", 1, timeline.Terminating),
	} {
		f.Apply(&e)
	}
	set := f.Set(web)
	require.NotNil(t, set)
	assert.Equal(t, &timeline.Pod{Name: "web-0", UID: 1, State: timeline.Terminating, Since: 9e9, Phase: model.Running, Ready: true,
		ReadySince: 3e9, Terminating: true, Template: 1}, set.Pods.First())
	assert.Equal(t, 1, set.Ready())
	assert.Zero(t, set.Serving(), "a pod that is Terminating does not serve")

	next := pod(11e9, "web-0", 2, timeline.Pending)
	f.Apply(&next)
	assert.Equal(t, &timeline.Pod{Name: "web-0", UID: 2, State: timeline.Pending, Since: 11e9, Created: 11e9, Phase: model.Pending,
		Template: 1}, set.Pods.First(), "another uid is another pod")
}

// TestFoldPhases: what each state says of the phase of a pod that was Ready, and whether it still is.
func TestFoldPhases(t *testing.T) {
	for state, want := range map[timeline.State]struct {
		phase model.Phase
		ready bool
	}{
		timeline.Ready: {model.Running, true}, timeline.Unready: {model.Running, false}, timeline.Terminating: {model.Running, true},
		timeline.Failed: {model.Failed, false}, timeline.Succeeded: {model.Succeeded, false},
	} {
		var f timeline.Fold
		for _, e := range []timeline.Event{
			step(0, newSet(1)), pod(0, "web-0", 1, timeline.Running), pod(1e9, "web-0", 1, timeline.Ready), pod(2e9, "web-0", 1, state),
		} {
			f.Apply(&e)
		}
		p := f.Set(web).Pods.First()
		assert.Equal(t, []any{want.phase, want.ready}, []any{p.Phase, p.Ready}, state)
		assert.Equal(t, map[bool]int{true: 1}[want.ready], f.Set(web).Ready(), state)
	}
}

func TestFoldOrder(t *testing.T) {
	var f timeline.Fold
	for i, name := range []string{"web-10", "web-9", "other", "web-0", "web-99999999999"} {
		e := pod(0, name, model.UID(i+1), timeline.Pending)
		f.Apply(&e)
	}
	s := step(0, newSet(1))
	f.Apply(&s)
	var got []string
	for p := range f.Set(web).Pods.All {
		got = append(got, p.Name)
	}
	assert.Equal(t, []string{"other", "web-99999999999", "web-0", "web-9", "web-10"}, got)
}

func TestFoldDeletedSet(t *testing.T) {
	var f timeline.Fold
	first, ready := step(0, newSet(1)), pod(0, "web-0", 1, timeline.Ready)
	remove := timeline.Entry{T: 1, Kind: timeline.KindStep, Step: &timeline.Step{Removed: []model.Key{web}}}.Event()
	for _, e := range []timeline.Event{first, ready, timeline.Entry{Kind: timeline.KindStatus, Set: web, Status: &model.Status{Ready: 1}}.Event(), remove} {
		f.Apply(&e)
	}
	assert.Nil(t, f.Set(web))
	assert.Empty(t, f.Sets())
	f.Apply(&first)
	require.NotNil(t, f.Set(web))
	assert.Equal(t, 1, f.Set(web).Pods.Len(), "a pod outlives its set, and a new set of the name may adopt it")
	assert.Zero(t, f.Set(web).Status.Ready)
}

// TestFoldOwners: a pod that nobody owns is no pod of the set that it is named after, until that set adopts it.
func TestFoldOwners(t *testing.T) {
	bare := pod(0, "web-1", 2, timeline.Pending)
	bare.Bare, bare.Template = true, 0
	change := func(at time.Duration, change timeline.OwnerChange) timeline.Event {
		e := pod(at, "web-1", 2, timeline.Ready)
		e.Kind, e.Template, e.Image = timeline.KindOwner, 0, "tool:1"
		e.Owned = &timeline.Owned{Change: change}
		return e
	}
	var f timeline.Fold
	for _, e := range []timeline.Event{step(0, newSet(1)), bare} {
		f.Apply(&e)
	}
	set := f.Set(web)
	assert.Zero(t, set.Pods.Len())
	require.Equal(t, 1, set.Bare.Len())
	assert.Same(t, set.Bare.First(), f.Pod(web, "web-1"))
	assert.Nil(t, f.Pod(web, "web-0"))
	adopted := change(1e9, timeline.Adopted)
	f.Apply(&adopted)
	require.Equal(t, 1, set.Pods.Len())
	assert.Zero(t, set.Bare.Len())
	assert.Zero(t, set.Pods.First().Created, "it was there before")
	assert.Equal(t, "tool:1", set.Pods.First().Image)
	assert.Equal(t, []int{1, 1, 1}, []int{set.Ready(), set.Serving(), set.Outdated()}, "its template is none of the set's")
	left := change(2e9, timeline.LeftBehind)
	f.Apply(&left)
	assert.Equal(t, 1, set.Pods.Len(), "a set that goes is still told of with its pods")
	gone := timeline.Entry{T: 2e9, Kind: timeline.KindStep, Step: &timeline.Step{Removed: []model.Key{web}}}.Event()
	again := step(2e9, newSet(1))
	f.Apply(&gone)
	f.Apply(&again)
	assert.Zero(t, set.Pods.Len(), "but the next of the name has only those that it adopts")
	assert.Equal(t, 1, set.Bare.Len())
	f.Apply(&adopted)
	require.Equal(t, 1, set.Pods.Len())
	released := change(3e9, timeline.Released)
	f.Apply(&released)
	assert.Zero(t, set.Pods.Len())
	assert.Zero(t, set.Ready())
	late := pod(4e9, "web-1", 2, timeline.Terminating)
	late.Bare = true
	f.Apply(&late)
	assert.Zero(t, set.Pods.Len())
	assert.Equal(t, timeline.Terminating, f.Pod(web, "web-1").State)
	over := pod(5e9, "web-1", 2, timeline.Gone)
	over.Bare = true
	f.Apply(&over)
	assert.Zero(t, set.Bare.Len())
	revision := timeline.Entry{Kind: timeline.KindOwner, Set: web, Owned: &timeline.Owned{Change: timeline.Adopted, Revision: "web-a"}}.Event()
	f.Apply(&revision)
	assert.Zero(t, set.Pods.Len())
}

// TestFoldHistory: a revision stands in the history of the set that owns it, with the order in which they were made.
func TestFoldHistory(t *testing.T) {
	api := model.Key{Namespace: web.Namespace, Name: "api"}
	made := func(set model.Key, name string) timeline.Event {
		return timeline.Entry{Kind: timeline.KindRevision, Set: set, Rev: &timeline.Rev{Name: name, Number: 1, Cause: "of " + name}}.Event()
	}
	owned := func(change timeline.OwnerChange, name string) timeline.Event {
		return timeline.Entry{T: 9e9, Kind: timeline.KindOwner, Set: web, Revision: 1,
			Owned: &timeline.Owned{Change: change, Revision: name}}.Event()
	}
	first, second := newSet(1), newSet(1)
	first.UID, second.UID = 1, 2
	history := func(events ...timeline.Event) (names []string) {
		var f timeline.Fold
		for _, e := range append([]timeline.Event{step(0, first), made(web, "web-b"), made(api, "web-a")}, events...) {
			f.Apply(&e)
		}
		for _, r := range f.Set(web).History() {
			names = append(names, r.Name+" "+r.Cause)
		}
		return names
	}
	gone := timeline.Entry{Kind: timeline.KindStep, Step: &timeline.Step{Removed: []model.Key{web}}}.Event()
	assert.Equal(t, []string{"web-b of web-b"}, history())
	assert.Equal(t, []string{"web-a of web-a", "web-b of web-b"}, history(owned(timeline.Adopted, "web-a")))
	assert.Empty(t, history(owned(timeline.Released, "web-b")))
	assert.Empty(t, history(gone, step(0, second)), "another uid is another set")
	assert.Equal(t, []string{"web-b of web-b"},
		history(owned(timeline.LeftBehind, "web-b"), gone, step(0, second), owned(timeline.Adopted, "web-b")))
}

func TestFoldComplete(t *testing.T) {
	ready := func(name string) timeline.Event { return pod(0, name, 1, timeline.Ready) }
	all := []timeline.Event{step(0, newSet(1)), ready("web-0"), ready("web-1"), ready("web-2")}
	wrong := ready("web-1")
	wrong.Template = 2
	shifted := newSet(1)
	shifted.Spec.Ordinals = &model.Ordinals{Start: 1}
	tests := map[string]struct {
		more []timeline.Event
		now  model.Time
		want bool
	}{
		"all there":             {nil, 2e9, true},
		"not yet available":     {nil, 2e9 - 1, false},
		"one too many":          {[]timeline.Event{ready("web-3")}, 2e9, false},
		"one gone":              {[]timeline.Event{pod(1, "web-2", 1, timeline.Gone)}, 2e9, false},
		"one terminating":       {[]timeline.Event{pod(1, "web-2", 1, timeline.Terminating)}, 2e9, false},
		"one of another":        {[]timeline.Event{wrong}, 2e9, false},
		"another template":      {[]timeline.Event{step(1, newSet(2))}, 2e9, false},
		"other ordinals":        {[]timeline.Event{step(1, shifted)}, 2e9, false},
		"a condemned, one gone": {[]timeline.Event{ready("web-7"), pod(1, "web-2", 1, timeline.Gone)}, 2e9, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var f timeline.Fold
			for _, e := range append(slices.Clone(all), test.more...) {
				f.Apply(&e)
			}
			assert.Equal(t, test.want, f.Set(web).Complete(test.now))
		})
	}
}

func TestFoldMaps(t *testing.T) {
	var f timeline.Fold
	first, status := step(0, newSet(1)), timeline.Entry{Kind: timeline.KindStatus, Set: web, Status: &model.Status{Ready: 2}}.Event()
	f.Apply(&first)
	f.Apply(&status)
	assert.Equal(t, "3", fmt.Sprint(f.Set(web).SpecMap()["replicas"]))
	assert.Equal(t, "2", fmt.Sprint(f.Set(web).StatusMap()["readyReplicas"]))
	grown := newSet(1)
	grown.Spec.Replicas = 5
	next := step(1, grown)
	f.Apply(&next)
	assert.Equal(t, "5", fmt.Sprint(f.Set(web).SpecMap()["replicas"]))
	status.Status = &model.Status{Ready: 4}
	f.Apply(&status)
	assert.Equal(t, "4", fmt.Sprint(f.Set(web).StatusMap()["readyReplicas"]))

	set, gone := f.Set(web), removed(2)
	f.Apply(&gone)
	assert.Nil(t, set.SpecMap(), "the set is gone")
}

// TestFoldOfADump: a pod that is Ready when the timeline begins runs.
func TestFoldOfADump(t *testing.T) {
	var f timeline.Fold
	first, ready := step(0, newSet(1)), pod(0, "web-0", 1, timeline.Ready)
	f.Apply(&first)
	f.Apply(&ready)
	assert.Equal(t, model.Running, f.Set(web).Pods.First().Phase)
	assert.True(t, f.Set(web).Pods.First().Serving())
}

// TestFoldProcesses: the processes of pods that are gone are counted apart from the identities that two processes have,
// and both until they end.
func TestFoldProcesses(t *testing.T) {
	var f timeline.Fold
	first := step(0, newSet(1))
	f.Apply(&first)
	for _, c := range []struct {
		reason        string
		ended         bool
		strays, twins int
	}{
		{"Abandoned", false, 1, 0}, {timeline.ReasonTwins, false, 1, 1}, {timeline.ReasonTwins, false, 1, 2},
		{timeline.ReasonTwins, true, 1, 1}, {"Abandoned", true, 0, 1}, {timeline.ReasonTwins, true, 0, 0},
	} {
		e := timeline.Entry{Kind: timeline.KindProcess, Set: web, Pod: "web-0", Reason: c.reason,
			Process: &timeline.Process{Ended: c.ended}}.Event()
		changes := f.Set(web).PodChanges
		f.Apply(&e)
		assert.Greater(t, f.Set(web).PodChanges, changes, "conditions about it are judged again")
		assert.Equal(t, []int{c.strays, c.twins}, []int{f.Set(web).Strays(), f.Set(web).Twins()})
	}
}

// TestTicksCanBeLeft: whoever has seen enough states is given no more.
func TestTicksCanBeLeft(t *testing.T) {
	step := func(at model.Time) timeline.Event {
		return timeline.Entry{T: at, Kind: timeline.KindStep, Step: &timeline.Step{}}.Event()
	}
	events := []timeline.Event{step(0), step(0), step(1)}
	all := 0
	for range timeline.Ticks(events) {
		all++
	}
	require.Equal(t, 5, all, "before each step, and after each instant")
	for most := 1; most < all; most++ {
		seen := 0
		for range timeline.Ticks(events) {
			if seen++; seen == most {
				break
			}
		}
		require.Equal(t, most, seen)
	}
}

// TestTicks: a fixed point is the end of an instant, and what a step finds.
func TestTicks(t *testing.T) {
	events := []timeline.Event{
		timeline.Entry{Kind: timeline.KindRun, Run: &timeline.Run{}}.Event(), step(0, newSet(1)), pod(0, "web-0", 1, timeline.Pending),
		pod(1e9, "web-0", 1, timeline.Running), step(1e9, newSet(1)), step(1e9, newSet(1)), pod(1e9, "web-0", 1, timeline.Ready),
		step(5e9, newSet(1)), timeline.Entry{T: 5e9, Kind: timeline.KindResult, Result: &timeline.Result{}}.Event(),
	}
	var got []string
	for f := range timeline.Ticks(events) {
		got = append(got, fmt.Sprintf("%s:%d", f.T.Seconds(), f.Index))
	}
	assert.Equal(t, []string{"0:1", "0:3", "1:4", "1:5", "1:7", "5:7", "5:9"}, got)
}

// TestFoldReasons: a pod is in its state for the last reason that was given, of its own or of its containers.
func TestFoldReasons(t *testing.T) {
	var f timeline.Fold
	apply := func(change func(e *timeline.Event)) *timeline.Pod {
		e := pod(1e9, "web-0", 1, timeline.NoState)
		change(&e)
		f.Apply(&e)
		return f.Pod(web, "web-0")
	}
	p := apply(func(e *timeline.Event) { e.State, e.Why.Code, e.Reason = timeline.Pending, model.CodeCreate, "none" })
	assert.Empty(t, p.Reason, "the model has its own words")
	p = apply(func(e *timeline.Event) { e.State, e.Reason, e.Message = timeline.Running, "Started", "at last" })
	assert.Equal(t, []string{"Started", "at last"}, []string{p.Reason, p.Message})
	waiting := &model.Containers{Shown: "CrashLoopBackOff", Restarts: 2}
	p = apply(func(e *timeline.Event) {
		e.Kind, e.Containers, e.Reason, e.Message = timeline.KindContainer, waiting, "CrashLoopBackOff", "back-off 10s"
	})
	assert.Equal(t, []any{"CrashLoopBackOff", "back-off 10s", 2, waiting}, []any{p.Reason, p.Message, p.Restarts, p.Containers})
	p = apply(func(e *timeline.Event) { e.Kind, e.Containers = timeline.KindContainer, &model.Containers{Restarts: 3} })
	assert.Equal(t, []any{"", 3}, []any{p.Reason, p.Restarts})
	p = apply(func(e *timeline.Event) {
		e.Kind, e.Warning, e.Reason, e.Message = timeline.KindK8sEvent, true, "Failed", "no image"
	})
	assert.Equal(t, "Failed: no image", p.Warning)
	p = apply(func(e *timeline.Event) { e.Kind, e.Reason, e.Message = timeline.KindK8sEvent, "Pulled", "an image" })
	assert.Equal(t, "Failed: no image", p.Warning, "that is no warning")
	p = apply(func(e *timeline.Event) { e.State, e.Reason = timeline.Unready, timeline.ReasonNodeNotReady })
	assert.True(t, p.Silent)
	p = apply(func(e *timeline.Event) { e.State = timeline.Terminating })
	assert.True(t, p.Silent, "nobody has heard of it since")
	p = apply(func(e *timeline.Event) { e.State, e.UID = timeline.Pending, 2 })
	assert.Equal(t, []any{"", false}, []any{p.Warning, p.Silent}, "another pod of the name")

	node := timeline.Entry{Kind: timeline.KindNode, Node: "node-1", NodeState: &timeline.Node{Up: true}}.Event()
	assert.Nil(t, f.Node("node-1"))
	f.Apply(&node)
	assert.Same(t, node.NodeState, f.Node("node-1"))
}
