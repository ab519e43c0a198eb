package worlds_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// record holds a timeline to what is promised of each event, whatever the world:
//
//   - time never goes back, and a run has one header and one result;
//   - a name has one pod at a time, and one claim;
//   - a pod goes through the states in their order: it begins Pending, nothing comes after Gone, only Gone after
//     Terminating, and what has ended neither runs nor is Ready again, nor what is on a node that is down;
//   - a claim goes only if a user deletes it, or if it has an owner, and it has one only where its set's policy
//     deletes, or did;
//   - RESTARTS never goes down in a pod's life, but that it counts the init containers as long as these run, and the
//     others from then on, as kubectl does;
//   - a set's observedGeneration never goes back, and is never above the generation; its counts are within each
//     other;
//   - a revision that is made, or becomes the newest, has a higher number than all others of its set, where the
//     controller sees them in time: it counts on from what its cache holds;
//   - a wait ends that has begun, and does not begin twice.
type record struct {
	t     require.TestingT
	now   model.Time
	lives map[model.UID]*life
	named map[string]model.UID
	claim map[string]*claimed
	sets  map[model.Key]*history
	waits map[wait]bool
	nth   map[string]int
	// down are the nodes whose kubelets do nothing.
	down map[string]bool
	// deletes are the sets whose policy deletes claims, or has once.
	deletes map[model.Key]bool
	// lags is true where the watches may be late, endless where a fault undoes the controller's writes for ever, slow
	// where syncs take time.
	lags, endless, slow bool
}

// life is what has become of one pod.
type life struct {
	name               string
	state              timeline.State
	ran, ended, ending bool
	// restarts are those of the init containers as long as initializing is true, then those of the others.
	restarts     int
	initializing bool
}

// claimed is what has become of one claim: it is being deleted, or was, and it has owners.
type claimed struct{ going, owned bool }

// history is what a set has come to, since it was created.
type history struct {
	uid                  model.UID
	generation, observed int64
	revisions            map[string]int64
}

// wait is what a set waits for.
type wait struct {
	set    model.Key
	code   model.Code
	object string
	rule   model.Rule
}

func newRecord(t require.TestingT, s *scenario.Scenario) *record {
	undoes := func(f sim.Fault) bool { return f.Times == 0 && f.Act != nil }
	m := &s.Machinery
	return &record{
		t: t, lives: map[model.UID]*life{}, named: map[string]model.UID{}, claim: map[string]*claimed{},
		sets: map[model.Key]*history{}, waits: map[wait]bool{}, nth: map[string]int{}, down: map[string]bool{},
		deletes: map[model.Key]bool{}, lags: m.Watch != nil, endless: slices.ContainsFunc(s.Faults, undoes),
		slow: m.Write != nil || m.Sync != nil || m.QPS > 0,
	}
}

// see takes in the next event.
func (r *record) see(e *timeline.Event) {
	require.GreaterOrEqual(r.t, e.T, r.now, "time goes back")
	r.now = e.T
	switch e.Kind {
	case timeline.KindPod:
		r.pod(e)
	case timeline.KindContainer:
		r.container(e)
	case timeline.KindOwner:
		if e.Pod != "" {
			r.same(e)
		}
	case timeline.KindClaim:
		r.claims(e)
	case timeline.KindStep:
		r.lags = r.lags || e.Step.Verb == "watch"
		r.changes(e.Step.Sets, e.Step.Removed)
	case timeline.KindFault:
		if e.Fault != nil {
			r.lags = r.lags || e.Fault.Verb == "watch"
			r.changes(e.Fault.Sets, e.Fault.Removed)
		}
	case timeline.KindStatus:
		r.status(e)
	case timeline.KindRevision:
		r.revision(e)
	case timeline.KindWait:
		r.wait(e)
	case timeline.KindNode:
		if e.NodeState != nil {
			r.down[e.Node] = !e.NodeState.Up
		}
	}
}

// fail says what an event breaks.
func (r *record) fail(e *timeline.Event, format string, args ...any) {
	require.Fail(r.t, fmt.Sprintf(format, args...), "at %ss: %s", e.T.Seconds(), timeline.AppendJSON(nil, e))
}

func nameOf(e *timeline.Event) string { return e.Set.Namespace + "/" + e.Pod }

func (r *record) pod(e *timeline.Event) {
	if e.State == timeline.Pending && r.lives[e.UID] == nil {
		if r.named[nameOf(e)] != 0 {
			r.fail(e, "there is a pod of that name")
		}
		if e.Nth != r.nth[nameOf(e)]+1 {
			r.fail(e, "it is life %d after %d", e.Nth, r.nth[nameOf(e)])
		}
		r.nth[nameOf(e)]++
		r.named[nameOf(e)] = e.UID
		r.lives[e.UID] = &life{name: nameOf(e), state: e.State}
		return
	}
	l := r.lives[e.UID]
	if l == nil {
		r.fail(e, "there is no such pod, or it is gone")
		return
	}
	if complaint := l.enter(e.State); complaint != "" {
		r.fail(e, "%s after %s: %s", e.State, l.state, complaint)
	}
	if r.down[e.Node] && (e.State == timeline.Running || e.State == timeline.Ready) {
		r.fail(e, "its node is down")
	}
	l.state = e.State
	r.container(e)
	if e.State == timeline.Gone {
		delete(r.lives, e.UID)
		delete(r.named, l.name)
	}
}

