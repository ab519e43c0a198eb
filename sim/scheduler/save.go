package scheduler

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Saved is the pods that wait for a node or for a claim. places, on and asked are filled again as needed.
type Saved struct {
	queue    []unbound
	forClaim map[model.Key][]model.UID
	forNode  []model.UID
	bound    map[string]int
	// repelling counts the pods that keep others off their nodes; open are the things that the filter does not decide.
	repelling int
	open      []undecided
	// filter has no memory, and is shared.
	filter Filter
}

// Save returns what the scheduler remembers.
func (s *Scheduler) Save() Saved {
	saved := Saved{
		forClaim: cloneWaiting(s.forClaim), forNode: slices.Clone(s.forNode),
		repelling: s.repelling, open: slices.Clone(s.open), filter: s.filter,
	}
	if len(s.bound) > 0 {
		saved.bound = make(map[string]int, len(s.bound))
	}
	for node, pods := range maps.All(s.bound) {
		saved.bound[node] = *pods
	}
	for _, pod := range slices.Sorted(maps.Keys(s.queue)) {
		saved.queue = append(saved.queue, *s.queue[pod])
	}
	return saved
}

// Load fills a new scheduler. The store and the lives of the pods are there already.
func (s *Scheduler) Load(from Saved) {
	for _, u := range from.queue {
		u.Life, u.timer = s.log.Pod(u.Key), nil
		keyed.Put(&s.queue, u.UID, &u)
	}
	s.forClaim = cloneWaiting(from.forClaim)
	for node, pods := range maps.All(from.bound) {
		s.bound[node] = &pods
	}
	s.forNode = slices.Clone(from.forNode)
	s.repelling, s.open, s.filter = from.repelling, slices.Clone(from.open), from.filter
}

// cloneWaiting copies the lists too, since pods leave them in place.
func cloneWaiting(lists map[model.Key][]model.UID) map[model.Key][]model.UID {
	clone := keyed.Copy(lists)
	for key, list := range maps.All(lists) {
		clone[key] = slices.Clone(list)
	}
	return clone
}

// Keep takes the timer of a pod that will be bound. Only the kernel calls it.
func (s *Scheduler) Keep(e kernel.Event, timer *kernel.Timer) {
	if u := s.queue[e.UID]; u != nil {
		u.timer = timer
	}
}

// Print prints the pods that wait for a node or for a claim, those in the queue in the order of the store. How many
// pods each node has follows from the store.
func (s *Scheduler) Print(p *kernel.Print) {
	p.Int(len(s.queue))
	if len(s.queue) > 0 {
		for _, pod := range s.store.Pods() {
			if u := s.queue[pod.UID]; u != nil {
				u.Life.Print(p)
				p.Delay(u.delay)
				p.Bool(u.binding)
				p.Text(u.pinned)
			}
		}
	}
	p.Int(len(s.forClaim))
	for _, key := range keyed.Sorted(s.forClaim) {
		p.Key(key)
		s.printUIDs(p, s.forClaim[key])
	}
	s.printUIDs(p, s.forNode)
}

// printUIDs prints a list of pods, whose order decides who is tried first.
func (s *Scheduler) printUIDs(p *kernel.Print, uids []model.UID) {
	p.Int(len(uids))
	for _, uid := range uids {
		p.UID(uid)
	}
}
