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
// If nothing takes time, a sync runs straight through. Otherwise it runs as a coroutine, which is suspended at each
// call until the call's time has come. The branches of a fork are coroutines of their own, so that their calls are
// under way together.
//
// A sync moves between three states: it runs (straight or strand of the manager), it waits (no strand is active,
// and each unfinished strand has a timer or waits for branches), or it is dead, and its body then runs to its end
// without an effect.
type running struct {
	m   *Manager `print:"-"`
	key model.Key
	// strands are the coroutines of the sync in the order of their start: the sync itself first, then the branches
	// of its forks, whether they have ended or not. It is empty if the sync runs straight through.
	strands []*strand `print:"-"`
	// first is the memory of strands[0], body what it runs. seen is the view of the controller, which notes live reads.
	first strand   `print:"-"`
	body  func()   `print:"-"`
	seen  observed `print:"-"`
	// dead is true when its controller has died: nothing that the rest of it does has an effect. It stays true.
	dead bool
	// began is the instant when its view was taken.
	began model.Time
	// saw is what there was to see when it started. idle is true as long as it sees only what the previous sync saw
	// and has called nothing but reads: then its waits are background events and do not keep a run open. The first
	// write makes it false permanently.
	saw  sight
	idle bool
	// slow is true if it may take time of its own before its first call.
	slow bool `print:"-"`
	// faulted is true when a write has met a fault that another attempt may not meet.
	faulted bool
	// misled is the pod that it believes deleted because of a false answer; "" means none. If the sync succeeds, this
	// becomes a wait, because no later event corrects the belief.
	misled string
	// view is its view at its start, nil if it runs straight through. inputs are its inputs since then, the
	// earliest first. next is the number of inputs already used while a restarted sync gets its inputs again
	// (again); it has no meaning at any other time.
	view   *cache.Frozen
	inputs []input
	next   int
	// again is true while takeUp gives a restarted sync its earlier inputs again. Its Kubernetes events are in the
	// timeline already and are not recorded twice.
	again bool `print:"-"`
	// wrote is true once it has made a write that succeeded, or whose result it did not learn. writes describe those
	// writes, and only while the instant is suspicious; see instant.
	wrote  bool     `print:"-"`
	writes []string `print:"-"`
}

// strand is a coroutine of a sync: the sync itself, or a branch of one of its forks.
type strand struct {
	sync *running
	// parent is the strand that has forked it; nil for the sync itself.
	parent *strand
	// n is its place among the strands of its sync. A timer names the strand by it, so it does not change.
	n int
	// active is true while it runs, or while a strand that it has resumed runs. An active one must not be buried.
	active bool
	// branches counts the unfinished branches of its current fork, plus one for the strand itself while Fork starts
	// them. The strand continues when the count falls to 0.
	branches int
	// timer is the timer that the strand waits for; nil or not pending if it runs, has ended, or waits for branches.
	timer *kernel.Timer
	// runs is the coroutine that it runs on; nil once it has ended.
	runs *coroutine
}

// launch starts a sync that may have to wait, with a frozen view: the cache changes beneath it. When launch
// returns, the sync is over or suspended.
func (m *Manager) launch(state *setState, view *cache.Frozen, key model.Key) {
	r := m.ended
	if r == nil {
		r = &running{m: m}
	}
	m.ended = nil
	r.key, r.began, r.saw, r.view, r.inputs = key, m.kernel.Now(), m.sight(), view, r.inputs[:0]
	r.dead, r.faulted, r.misled, r.wrote, r.writes, r.again = false, false, "", false, nil, false
	r.idle, r.slow = state.saw == r.saw && !state.faulted, m.latency.Sync != nil
	m.running = append(m.running, r)
	m.resume(r.root())
}

// root makes the first coroutine of a sync, which does not run before it is resumed. It has the memory of the last.
func (r *running) root() *strand {
	if r.body == nil {
		r.body = r.run
	}
	r.first = strand{sync: r, runs: r.m.idle.take(r.body)}
	r.strands = append(r.strands, &r.first)
	return &r.first
}

// run is the whole sync, on its first coroutine: its own time, the algorithm, the end.
func (r *running) run() {
	if r.slow {
		r.first.wait(forSync)
	}
	r.seen = observed{r.view, r}
	result := r.m.controller.Sync(&r.seen, r)
	r.m.conclude(r, &result)
}

