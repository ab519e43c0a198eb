// Package promise holds a run to what the documentation of StatefulSets promises.
//
// A promise says what the documentation says, and no less: where a version of Kubernetes breaks one, that is a fact
// about the version with a story of its own (a waiver, for those who must go on), and never a reason to ask for less.
// A judge looks at the timeline alone, event by event, so that it can judge recordings, and a run that is not over.
//
// Two kinds of promises: some can be broken by one event (a pod is created too early), and are judged before that
// event is applied to the fold; others only at rest (a set never completes), and are judged with the result of the
// run.
//
// Invariants: judging does not depend on what the judge was asked before, and an event about a pod costs O(pods of
// its set). Two judges that have seen the same events say the same, and two with equal memory (AppendMemory) and
// equal worlds go on alike.
//
// Package explore gives it the events of the runs that it plays, and groups what it finds by the classes of breaches.
package promise

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Breach is a promise that was broken, once. It is a plain value and does not change.
type Breach struct {
	Promise Name
	// Set is the StatefulSet that it is about; empty only if no StatefulSet is left.
	Set model.Key
	// Code and Rule are the reason and the rule by which the controller acted, "" if it did not act: two breaches of one
	// promise by two rules are two stories.
	Code model.Code
	Rule model.Rule
	// Kind distinguishes breaches of one promise by the same rule. It names no pod and no number, so that one story has
	// one class, whatever the size of the set.
	Kind string
	// At is the time, Event the index of the event in the timeline that broke the promise.
	At    model.Time
	Event int
	// Says describes what happened in this run, with names and numbers.
	Says string
}

// Class returns what two breaches have in common if they tell the same story: PROMISE, and /KIND and /RULE where they
// have one. It is stable between runs; findings are grouped by it.
func (b *Breach) Class() string {
	class := string(b.Promise)
	for _, part := range []string{b.Kind, string(b.Rule)} {
		if part != "" {
			class += "/" + part
		}
	}
	return class
}

// likeness reports whether another breach is of the same class.
func (b *Breach) likeness(other Breach) bool {
	return b.Promise == other.Promise && b.Kind == other.Kind && b.Rule == other.Rule
}

// Options say what a judge holds a run to. By default it is the default promises, without maxUnavailable.
type Options struct {
	// Names are the promises; nil is Default.
	Names []Name
	// MaxUnavailable says whether the version obeys spec.updateStrategy.rollingUpdate.maxUnavailable. If not, one pod at
	// a time is to be updated, whatever the field says.
	MaxUnavailable bool
	// Once is true for who only asks which classes of breaches a run has: then only the first of each is noted.
	Once bool
}

// Judge holds a timeline to the promises, event by event. It never looks at a world. It is used by one goroutine; a
// Fork may be used by another.
type Judge struct {
	// names are the promises that are judged. gate is Options.MaxUnavailable, once is Options.Once.
	names      []Name
	gate, once bool
	// fold is the state up to the last event, sets what has to be remembered beyond it, in the order in which the
	// StatefulSets first came.
	fold timeline.Fold
	sets []*memory
	// broken are the breaches so far, in the order of their events. The slice is shared with forks up to its length.
	broken []Breach
}

// NewJudge returns a judge of a run that has not begun.
func NewJudge(o Options) *Judge {
	names := o.Names
	if names == nil {
		names = Default()
	}
	return &Judge{names: names, gate: o.MaxUnavailable, once: o.Once}
}

// Fork returns another judge that has seen the same events, and goes on by itself. It only reads the judge, so
// several may fork it at the same time. It costs as much as a copy of the state.
func (j *Judge) Fork() *Judge {
	fork := &Judge{names: j.names, gate: j.gate, once: j.once, broken: slices.Clip(j.broken), fold: j.fold.Copy()}
	for _, m := range j.sets {
		fork.sets = append(fork.sets, m.copy())
	}
	return fork
}

// Breaches returns the breaches found so far, in order. The caller must not change them.
func (j *Judge) Breaches() []Breach { return j.broken }

// State returns the state that the judge has folded from the events so far. It is the judge's own: the caller must
// not change it, and it goes on with the next event.
func (j *Judge) State() *timeline.Fold { return &j.fold }

