package condition

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Activation resolves the variables of a condition at one point of the timeline. Values are made when the condition
// asks for them, since most conditions read few.
type Activation struct {
	Fold *timeline.Fold
	// Set is the set the condition is about, nil if it is about none.
	Set *timeline.Set
	// Self is the pod it is about, nil if it is about none.
	Self *timeline.Pod
	// In is the evaluation, which makes lists of pods only once and counts the cost; nil counts nothing.
	In *Evaluation
	// Kept are the results of kept loops, for a condition's short program; nil for the whole program.
	Kept *Keeper
}

// Parent returns nothing: there is no outer scope.
func (a *Activation) Parent() cel.Activation { return nil }

// ResolveName returns a variable's value. Names with an @ are results of kept loops, which no condition can write. A
// set's own fields are only there if the condition is about one.
func (a *Activation) ResolveName(name string) (any, bool) {
	switch {
	case name == purse:
		return a.In, a.In != nil
	case name[0] == '@' && a.Kept != nil:
		return a.Kept.value(name)
	}
	c := objects()
	switch name {
	case "now":
		return seconds(a.Fold.T), true
	case "claims":
		a.In.pay(len(a.Fold.Claims()))
		claims := make([]ref.Val, len(a.Fold.Claims()))
		for i, claim := range a.Fold.Claims() {
			claims[i] = &object{c[claimType], claim, c}
		}
		return types.NewRefValList(types.DefaultTypeAdapter, claims), true
	case "sets":
		a.In.pay(len(a.Fold.Sets()))
		sets := map[ref.Val]ref.Val{}
		for _, set := range a.Fold.Sets() {
			sets[types.String(set.Key.String())] = &object{c[setType], setAt{set, a.Fold.T, a.In}, c}
		}
		return types.NewRefValMap(types.DefaultTypeAdapter, sets), true
	}
	switch name {
	case "budgets":
		return a.budgets(c), true
	case "bare":
		return a.bare(c), true
	}
	if name == "self" && a.Self != nil {
		return &object{c[podType], podAt{Pod: a.Self, set: a.Set, now: a.Fold.T}, c}, true
	}
	f := c[setType].fields[name]
	if f == nil || a.Set == nil {
		return nil, false
	}
	return f.get(setAt{a.Set, a.Fold.T, a.In}), true
}

// bare returns the pods that no set owns, in the order of the fold.
func (a *Activation) bare(c catalog) ref.Val {
	pods := []ref.Val{}
	var known labellings
	if a.In != nil {
		known = a.In.labels
	}
	for set, pod := range a.Fold.BarePods {
		labels := func() map[string]string { return known.of(set, pod, a.Fold.Index) }
		pods = append(pods, &object{c[podType], podAt{pod, set, a.Fold.T, labels}, c})
	}
	a.In.pay(len(pods))
	return types.NewRefValList(types.DefaultTypeAdapter, pods)
}

// Evaluator evaluates a condition at one fixed point after the other, and only when something it reads has changed.
//
// Invariant: truth and err are the result at a point where everything that the condition reads had the versions
// seen.
type Evaluator struct {
	Condition *Condition
	// Subject is the set the condition is about; zero if it names its sets itself.
	Subject model.Key
	// Needed are the sets that the condition needs: at a point without one the error is errAbsent.
	Needed []model.Key

	// Vars are the variables of the last point; a failure's message reads them.
	Vars Activation
	// Seen are the versions of everything that the condition reads, as of the last evaluation, nil before the
	// first; next is a buffer for the versions of this point.
	Seen, next []uint64
	truth      bool
	err        error
	Meter      *Meter
	// Labels are the labels of pods in the run, if the condition may read the labels of pods that no set owns.
	Labels labellings
	// Kept are the answers of the pods; nil if the condition has no loop whose answers can be kept.
	Kept *Keeper
}

// ErrAbsent is the error of a condition about a set that does not exist. For always and eventually it is not a
// failure.
var ErrAbsent = errors.New("the set does not exist")

// At reports whether the condition is true at this point. It must be called at the points of one run in their
// order. The error says why the condition has no value; then the result is false.
func (e *Evaluator) At(f *timeline.Fold) (bool, error) {
	e.Vars = Activation{Fold: f, Set: f.Set(e.Subject), In: &Evaluation{Meter: e.Meter, labels: e.Labels}}
	for _, key := range e.Needed {
		if f.Set(key) == nil {
			return false, fmt.Errorf("%s: %w%s", key, ErrAbsent, e.orphaned(f))
		}
	}
	uses := &e.Condition.Uses
	if e.Kept != nil && e.Kept.update(e.Vars.Set, f.T) {
		uses, e.Vars.Kept = &e.Condition.shortUses, e.Kept
	}
	e.next = e.versions(f, uses, e.next[:0])
	if e.Seen == nil || !slices.Equal(e.Seen, e.next) {
		e.Seen = append(e.Seen[:0], e.next...)
		e.truth, e.err = e.evaluate()
	}
	return e.truth, e.err
}

// orphaned says where a condition that reads pods finds those that outlived their set; "" if there are none.
func (e *Evaluator) orphaned(f *timeline.Fold) string {
	if e.Condition.Uses.Name("pods") {
		for range f.BarePods {
			return ": bare has the pods that no StatefulSet owns"
		}
	}
	return ""
}

