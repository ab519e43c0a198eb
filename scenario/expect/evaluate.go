package expect

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

// activation resolves the variables of a condition at one point of the timeline. Values are made when the condition
// asks for them, since most conditions read few.
type activation struct {
	fold *timeline.Fold
	// set is the set the condition is about, nil if it is about none.
	set *timeline.Set
	// self is the pod it is about, nil if it is about none.
	self *timeline.Pod
	// in is the evaluation, by which lists of pods are made once and cost is counted; nil counts nothing.
	in *evaluation
	// kept are the results of kept loops, for a condition's short program; nil for the whole program.
	kept *keeper
}

// Parent returns nothing: there is no outer scope.
func (a *activation) Parent() cel.Activation { return nil }

// ResolveName returns a variable's value. Names with an @ are results of kept loops, which no condition can write. A
// set's own fields are only there if the condition is about one.
func (a *activation) ResolveName(name string) (any, bool) {
	switch {
	case name == purse:
		return a.in, a.in != nil
	case name[0] == '@' && a.kept != nil:
		return a.kept.value(name)
	}
	c := objects()
	switch name {
	case "now":
		return seconds(a.fold.T), true
	case "claims":
		a.in.pay(len(a.fold.Claims()))
		claims := make([]ref.Val, len(a.fold.Claims()))
		for i, claim := range a.fold.Claims() {
			claims[i] = &object{c[claimType], claim, c}
		}
		return types.NewRefValList(types.DefaultTypeAdapter, claims), true
	case "sets":
		a.in.pay(len(a.fold.Sets()))
		sets := map[ref.Val]ref.Val{}
		for _, set := range a.fold.Sets() {
			sets[types.String(set.Key.String())] = &object{c[setType], setAt{set, a.fold.T, a.in}, c}
		}
		return types.NewRefValMap(types.DefaultTypeAdapter, sets), true
	}
	switch name {
	case "budgets":
		return a.budgets(c), true
	case "bare":
		return a.bare(c), true
	}
	if name == "self" && a.self != nil {
		return &object{c[podType], podAt{Pod: a.self, set: a.set, now: a.fold.T}, c}, true
	}
	f := c[setType].fields[name]
	if f == nil || a.set == nil {
		return nil, false
	}
	return f.get(setAt{a.set, a.fold.T, a.in}), true
}

// bare returns the pods that no set owns, in the order of the fold.
func (a *activation) bare(c catalog) ref.Val {
	pods := []ref.Val{}
	var known labellings
	if a.in != nil {
		known = a.in.labels
	}
	for set, pod := range a.fold.BarePods {
		labels := func() map[string]string { return known.of(set, pod, a.fold.Index) }
		pods = append(pods, &object{c[podType], podAt{pod, set, a.fold.T, labels}, c})
	}
	a.in.pay(len(pods))
	return types.NewRefValList(types.DefaultTypeAdapter, pods)
}

// evaluator evaluates a condition at one fixed point after the other, and only when something it reads has changed.
//
// Invariant: truth and err are the result at the point at which everything that the condition reads had the versions
// seen.
type evaluator struct {
	condition *condition
	// subject is the set the condition is about; zero if it names its sets itself.
	subject model.Key
	// needed are the sets that the condition needs: at a point without one the error is errAbsent.
	needed []model.Key

	// vars are the variables of the last point; a failure's message reads them.
	vars activation
	// seen are the versions of everything that the condition reads, as of the last evaluation, nil before the first; next
	// is a buffer for those of this point.
	seen, next []uint64
	truth      bool
	err        error
	meter      *meter
	// labels are what the run makes of the labels of pods, if the condition may read those of pods that no set owns.
	labels labellings
	// kept are the answers of the pods; nil if the condition has no loop whose answers can be kept.
	kept *keeper
}

// errAbsent is the error of a condition about a set that does not exist. It is no failure of always and eventually.
var errAbsent = errors.New("the set does not exist")

// at says whether the condition is true at this point. It must be called at the points of one run in their order. The
// error says why the condition has no value; then it is not true.
func (e *evaluator) at(f *timeline.Fold) (bool, error) {
	e.vars = activation{fold: f, set: f.Set(e.subject), in: &evaluation{meter: e.meter, labels: e.labels}}
	for _, key := range e.needed {
		if f.Set(key) == nil {
			return false, fmt.Errorf("%s: %w%s", key, errAbsent, e.orphaned(f))
		}
	}
	uses := &e.condition.uses
	if e.kept != nil && e.kept.update(e.vars.set, f.T) {
		uses, e.vars.kept = &e.condition.shortUses, e.kept
	}
	e.next = e.versions(f, uses, e.next[:0])
	if e.seen == nil || !slices.Equal(e.seen, e.next) {
		e.seen = append(e.seen[:0], e.next...)
		e.truth, e.err = e.evaluate()
	}
	return e.truth, e.err
}

