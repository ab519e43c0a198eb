package manager_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/manager"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// listener is a controller that notes which pods it hears of, and when.
type listener struct {
	controller
	now   func() model.Time
	heard []string
}

func (l *listener) Enqueue(change model.Change, sets model.Sets, enqueue func(model.Key, time.Duration)) {
	switch {
	case change.Pod != nil:
		l.heard = append(l.heard, change.Pod.Name+" at "+l.now().Clock())
	case change.OldPod != nil:
		l.heard = append(l.heard, change.OldPod.Name+" gone at "+l.now().Clock())
	}
	l.controller.Enqueue(change, sets, enqueue)
}

// listening is a process whose controller listens, with a set of three replicas that makes no pods of its own.
func listening(t *testing.T, latency manager.Latency) (*process, *listener) {
	p := start(latency, nil)
	l := &listener{now: p.kernel.Now}
	p.Run(l, noFaults{}, nil)
	p.create(t, "web", 3, 0)
	p.pod(t, "web-0")
	p.rest()
	l.heard = nil
	return p, l
}

// pod creates a pod of the set web.
func (p *process) pod(t *testing.T, name string) {
	owner := model.Owner{Kind: model.KindStatefulSet, Name: "web", UID: p.store.Set(web).UID, Controller: true}
	_, err := p.user().CreatePod(&model.Pod{Template: &model.Template{}, Meta: model.Meta{
		Namespace: "default", Name: name, Labels: map[string]string{"app": "web"}, Owners: []model.Owner{owner},
	}})
	require.Nil(t, err)
}

// seen says which pods of the set web the controller knows.
func (p *process) seen() string {
	known := ""
	for i := range 3 {
		if pod := p.View(web).Pod(model.Replicas, i); pod != nil {
			known += pod.Name + " "
		}
	}
	return known
}

// TestBeginsBehind: a controller that lists from an API server which is 20s behind sees what was made up to 20s ago,
// and hears of the rest 20s after it was made. One that takes over before it has begun sees the present.
func TestBeginsBehind(t *testing.T) {
	p, l := listening(t, manager.Latency{Behind: time.Minute})
	p.pass(10 * time.Second)
	p.pod(t, "web-1")
	p.pass(15 * time.Second)
	p.pod(t, "web-2")
	p.pass(25 * time.Second)
	p.pass(30 * time.Second)
	l.heard = nil
	p.Restart(manager.Beginning{Behind: 20 * time.Second})
	p.rest()
	require.Equal(t, "web-0 web-1 ", p.seen(), "what was made 20s ago is there")
	require.Empty(t, l.heard)
	p.pass(time.Minute)
	require.Equal(t, []string{"web-2 at 35s"}, l.heard)
	require.Equal(t, "web-0 web-1 web-2 ", p.seen())

	require.Nil(t, p.user().DeletePod(model.Key{Namespace: "default", Name: "web-2"}, 0, true))
	p.rest()
	p.Restart(manager.Beginning{After: 10 * time.Second, Behind: 20 * time.Second})
	p.Replace(l)
	require.Equal(t, "web-0 web-1 ", p.seen())
	p.pass(2 * time.Minute)
	require.Equal(t, "web-0 web-1 ", p.seen())
}

// TestForgetsThePast: however much has changed, a controller that begins behind sees what there was.
func TestForgetsThePast(t *testing.T) {
	for end := 40; end < 60; end++ {
		p, l := listening(t, manager.Latency{Behind: 10 * time.Second})
		for at := range end {
			p.pass(time.Duration(at) * time.Second)
			p.store.As(store.By{}).ChangePod(web0, func(pod *model.Pod) { pod.Reason = strconv.Itoa(at) })
		}
		p.rest()
		p.Restart(manager.Beginning{Behind: time.Minute})
		p.rest()
		require.Equal(t, strconv.Itoa(end-11), p.View(web).Pod(model.Replicas, 0).Reason, "not further behind than can be remembered")
		l.heard = nil
		p.pass(time.Duration(end+1) * time.Second)
		require.Len(t, l.heard, 2, "the changes of %ds and the second after it, ten seconds later", end-10)
	}
}

// TestAfterABreak: when a watch has broken, what was missed is heard of once for each object: first those that exist,
// by name, then those that are gone. What came and went is never heard of. A second break replaces the first.
func TestAfterABreak(t *testing.T) {
	p, l := listening(t, manager.Latency{})
	p.pod(t, "web-9")
	p.rest()
	l.heard = nil
	p.BreakWatch(model.KindPod, 10*time.Second)
	for _, name := range []string{"web-2", "db-0", "web-1", "web-5"} {
		p.pod(t, name)
	}
	for _, name := range []string{"web-9", "web-0", "web-5"} {
		require.Nil(t, p.user().DeletePod(model.Key{Namespace: "default", Name: name}, 0, true))
	}
	p.pass(5 * time.Second)
	require.Empty(t, l.heard)
	p.BreakWatch(model.KindPod, 10*time.Second)
	p.pass(time.Minute)
	require.Equal(t, []string{"db-0 at 15s", "web-1 at 15s", "web-2 at 15s", "web-0 gone at 15s", "web-9 gone at 15s"}, l.heard)
}

