package timeline

import (
	"cmp"
	"iter"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// Apply moves the state past the next event. It costs O(log n) for a change of a pod that is there already, and O(n)
// for one that comes or goes, where n is the number of the set's pods.
func (f *Fold) Apply(e *Event) {
	f.T = e.T
	f.Index++
	switch e.Kind {
	case KindRun:
		f.Run = e.Run
	case KindPod:
		if e.Set != (model.Key{}) && !e.Bare {
			f.set(e.Set).applyPod(e)
		}
	case KindOwner:
		f.applyOwner(e)
	case KindContainer:
		f.set(e.Set).applyContainers(e)
	case KindStep:
		f.applyChanges(e.Step.Sets, e.Step.Removed)
	case KindFault:
		if e.Fault != nil {
			f.applyChanges(e.Fault.Sets, e.Fault.Removed)
		}
	case KindStatus:
		if e.Status == nil {
			f.remove(e.Set)
			f.relist()
			return
		}
		set := f.set(e.Set)
		set.Status = *e.Status
		set.StatusChanges++
	case KindProcess:
		f.applyProcess(e)
	case KindBudget:
		f.applyBudget(e)
	case KindDNS:
		f.applyDNS(e)
	case KindRevision:
		if e.Set.Name != "" {
			f.set(e.Set).applyRevision(e.Rev, e.T)
		}
	case KindClaim:
		f.applyClaim(e)
	case KindResult:
		f.Result = e.Result
	}
}

// set finds a set, also one that does not exist (any more): its pods may.
func (f *Fold) set(key model.Key) *Set {
	if set := f.byKey[key]; set != nil {
		return set
	}
	if f.byKey == nil {
		f.byKey = map[model.Key]*Set{}
	}
	set := &Set{Key: key, run: f.Run}
	f.byKey[key] = set
	at, _ := slices.BinarySearchFunc(f.sets, key, func(set *Set, key model.Key) int { return set.Key.Compare(key) })
	f.sets = slices.Insert(f.sets, at, set)
	return set
}

// applyChanges takes in what a step or a fault has done to sets.
func (f *Fold) applyChanges(sets []*model.StatefulSet, removed []model.Key) {
	if len(sets)+len(removed) == 0 {
		return
	}
	for _, key := range removed {
		f.remove(key)
	}
	for _, spec := range sets {
		set := f.set(spec.Key())
		if set.Spec == nil {
			set.succeed(spec.UID)
		}
		set.Spec, set.uid = spec, spec.UID
		set.learn(spec.Spec.Template)
		set.changeSpec()
	}
	f.relist()
}

// applyOwner lets a set gain or lose a pod, or a revision. What a set leaves behind when it goes is still told of with
// its name, until there is another set of the name.
func (f *Fold) applyOwner(e *Event) {
	if e.Pod == "" {
		f.applyRevisionOwner(e)
		return
	}
	change := *e
	if e.Owned.Change == Released {
		change.State = Gone
	}
	f.set(e.Set).applyPod(&change)
}

// succeed takes out the pods of an earlier set of the name: those that it has left behind, and all others too where the
// new one has another uid. The new one has those that it adopts, and what becomes of the others is told of as bare. So
// it is with revisions.
func (s *Set) succeed(uid model.UID) {
	another := s.uid != 0 && s.uid != uid
	if another {
		s.past, s.revisions = append(s.past, s.revisions...), nil
	}
	s.Pods = slices.DeleteFunc(s.Pods, func(p *Pod) bool {
		if p.left || another {
			s.count(p, -1)
		}
		return p.left || another
	})
	s.PodChanges++
}

// remove takes a set away; its pods stay until they are gone.
func (f *Fold) remove(key model.Key) {
	set := f.set(key)
	set.Spec, set.Status = nil, model.Status{}
	set.changeSpec()
	set.StatusChanges++
}

func (f *Fold) relist() {
	f.live = slices.DeleteFunc(slices.Clone(f.sets), func(set *Set) bool { return set.Spec == nil })
}

// changeSpec counts again what depends on the spec.
func (s *Set) changeSpec() {
	s.SpecChanges++
	s.available.known = false
	s.outdated = 0
	for _, p := range s.Pods {
		if s.isOutdated(p) {
			s.outdated++
		}
	}
}

func (s *Set) isOutdated(p *Pod) bool {
	return s.Spec != nil && s.Spec.Spec.Template != nil && p.Template != s.Spec.Spec.Template.ID
}

func (s *Set) applyPod(e *Event) {
	s.PodChanges++
	s.available.known = false
	ordinal := ordinalOf(e.Set.Name, e.Pod)
	at, found := s.find(e.Pod, ordinal)
	if found {
		s.count(s.Pods[at], -1)
	}
	if e.State == Gone {
		if found {
			s.Pods = slices.Delete(s.Pods, at, at+1)
		}
		return
	}
	if !found {
		s.Pods = slices.Insert(s.Pods, at, &Pod{Name: e.Pod, Ordinal: ordinal, Created: e.T})
	} else if e.UID != 0 && s.Pods[at].UID != e.UID {
		s.Pods[at] = &Pod{Name: e.Pod, Ordinal: ordinal, Created: e.T}
	}
	s.Pods[at].apply(e)
	if e.Owned != nil {
		s.Pods[at].left = e.Owned.Change == LeftBehind
	}
	s.count(s.Pods[at], 1)
}

func (s *Set) find(pod string, ordinal int) (at int, found bool) {
	return slices.BinarySearchFunc(s.Pods, pod, func(p *Pod, name string) int {
		return cmp.Or(cmp.Compare(p.Ordinal, ordinal), cmp.Compare(p.Name, name))
	})
}

// applyContainers notes what the containers of a pod are in.
func (s *Set) applyContainers(e *Event) {
	if at, found := s.find(e.Pod, ordinalOf(e.Set.Name, e.Pod)); found {
		s.PodChanges++
		s.Pods[at].containers(e)
	}
}

func (p *Pod) containers(e *Event) {
	if e.Containers != nil {
		p.Shown, p.Restarts = e.Containers.Shown, e.Containers.Restarts
	}
}

func ordinalOf(set, pod string) int {
	parent, ordinal := model.SplitPodName(pod)
	if parent != set {
		return -1
	}
	return ordinal
}

// count adds a pod to the counts, or takes it out of them.
func (s *Set) count(p *Pod, by int) {
	if p.Ready {
		s.ready += by
	}
	if p.Serving() {
		s.serving += by
	}
	if s.isOutdated(p) {
		s.outdated += by
	}
}

func (p *Pod) apply(e *Event) {
	p.UID, p.Nth = cmp.Or(e.UID, p.UID), cmp.Or(e.Nth, p.Nth)
	p.Template, p.Revision = cmp.Or(e.Template, p.Template), cmp.Or(e.Revision, p.Revision)
	p.Image, p.Node = cmp.Or(e.Image, p.Image), cmp.Or(e.Node, p.Node)
	p.containers(e)
	p.IP = cmp.Or(e.IP, p.IP)
	if e.State != NoState && e.State != p.State {
		p.State, p.Since = e.State, e.T
	}
	switch e.State {
	case Pending:
		p.Phase = model.Pending
	case Running:
		p.Phase = model.Running
	case Ready:
		p.Phase = model.Running
		p.setReady(true, e.T)
	case Unready:
		p.setReady(false, e.T)
	case Failed:
		p.Phase = model.Failed
		p.setReady(false, e.T)
	case Succeeded:
		p.Phase = model.Succeeded
		p.setReady(false, e.T)
	case Terminating:
		p.Terminating = true
	}
}

func (p *Pod) setReady(ready bool, at model.Time) {
	if p.Ready != ready {
		p.Ready, p.ReadySince = ready, at
	}
}

// Ticks yields the state at each fixed point of the controller: after all events of an instant, and before each step,
// at the step's instant. It is one Fold, which the next round changes; its Index says how many events it has seen.
func Ticks(events []Event) iter.Seq[*Fold] {
	return func(yield func(*Fold) bool) {
		var f Fold
		for i := range events {
			e := &events[i]
			if e.Kind == KindStep {
				f.T = e.T
				if !yield(&f) {
					return
				}
			}
			f.Apply(e)
			if (i+1 == len(events) || events[i+1].T != e.T) && !yield(&f) {
				return
			}
		}
	}
}
