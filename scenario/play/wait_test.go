package play_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestWaits: a command that waits returns at the first fixed point at which what it waits for is so.
func TestWaits(t *testing.T) {
	l := lab(t)
	before := play.Script{play.Apply(read(t, "a:1"), "prod")}
	last := play.Scale(web, 3)
	for _, c := range []struct {
		name  string
		block play.Script
		last  string // when the last command of the block runs, "" where one before it never returns
	}{
		{"for a rollout that there is none", play.Script{play.RolloutStatus(web), last}, "9s"},
		{"for a rollout of a set that there is not", play.Script{play.RolloutStatus(pod("db")), last}, "9s"},
		{"for a pod that is Ready", play.Script{waitForPod("web-1"), last}, "9s"},
		{"for a pod that will be Ready", play.Script{play.Delete(pod("web-1"), true), waitForPod("web-1"), last},
			"12s"},
		{"for a pod that there is not", play.Script{waitForPod("web-7"), last}, ""},
		{"for the number of Ready pods", play.Script{play.WaitForReady(web, 3), last}, "9s"},
		{"for fewer Ready pods", play.Script{play.Scale(web, 1), play.WaitForReady(web, 1), last}, "13s"},
		{"for more Ready pods than there will be", play.Script{play.WaitForReady(web, 4), last}, ""},
		{"for a set that is not there any more", play.Script{play.DeleteSet(web, sim.Orphan), play.WaitForReady(web, 3), last},
			""},
		{"for a set that is deleted after its pods", play.Script{play.DeleteSet(web, sim.Foreground), play.Apply(read(t, "a:1"),
			"prod")},
			"11s"},
		{"for a set that is deleted before its pods", play.Script{play.DeleteSet(web, sim.Background), play.Apply(read(t, "a:1"),
			"prod")},
			"9s"},
	} {
		p := l.Paste(before, c.block)
		at := ""
		if i := play.StepAt(p.Events, len(before)+len(c.block)); i >= 0 {
			at = time.Duration(p.Events[i].T).String()
		}
		assert.Equal(t, c.last, at, c.name)
		if c.last == "" {
			assert.Equal(t, c.block[len(c.block)-2].Kubectl, p.Hangs, c.name)
		}
	}
}

// TestWaitsForFixedPoints: what holds in the midst of an instant and not at its end is not seen.
func TestWaitsForFixedPoints(t *testing.T) {
	ready := func(now *play.Moment) (n int) {
		for _, pod := range now.Pods {
			if pod.Ready {
				n++
			}
		}
		return n
	}
	l, at := lab(t), map[int]time.Duration{}
	for n := range 4 {
		wait := play.Deed{Verb: "wait", Kubectl: "kubectl wait", Returns: func(*play.Moment) func(*play.Moment) bool {
			return func(now *play.Moment) bool { return ready(now) == n }
		}}
		p := l.Paste(nil, play.Script{play.Apply(read(t, "a:1", "podManagementPolicy: Parallel"), "prod"), wait, play.Scale(web, 3)})
		if i := play.StepAt(p.Events, 3); i >= 0 {
			at[n] = time.Duration(p.Events[i].T)
		}
	}
	require.Equal(t, map[int]time.Duration{0: 0, 3: 3 * time.Second}, at, "three pods become Ready at one instant")
}

// TestCost: what serves is counted at fixed points only, and what is left behind by a set counts, unlike a pod that only
// has one of its names.
func TestCost(t *testing.T) {
	l := lab(t)
	before := play.Script{play.Apply(read(t, "a:1"), "prod")}
	for _, c := range []struct {
		name    string
		block   play.Script
		fewest  int
		takes   time.Duration
		deleted int
	}{
		{"nothing", play.Script{play.Annotate(web, "a", "b")}, 3, 0, 0},
		{"a pod", play.Script{play.Delete(pod("web-1"), false)}, 2, 5 * time.Second, 1},
		{"all pods", play.Script{play.DeleteAll(web)}, 0, 11 * time.Second, 3},
		{"a pod that fails", play.Script{play.Fail(pod("web-1"), "Evicted")}, 2, 3 * time.Second, 1},
		{"a pod that is not Ready for some time", play.Script{play.Unready(pod("web-1"), 7*time.Second)}, 2, 7 * time.Second,
			0},
		{"a set without its pods", play.Script{play.DeleteSet(web, sim.Orphan)}, 3, 0, 0},
		{"a set and its pods", play.Script{play.DeleteSet(web, sim.Background)}, 0, 2 * time.Second, 3},
		{"a pod that is released", play.Script{play.Label([]model.Key{pod("web-1")}, map[string]string{"app": "x"})}, 2, 0,
			0},
		{"a step that never came", play.Script{waitForPod("web-7"), play.Scale(web, 1)}, 3, 0, 0},
	} {
		p := l.Paste(before, c.block)
		fewest, takes := play.Cost(p.Events, web, p.First)
		assert.Equal(t, c.fewest, fewest, c.name)
		assert.Equal(t, c.takes, takes, c.name)
		assert.Equal(t, c.deleted, play.Deleted(p.Events, web, p.First), c.name)
	}
	events := l.Run(before)
	fewest, takes := play.Cost(events, web, 9)
	require.Zero(t, fewest)
	require.Zero(t, takes)
}

