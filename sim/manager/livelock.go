package manager

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// instant counts the writing syncs of one instant. If they never end, the controller is in a livelock, and virtual
// time cannot move on. The hot loop of 1.37 is one (spec.updateStrategy without its rollingUpdate block, PR
// 137666).
type instant struct {
	// writing is the number of syncs of this instant that have changed something in the store. A sync that changes
	// nothing does not count: if it fails, it comes back after a back-off, at another instant.
	writing int
	// recent are the writes of the latest syncs, each described by one text, the oldest sync first. They are only kept
	// from suspicious on, and at most 3*longestPeriod of them: enough to see the longest period three times.
	recent [][]string
	// passed is the number of events that the rounds would have made that were passed over; they are added to the number
	// of dropped events that the timeline names. hurried is true once passOver was called in this instant, whether it has
	// passed over any or not: it is called once.
	passed  int
	hurried bool
	// by counts the writing syncs of each set after the dubious threshold, and most is the highest count: many sets
	// that act once each at the same instant are not a livelock.
	by   map[model.Key]int
	most int
}

const (
	// dubious is the number of writing syncs after which an instant may be a livelock that has a round.
	dubious = 50
	// often is the number of further writing syncs of one set after which fingerprints of the world are compared.
	often = 5
	// suspicious is the number of writing syncs after which an instant's writes are remembered.
	suspicious = 500
	// longestPeriod is the longest repetition, in syncs, that is recognised.
	longestPeriod = 40
	// manySyncs is the number of writing syncs after which an instant ends if it keeps repeating itself, however
	// many replicas there are. Without repetition the limit is 10 per replica plus 1,000, so that a large set may
	// act on each of its replicas several times.
	manySyncs = 2000
	// keptEvents is the number of events of a livelock that stay in the timeline.
	keptEvents = 200
)

// reset starts the count of another instant.
func (i *instant) reset() { *i = instant{} }

// suspect reports whether the writes of a sync are worth remembering.
func (i *instant) suspect() bool { return i.writing >= suspicious }

// end counts a sync that has ended, and reports whether the instant has lasted too long for that many replicas. The
// writes are compared only every suspicious-th sync, because the comparison looks at all of recent.
func (i *instant) end(r *running, replicas int) bool {
	if !r.wrote {
		return false
	}
	i.writing++
	if i.writing > dubious {
		keyed.Put(&i.by, r.key, i.by[r.key]+1)
		i.most = max(i.most, i.by[r.key])
	}
	if i.writing > suspicious {
		if len(i.recent) >= 3*longestPeriod {
			i.recent = i.recent[1:]
		}
		i.recent = append(i.recent, r.writes)
	}
	return i.writing >= 10*replicas+1000 || i.writing >= manySyncs && i.writing%suspicious == 0 && i.repeats()
}

// repeats reports whether the latest syncs only repeat themselves: everything that is remembered has one period of
// at most longestPeriod. It is false while less than 3*longestPeriod syncs are remembered.
func (i *instant) repeats() bool {
	n := len(i.recent)
	for p := 1; p <= longestPeriod && n == 3*longestPeriod; p++ {
		if slices.EqualFunc(i.recent[p:], i.recent[:n-p], slices.Equal[[]string]) {
			return true
		}
	}
	return false
}

// period returns the writes of the shortest run of syncs that the latest syncs repeat, for the report of a livelock.
// Seeing it twice is enough here, since repeats or the limit has decided already. If there is none, it returns the
// writes of the latest syncs.
func (i *instant) period() []string {
	n := len(i.recent)
	for p := 1; p <= longestPeriod && 2*p <= n; p++ {
		if slices.EqualFunc(i.recent[n-p:], i.recent[n-2*p:n-p], slices.Equal[[]string]) {
			return slices.Concat(i.recent[n-p:]...)
		}
	}
	return slices.Concat(i.recent[max(0, n-longestPeriod):]...)
}

// describe words a write for the comparison of syncs and for the report. Two writes that do the same get the same
// text: so it has no uid, no version and no time.
func describe(call *model.Call) string {
	switch {
	case call.Kind == model.KindStatefulSet:
		s := call.Set.Status
		return fmt.Sprintf("status of %s: replicas %d, ready %d, current %d, updated %d",
			call.Key.Name, s.Replicas, s.Ready, s.Current, s.Updated)
	case call.Verb == model.Create && call.Pod != nil:
		return fmt.Sprintf("create %s@%d (%s)", call.Key.Name, call.Pod.Template.ID, call.Pod.Template.Image())
	case call.Kind == model.KindPod:
		return fmt.Sprintf("%s %s: %s", call.Verb, call.Key.Name, call.Why.Sentence())
	}
	return fmt.Sprintf("%s %s %s", call.Verb, call.Kind, call.Key.Name)
}

