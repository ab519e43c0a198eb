package manager_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/manager"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// restless is a controller whose every sync writes another status, and asks for another sync at once: the number of
// replicas ready counts up to most, and begins again.
type restless struct {
	controller
	most, at int32
}

func (c *restless) Sync(view model.View, calls model.Calls) model.Result {
	c.at = (c.at + 1) % c.most
	next := *view.Set()
	next.Status.Replicas, next.Status.Ready = c.most, c.at
	reply := calls.Do(model.Call{
		Verb: model.UpdateStatus, Kind: model.KindStatefulSet, Key: next.Key(), Set: &next,
	})
	if reply.Err != nil {
		return model.Result{Err: reply.Err}
	}
	return model.Result{Requeue: true}
}

// TestAnInstantThatDoesNotEnd ends after as many syncs as a set of its size may need, or earlier if the last of them do
// the same again and again. Of what repeats one round is kept, of the events the first.
func TestAnInstantThatDoesNotEnd(t *testing.T) {
	for _, c := range []struct {
		name     string
		replicas int32
		period   int32
		syncs    int
		repeats  int
	}{
		{"a small set", 3, 3, 1030, 3},
		{"a large set that repeats itself", 300, 3, 2000, 3},
		{"a large set that repeats the longest round", 300, 40, 2000, 40},
		{"a large set that repeats itself too seldom", 300, 41, 4000, 40},
		{"a large set that does not", 300, 100_000, 4000, 40},
	} {
		p := start(manager.Latency{}, nil)
		p.Run(&restless{most: c.period}, noFaults{}, nil)
		p.create(t, "web", c.replicas, 0)
		for p.kernel.Result.Verdict == "" {
			p.Deliver()
			require.True(t, p.SyncNext(false), c.name)
			require.LessOrEqual(t, p.Syncs(), c.syncs, c.name)
		}
		require.Equal(t, timeline.Livelock, p.kernel.Result.Verdict, c.name)
		require.Equal(t, c.syncs, p.Syncs(), c.name)
		require.Len(t, p.kernel.Result.Repeats, c.repeats, c.name)
		require.Contains(t, p.kernel.Result.Repeats[0], "status of web: replicas ", c.name)
		events := p.kernel.Events()
		require.Len(t, events, 201, "%s: the first 200 events and what has become of the others", c.name)
		require.Equal(t, "Livelock", events[200].Reason)
	}
}

// TestAnInstantBeginsAnew has as many syncs as that in several instants.
func TestAnInstantBeginsAnew(t *testing.T) {
	p := start(manager.Latency{}, nil)
	p.Run(&restless{most: 3}, noFaults{}, nil)
	p.create(t, "web", 3, 0)
	for range 3 {
		for range 1000 {
			p.Deliver()
			require.True(t, p.SyncNext(false))
		}
		p.kernel.Advance(p.kernel.Now().Add(time.Second))
		p.NewInstant(manager.None)
	}
	require.Empty(t, p.kernel.Result.Verdict)
}

// TestPatience plays a livelock on for a step that is still to come: the controller's calls take time from then on. When
// no step is to come any more they are as fast as before, and the loop ends the run.
func TestPatience(t *testing.T) {
	p := start(manager.Latency{}, nil)
	p.Run(&restless{most: 3}, noFaults{}, nil)
	p.NewInstant(manager.AStepComes)
	p.create(t, "web", 3, 0)
	p.rest()
	require.Empty(t, p.kernel.Result.Verdict)
	require.Len(t, p.kernel.Result.Warnings, 1)
	require.Len(t, p.kernel.Result.Repeats, 3)
	require.Equal(t, manager.AtWork, p.Lag(), "a call is under way")
	fast := p.Syncs()
	require.Equal(t, 1030, fast-1)
	for p.kernel.Now() < model.Time(10*time.Second) {
		next, any := p.kernel.Peek()
		require.True(t, any)
		p.kernel.Advance(next)
		p.NewInstant(manager.AStepComes)
		p.rest()
	}
	// A bucket of 30 calls, and 20 a second.
	require.InDelta(t, 30+10*20, p.Syncs()-fast, 3)
	p.NewInstant(manager.None)
	require.Empty(t, p.kernel.Result.Repeats)
	for p.kernel.Result.Verdict == "" {
		next, any := p.kernel.Peek()
		require.True(t, any)
		p.kernel.Advance(next)
		p.Deliver()
		for p.kernel.Next() {
			p.Deliver()
		}
		for p.kernel.Result.Verdict == "" && p.SyncNext(false) {
			p.Deliver()
		}
	}
	require.Equal(t, timeline.Livelock, p.kernel.Result.Verdict)
}