// eager chooses the last alternative once it is on, and notes that it was asked.
type eager struct {
	on    bool
	asked int
}

func (e *eager) Choose(_ choose.Kind, n int) int {
	if !e.on {
		return 0
	}
	e.asked++
	return n - 1
}

// TestSyncBeforeWhatIsDue: that a sync comes before another event of the same instant is a choice, and only where there
// is such an event.
func TestSyncBeforeWhatIsDue(t *testing.T) {
	chooser := &eager{}
	p := startWith(chooser, manager.Latency{}, nil)
	p.create(t, "web", 3, 0)
	p.rest()
	p.Resync()
	require.False(t, p.SyncNext(true), "nothing else is due")
	p.BreakWatch(model.KindClaim, 0)
	require.False(t, p.SyncNext(true), "the event that is due comes first")
	chooser.on = true
	require.True(t, p.SyncNext(true), "unless the chooser says otherwise")
	require.Equal(t, 1, chooser.asked)
}

// idle is a controller that asks for another sync at once, and writes nothing.
type idle struct{ controller }

func (*idle) Sync(model.View, model.Calls) model.Result { return model.Result{Requeue: true} }

// TestSyncsThatWriteNothing are no livelock, however many there are: nothing is counted but writes.
func TestSyncsThatWriteNothing(t *testing.T) {
	p := start(manager.Latency{}, nil)
	p.Run(&idle{}, noFaults{}, nil)
	p.create(t, "web", 3, 0)
	for range 5000 {
		p.Deliver()
		if !p.SyncNext(false) {
			next, any := p.kernel.Peek()
			require.True(t, any)
			require.Equal(t, next, p.kernel.Now())
			require.True(t, p.kernel.Next())
		}
	}
	require.Empty(t, p.kernel.Result.Verdict)
}

// TestForgetsItsFailures: a controller that begins knows nothing of the failures of the one before it. It syncs the set
// when it begins, not when the old one would have tried again, and says once more what fails.
func TestForgetsItsFailures(t *testing.T) {
	const ms = time.Millisecond
	p := start(manager.Latency{}, nil)
	p.controller.fails = 8
	p.create(t, "web", 1, 0)
	p.pass(400 * ms)
	tried := func() (at []time.Duration) {
		for _, sync := range p.controller.syncs {
			at = append(at, time.Duration(sync))
		}
		return at
	}
	require.Equal(t, []time.Duration{0, 5 * ms, 15 * ms, 35 * ms, 75 * ms, 155 * ms, 315 * ms}, tried())
	p.Restart(manager.Beginning{After: 100 * ms})
	p.pass(time.Minute)
	require.Equal(t, []time.Duration{500 * ms, 505 * ms}, tried()[7:], "the failed sync of 315ms would have come back at 635ms")
	var said []string
	for _, e := range p.kernel.Events() {
		if e.Kind == timeline.KindSync {
			said = append(said, e.T.Clock()+" "+e.Reason)
		}
	}
	require.Equal(t, []string{"0s SyncError", "0.5s ControllerStarted", "0.5s SyncError"}, said)
}

// TestABreakHoldsWhatIsOnItsWay: a change that a slow watch would have delivered comes with the list after the break.
func TestABreakHoldsWhatIsOnItsWay(t *testing.T) {
	p, l := listening(t, manager.Latency{})
	p.SlowWatch(model.KindPod, 2*time.Second, time.Minute)
	p.pod(t, "web-1")
	p.pass(time.Second)
	p.BreakWatch(model.KindPod, 10*time.Second)
	p.pod(t, "web-2")
	p.pass(5 * time.Second)
	require.Empty(t, l.heard)
	require.Equal(t, manager.Unseen, p.Lag())
	p.pass(time.Minute)
	require.Equal(t, []string{"web-1 at 11s", "web-2 at 11s"}, l.heard)
	require.Equal(t, manager.CaughtUp, p.Lag())
}

// TestMayHelp: what waits for a worker, or is tried again, keeps a run open only as long as it may see something new.
func TestMayHelp(t *testing.T) {
	p := start(manager.Latency{Sync: behaviour.Constant(time.Second), Workers: 1}, nil)
	for _, name := range []string{"web", "db"} {
		p.create(t, name, 1, 0)
	}
	p.rest()
	require.True(t, p.MayHelp(), "one sync is under way that has seen all, and one is still to begin")
	p.pass(time.Minute)
	require.False(t, p.MayHelp())
	p.Resync()
	p.pass(2 * time.Minute)
	p.Resync()
	p.rest()
	require.False(t, p.MayHelp(), "a sync of a set that has seen all, and one to begin")
	p.ready(true)
	p.rest()
	require.True(t, p.MayHelp(), "the sync that is under way has not seen the pod become Ready")

	p = start(manager.Latency{}, nil)
	p.controller.fails = 1000
	p.create(t, "web", 1, 0)
	p.pass(time.Second)
	require.Equal(t, manager.AtWork, p.Lag())
	require.False(t, p.MayHelp(), "it fails in the same way each time")
	p.create(t, "db", 0, 0)
	require.True(t, p.MayHelp(), "something has changed since it failed")
}
