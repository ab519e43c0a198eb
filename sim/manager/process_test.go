package manager_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/manager"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// process is a manager with the controller of this test, over an API server of its own.
type process struct {
	*manager.Manager
	kernel     *kernel.Kernel
	store      *store.Store
	controller *controller
}

func start(latency manager.Latency, admit func(*model.Pod) *model.APIError) *process {
	return startWith(nil, latency, admit)
}

func startWith(chooser choose.Chooser, latency manager.Latency, admit func(*model.Pod) *model.APIError) *process {
	k := kernel.New(chooser)
	rules := model.APIRules{MinReadySeconds: true, MinReadySecondsField: true, MutableMinReadySeconds: true}
	s := store.New(rules, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	p := &process{manager.New(k, s, log, latency), k, s, &controller{}}
	p.Run(p.controller, noFaults{}, admit)
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindStatefulSet, log.SeeSet)
	for _, kind := range store.Kinds {
		s.Watch(kind, p.See)
	}
	return p
}

// rest lets all happen that is due at this instant.
func (p *process) rest() {
	for again := true; again; again = p.SyncNext(false) {
		p.Deliver()
		for p.kernel.Next() {
			p.Deliver()
		}
	}
	p.NoteWaits()
}

// pass lets time pass, up to an instant.
func (p *process) pass(until time.Duration) {
	p.rest()
	for next, any := p.kernel.Peek(); any && next <= model.Time(until); next, any = p.kernel.Peek() {
		p.kernel.Advance(next)
		p.NewInstant(manager.None)
		p.rest()
	}
	p.kernel.Advance(model.Time(until))
	p.NewInstant(manager.None)
}

var (
	web  = model.Key{Namespace: "default", Name: "web"}
	web0 = model.Key{Namespace: "default", Name: "web-0"}
)

func (p *process) user() store.Writer { return p.store.As(store.By{Actor: timeline.User}) }

// create creates a set of so many replicas, whose pods are available when they have been Ready for so many seconds.
func (p *process) create(t *testing.T, name string, replicas, minReady int32) {
	_, err := p.user().CreateSet(&model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: name},
		Spec: model.Spec{
			Replicas: replicas, MinReadySeconds: minReady,
			Template: &model.Template{Labels: map[string]string{"app": name}},
			Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{name}}}},
			Strategy: model.Strategy{RollingUpdate: &model.RollingUpdate{}},
		},
	})
	require.Nil(t, err)
}

// change changes the spec of the set web.
func (p *process) change(t *testing.T, edit func(*model.Spec)) {
	next := *p.store.Set(web)
	edit(&next.Spec)
	_, err := p.user().UpdateSet(&next)
	require.Nil(t, err)
}

// ready makes the pod web-0 Ready, or unready.
func (p *process) ready(is bool) {
	p.store.As(store.By{Actor: timeline.Kubelet}).ChangePod(web0, func(pod *model.Pod) {
		pod.Phase, pod.Ready, pod.ReadySince = model.Running, is, p.kernel.Now()
	})
}

// TestReplicas counts what all sets ask for together, while they are created, scaled and removed.
func TestReplicas(t *testing.T) {
	p := start(manager.Latency{}, nil)
	p.create(t, "web", 3, 0)
	p.create(t, "db", 5, 0)
	require.Equal(t, 8, p.Replicas())
	p.change(t, func(spec *model.Spec) { spec.Replicas = 7 })
	require.Equal(t, 12, p.Replicas())
	require.Nil(t, p.user().RemoveSet(model.Key{Namespace: "default", Name: "db"}))
	require.Equal(t, 7, p.Replicas())
}