// livelock is called in the middle of an instant that has no end. Usually it ends the run, and keeps only the first
// events of the instant, since the rest repeat them. If the loop may end on its own or through a later step, the
// run continues instead, and the controller's calls take time.
func (m *Manager) livelock() {
	m.kernel.Result.Repeats = m.instant.period()
	switch {
	case m.patience == AStepComes:
		m.playOn("so that the steps to come are played")
	case m.patience == AChangeMayCome && m.Lag() == Unseen:
		m.playOn("since a change that may end it is on its way")
	default:
		m.kernel.Result.Verdict = timeline.Livelock
		m.noteDropped(m.kernel.Shorten(keptEvents) + m.instant.passed)
	}
}

// noteDropped records that events of this instant were taken out of the timeline, since the rest is not the whole.
func (m *Manager) noteDropped(events int) {
	if events > 0 {
		m.kernel.Record(timeline.Entry{
			Kind: timeline.KindSync, Actor: timeline.Controller, Reason: "Livelock",
			Message: fmt.Sprintf("%d more events like these at this instant, after %d syncs that each wrote something",
				events, m.instant.writing),
		})
	}
}

// excise takes the middle of a livelock that is played on out of the timeline, and returns the number of events. It
// cuts from one creation of a pod up to the last creation of the same pod at this instant: at both places the pod
// is Pending and new, so the events before and after the cut fit together. It does nothing if it finds no such pair
// after the first keptEvents events.
func (m *Manager) excise() int {
	events := m.kernel.Events()
	first := len(events)
	for first > 0 && events[first-1].T == m.kernel.Now() {
		first--
	}
	from := min(first+keptEvents, len(events))
	for from < len(events) && !born(&events[from], &events[from]) {
		from++
	}
	for to := len(events) - 1; to > from; to-- {
		if born(&events[to], &events[from]) {
			return m.kernel.Excise(from, to)
		}
	}
	return 0
}

// born reports whether an event is the creation of the pod that another event is about.
func born(e, of *timeline.Event) bool {
	return e.Kind == timeline.KindPod && e.State == timeline.Pending && e.Pod == of.Pod && e.Set == of.Set
}

// Patience says what a livelock is played on for, in increasing order: each degree includes the ones before it.
type Patience uint8

// The degrees of patience: None ends the run at a livelock. AChangeMayCome plays on while a change is on its way to
// the controller, or a new controller is about to start. AStepComes also plays on for a step of the scenario that
// may end the loop.
const (
	None Patience = iota
	AChangeMayCome
	AStepComes
)

// These are the costs of a call of the controller while a livelock is played on. The limit of the client is the
// default of kube-controller-manager's --kube-api-qps and --kube-api-burst. It keeps the hot loop of 1.37 tame on a
// real control plane: about two rounds a second, since most of its deletions come after the pod was bound.
const (
	loopWrite          = time.Millisecond
	loopQPS, loopBurst = 20, 30
)

// playOn lets the controller's calls take time, so that the instant ends. It warns the user, because the times that
// follow are an assumption and not the scenario's own.
func (m *Manager) playOn(why string) {
	m.kernel.Warn("at %s the controller kept writing and did not converge; %s, its calls took time from then on: "+
		"%s each, and at most %d a second after the first %d", m.kernel.Now().Clock(), why, loopWrite, loopQPS, loopBurst)
	m.noteDropped(m.excise())
	m.instant.reset()
	m.slowDown()
}

// slowDown gives calls a time and a limit where the scenario gives them none. It leaves a Write or a QPS of the
// scenario alone: the loop was possible in spite of it. Load calls it as well, for a state that was saved meanwhile.
func (m *Manager) slowDown() {
	m.slowed, m.usual = true, m.latency
	if m.latency.Write == nil {
		m.latency.Write = behaviour.Constant(loopWrite)
	}
	if m.latency.QPS == 0 {
		m.latency.QPS, m.latency.Burst = loopQPS, loopBurst
		m.throttle = m.latency.throttle()
	}
}

// NewInstant starts another instant: the writes of the last one no longer count towards a livelock. The world calls
// it once after each move of the clock and after each step, before anything else happens, and passes what a
// livelock is played on for from then on. Once no later step may end a loop, and the controller has seen every
// change, its calls become as fast as before: a loop that still continues then ends the run.
func (m *Manager) NewInstant(with Patience) {
	m.release()
	m.instant.reset()
	m.patience = with
	if !m.slowed || with == AStepComes || m.Lag() == Unseen {
		return
	}
	m.slowed, m.latency, m.kernel.Result.Repeats = false, m.usual, nil
	if m.latency.QPS == 0 {
		m.throttle = nil
	}
}