// over keeps the memory of a sync that has ended, for another one, and gives its view back to the cache. No caller
// may hold the sync or its strands after that.
func (m *Manager) over(r *running) {
	m.cache.Thaw(r.view)
	r.strands = r.strands[:0]
	m.ended = r
}

// strand makes a coroutine for a branch, which starts when it is resumed. Its number is the next free one. It is
// the same when a sync is restarted, since the order of branches is an input.
func (r *running) strand(parent *strand, body func(*strand)) *strand {
	s := &strand{sync: r, parent: parent, n: len(r.strands)}
	s.runs = r.m.idle.take(func() { body(s) })
	r.strands = append(r.strands, s)
	return s
}

// resume continues a coroutine until it is suspended, or ends. The last branch of a fork resumes the strand that
// waits for it. Calls nest: a fork resumes its branches from within a strand, so the strand that ran before is put
// back afterwards. A sync that died meanwhile is buried as soon as none of its strands is active.
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

// syncOf returns the suspended sync of a set. There must be one: only its own timers ask, which die with it.
func (m *Manager) syncOf(set model.Key) *running {
	if len(m.running) == 1 {
		return m.running[0]
	}
	return m.running[slices.IndexFunc(m.running, func(r *running) bool { return r.key == set })]
}

// goOn resumes a strand of the sync of a set whose time has come. Which strand it is counts as an input: of two that
// are due at one instant the kernel chooses.
func (m *Manager) goOn(set model.Key, n int) {
	r := m.syncOf(set)
	r.note(resumed, n)
	m.resume(r.strands[n])
}

// pause suspends the coroutine until it is resumed. If it is buried instead, it marks its sync as dead and returns,
// so that the rest of the body has no effect. In a dead sync it does nothing.
func (s *strand) pause() {
	if !s.sync.dead && !s.runs.suspend() {
		s.sync.dead = true
	}
}

// delay is what a coroutine waits for. Its length is drawn when the wait starts.
type delay uint8

// forSync is the time of its own that a sync takes before its first call, forCall the time of a call, and forRetry
// the pause after a conflict before client-go's RetryOnConflict makes another attempt; see writeStatus and repair in
// package statefulset.
const (
	forSync delay = iota
	forCall
	forRetry
)

// takes draws the length of a wait. The wait of a call is the client's limit first and then the call itself, as in
// client-go, where a request waits for its token before it is sent.
func (m *Manager) takes(of delay) time.Duration {
	switch of {
	case forSync:
		return m.kernel.Takes(m.latency.Sync)
	case forCall:
		return m.throttled() + m.kernel.Takes(m.latency.Write)
	}
	return conflictPause
}

