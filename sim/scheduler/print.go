package scheduler

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

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