// enter says what is wrong with the state that a pod enters, "" for nothing.
func (l *life) enter(state timeline.State) string {
	if l.ending && state != timeline.Gone {
		return "a pod that is Terminating enters no other state but Gone"
	}
	switch state {
	case timeline.Pending:
		return "a pod is Pending only at first"
	case timeline.Running:
		if l.ran || l.ended {
			return "it has run before"
		}
		l.ran = true
	case timeline.Ready, timeline.Unready:
		if !l.ran || l.ended || l.state == state {
			return "only what runs is Ready, or stops being so"
		}
		if state == timeline.Unready && l.state != timeline.Ready {
			return "it was not Ready"
		}
	case timeline.Failed, timeline.Succeeded:
		if l.ended {
			return "it has ended before"
		}
		l.ended = true
	case timeline.Terminating:
		l.ending = true
	}
	return ""
}

func (r *record) container(e *timeline.Event) {
	l := r.lives[e.UID]
	switch {
	case l == nil:
		r.fail(e, "containers of a pod that is not there")
		return
	case e.Containers == nil:
		return
	}
	initializing := strings.HasPrefix(e.Containers.Shown, "Init:")
	if initializing == l.initializing && e.Containers.Restarts < l.restarts {
		r.fail(e, "it was restarted %d times before", l.restarts)
	}
	l.restarts, l.initializing = e.Containers.Restarts, initializing
}

// same holds what is told of a pod beside a change of its owner to what is known of it.
func (r *record) same(e *timeline.Event) {
	l := r.lives[e.UID]
	if l == nil || l.ending != (e.State == timeline.Terminating) || (l.state == timeline.Ready) != (e.State == timeline.Ready) {
		r.fail(e, "the pod is in another state: %+v", l)
	}
}

func (r *record) claims(e *timeline.Event) {
	name := e.Set.Namespace + "/" + e.Claim.Name
	c := r.claim[name]
	if e.Claim.Type == model.Added == (c != nil) {
		r.fail(e, "there is one of that name, or none that could change")
	}
	if c == nil {
		c = &claimed{}
		r.claim[name] = c
	}
	going := e.Claim.Type == model.Deleted || e.Claim.Phase == timeline.PhaseTerminating
	if going && !c.going && !c.owned && e.Actor != timeline.User {
		r.fail(e, "nobody deletes it, and it belongs to nobody")
	}
	c.going, c.owned = c.going || going, len(e.Claim.Owners) > 0
	if c.owned && !r.deletes[e.Set] {
		r.fail(e, "no policy of its set gives it an owner")
	}
	if e.Claim.Type == model.Deleted {
		delete(r.claim, name)
	}
}

// changes follows what users do to sets.
func (r *record) changes(sets []*model.StatefulSet, removed []model.Key) {
	for _, key := range removed {
		delete(r.sets, key)
	}
	for _, set := range sets {
		h := r.sets[set.Key()]
		if h == nil || h.uid != set.UID {
			h = &history{uid: set.UID, revisions: map[string]int64{}}
			r.sets[set.Key()] = h
		}
		require.GreaterOrEqual(r.t, set.Generation, h.generation, "the generation of %s goes back", set.Key())
		h.generation = set.Generation
		if p := set.Spec.Retention; p != nil {
			r.deletes[set.Key()] = r.deletes[set.Key()] || p.DeleteWithSet || p.DeleteWhenScaled
		}
	}
}

func (r *record) status(e *timeline.Event) {
	if e.Status == nil {
		delete(r.sets, e.Set)
		return
	}
	h, s := r.sets[e.Set], e.Status
	switch {
	case h == nil:
		r.fail(e, "there is no such set")
	case s.ObservedGeneration < h.observed || s.ObservedGeneration > h.generation:
		r.fail(e, "observedGeneration comes after %d, and the generation is %d", h.observed, h.generation)
	case min(s.Replicas, s.Ready, s.Available, s.Current, s.Updated) < 0:
		r.fail(e, "a count is negative")
	case s.Available > s.Ready || s.Ready > s.Replicas || max(s.Current, s.Updated) > s.Replicas:
		r.fail(e, "more are counted of some than of all")
	default:
		h.observed = s.ObservedGeneration
	}
}

func (r *record) revision(e *timeline.Event) {
	h := r.sets[e.Set]
	if h == nil {
		return
	}
	if e.Rev.Type == model.Deleted {
		delete(h.revisions, e.Rev.Name)
		return
	}
	for name, number := range h.revisions {
		if name != e.Rev.Name && number >= e.Rev.Number && !r.lags {
			r.fail(e, "%s has the number %d", name, number)
		}
	}
	h.revisions[e.Rev.Name] = e.Rev.Number
}

func (r *record) wait(e *timeline.Event) {
	w := wait{e.Set, e.Why.Code, e.Why.Object, e.Why.Rule}
	if r.waits[w] != e.Wait.Ended {
		r.fail(e, "the wait has begun before, or has not")
	}
	if e.Wait.Ended {
		delete(r.waits, w)
		return
	}
	r.waits[w] = true
}
