package timeline

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Apply moves the state past the next event. Events must come in the order of the timeline, each once. It keeps
// pointers into the event (sets, statuses of nodes), so the event must not change afterwards. It costs O(log n),
// where n is the number of the set's pods, and O(n) for a new pod in the middle of them.
func (f *Fold) Apply(e *Event) {
	f.T = e.T
	f.Index++
	switch e.Kind {
	case KindRun:
		f.Run = e.Run
	case KindPod:
		f.set(e.Set).applyPod(e)
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
	case KindK8sEvent:
		f.applyWarning(e)
	case KindNode:
		f.applyNode(e)
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

// set returns the entry of a set, and creates it if there is none: also for a set that does not exist or no longer
// exists, because its pods may. Entries are never taken out, so a pointer to one stays good as long as the fold.
func (f *Fold) set(key model.Key) *Set {
	if set := f.byKey.Get(key); set != nil {
		return set
	}
	set := &Set{Key: key, run: f.Run}
	f.byKey.Put(key, set)
	at, _ := slices.BinarySearchFunc(f.sets, key, func(set *Set, key model.Key) int { return set.Key.Compare(key) })
	f.sets = slices.Insert(f.sets, at, set)
	return set
}

// applyChanges takes in what a step or a fault did to sets: first the removals, so that a replaced set counts as a
// new one.
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

// applyOwner lets a set gain or lose a pod or a revision. Objects that a deleted set leaves behind stay under its name
// until there is another set with that name.
func (f *Fold) applyOwner(e *Event) {
	if e.Pod == "" {
		f.applyRevisionOwner(e)
		return
	}
	set, change := f.set(e.Set), *e
	if p := f.Pod(e.Set, e.Pod); p != nil && p.UID == e.UID && p.State == Unready && change.State == Running {
		// The event says only that the pod runs. It is as unready as it was, since when it was.
		change.State = Unready
	}
	switch e.Owned.Change {
	case Released:
		set.move(e.Pod, &set.Pods, &set.Bare)
		change.Bare = true
	case Adopted:
		set.move(e.Pod, &set.Bare, &set.Pods)
	}
	set.applyPod(&change)
}

// move moves a pod from one list of the set into the other, with all that is known of it.
func (s *Set) move(pod string, from, to *PodList) {
	p := from.named(pod, ordinalOf(s.Key.Name, pod))
	if p == nil {
		return
	}
	moved := *p
	to.Put(&moved)
	from.drop(p)
	s.changePods()
}

// succeed is called when a set with the name is created. It makes the pods of an earlier set with the name bare:
// the pods that it left behind, and all others too if the new set has another uid. The new set has the pods that it
// adopts. The same holds for revisions.
func (s *Set) succeed(uid model.UID) {
	another := s.uid != 0 && s.uid != uid
	if another {
		s.past, s.revisions = append(s.past, s.revisions...), nil
	}
	var kept PodList
	for p := range s.Pods.All {
		if !p.left && !another {
			kept.Put(p)
			continue
		}
		p.left = false
		s.Bare.Put(p)
	}
	s.Pods = kept
	s.changePods()
}

// changePods counts the pods again.
func (s *Set) changePods() {
	s.PodChanges++
	s.available.known = false
	s.recount()
}

// remove takes a set away; its pods stay until they are gone. The caller calls relist afterwards.
func (f *Fold) remove(key model.Key) {
	set := f.set(key)
	set.Spec, set.Status = nil, model.Status{}
	set.changeSpec()
	set.StatusChanges++
}

// relist rebuilds live after sets were created or deleted. It makes a new list, so that a list that was handed out
// stays intact.
func (f *Fold) relist() {
	f.live = slices.DeleteFunc(slices.Clone(f.sets), func(set *Set) bool { return set.Spec == nil })
}

// changeSpec counts again what depends on the spec.
func (s *Set) changeSpec() {
	s.SpecChanges++
	s.available.known = false
	s.recount()
}

// recount counts the pods of the set from scratch; count keeps the counts up to date in between.
func (s *Set) recount() {
	s.ready, s.serving, s.outdated = 0, 0, 0
	for p := range s.Pods.All {
		s.count(p, 1)
	}
}

// isOutdated reports whether a pod was created from another template than the present one. A deleted set has no
// template, and none of its pods is outdated.
func (s *Set) isOutdated(p *Pod) bool {
	return s.Spec != nil && s.Spec.Spec.Template != nil && p.Template != s.Spec.Spec.Template.ID
}

// applyPod lets a pod of the set, or a bare one, enter a state. A pod of another uid under the name replaces the one
// that is known. The counts lose the pod before the change and gain it after, so they are right at any time.
func (s *Set) applyPod(e *Event) {
	list, counts := &s.Pods, 1
	if e.Bare {
		list, counts = &s.Bare, 0
	} else {
		s.PodChanges++
		s.available.known = false
	}
	ordinal := ordinalOf(e.Set.Name, e.Pod)
	p := list.named(e.Pod, ordinal)
	if p != nil {
		s.count(p, -counts)
	}
	if e.State == Gone {
		if p != nil {
			list.drop(p)
		}
		return
	}
	if p == nil || e.UID != 0 && p.UID != e.UID {
		p = &Pod{Name: e.Pod, Ordinal: ordinal, Created: e.T}
		list.Put(p)
	}
	p.apply(e)
	if e.Owned != nil {
		p.left = e.Owned.Change == LeftBehind
	}
	s.count(p, counts)
}

// guess returns the place of an ordinal in a list of n that is in their order, or -1. It looks at the place that the
// ordinal has in a list without gaps, and at a few before it: that costs O(1) where a search costs O(log n). -1 does
// not mean that the ordinal is not there.
func guess(n, ordinal int, of func(int) int) int {
	if n == 0 {
		return -1
	}
	const gaps = 3
	at := min(ordinal-of(0), n-1)
	for least := max(0, at-gaps); at >= least; at-- {
		if of(at) == ordinal {
			return at
		}
	}
	return -1
}

// pod finds a pod of the set, or a bare one.
func (s *Set) pod(name string) *Pod {
	if p := s.Owned(name); p != nil {
		return p
	}
	return s.Bare.named(name, ordinalOf(s.Key.Name, name))
}

// Owned returns the pod of a name that the set owns, nil if there is none; O(log n).
func (s *Set) Owned(name string) *Pod { return s.Pods.named(name, ordinalOf(s.Key.Name, name)) }

// applyContainers notes the state of a pod's containers.
func (s *Set) applyContainers(e *Event) {
	if p := s.pod(e.Pod); p != nil {
		s.PodChanges++
		p.Reason, p.Message = "", ""
		p.containers(e)
	}
}

// blame notes why a pod is in its state, if that is not one of the model's reasons; otherwise it clears what was noted.
func (p *Pod) blame(e *Event) {
	p.Reason, p.Message = "", ""
	if e.Why.Code == "" {
		p.Reason, p.Message = e.Reason, e.Message
	}
}

// containers notes what an event says about the pod's containers. A problem of theirs becomes the reason, unless
// the pod is terminating.
func (p *Pod) containers(e *Event) {
	if e.Containers == nil {
		return
	}
	p.Containers = e.Containers
	p.Shown, p.Restarts = e.Containers.Shown, e.Containers.Restarts
	if p.Shown != "" && !p.Terminating {
		p.Reason, p.Message = e.Reason, e.Message
	}
}

// ordinalOf returns the ordinal in the name of a pod that is listed with a set, -1 if the pod is not named after
// that set.
func ordinalOf(set, pod string) int {
	parent, ordinal := model.SplitPodName(pod)
	if parent != set {
		return -1
	}
	return ordinal
}

// count adds a pod to the counts (by 1), removes it (by -1), or does nothing (by 0, for bare pods).
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

// apply takes in an event about the pod. Fields that the event does not have stay as they were.
func (p *Pod) apply(e *Event) {
	p.UID, p.Nth = cmp.Or(e.UID, p.UID), cmp.Or(e.Nth, p.Nth)
	p.Template, p.Revision = cmp.Or(e.Template, p.Template), cmp.Or(e.Revision, p.Revision)
	p.Image, p.Node = cmp.Or(e.Image, p.Image), cmp.Or(e.Node, p.Node)
	p.IP = cmp.Or(e.IP, p.IP)
	if e.Node != "" && strings.HasPrefix(p.Warning, ReasonFailedScheduling+": ") {
		// The scheduler has found a node since.
		p.Warning = ""
	}
	if e.Kind == KindPod {
		p.blame(e)
	}
	p.Terminating = p.Terminating || e.State == Terminating
	p.containers(e)
	if e.State != NoState && e.State != p.State {
		p.State, p.Since = e.State, e.T
	}
	p.Silent = e.State == Unready && e.Reason == ReasonNodeNotReady || p.Silent && e.State == Terminating
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
	}
}

// setReady sets the condition Ready. ReadySince only changes with it, as lastTransitionTime does.
func (p *Pod) setReady(ready bool, at model.Time) {
	if p.Ready != ready {
		p.Ready, p.ReadySince = ready, at
	}
}

// Ticks yields the state at each fixed point of the controller: after all events of an instant, and before each
// step, at the step's instant. It yields one Fold, which it changes in each round: a caller that keeps a state
// makes a Copy. Its Index is the number of events that it has seen.
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

// EndOf returns the world at the end of a run. O(events).
func EndOf(events []Event) *Fold {
	var fold Fold
	for i := range events {
		fold.Apply(&events[i])
	}
	return &fold
}