// TestPatienceForAChange plays a livelock on while the controller is still to see a change, and says so. Once it has
// seen all, the loop ends the run; so it does at once, if there is nothing to see.
func TestPatienceForAChange(t *testing.T) {
	p := start(manager.Latency{}, nil)
	p.Run(&restless{most: 3}, noFaults{}, nil)
	p.NewInstant(manager.AChangeMayCome)
	p.create(t, "web", 3, 0)
	p.BreakWatch(model.KindClaim, 10*time.Second)
	p.rest()
	require.Empty(t, p.kernel.Result.Verdict)
	require.Len(t, p.kernel.Result.Warnings, 1)
	require.Contains(t, p.kernel.Result.Warnings[0], "at 0s the controller kept writing and did not converge; "+
		"since a change that may end it is on its way, its calls took time from then on: 1ms each, and at most 20 a second")
	fast := p.Syncs()
	for p.kernel.Now() < model.Time(9*time.Second) {
		next, any := p.kernel.Peek()
		require.True(t, any)
		p.kernel.Advance(next)
		p.NewInstant(manager.AChangeMayCome)
		p.rest()
	}
	require.InDelta(t, 30+9*20, p.Syncs()-fast, 3)
	for p.kernel.Result.Verdict == "" {
		next, any := p.kernel.Peek()
		require.True(t, any && next <= model.Time(10100*time.Millisecond), "it goes on at %s", next.Clock())
		p.kernel.Advance(next)
		p.NewInstant(manager.AChangeMayCome)
		p.Deliver()
		for p.kernel.Next() || p.kernel.Result.Verdict == "" && p.SyncNext(false) {
			p.Deliver()
		}
	}
	require.Equal(t, timeline.Livelock, p.kernel.Result.Verdict)

	p = start(manager.Latency{}, nil)
	p.Run(&restless{most: 3}, noFaults{}, nil)
	p.NewInstant(manager.AChangeMayCome)
	p.create(t, "web", 3, 0)
	for p.kernel.Result.Verdict == "" {
		p.Deliver()
		require.True(t, p.SyncNext(false))
	}
	require.Equal(t, timeline.Livelock, p.kernel.Result.Verdict)
	require.Empty(t, p.kernel.Result.Warnings)
}

// stubborn asks for another sync at once, even if its write has failed.
type stubborn struct{ restless }

func (c *stubborn) Sync(view model.View, calls model.Calls) model.Result {
	c.restless.Sync(view, calls)
	return model.Result{Requeue: true}
}

// failing are faults by which every write fails; made says that it was made all the same.
type failing struct{ made bool }

func (failing) Armed() bool { return true }

func (f failing) AtWrite(_ model.Key, call *model.Call, send func(*model.Call) model.Reply) (model.Reply, manager.Met) {
	if f.made {
		send(call)
	}
	return model.Reply{Err: &model.APIError{Reason: model.InternalError}}, manager.Met{Lost: f.made}
}

// TestWritesThatFail count towards a livelock only if they were made, and just their answers were lost.
func TestWritesThatFail(t *testing.T) {
	for _, made := range []bool{true, false} {
		p := start(manager.Latency{}, nil)
		p.Run(&stubborn{restless{most: 3}}, failing{made}, nil)
		p.create(t, "web", 3, 0)
		for range 1100 {
			p.Deliver()
			if !p.SyncNext(false) {
				break
			}
		}
		require.Equal(t, made, p.kernel.Result.Verdict == timeline.Livelock)
	}
}