// See judges the next event of the run, against the state before it, and then applies it. Events must come in the
// order of the timeline, each once, from the first on.
func (j *Judge) See(e *timeline.Event) {
	switch e.Kind {
	case timeline.KindPod:
		j.seePod(e)
	case timeline.KindClaim:
		j.seeClaim(e)
	case timeline.KindStatus:
		j.seeStatus(e)
	case timeline.KindRevision:
		j.seeRevision(e)
	case timeline.KindProcess:
		j.seeProcess(e)
	case timeline.KindStep:
		j.seeChange(e.Step.Sets)
	case timeline.KindResult:
		j.seeResult(e)
	}
	j.fold.Apply(e)
}

// Miscounts says, at a fixed point, whether the status of a StatefulSet counts other pods than exist, which it may as
// long as the controller has not caught up. After Recount has judged that, it returns false until the status has been
// right once. The caller asks it first, since finding out whether the controller has caught up costs more.
func (j *Judge) Miscounts() bool {
	any := false
	for _, set := range j.fold.Sets() {
		m, wrong := j.memoryOf(set.Key), !set.Spec.Terminating() && miscounts(set)
		m.uncounted = m.uncounted && wrong
		any = any || wrong && !m.uncounted
	}
	return any
}

// Recount judges the status of each StatefulSet at a fixed point at which the controller has seen all that there is,
// and has acted on it. The caller sees to that; the timeline does not show it. Each StatefulSet is reported once
// until its status is right again.
func (j *Judge) Recount(now model.Time) {
	for _, set := range j.fold.Sets() {
		if m := j.memoryOf(set.Key); !set.Spec.Terminating() && miscounts(set) && !m.uncounted {
			m.uncounted = true
			j.recount(timeline.Entry{T: now, Set: set.Key}.New(), set)
		}
	}
}

// wants says whether a promise is judged.
func (j *Judge) wants(name Name) bool { return slices.Contains(j.names, name) }

// breach notes a breach, if its promise is judged; says and args are those of fmt. It completes the fields that
// follow from the event, unless b has them.
func (j *Judge) breach(e *timeline.Event, b Breach, says string, args ...any) {
	if !j.wants(b.Promise) {
		return
	}
	b.At, b.Event = e.T, j.fold.Index
	if b.Set == (model.Key{}) {
		b.Set = e.Set
	}
	if e.Actor == timeline.Controller && b.Rule == "" {
		b.Code, b.Rule = e.Why.Code, e.Why.Rule
	}
	if j.once && slices.ContainsFunc(j.broken, b.likeness) {
		return
	}
	b.Says = fmt.Sprintf(says, args...)
	j.broken = append(j.broken, b)
}

// Resync is a sync of a StatefulSet at rest that wrote something, although nothing had changed.
type Resync struct {
	// Wrote is what it wrote first, Stuck on what the StatefulSet was stuck before; "" if it was complete.
	Wrote *timeline.Event
	Stuck model.Code
}

// Resynced notes that a resync of a StatefulSet at rest has written something: the promise Stays is broken. The
// caller has played the resync beside the run; its events are not seen by the judge.
func (j *Judge) Resynced(now model.Time, found Resync) {
	set := found.Wrote.Set
	j.breach(timeline.Entry{T: now, Set: set}.New(), Breach{Promise: Stays, Kind: string(found.Stuck)},
		"nothing makes the controller sync %s, but one more sync would %s; any change of %s would start one", set.Name,
		wouldDo(found.Wrote), set.Name)
}

// wouldDo says what a sync did that nothing asked for.
func wouldDo(e *timeline.Event) string {
	switch {
	case e.Kind == timeline.KindPod && e.State == timeline.Pending:
		return "create " + e.Pod
	case e.Kind == timeline.KindPod && e.State == timeline.Terminating:
		return "delete " + e.Pod
	case e.Kind == timeline.KindClaim && e.Claim.Type == model.Added:
		return "create PVC " + e.Claim.Name
	}
	if why := e.Why.Sentence(); why != "" {
		return "write: " + why
	}
	return "try what has failed again"
}