// orphaned says where a condition that reads pods finds those that outlived their set; "" if there are none.
func (e *evaluator) orphaned(f *timeline.Fold) string {
	if e.condition.uses.name("pods") {
		for range f.BarePods {
			return ": bare has the pods that no StatefulSet owns"
		}
	}
	return ""
}

// evaluate evaluates the condition and pays for it: at least 1, so that free ones cannot last for ever.
func (e *evaluator) evaluate() (bool, error) {
	if e.meter.add(1) {
		return false, errors.New(e.meter.ended)
	}
	if e.vars.kept != nil {
		if value, _, err := e.condition.short.Eval(&e.vars); err == nil {
			return value == types.True, nil
		}
		// The error message comes from evaluating the original condition.
		e.vars.kept = nil
	}
	value, details, err := e.condition.program.Eval(&e.vars)
	if cost := details.ActualCost(); cost != nil {
		e.meter.add(int64(*cost))
	}
	switch {
	case err == nil:
		return value == types.True, nil
	case e.meter != nil && e.meter.ended != "":
		return false, errors.New(e.meter.ended)
	case tooDear(err):
		return false, errTooDear
	}
	return false, fmt.Errorf("it has no value: %w", err)
}

// errTooDear is the error of a condition that is not evaluated to its end.
var errTooDear = fmt.Errorf("one evaluation of the condition costs more than %d", maxCost)

// tooDear says whether an error of CEL is that of its limit.
func tooDear(err error) bool { return err != nil && strings.Contains(err.Error(), "cost limit") }

// versions appends a number for everything that the condition reads. Two points with the same list have the same
// value; the opposite need not be true. The first number tells evaluations with kept answers from those without.
func (e *evaluator) versions(f *timeline.Fold, uses *uses, to []uint64) []uint64 {
	if e.vars.kept != nil {
		to = append(to, 1, e.vars.kept.version)
	}
	if uses.time {
		to = append(to, uint64(f.T))
	}
	if uses.budgets {
		to = append(to, f.BudgetChanges())
	}
	if uses.claims {
		to = append(to, f.ClaimChanges)
	}
	if uses.bare {
		// Nothing counts their changes: there are few of them, and few conditions about them.
		to = append(to, uint64(f.Index))
	}
	if e.vars.set != nil && len(uses.names) > 0 {
		to = e.versionsOf(e.vars.set, uses.names, to)
	}
	if uses.anySet {
		to = append(to, uint64(len(f.Sets())))
		for _, set := range f.Sets() {
			to = e.versionsOf(set, everything, to)
		}
		return to
	}
	for _, key := range uses.sets {
		to = e.versionsOf(f.Set(key), everything, to)
	}
	return to
}

// everything is what a condition may read of a set that it names.
var everything = []string{"spec", "status", "pods"}

// versionsOf appends the versions of what is read of a set; none without it, which at has refused before.
func (e *evaluator) versionsOf(s *timeline.Set, names []string, to []uint64) []uint64 {
	for _, name := range names {
		switch name {
		case "spec":
			to = append(to, s.SpecChanges)
		case "status":
			to = append(to, s.StatusChanges)
		case "pods":
			// Whether a pod is available is the one thing about it that changes by itself; the count changes with it.
			to = append(to, s.PodChanges, s.SpecChanges, uint64(s.Available(e.vars.fold.T)))
		case "serving":
			to = append(to, uint64(s.Serving()))
		case "ready":
			to = append(to, uint64(s.Ready()))
		case "available":
			to = append(to, uint64(s.Available(e.vars.fold.T)))
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

// Labelling is what a step, a fault or a dump makes of the labels of a pod. A timeline does not have it, so only those
// who have the scenario know the labels of the pods that no set owns.
type Labelling struct {
	// Step and Fault are the number of the step, or of the fault, that does it. Both are 0 for a pod of a dump.
	Step, Fault int
	Pod         model.Key
	// New says that the pod is created, so that these are all of its labels.
	New bool
	// Labels are those that the pod gets, Removed the keys of those that it loses.
	Labels  map[string]string
	Removed []string
}

// labelled is a labelling in a run: after the event at the index, which is -1 if it holds from the beginning.
type labelled struct {
	*Labelling
	index int
	at    model.Time
}

// labellings are those of a run, by the pod, in the order in which they happened.
type labellings map[model.Key][]labelled

// labellings finds out which of the labellings happened in the run, and when. A fault may act several times.
func (r *run) labellings(all []Labelling) labellings {
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
	for i := range r.events {
		var l *Labelling
		switch e := &r.events[i]; {
		case e.Step != nil && e.Step.Effect.Changes():
			l = steps[e.Step.Number]
		case e.Fault != nil && e.Fault.Effect.Changes():
			l = faults[e.Fault.Number]
		}
		if l != nil {
			byPod[l.Pod] = append(byPod[l.Pod], labelled{l, i, r.events[i].T})
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