// wait suspends the coroutine for a time, or does nothing if that time is 0. A coroutine that gets its earlier
// inputs again must not draw again and already has its timer, so it only suspends itself where it did before.
func (s *strand) wait(of delay) {
	r := s.sync
	if r.dead {
		return
	}
	if said := r.recall(waited); said != nil {
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

// rouse sets the timer for a coroutine to continue. The timer of a sync that can only repeat the previous one is a
// background event.
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

// kill ends a sync in the middle, because its controller has died. Its writes so far remain. The caller has taken
// it out of running.
func (m *Manager) kill(r *running) {
	r.dead = true
	for _, s := range r.strands {
		m.kernel.Cancel(s.timer)
	}
	m.bury(r)
}

// bury lets the coroutines of a dead sync run to their end, without an effect. If one of them is active at this
// moment, it does nothing: that one gets to its end by itself, and resume buries the others then. A fork must not end
// before its branches.
func (m *Manager) bury(r *running) {
	if slices.ContainsFunc(r.strands, func(s *strand) bool { return s.active }) {
		return
	}
	end(r.strands)
	r.strands = nil
}

// Kill ends all syncs that are under way, in the middle, and all idle coroutines. A test or a search that abandons a
// world calls it, so that no goroutine is left. A fault may call it from inside a sync, which then runs to its end as
// a dead one.
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

// errDead is the answer to the calls of a controller that has died. It is never visible.
var errDead = &model.APIError{Reason: model.InternalError, Message: "the controller has died"}

// Do sends a call to the API server, and returns when its time has passed. It implements model.Calls. The call takes
// effect at the end of its time, unless the controller dies before. After a conflict it pauses before it returns, as
// client-go's RetryOnConflict does before another attempt.
func (r *running) Do(call model.Call) (answer model.Reply) {
	m := r.m
	r.idle = r.idle && call.Verb == model.Get
	if m.strand == nil || r.dead {
		r.doNow(&call, &answer)
		return answer
	}
	m.strand.wait(forCall)
	if r.dead {
		r.doNow(&call, &answer)
		return answer
	}
	if said := r.recall(reply); said != nil {
		answer = said.reply()
	} else {
		r.carryOut(&call, &answer)
		r.noteReply(answer)
	}
	if answer.Err != nil && answer.Err.Reason == model.Conflict {
		m.strand.wait(forRetry)
	}
	return answer
}

// doNow sends a call of a sync that runs straight through, or answers a call of a dead sync with an error.
func (r *running) doNow(call *model.Call, reply *model.Reply) {
	if r.dead {
		reply.Err = errDead
		return
	}
	r.carryOut(call, reply)
}

// conflictPause is the time that a controller waits after a conflict (client-go's retry.DefaultRetry, without its
// jitter of a tenth). It only counts if syncs may be suspended. Upstream repairs a pod with retry.DefaultBackoff,
// whose pauses grow from 10 ms by a factor of 5; that is not modelled.
const conflictPause = 10 * time.Millisecond

// throttled takes a token of the client's limit, and returns the time until it is available; 0 if there is no
// limit.
func (m *Manager) throttled() time.Duration {
	if m.throttle == nil {
		return 0
	}
	return m.throttle.Take(m.kernel.Now())
}

// carryOut makes a call and notes its effects: that the sync has written, and the version for the stale-cache guard.
func (r *running) carryOut(call *model.Call, reply *model.Reply) {
	m := r.m
	lost := r.send(call, reply)
	if call.Verb == model.Get || reply.Err != nil && !lost {
		return
	}
	if call.Kind == model.KindClaim {
		m.deliverClaims()
	}
	r.wrote = true
	if m.instant.suspect() {
		r.writes = append(r.writes, describe(call))
	}
	if call.Verb == model.Release || r.dead {
		return
	}
	if version := writtenVersion(reply); version > 0 {
		m.cache.Wrote(r.key, call.Kind, version)
	}
}

// send sends a call to the API server, with the faults that it meets. lost is true if the write was made although
// the reply is an error. Reads meet no faults.
func (r *running) send(call *model.Call, reply *model.Reply) (lost bool) {
	if call.Verb == model.Get || !r.m.faults.Armed() {
		r.m.send(call, reply)
		return false
	}
	// A copy, so that only the calls of a world with faults are kept on the heap.
	faulted := *call
	answer, met := r.m.faults.AtWrite(r.key, &faulted, func(call *model.Call) (reply model.Reply) {
		r.m.send(call, &reply)
		return reply
	})
	*reply = answer
	r.faulted = r.faulted || met.Passing
	if met.Misled != "" {
		r.misled = met.Misled
	}
	return met.Lost
}

// Fork runs n branches to their ends; which one begins next is a choice. It implements model.Calls. If the sync may
// be suspended, each branch is a strand of its own and their calls overlap, as in upstream's slowStartBatch;
// otherwise they run one after the other in the chosen order.
func (r *running) Fork(n int, run func(i int)) {
	s := r.m.strand
	switch {
	case r.dead:
		for i := range n {
			run(i)
		}
		return
	case s == nil:
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

// oneByOne calls run for each branch, in the order that pick chooses.
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

// pick chooses which of so many branches comes next. For a sync that may be suspended the choice is an input.
func (r *running) pick(of int) int {
	suspends := r.m.strand != nil && !r.dead
	if suspends {
		if said := r.recall(branch); said != nil {
			return said.n
		}
	}
	choice := r.m.kernel.Choose(choose.Branch, of)
	if suspends {
		r.note(branch, choice)
	}
	return choice
}

// Record puts a Kubernetes event of the controller about its set into the timeline. It implements model.Calls. The
// limit of 25 events an object that a real event recorder has is left out: a timeline should show all that was done.
func (r *running) Record(e model.K8sEvent) {
	if r.dead || r.again {
		return
	}
	k := r.m.kernel
	cause := k.Cause()
	cause.Reason, cause.Message = e.Reason, e.Message
	k.RecordOf(timeline.KindK8sEvent, timeline.Controller, r.key, cause).Warning = e.Warning
}
