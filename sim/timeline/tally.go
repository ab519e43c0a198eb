package timeline

import (
	"cmp"
	"iter"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Tally is a Fold that also counts what its states do not show: the lives and the deletions of pods, and the fewest
// serving pods of each set. The zero value is the world before the first event. A caller that applies the events one
// by one calls Tick at each fixed point of the controller, as Tallies does; events must go to the Tally and not to
// its Fold.
type Tally struct {
	// Fold is the state that has been reached.
	Fold Fold

	// sets are in the order in which they appear in the timeline.
	sets  []*SetTally
	byKey keyed.Map[*SetTally]
}

// SetTally holds the counts for all sets that had one name. A set that is deleted and created again continues the
// tally of the previous one, because users look at the name.
type SetTally struct {
	Key model.Key
	// Replicas and MinReadySeconds are the fields of the spec; for a deleted set, of its last spec.
	Replicas, MinReadySeconds int32
	// Complete is true if all replicas served at some fixed point; CompleteSince is the first of them. It never
	// becomes false again.
	Complete      bool
	CompleteSince model.Time
	// Fewest is the least number of serving pods at any fixed point from CompleteSince on, and FewestAt the first one
	// with that number. The time between a deletion of the set and its next creation counts. The time after a final
	// deletion does not. A set that is deleted in the foreground exists until its pods are gone.
	Fewest   int
	FewestAt model.Time
	// FewestOf is the number of replicas that the spec asked for then.
	FewestOf int32
	// Pods are in the order of their ordinals, then of their names.
	Pods []*PodTally

	// set is the set of the fold.
	set *Set
	// away is the fewest at the fixed points since the set was deleted, which count if it comes back; nil while it exists.
	away *fewest
	// seenPods and seenSpecs are the counts of changes of the set at the last tick: a set without a change is skipped.
	seenPods, seenSpecs uint64
}

// fewest is a least number, its first instant, and the replicas that were wanted then.
type fewest struct {
	n  int
	at model.Time
	of int32
}

// PodTally holds the counts for all pods that had one name, while they belonged to the set.
type PodTally struct {
	// Pod is the present pod of the name or, if there is none, the last one, as a copy. The State of such a copy is
	// Gone, and its Since is when it was removed or left the set. It is never nil.
	*Pod
	// Lives counts the pods of the name that were created for the set, Deletes the ones that were deleted, that is,
	// started to terminate or were removed at once. An adopted pod counts for neither until it is deleted.
	Lives, Deletes int
	// WasReady is true if a pod with the name has been Ready; FirstReady is when one first was.
	WasReady   bool
	FirstReady model.Time

	// orphan is the pod of an earlier set of the name that no set owns since there is another set of the name; nil if
	// there is none. Its deletion counts for the name.
	orphan *Pod
}

// Gone reports whether the set has no pod with the name at this point.
func (p *PodTally) Gone() bool { return p.State == Gone }

// Tallies yields the tally at each fixed point of the controller, as Ticks does. It yields one Tally, which it changes
// in each round.
func Tallies(events []Event) iter.Seq[*Tally] {
	return func(yield func(*Tally) bool) {
		var t Tally
		for i := range events {
			e := &events[i]
			if e.Kind == KindStep {
				t.Fold.T = e.T
				t.Tick()
				if !yield(&t) {
					return
				}
			}
			t.Apply(e)
			if i+1 < len(events) && events[i+1].T == e.T {
				continue
			}
			t.Tick()
			if !yield(&t) {
				return
			}
		}
	}
}

// TallyOf returns the tally at the end of a timeline.
func TallyOf(events []Event) *Tally {
	last := &Tally{}
	for t := range Tallies(events) {
		last = t
	}
	return last
}

// Sets returns the tallies of all sets of the timeline, in the order in which they appear. The caller must not change
// the slice.
func (t *Tally) Sets() []*SetTally { return t.sets }

// Exists reports whether there is a set of the name at this point.
func (s *SetTally) Exists() bool { return s.set.Spec != nil }

// Serving returns the number of pods that are Ready and not Terminating, including pods that a deleted set has left
// behind.
func (s *SetTally) Serving() int { return s.set.Serving() }

// Alive returns the number of pods that the set has at this point, including pods that a deleted set has left
// behind.
func (s *SetTally) Alive() int { return s.set.Pods.Len() }

// Created returns how many pods were created for the set.
func (s *SetTally) Created() (n int) {
	for _, p := range s.Pods {
		n += p.Lives
	}
	return n
}

// Replaced returns how many pods were created under a name that an earlier pod of the set had.
func (s *SetTally) Replaced() (n int) {
	for _, p := range s.Pods {
		n += max(0, p.Lives-1)
	}
	return n
}

// Deleted returns how many pods of the set were deleted, by whomever.
func (s *SetTally) Deleted() (n int) {
	for _, p := range s.Pods {
		n += p.Deletes
	}
	return n
}

// Pod returns the tally of the pods of a name, or nil if the set has had none.
func (s *SetTally) Pod(name string) *PodTally {
	if at, found := s.find(name); found {
		return s.Pods[at]
	}
	return nil
}

// find returns the place of the tally of a name, or the one where it would be.
func (s *SetTally) find(name string) (at int, found bool) {
	ordinal := ordinalOf(s.Key.Name, name)
	at = guess(len(s.Pods), ordinal, func(i int) int { return s.Pods[i].Ordinal })
	if at >= 0 && s.Pods[at].Name == name {
		return at, true
	}
	return slices.BinarySearchFunc(s.Pods, name, func(p *PodTally, name string) int {
		return cmp.Or(cmp.Compare(p.Ordinal, ordinal), cmp.Compare(p.Name, name))
	})
}

// Apply moves the state past the next event and counts it. It costs about as much as Fold.Apply.
func (t *Tally) Apply(e *Event) {
	switch {
	case e.Kind == KindPod && e.Bare:
		t.applyBare(e)
	case e.Kind == KindPod && e.Set != (model.Key{}), e.Kind == KindOwner && e.Pod != "":
		t.applyPod(e)
	case e.Kind == KindStep:
		t.Fold.Apply(e)
		t.changed(e.T, e.Step.Sets, e.Step.Removed)
	case e.Kind == KindFault && e.Fault != nil:
		t.Fold.Apply(e)
		t.changed(e.T, e.Fault.Sets, e.Fault.Removed)
	default:
		t.Fold.Apply(e)
	}
}

// set returns the tally for the sets of a name, starting with zeros.
func (t *Tally) set(key model.Key) *SetTally {
	if s := t.byKey.Get(key); s != nil {
		return s
	}
	s := &SetTally{Key: key, set: t.Fold.set(key)}
	t.byKey.Put(key, s)
	t.sets = append(t.sets, s)
	return s
}

// changed takes in the changes of a step or a fault to sets, after the fold. A set that succeeds another has none
// of its pods until it adopts them.
func (t *Tally) changed(now model.Time, sets []*model.StatefulSet, removed []model.Key) {
	for _, spec := range sets {
		s := t.set(spec.Key())
		s.Replicas, s.MinReadySeconds = spec.Spec.Replicas, spec.Spec.MinReadySeconds
		for _, p := range s.Pods {
			if !p.Gone() && s.set.Owned(p.Name) != p.Pod {
				p.orphan = p.Pod
				p.leave(now)
			}
		}
	}
	for _, key := range removed {
		t.set(key)
	}
}

// applyBare counts the deletion of a pod that an earlier set of the name had.
func (t *Tally) applyBare(e *Event) {
	if s := t.byKey.Get(e.Set); s != nil && (e.State == Terminating || e.State == Gone) {
		if p := s.Pod(e.Pod); p != nil && p.orphan != nil && p.orphan.UID == e.UID {
			p.count(&p.Deletes, !p.orphan.Terminating)
			p.orphan = nil
		}
	}
	t.Fold.Apply(e)
}

// applyPod counts what happens to a pod of a set: it compares the fold's pod before the event with the one after it.
func (t *Tally) applyPod(e *Event) {
	s := t.set(e.Set)
	before := s.set.Owned(e.Pod)
	deleted := before != nil && before.Terminating
	t.Fold.Apply(e)
	after := s.set.Owned(e.Pod)
	if before == nil && after == nil {
		return
	}
	p := s.enter(e.Pod)
	if e.Kind == KindOwner {
		p.orphan = nil
	}
	if after == nil {
		p.Pod = before
		p.leave(e.T)
		if e.Kind == KindPod {
			p.blame(e)
			p.count(&p.Deletes, !deleted)
		}
		return
	}
	p.Pod = after
	p.count(&p.Lives, e.Kind == KindPod && e.State == Pending && after != before)
	p.count(&p.Deletes, e.Kind == KindPod && e.State == Terminating && (after != before || !deleted))
	if after.Ready && !p.WasReady {
		p.WasReady, p.FirstReady = true, after.ReadySince
	}
}

// enter returns the tally of a name, and creates it if there is none.
func (s *SetTally) enter(name string) *PodTally {
	at, found := s.find(name)
	if !found {
		s.Pods = slices.Insert(s.Pods, at, &PodTally{Pod: &Pod{Name: name, Ordinal: ordinalOf(s.Key.Name, name)}})
	}
	return s.Pods[at]
}

// count increments a count of the pod if one is true.
func (p *PodTally) count(n *int, one bool) {
	if one {
		*n++
	}
}

// leave replaces the pod by a copy that is Gone, because it no longer belongs to the set.
func (p *PodTally) leave(now model.Time) {
	gone := *p.Pod
	gone.State, gone.Since, gone.Ready, gone.Shown = Gone, now, false, ""
	p.Pod = &gone
}

// Tick takes stock at a fixed point of the controller, at the instant of the fold. It looks only at sets that have
// changed.
func (t *Tally) Tick() {
	for _, s := range t.sets {
		if s.seenPods == s.set.PodChanges && s.seenSpecs == s.set.SpecChanges {
			continue
		}
		s.seenPods, s.seenSpecs = s.set.PodChanges, s.set.SpecChanges
		s.tick(t.Fold.T)
	}
}

// tick looks at the number of serving pods. Before all replicas have once served, that number says nothing about a
// rollout.
func (s *SetTally) tick(now model.Time) {
	serving := s.Serving()
	if s.Exists() && !s.Complete && serving >= int(s.Replicas) && s.Replicas > 0 {
		s.Complete, s.CompleteSince = true, now
		s.Fewest, s.FewestAt, s.FewestOf = serving, now, s.Replicas
	}
	if !s.Complete {
		return
	}
	least := fewest{serving, now, s.Replicas}
	if s.away != nil && s.away.n <= serving {
		least = *s.away
	}
	if !s.Exists() {
		s.away = &least
		return
	}
	s.away = nil
	if least.n < s.Fewest {
		s.Fewest, s.FewestAt, s.FewestOf = least.n, least.at, least.of
	}
}