// TestClassless: a claim template names no class where the field is missing; "" is a class.
func TestClassless(t *testing.T) {
	for data, want := range map[string]bool{
		`{}`: true, `{"storageClassName": "fast"}`: false, `{"storageClassName": ""}`: false, `{"storageClassName": null}`: true, `[]`: true,
	} {
		require.Equal(t, want, play.Classless(&model.ClaimTemplate{Data: data}), data)
	}
	require.True(t, play.LacksBlock(&model.StatefulSet{}))
	with := &model.StatefulSet{}
	with.Spec.Strategy.RollingUpdate = &model.RollingUpdate{}
	require.False(t, play.LacksBlock(with))
	require.False(t, play.LacksBlock(&model.StatefulSet{Spec: model.Spec{Strategy: model.Strategy{Type: model.OnDeleteStrategy}}}))
}

// TestBegun: scripts that go on from a common beginning are what they are from the very start, whatever they wait for.
func TestBegun(t *testing.T) {
	l := lab(t)
	before := play.Script{play.Apply(read(t, "a:1"), "prod")}
	begun := l.Begun(before)
	require.NotNil(t, begun.Reached())
	require.Nil(t, l.Reached())
	require.Nil(t, begun.Fresh().Reached())
	require.NotNil(t, l.Onwards(begun).Reached())
	for name, more := range map[string]play.Script{
		"nothing":           {},
		"once settled":      {play.Scale(web, 1)},
		"some time later":   {play.Scale(web, 1).After(time.Minute)},
		"before it settled": {play.Scale(web, 1).After(time.Second)},
		"commands":          {play.Delete(pod("web-1"), false), prompt(play.RolloutStatus(web)), prompt(play.Scale(web, 1))},
	} {
		script := before.Then(more...)
		require.Equal(t, timeline.Digest(l.Run(script)), timeline.Digest(begun.Run(script)), name)
	}
	short := *begun
	for _, until := range []time.Duration{8 * time.Second, 9 * time.Second, 10 * time.Second} {
		short.World.Until = until
		script := before.Then(play.Scale(web, 1))
		require.Equal(t, timeline.Digest(short.Fresh().Run(script)), timeline.Digest(short.Run(script)), until)
	}
}

// TestALabThatMayBeInterrupted: one that asks whether it is interrupted, and is not, plays what one plays that does not
// ask.
func TestALabThatMayBeInterrupted(t *testing.T) {
	script := play.Script{play.Apply(read(t, "a:1"), "prod"), play.RolloutStatus(web), play.Scale(web, 1)}.Pasted()
	whole := lab(t).Run(script)
	require.Equal(t, []string{"0s apply", "0s wait", "9s scale"}, steps(whole))
	asks, asked := lab(t), 0
	asks.World.Interrupted = func() bool {
		asked++
		return false
	}
	require.Equal(t, timeline.Digest(whole), timeline.Digest(asks.Run(script)))
	require.NotZero(t, asked)
}

func prompt(d play.Deed) play.Deed {
	d.Prompt = true
	return d
}

// TestALabIsWatchedWhileItWaits: who watches its worlds is called at each instant of a run, those before a command returns
// included.
func TestALabIsWatchedWhileItWaits(t *testing.T) {
	l := lab(t)
	var at []time.Duration
	l.World.Watch = func(w *sim.World) { at = append(at, time.Duration(w.Now())) }
	l.Paste(nil, play.Script{play.Apply(read(t, "a:1"), "prod"), waitForPod("web-0"), play.Scale(web, 1)})
	require.Subset(t, at, []time.Duration{0, time.Second, 3 * time.Second, 5 * time.Second})
}

// waitForPod waits until there is a pod of the name that is Ready.
func waitForPod(name string) play.Deed {
	return play.Deed{Verb: "wait", Kubectl: "kubectl wait pod/" + name, Returns: func(*play.Moment) func(*play.Moment) bool {
		return func(now *play.Moment) bool { return now.Pods[pod(name)].Ready }
	}}
}