// evaluate evaluates the condition and pays for it: at least 1, so that free ones cannot last forever.
func (e *Evaluator) evaluate() (bool, error) {
	if e.Meter.Add(1) {
		return false, errors.New(e.Meter.Ended)
	}
	if e.Vars.Kept != nil {
		if value, _, err := e.Condition.Short.Eval(&e.Vars); err == nil {
			return value == types.True, nil
		}
		// The error message comes from evaluating the original condition.
		e.Vars.Kept = nil
	}
	value, details, err := e.Condition.Program.Eval(&e.Vars)
	if cost := details.ActualCost(); cost != nil {
		e.Meter.Add(int64(*cost))
	}
	switch {
	case err == nil:
		return value == types.True, nil
	case e.Meter != nil && e.Meter.Ended != "":
		return false, errors.New(e.Meter.Ended)
	case TooDear(err):
		return false, ErrTooDear
	}
	return false, fmt.Errorf("it has no value: %w", err)
}

// ErrTooDear is the error of a condition that is not evaluated to its end.
var ErrTooDear = fmt.Errorf("one evaluation of the condition costs more than %d", MaxCost)

// TooDear reports whether an error of CEL is about its cost limit.
func TooDear(err error) bool { return err != nil && strings.Contains(err.Error(), "cost limit") }

// versions appends a number for everything that the condition reads. Two points with the same list have the same
// value; the opposite need not be true. The first number tells evaluations with kept answers from those without.
func (e *Evaluator) versions(f *timeline.Fold, uses *uses, to []uint64) []uint64 {
	if e.Vars.Kept != nil {
		to = append(to, 1, e.Vars.Kept.version)
	}
	if uses.Time {
		to = append(to, uint64(f.T))
	}
	if uses.budgets {
		to = append(to, f.BudgetChanges())
	}
	if uses.Claims {
		to = append(to, f.ClaimChanges)
	}
	if uses.bare {
		// Nothing counts their changes: there are few of them, and few conditions about them.
		to = append(to, uint64(f.Index))
	}
	if e.Vars.Set != nil && len(uses.Names) > 0 {
		to = e.versionsOf(e.Vars.Set, uses.Names, to)
	}
	if uses.anySet {
		to = append(to, uint64(len(f.Sets())))
		for _, set := range f.Sets() {
			to = e.versionsOf(set, everything, to)
		}
		return to
	}
	for _, key := range uses.Sets {
		to = e.versionsOf(f.Set(key), everything, to)
	}
	return to
}

// everything is the parts of a named set that a condition may read.
var everything = []string{"spec", "status", "pods"}

// versionsOf appends the versions of the parts of a set that are read; nothing without a set, which at has refused
// before.
func (e *Evaluator) versionsOf(s *timeline.Set, names []string, to []uint64) []uint64 {
	for _, name := range names {
		switch name {
		case "spec":
			to = append(to, s.SpecChanges)
		case "status":
			to = append(to, s.StatusChanges)
		case "pods":
			// Whether a pod is available is the one thing about it that changes by itself; the count changes with it.
			to = append(to, s.PodChanges, s.SpecChanges, uint64(s.Available(e.Vars.Fold.T)))
		case "serving":
			to = append(to, uint64(s.Serving()))
		case "ready":
			to = append(to, uint64(s.Ready()))
		case "available":
			to = append(to, uint64(s.Available(e.Vars.Fold.T)))
		case "outdated":
			to = append(to, uint64(s.Outdated()))
		case "twins":
			to = append(to, uint64(s.Twins()))
		case "strays":
			to = append(to, uint64(s.Strays()))
		}
	}
	return to
}

// Labelling is a change of a pod's labels by a step, a fault or a dump. A timeline does not have it, so the labels
// of pods that no set owns are known only together with the scenario.
type Labelling struct {
	// Step and Fault are the number of the step, or of the fault, that does it. Both are 0 for a pod of a dump.
	Step, Fault int
	Pod         model.Key
	// New is true if the pod is created, so that these are all of its labels.
	New bool
	// Labels are those that the pod gets, Removed the keys of those that it loses.
	Labels  map[string]string
	Removed []string
}

// labelled is a change of labels in a run: after the event at the index, which is -1 if it holds from the start.
type labelled struct {
	*Labelling
	index int
	at    model.Time
}

// labellings are the changes of labels in a run, by pod, in their order.
type labellings map[model.Key][]labelled

// LabellingsIn finds out which of the labellings happened in a run, and when. A fault may act several times.
func LabellingsIn(events []timeline.Event, all []Labelling) labellings {
	byPod, steps, faults := labellings{}, map[int]*Labelling{}, map[int]*Labelling{}
	for i := range all {
		switch l := &all[i]; {
		case l.Step > 0:
			steps[l.Step] = l
		case l.Fault > 0:
			faults[l.Fault] = l
		default:
			byPod[l.Pod] = append(byPod[l.Pod], labelled{l, -1, 0})
		}
	}
	for i := range events {
		var l *Labelling
		switch e := &events[i]; {
		case e.Step != nil && e.Step.Effect.Changes():
			l = steps[e.Step.Number]
		case e.Fault != nil && e.Fault.Effect.Changes():
			l = faults[e.Fault.Number]
		}
		if l != nil {
			byPod[l.Pod] = append(byPod[l.Pod], labelled{l, i, events[i].T})
		}
	}
	return byPod
}

// of returns the labels of a pod after the first events of the run. An earlier pod of its name does not matter.
func (l labellings) of(set *timeline.Set, p *timeline.Pod, events int) map[string]string {
	labels := set.Labels(p)
	for _, change := range l[model.Key{Namespace: set.Key.Namespace, Name: p.Name}] {
		if change.index >= events || change.at < p.Created {
			continue
		}
		if change.New {
			clear(labels)
		}
		maps.Copy(labels, change.Labels)
		for _, name := range change.Removed {
			delete(labels, name)
		}
	}
	return labels
}
