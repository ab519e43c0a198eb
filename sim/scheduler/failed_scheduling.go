package scheduler

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// complain reports why a pod is not bound, in the scheduler's words: in a warning event, and in the pod's condition
// PodScheduled. It does so once: only a message that differs from the condition causes another write, and that
// write changes the pod, which wakes the StatefulSet controller (updatePod in pkg/scheduler/schedule_one.go). So
// the exact words decide how often a set is synced. The pod must exist.
func (s *Scheduler) complain(u *unbound, message string) {
	if s.store.Pod(u.Key).Unscheduled == message {
		return
	}
	s.warn(u, message)
	s.store.As(byScheduler).ChangePod(u.Key, func(p *model.Pod) { p.Unscheduled = message })
}

// warn records the scheduler's warning event about a pod.
func (s *Scheduler) warn(u *unbound, message string) *timeline.Event {
	return s.kernel.Record(timeline.Entry{
		Kind: timeline.KindK8sEvent, Actor: timeline.Scheduler, Set: u.Set, Pod: u.Key.Name, UID: u.UID, Warning: true,
		Reason: timeline.ReasonFailedScheduling, Message: message,
	})
}

// stage is how far an attempt came before it failed.
type stage uint8

const (
	// prefilter: no node is looked at, since none could take the pod as it is. filter: each node has a reason of its own.
	prefilter stage = iota
	filter
)

// sentence returns the message of FailedScheduling: why no node takes a pod, and what came of the plugins that might
// make room. why is without a full stop; room is the answer of the preemption for each node, "" if it helps nowhere.
// The words depend on the version (nodes.Rules). After a prefilter the plugins of dynamic resource claims have no
// node to look at, which reads "not found".
func (s *Scheduler) sentence(why string, at stage, room string) string {
	known := 0
	for _, n := range s.nodes.All() {
		if !n.Gone {
			known++
		}
	}
	if known == 0 {
		return "no nodes available to schedule pods"
	}
	words := fmt.Sprintf("0/%d nodes are available: %s.", known, why)
	rules := s.nodes.Rules()
	if rules.SaysNoPreemption {
		return words
	}
	if room == "" {
		room = fmt.Sprintf("%d %s", known, unhelpful)
	}
	preemption := fmt.Sprintf("preemption: 0/%d nodes are available: %s.", known, room)
	switch {
	case rules.SaysNoResourceClaims:
		return words + " " + preemption
	case at == prefilter:
		return words + " not found"
	}
	return words + " no new claims to deallocate, " + preemption
}

// unhelpful is the preemption's message for a node that would not help even without its pods; noVictims is the
// message for a node where other pods, none of lower priority, are in the way. Without priorities no pod can be
// preempted.
const (
	unhelpful = "Preemption is not helpful for scheduling"
	noVictims = "No preemption victims found for incoming pod"
)

// summary says why no node takes a pod: how many nodes for each reason, in alphabetical order.
func summary(refusals []Refusal) string {
	var reasons []string
	for i := range refusals {
		reasons = append(reasons, refusals[i].Reasons...)
	}
	return counted(reasons)
}

// preemption says what the preemption achieved.
func preemption(refusals []Refusal) string {
	var reasons []string
	for i := range refusals {
		if refusals[i].Preemptible {
			reasons = append(reasons, noVictims)
		} else {
			reasons = append(reasons, unhelpful)
		}
	}
	return counted(reasons)
}

// counted joins reasons to "3 a, 1 b", sorted as texts, "10 x" before "2 y" as in the real message.
func counted(reasons []string) string {
	slices.Sort(reasons)
	var list []string
	for len(reasons) > 0 {
		n := 1
		for n < len(reasons) && reasons[n] == reasons[0] {
			n++
		}
		list = append(list, fmt.Sprintf("%d %s", n, reasons[0]))
		reasons = reasons[n:]
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}
