package judge

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
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
	// of has the indexes of the events by set, those about no set under a key without a name, with a namespace if they have one.
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
	return r.eventsOf(set, func(at int) bool { return at >= r.first })
}

// eventsOf returns those of the events about a set that are at some places.
func (r *Run) eventsOf(set model.Key, is func(at int) bool) (events []timeline.Event) {
	for _, at := range r.of[set] {
		if is(at) {
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
	return r.eventsOf(set, func(at int) bool { return r.Events[at].T <= 0 })
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

// evidence is what is known of a set: what the dump shows, and what happens to it in the run.
type evidence struct {
	*dump.Index
	lab *play.Lab
	run *Run
	// still returns the first instant of a run in which no kubelet does anything. It is played once for all sets.
	still func() *Run
	// seen are the times that the pods of the dump took.
	seen dump.Took
	// losses are when pods of the dump stopped being Ready.
	losses []loss
	key    model.Key
	// now is the set as the dump has it, and spec its object.
	now  *timeline.Set
	spec *model.StatefulSet
	// stuck is what it is stuck for at the end of the run, later what happens to it behind the dump.
	stuck []timeline.Stuck
	later []timeline.Event
}

// pod returns a pod of the set's namespace by its name; nil if there is none.
func (e *evidence) pod(name string) *dump.Pod {
	return e.Pod(model.Key{Namespace: e.key.Namespace, Name: name})
}

// facts returns what the dump shows of a pod of the set's namespace; nil if there is no such pod.
func (e *evidence) facts(name string) *dump.Facts {
	return e.Facts[model.Key{Namespace: e.key.Namespace, Name: name}]
}

// podOf returns the pod that a set is stuck on, from the reason's object, a claim of the pod, or the error; "" for none.
func (e *evidence) podOf(stuck *timeline.Stuck) string {
	if parent, ordinal := model.SplitPodName(stuck.Why.Object); ordinal >= 0 && parent == e.key.Name {
		return stuck.Why.Object
	}
	for _, key := range e.spec.PodKeys() {
		name := key.Name
		claim := strings.HasSuffix(stuck.Why.Object, "-"+name)
		if claim || strings.Contains(stuck.Error, strconv.Quote(name)) ||
			strings.HasPrefix(stuck.Error, "create Pod "+name+" ") ||
			strings.Contains(stuck.Error, " for Pod "+name+" in StatefulSet "+e.key.Name+" ") {
			return name
		}
	}
	return ""
}

// waits returns what the controller waits for after the instant of the dump, the oldest first. The end of a pod that
// the dump does not show as being deleted is left out: the controller would delete it in this very instant. So is a pod
// that it would create in this very instant.
func (e *evidence) waits() []Wait {
	var open []Wait
	for _, event := range e.run.AtOnce(e.key) {
		if event.Wait == nil || event.Set != e.key {
			continue
		}
		open = slices.DeleteFunc(open, func(w Wait) bool {
			return w.Why.Code == event.Why.Code && w.Why.Object == event.Why.Object && w.Why.Rule == event.Why.Rule
		})
		if !event.Wait.Ended {
			open = append(open, Wait{event.Why, event.Wait.Since})
		}
	}
	return slices.DeleteFunc(open, func(w Wait) bool {
		if w.Why.Code == model.WaitingForReady && e.pod(w.Why.Object) == nil {
			return true
		}
		return w.Why.Code == model.WaitingForTermination && e.now.Pods.Any(func(p *timeline.Pod) bool {
			return p.Name == w.Why.Object && !p.Terminating
		})
	})
}

// TimesOf returns the times of the pods of a set: those of a recording of the set, or else those of all sets.
func TimesOf(lab *play.Lab, set model.Key) behaviour.Times {
	return lab.World.Kubelet.Sets[set].Filled(lab.World.Kubelet.Default)
}

// The sources of a time.
const (
	Shown   = "as in the dump"
	Assumed = "assumed"
	Given   = "as given"
)

// Source says where a time comes from: the median of what pods of the dump took, an assumption for want of them, or a user.
func Source(delay behaviour.Delay, seen []time.Duration, otherwise time.Duration) string {
	switch constant, is := delay.(behaviour.Constant); {
	case is && len(seen) > 0 && time.Duration(constant) == dump.Median(seen):
		return Shown
	case is && len(seen) == 0 && time.Duration(constant) == otherwise:
		return Assumed
	}
	return Given
}

// pending says whether a pod waits for a node.
func pending(p *sim.PodState) bool { return p.Node == "" && !p.Finished() }