// TestAPodBecomesAvailableByTheClock has a set with minReadySeconds 10, whose pod becomes Ready at 5s: nobody writes
// anything when it is available. What happens to the pod or to the set before that moves the instant.
func TestAPodBecomesAvailableByTheClock(t *testing.T) {
	seconds := func(n int) time.Duration { return time.Duration(n) * time.Second }
	for _, c := range []struct {
		name string
		// then happens at 8s.
		then func(*testing.T, *process)
		// at are the instants at which it has become available.
		at []int
	}{
		{"nothing", func(*testing.T, *process) {}, []int{15}},
		{"another write", func(_ *testing.T, p *process) {
			p.store.As(store.By{}).ChangePod(web0, func(pod *model.Pod) { pod.Reason = "x" })
		}, []int{15}},
		{"unready", func(_ *testing.T, p *process) { p.ready(false) }, nil},
		{"unready and Ready again", func(_ *testing.T, p *process) { p.ready(false); p.ready(true) }, []int{18}},
		{"deleted", func(_ *testing.T, p *process) {
			p.user().DeletePod(web0, 0, false)
		}, nil},
		{"gone", func(_ *testing.T, p *process) {
			p.user().DeletePod(web0, 0, true)
		}, nil},
		{"failed", func(_ *testing.T, p *process) {
			p.store.As(store.By{}).ChangePod(web0, func(pod *model.Pod) { pod.Phase, pod.Ready = model.Failed, false })
		}, nil},
		{"later", func(t *testing.T, p *process) { p.change(t, func(s *model.Spec) { s.MinReadySeconds = 20 }) }, []int{25}},
		{"earlier", func(t *testing.T, p *process) { p.change(t, func(s *model.Spec) { s.MinReadySeconds = 4 }) }, []int{9}},
		{"at once", func(t *testing.T, p *process) { p.change(t, func(s *model.Spec) { s.MinReadySeconds = 3 }) }, nil},
		{"no more", func(t *testing.T, p *process) { p.change(t, func(s *model.Spec) { s.MinReadySeconds = 0 }) }, nil},
		{"scaled", func(t *testing.T, p *process) { p.change(t, func(s *model.Spec) { s.Replicas = 4 }) }, []int{15}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(manager.Latency{}, nil)
			p.create(t, "web", 1, 10)
			p.pass(seconds(5))
			p.ready(true)
			p.pass(seconds(8))
			c.then(t, p)
			p.rest()
			var at []int
			for now := 9; now < 30; now++ {
				ripened, syncs := p.Ripened(), p.Syncs()
				if p.pass(seconds(now)); p.Ripened() > ripened {
					at = append(at, now)
					require.Greater(t, p.Syncs(), syncs, "the set is synced")
				}
			}
			require.Equal(t, c.at, at)
		})
	}
}

// TestAdmission refuses the pod: the controller hears of it, and tries again.
func TestAdmission(t *testing.T) {
	refused := 0
	p := start(manager.Latency{}, func(pod *model.Pod) *model.APIError {
		require.Equal(t, "web-0", pod.Name)
		if refused++; refused < 3 {
			return &model.APIError{Reason: model.Forbidden, Message: "exceeded quota"}
		}
		return nil
	})
	p.create(t, "web", 1, 0)
	p.rest()
	require.Nil(t, p.store.Pod(web0))
	require.Equal(t, manager.AtWork, p.Lag(), "the sync has failed")
	p.pass(time.Second)
	require.NotNil(t, p.store.Pod(web0))
	require.Equal(t, 3, refused)
	require.Equal(t, manager.CaughtUp, p.Lag())
}

