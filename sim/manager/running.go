package manager

import (
	"iter"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// running is the sync of one set while it is under way. It is the controller's way to the API server.
//
// Where nothing takes time a sync runs straight through. Otherwise it runs as a coroutine, which is suspended at each
// call until the call's time has come; the branches of a fork are coroutines of their own, so that their calls are
// under way together.
type running struct {
	m   *Manager
	key model.Key
	// strands are the coroutines of the sync, the first of them the sync itself; none where it runs straight through.
	strands []*strand
	// dead is true when its controller has died: nothing that the rest of it does has an effect.
	dead bool
	// began is the instant of its view.
	began model.Time
	// saw is how far the world was when it began. idle is true as long as it only looks at what the sync before has seen:
	// then it keeps no run open.
	saw  sight
	idle bool
	// faulted is true when a write has met a fault that another attempt may not meet.
	faulted bool
	// misled is the pod that it takes for deleted because of a false answer, "" for none.
	misled string
	// view is what it has seen at first, set the set in it, and answers what it has been told since, where it may be
	// suspended.
	view    model.View
	set     *model.StatefulSet
	answers []answer
	// writes are what it has written, for the instant's account; see instant.
	wrote  bool
	writes []string
}

// strand is a coroutine of a sync.
type strand struct {
	sync   *running
	parent *strand
	// n is its place among the strands of its sync.
	n int
	// active is true while it runs, or what it has resumed.
	active bool
	// calls counts those that it has begun, branch is which branch of a fork it is.
	calls, branch int
	// branches counts the branches that have not ended; the strand goes on when there is none.
	branches int
	// timer is what the strand waits for, if it is a time.
	timer *kernel.Timer

	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
}

// answer is what a strand of a sync has been told.
type answer struct {
	strand int
	reply  model.Reply
}

// launch begins a sync that may be suspended, with a view that stays as it is.
func (m *Manager) launch(key model.Key) {
	view := m.cache.Freeze(key, m.kernel.Now())
	state := m.stateOf(key)
	r := &running{m: m, key: key, began: m.kernel.Now(), saw: m.sight(), view: view, set: view.Set()}
	r.idle = state.saw == r.saw && !state.faulted
	m.running = append(m.running, r)
	root := r.strand(nil, func(s *strand) {
		s.wait(m.kernel.Takes(m.latency.Sync))
		result := m.controller.Sync(view, r)
		m.conclude(r, result)
	})
	m.resume(root)
}

// strand makes a coroutine, which begins when it is resumed.
func (r *running) strand(parent *strand, body func(*strand)) *strand {
	s := &strand{sync: r, parent: parent, n: len(r.strands)}
	s.next, s.stop = iter.Pull(func(yield func(struct{}) bool) {
		s.yield = yield
		body(s)
	})
	r.strands = append(r.strands, s)
	return s
}

// resume lets a coroutine go on until it is suspended, or has ended. The last branch of a fork resumes what waits for
// it.
func (m *Manager) resume(s *strand) {
	outer := m.strand
	m.strand, s.active = s, true
	_, suspended := s.next()
	m.strand, s.active = outer, false
	switch {
	case s.sync.dead:
		m.bury(s.sync)
	case suspended || s.parent == nil:
	default:
		if s.parent.branches--; s.parent.branches == 0 {
			m.resume(s.parent)
		}
	}
}

// goOn resumes a coroutine of the sync of a set whose time has come.
func (m *Manager) goOn(set model.Key, n int) {
	at := slices.IndexFunc(m.running, func(r *running) bool { return r.key == set })
	m.resume(m.running[at].strands[n])
}

// pause suspends the coroutine until it is resumed. One that is stopped instead goes on without an effect.
func (s *strand) pause() {
	if !s.sync.dead && !s.yield(struct{}{}) {
		s.sync.dead = true
	}
}

// wait suspends the coroutine for a time.
func (s *strand) wait(d time.Duration) {
	if d <= 0 || s.sync.dead {
		return
	}
	m := s.sync.m
	at, e := m.kernel.Now().Add(d), event(goOn, s.sync.key)
	e.N = int32(s.n)
	if s.sync.idle {
		s.timer = m.kernel.Behind(at, kernel.ByController, e)
	} else {
		s.timer = m.kernel.At(at, kernel.ByController, e)
	}
	s.pause()
}

// kill ends a sync in the middle: its controller has died. What it has written stays written.
func (m *Manager) kill(r *running) {
	r.dead = true
	for _, s := range r.strands {
		m.kernel.Cancel(s.timer)
	}
	m.bury(r)
}

// bury lets the coroutines of a dead sync run to their end, without an effect. One that is under way at this moment
// gets there by itself, and the others are buried then: a fork must not end before its branches.
func (m *Manager) bury(r *running) {
	if slices.ContainsFunc(r.strands, func(s *strand) bool { return s.active }) {
		return
	}
	end(r.strands)
	r.strands = nil
}

// Kill ends all syncs that are under way, in the middle.
func (m *Manager) Kill() {
	if m.straight != nil {
		m.straight.dead = true
	}
	all := m.running
	m.running = nil
	for _, r := range all {
		m.kill(r)
	}
}

// errDead is what a controller that has died gets for its calls. Nobody hears of it.
var errDead = &model.APIError{Reason: model.InternalError, Message: "the controller has died"}

// Do sends a call to the API server.
func (r *running) Do(call model.Call) model.Reply {
	m := r.m
	r.idle = r.idle && call.Verb == model.Get
	if s := m.strand; s != nil && !r.dead {
		s.calls++
		s.wait(m.throttled() + m.kernel.Takes(m.latency.Write))
	}
	if r.dead {
		return model.Reply{Err: errDead}
	}
	reply := r.carryOut(&call)
	if m.strand != nil {
		r.answers = append(r.answers, answer{m.strand.n, reply})
	}
	if reply.Err != nil && reply.Err.Reason == model.Conflict && m.strand != nil {
		// client-go's RetryOnConflict waits 10 ms before another attempt; see statefulset's writeStatus.
		m.strand.wait(conflictPause)
	}
	return reply
}

// conflictPause is how long a controller waits after a conflict (client-go's retry.DefaultRetry, without its jitter).
const conflictPause = 10 * time.Millisecond

// throttled is how long the client holds a call back.
func (m *Manager) throttled() time.Duration {
	if m.throttle == nil {
		return 0
	}
	return m.throttle.Take(m.kernel.Now())
}

// carryOut makes a call and notes what came of it.
func (r *running) carryOut(call *model.Call) model.Reply {
	m := r.m
	reply, lost := r.send(call)
	if call.Verb == model.Get || reply.Err != nil && !lost {
		return reply
	}
	if call.Kind == model.KindClaim {
		m.deliverClaims()
	}
	r.wrote = true
	if m.instant.suspect() {
		r.writes = append(r.writes, describe(call))
	}
	if call.Verb == model.Release || r.dead {
		return reply
	}
	if version := writtenVersion(&reply); version > 0 {
		m.cache.Wrote(r.key, call.Kind, version)
	}
	return reply
}

// send sends a call to the API server, with the faults that it meets. lost says that the controller does not learn what
// came of it.
func (r *running) send(call *model.Call) (reply model.Reply, lost bool) {
	if call.Verb == model.Get || !r.m.faults.Armed() {
		return r.m.send(call), false
	}
	// A copy, so that only the calls of a world with faults are kept on the heap.
	faulted := *call
	reply, met := r.m.faults.AtWrite(r.key, &faulted, r.m.send)
	r.faulted = r.faulted || met.Passing
	if met.Misled != "" {
		r.misled = met.Misled
	}
	return reply, met.Lost
}

// Fork runs the branches; which one begins next is a choice. Those of a sync that may be suspended are under way
// together.
func (r *running) Fork(n int, branch func(i int)) {
	s := r.m.strand
	if s == nil || r.dead {
		r.oneByOne(n, branch)
		return
	}
	// The strand counts itself, so that it is not resumed by a branch that ends at once.
	s.branches = 1
	first := len(r.strands)
	r.oneByOne(n, func(i int) {
		s.branches++
		of := r.strand(s, func(*strand) { branch(i) })
		of.branch = i
		r.m.resume(of)
	})
	for s.branches--; s.branches > 0 && !r.dead; {
		s.pause()
	}
	if r.dead {
		// The controller has died in one of the branches, or while they were waited for.
		end(r.strands[first:])
	}
}

// end lets coroutines run to their end that are suspended, the youngest first.
func end(strands []*strand) {
	for _, s := range slices.Backward(strands) {
		s.stop()
	}
}

func (r *running) oneByOne(n int, branch func(i int)) {
	rest := make([]int, n)
	for i := range rest {
		rest[i] = i
	}
	for len(rest) > 0 {
		at := 0
		if len(rest) > 1 {
			at = r.m.kernel.Choose(choose.Branch, len(rest))
		}
		i := rest[at]
		rest = append(rest[:at], rest[at+1:]...)
		branch(i)
	}
}

// Record puts an event of the controller into the timeline.
func (r *running) Record(e model.K8sEvent) {
	if r.dead {
		return
	}
	r.m.kernel.Record(timeline.Entry{
		Kind: timeline.KindK8sEvent, Actor: timeline.Controller, Set: r.key,
		Reason: e.Reason, Message: e.Message, Warning: e.Warning,
	})
}
