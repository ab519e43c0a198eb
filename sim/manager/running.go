package manager

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/cache"
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
	m   *Manager `print:"-"`
	key model.Key
	// strands are the coroutines of the sync, the first of them the sync itself; none if it runs straight through.
	strands []*strand `print:"-"`
	// first is that one, body what it runs, made once, and seen what the controller sees of the view.
	first strand   `print:"-"`
	body  func()   `print:"-"`
	seen  observed `print:"-"`
	// dead is true when its controller has died: nothing that the rest of it does has an effect.
	dead bool
	// began is the instant of its view.
	began model.Time
	// saw is the progress at which it began. idle is true as long as it sees only what the previous sync saw; then it
	// does not keep a run open.
	saw  sight
	idle bool
	// faulted is true when a write has met a fault that another attempt may not meet.
	faulted bool
	// misled is the pod that it believes deleted because of a false answer; "" means none.
	misled string
	// view is its view when it began, and inputs are its inputs since then, if it may be suspended. next is the number of
	// inputs that it has used; a sync that is started again gets them once more.
	view   *cache.Frozen
	inputs []input
	next   int
	// again is true while a restarted sync gets its earlier inputs once more.
	again bool `print:"-"`
	// writes are its writes, for the account of the instant; see instant.
	wrote  bool     `print:"-"`
	writes []string `print:"-"`
}

// strand is a coroutine of a sync.
type strand struct {
	sync   *running
	parent *strand
	// n is its place among the strands of its sync.
	n int
	// active is true while it runs, or what it has resumed.
	active bool
	// branches counts the branches that have not ended; the strand goes on when there is none.
	branches int
	// timer is the timer that the strand waits for, if it waits for a time.
	timer *kernel.Timer
	// runs is the coroutine that it runs on; nil once it has ended.
	runs *coroutine
}

// launch begins a sync that may be suspended, with a view that stays as it is.
func (m *Manager) launch(key model.Key) {
	view := m.cache.Freeze(key, m.kernel.Now())
	state := m.stateOf(key)
	r := m.ended
	if r == nil {
		r = &running{}
	}
	r.m, r.key, r.began, r.saw, r.view, r.inputs = m, key, m.kernel.Now(), m.sight(), view, m.notes
	m.notes, m.ended = nil, nil
	r.idle = state.saw == r.saw && !state.faulted
	m.running = append(m.running, r)
	m.resume(r.root())
}

// root makes the first coroutine of a sync.
func (r *running) root() *strand {
	if r.body == nil {
		r.body = r.run
	}
	r.first = strand{sync: r, runs: r.m.idle.take(r.body)}
	r.strands = append(r.strands, &r.first)
	return &r.first
}

// run is the sync, on its first coroutine.
func (r *running) run() {
	r.first.wait(forSync)
	r.seen = observed{r.view, r}
	r.m.conclude(r, r.m.controller.Sync(&r.seen, r))
}

// over lets go of what a sync has that has ended, to be used by another one.
func (m *Manager) over(r *running) {
	m.cache.Thaw(r.view)
	strands, body := r.strands, r.body
	clear(strands)
	*r = running{strands: strands[:0], body: body}
	m.ended = r
}

// strand makes a coroutine, which begins when it is resumed.
func (r *running) strand(parent *strand, body func(*strand)) *strand {
	s := &strand{sync: r, parent: parent, n: len(r.strands)}
	s.runs = r.m.idle.take(func() { body(s) })
	r.strands = append(r.strands, s)
	return s
}

// resume lets a coroutine go on until it is suspended, or has ended. The last branch of a fork resumes what waits for
// it.
func (m *Manager) resume(s *strand) {
	outer := m.strand
	m.strand, s.active = s, true
	ended := s.runs.resume()
	if ended {
		m.idle.give(s.runs)
		s.runs = nil
	}
	m.strand, s.active = outer, false
	switch {
	case s.sync.dead:
		m.bury(s.sync)
	case !ended:
	case s.parent == nil:
		m.over(s.sync)
	default:
		if s.parent.branches--; s.parent.branches == 0 {
			m.resume(s.parent)
		}
	}
}

// syncOf returns the sync of a set that is suspended.
func (m *Manager) syncOf(set model.Key) *running {
	return m.running[slices.IndexFunc(m.running, func(r *running) bool { return r.key == set })]
}

// goOn resumes a coroutine of the sync of a set whose time has come.
func (m *Manager) goOn(set model.Key, n int) {
	r := m.syncOf(set)
	r.recall(resumed)
	r.note(resumed, n)
	m.resume(r.strands[n])
}