// TestLag says how far the controller is behind, whatever the reason.
func TestLag(t *testing.T) {
	slow := behaviour.Constant(time.Second)
	for _, c := range []struct {
		name    string
		latency manager.Latency
		then    func(*process)
		want    manager.Lag
	}{
		{"nothing", manager.Latency{}, func(*process) {}, manager.CaughtUp},
		{"a change is on its way", manager.Latency{Watch: slow}, func(p *process) { p.ready(true) }, manager.Unseen},
		{"a slow watch", manager.Latency{}, func(p *process) {
			p.SlowWatch(model.KindPod, time.Second, time.Minute)
			p.ready(true)
		}, manager.Unseen},
		{"a slow watch of something else", manager.Latency{}, func(p *process) {
			p.SlowWatch(model.KindClaim, time.Second, time.Minute)
			p.ready(true)
		}, manager.CaughtUp},
		{"a broken watch", manager.Latency{}, func(p *process) { p.BreakWatch(model.KindClaim, time.Minute) }, manager.Unseen},
		{"no controller", manager.Latency{}, func(p *process) {
			p.Restart(manager.Beginning{After: time.Minute})
		}, manager.Unseen},
		{"a sync is under way", manager.Latency{Sync: slow}, func(p *process) { p.Resync() }, manager.AtWork},
		{"a sync has failed", manager.Latency{}, func(p *process) {
			p.controller.fails = 1
			p.Resync()
		}, manager.AtWork},
	} {
		p := start(c.latency, nil)
		p.create(t, "web", 1, 0)
		p.pass(10 * time.Second)
		require.Equal(t, manager.CaughtUp, p.Lag(), c.name)
		c.then(p)
		p.rest()
		require.Equal(t, c.want, p.Lag(), c.name)
		p.pass(2 * time.Minute)
		require.Equal(t, manager.CaughtUp, p.Lag(), "%s: two minutes later", c.name)
	}
}

// TestWaitsOfSeveralSets are recorded in the order of the sets' names, whichever was synced first, and once.
func TestWaitsOfSeveralSets(t *testing.T) {
	p := start(manager.Latency{}, nil)
	for _, name := range []string{"web", "db", "mq"} {
		p.create(t, name, 1, 0)
	}
	p.Resync()
	p.rest()
	p.rest()
	var waits []string
	for i := range p.kernel.Events() {
		if e := &p.kernel.Events()[i]; e.Kind == timeline.KindWait {
			waits = append(waits, e.Set.Name)
			require.False(t, e.Wait.Ended)
		}
	}
	require.Equal(t, []string{"db", "mq", "web"}, waits)
	require.Equal(t, model.WaitingForReady, p.Waits(web)[0].Code)
	require.Nil(t, p.Waits(model.Key{Namespace: "default", Name: "nothing"}))
	require.Equal(t, "web-0", p.Stuck(web)[0].Why.Object)
	require.Nil(t, p.user().RemoveSet(web))
	p.rest()
	require.NotContains(t, p.Known(), web)
	last := p.kernel.Events()[len(p.kernel.Events())-1]
	require.True(t, last.Wait.Ended, "what a set has waited for ends when it is gone")
	require.Equal(t, "web", last.Set.Name)
}

// TestRipens: that pods become available by the clock matters as long as a set has minReadySeconds, or had it in a
// change that the controller is still to see.
func TestRipens(t *testing.T) {
	for _, c := range []struct {
		name   string
		before int32
		then   func(*testing.T, *process)
		// now and later: with the change on its way, and when it has arrived.
		now, later bool
	}{
		{"no minReadySeconds", 0, func(t *testing.T, p *process) { p.change(t, func(s *model.Spec) { s.Replicas = 2 }) }, false, false},
		{"given up", 5, func(t *testing.T, p *process) { p.change(t, func(s *model.Spec) { s.MinReadySeconds = 0 }) }, true, false},
		{"given", 0, func(t *testing.T, p *process) { p.change(t, func(s *model.Spec) { s.MinReadySeconds = 5 }) }, true, true},
		{"of a set that is gone", 5, func(t *testing.T, p *process) { require.Nil(t, p.user().RemoveSet(web)) }, true, false},
		{"of a set that came and went", 0, func(t *testing.T, p *process) {
			p.create(t, "db", 1, 5)
			require.Nil(t, p.user().RemoveSet(model.Key{Namespace: "default", Name: "db"}))
		}, true, false},
	} {
		p := start(manager.Latency{}, nil)
		p.create(t, "web", 1, c.before)
		p.pass(time.Second)
		require.Equal(t, c.before > 0, p.Ripens(), c.name)
		p.SlowWatch(model.KindStatefulSet, 10*time.Second, time.Minute)
		c.then(t, p)
		p.rest()
		require.Equal(t, c.now, p.Ripens(), c.name)
		p.pass(time.Minute)
		require.Equal(t, c.later, p.Ripens(), c.name)
	}
}
