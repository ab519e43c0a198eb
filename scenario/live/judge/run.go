package judge

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Run is a run that begins with a dump, and finds its events by the sets that they are about. It does not change.
type Run struct {
	// Dump is what the run begins with, Events are its events, to the result.
	Dump   *dump.Index
	Events []timeline.Event
	// Begun is the state at the beginning, before anything happens. Now is the state after all that happens at the
	// instant of the dump; nil if the run ends there. End is that at the end of the run.
	Begun, Now, End *timeline.Fold

	// first is the index of the first event behind those that describe the dump.
	first int
	// stuck has what each set is stuck for, and sets the places of the sets in the step with which the dump begins.
	stuck map[model.Key][]timeline.Stuck
	sets  map[model.Key]int
	// of has the indexes of the events by set. Those about no set of the dump are under a key without a name, with
	// their namespace if they have one.
	of map[model.Key][]int
}

// RunOf returns the run with these events, which must have a result. It costs O(events).
func RunOf(events []timeline.Event, d *dump.Index) *Run {
	r := &Run{Dump: d, Events: events, of: map[model.Key][]int{}, sets: map[model.Key]int{},
		stuck: map[model.Key][]timeline.Stuck{}, End: timeline.EndOf(events), first: 1}
	for i := range events {
		if events[i].Actor == timeline.Dump {
			r.first = i + 1
		}
	}
	r.Begun = timeline.EndOf(events[:r.first])
	if cut := slices.IndexFunc(events, func(e timeline.Event) bool { return e.T > 0 }); cut >= 0 {
		r.Now = timeline.EndOf(events[:cut])
	}
	for i := range events {
		key := r.about(&events[i])
		r.of[key] = append(r.of[key], i)
		if events[i].Actor == timeline.Dump && events[i].Kind == timeline.KindStep {
			for at, set := range events[i].Step.Sets {
				r.sets[set.Key()] = at
			}
		}
	}
	for _, stuck := range r.Result().Stuck {
		r.stuck[stuck.Set] = append(r.stuck[stuck.Set], stuck)
	}
	return r
}

// First returns the index of the first event behind those that describe the dump.
func (r *Run) First() int { return r.first }

// about returns the key under which an event is found.
func (r *Run) about(e *timeline.Event) model.Key {
	switch {
	case r.Dump.Has(e.Set):
		return e.Set
	case e.Kind == timeline.KindBudget:
		return model.Key{Namespace: e.Budget.Namespace}
	}
	return model.Key{Namespace: e.Set.Namespace}
}

// Later returns the events behind those that describe the dump. They are the run's own.
func (r *Run) Later() []timeline.Event { return r.Events[r.first:] }

// LaterOf returns the events about a set behind those that describe the dump, as a new slice. Events about a
// PodDisruptionBudget, or about another set, are not among them.
func (r *Run) LaterOf(set model.Key) []timeline.Event {
	var events []timeline.Event
	for _, at := range r.of[set] {
		if at >= r.first {
			events = append(events, r.Events[at])
		}
	}
	return events
}

// Result returns the result of the run. It is the run's own.
func (r *Run) Result() *timeline.Result { return r.Events[len(r.Events)-1].Result }

// StuckOf returns what a set is stuck for at the end of the run, the reason that counts first; nil for nothing.
func (r *Run) StuckOf(set model.Key) []timeline.Stuck { return slices.Clone(r.stuck[set]) }

// AtOnce returns the events about a set at the instant of the dump, as a new slice.
func (r *Run) AtOnce(set model.Key) []timeline.Event {
	var events []timeline.Event
	for _, at := range r.of[set] {
		if r.Events[at].T > 0 {
			break
		}
		events = append(events, r.Events[at])
	}
	return events
}

// Near returns the events of a run that are about some sets of a namespace, or about no set at all.
func (r *Run) Near(namespace string, sets []*model.StatefulSet) []timeline.Event {
	at := slices.Concat(r.of[model.Key{}], r.of[model.Key{Namespace: namespace}])
	for _, set := range sets {
		at = append(at, r.of[set.Key()]...)
	}
	slices.Sort(at)
	events := make([]timeline.Event, 0, len(at))
	for _, i := range at {
		events = append(events, *r.among(&r.Events[i], sets))
	}
	return events
}

// among returns an event. Of the step with which a dump begins, and of the result, it leaves only what is about some
// sets: who looks through that for each set must not meet all others.
func (r *Run) among(e *timeline.Event, sets []*model.StatefulSet) *timeline.Event {
	begins := e.Actor == timeline.Dump && e.Kind == timeline.KindStep
	if !begins && e.Result == nil {
		return e
	}
	some, detail, rare := *e, *e.Detail, *e.Rare
	detail.Rare, some.Detail = &rare, &detail
	if !begins {
		result := *e.Result
		result.Stuck = nil
		for _, set := range sets {
			result.Stuck = append(result.Stuck, r.stuck[set.Key()]...)
		}
		rare.Result = &result
		return &some
	}
	step := *e.Step
	var places []int
	for _, set := range sets {
		if at, known := r.sets[set.Key()]; known {
			places = append(places, at)
		}
	}
	slices.Sort(places)
	step.Sets = nil
	for _, at := range places {
		step.Sets = append(step.Sets, e.Step.Sets[at])
	}
	rare.Step = &step
	return &some
}

// next returns what happens next if nobody does anything, and how long it takes. A pod that has ended, or has no node,
// is gone as soon as it is deleted: it is never seen Terminating, unless a finalizer keeps it.
func (e *evidence) next() (next Next, takes Seconds) {
	idle := map[string]bool{}
	for p := range e.now.Pods.All {
		idle[p.Name] = unstopped(p.State, p.Node)
	}
	for i := range e.later {
		event := &e.later[i]
		switch {
		case event.Kind == timeline.KindPod && !event.Bare && idle[event.Pod] && goes(e.later[i:]):
			continue
		case event.Kind == timeline.KindPod && !event.Bare:
			next.Pods = append(next.Pods, event.Pod+" "+event.State.String())
			idle[event.Pod] = unstopped(event.State, event.Node)
		case event.Kind == timeline.KindClaim && event.Actor != timeline.Dump:
			phase := event.Claim.Phase
			if event.Claim.Type == model.Deleted {
				phase = timeline.Gone.String()
			}
			next.Claims = append(next.Claims, event.Claim.Name+" "+phase)
		default:
			continue
		}
		takes = Seconds(event.T)
	}
	return next, takes
}

// unstopped says whether a pod in a state, on a node, needs no kubelet that stops it: it has ended, or has no node.
func unstopped(state timeline.State, node string) bool {
	return state == timeline.Failed || state == timeline.Succeeded || state == timeline.Pending && node == ""
}

// goes says whether the first of some events is that a pod is Terminating which is gone in the same instant.
func goes(events []timeline.Event) bool {
	return events[0].State == timeline.Terminating && slices.ContainsFunc(events, func(e timeline.Event) bool {
		return e.Kind == timeline.KindPod && e.Pod == events[0].Pod && e.State == timeline.Gone && e.T == events[0].T
	})
}