// pause suspends the coroutine until it is resumed. One that is stopped instead goes on without an effect.
func (s *strand) pause() {
	if !s.sync.dead && !s.runs.suspend() {
		s.sync.dead = true
	}
}

// delay is the time that a coroutine waits for.
type delay uint8

// A sync takes a time of its own before its first call, a call takes its time, and after a conflict client-go's
// RetryOnConflict waits before another attempt; see statefulset's writeStatus.
const (
	forSync delay = iota
	forCall
	forRetry
)

func (m *Manager) takes(of delay) time.Duration {
	switch of {
	case forSync:
		return m.kernel.Takes(m.latency.Sync)
	case forCall:
		return m.throttled() + m.kernel.Takes(m.latency.Write)
	}
	return conflictPause
}

// wait suspends the coroutine for a time. A coroutine that gets its earlier inputs once more already has its timer.
func (s *strand) wait(of delay) {
	r := s.sync
	if r.dead {
		return
	}
	if said, known := r.recall(waited); known {
		if said.n > 0 {
			s.pause()
		}
		return
	}
	d := r.m.takes(of)
	if d <= 0 {
		r.note(waited, 0)
		return
	}
	r.note(waited, 1)
	s.rouse(d)
	s.pause()
}

// rouse sets the timer at which a coroutine goes on.
func (s *strand) rouse(d time.Duration) {
	m := s.sync.m
	at, e := m.kernel.Now().Add(d), event(goOn, s.sync.key)
	e.N = int32(s.n)
	if s.sync.idle {
		s.timer = m.kernel.Behind(at, kernel.ByController, e)
	} else {
		s.timer = m.kernel.At(at, kernel.ByController, e)
	}
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
	m.idle.end()
}

// errDead is the answer to the calls of a controller that has died. Nobody sees it.
var errDead = &model.APIError{Reason: model.InternalError, Message: "the controller has died"}

// Do sends a call to the API server.
func (r *running) Do(call model.Call) model.Reply {
	m := r.m
	r.idle = r.idle && call.Verb == model.Get
	if m.strand == nil || r.dead {
		return r.doNow(&call)
	}
	m.strand.wait(forCall)
	if r.dead {
		return r.doNow(&call)
	}
	var answer model.Reply
	if said, known := r.recall(reply); known {
		answer = said.reply()
	} else {
		answer = r.carryOut(&call)
		r.noteReply(answer)
	}
	if answer.Err != nil && answer.Err.Reason == model.Conflict {
		m.strand.wait(forRetry)
	}
	return answer
}

// doNow sends a call of a sync that nothing suspends.
func (r *running) doNow(call *model.Call) model.Reply {
	if r.dead {
		return model.Reply{Err: errDead}
	}
	return r.carryOut(call)
}

// conflictPause is the time that a controller waits after a conflict (client-go's retry.DefaultRetry, without its
// jitter).
const conflictPause = 10 * time.Millisecond

// throttled returns the time for which the client delays a call.
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
func (r *running) Fork(n int, run func(i int)) {
	s := r.m.strand
	if s == nil || r.dead {
		r.oneByOne(n, run)
		return
	}
	// The strand counts itself, so that it is not resumed by a branch that ends at once.
	s.branches = 1
	first := len(r.strands)
	r.oneByOne(n, func(i int) {
		s.branches++
		r.m.resume(r.strand(s, func(*strand) { run(i) }))
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
		if runs := s.runs; runs != nil {
			s.runs = nil
			runs.bury()
		}
	}
}

func (r *running) oneByOne(n int, run func(i int)) {
	rest := make([]int, n)
	for i := range rest {
		rest[i] = i
	}
	for len(rest) > 0 {
		at := 0
		if len(rest) > 1 {
			at = r.pick(len(rest))
		}
		i := rest[at]
		rest = append(rest[:at], rest[at+1:]...)
		run(i)
	}
}

// pick chooses which of so many branches comes next.
func (r *running) pick(of int) int {
	suspends := r.m.strand != nil && !r.dead
	if suspends {
		if said, known := r.recall(branch); known {
			return said.n
		}
	}
	choice := r.m.kernel.Choose(choose.Branch, of)
	if suspends {
		r.note(branch, choice)
	}
	return choice
}

// Record puts an event of the controller into the timeline.
func (r *running) Record(e model.K8sEvent) {
	if r.dead || r.again {
		return
	}
	recorded := timeline.Event{Kind: timeline.KindK8sEvent, Actor: timeline.Controller, Warning: e.Warning}
	r.m.kernel.RecordOf(recorded, r.key, &timeline.Cause{Reason: e.Reason, Message: e.Message})
}
