package dump

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/command"
)

// Pod is a pod of a dump.
type Pod = sim.PodState

// WithoutServices returns the state without its Services: no StatefulSet and no pod waits for one, and each costs a
// world something for each pod. The objects are shared.
func (d *Dump) WithoutServices() *sim.State {
	state := *d.State
	state.Services = nil
	return &state
}

// Taken returns sentences about what is assumed about a pod because of other objects, and which. They are the reasons
// of stays.rule, which must be changed together with them.
func (d *Dump) Taken(key model.Key) []string {
	s := stays{Dump: d, specs: map[*model.Template]string{}}
	p, f := d.Pod(key), d.Facts[key]
	if p == nil {
		return nil
	}
	switch {
	case p.Terminating() && p.Hung && slices.Contains(d.Unseen, p.Node):
		return []string{"Its grace period is over, and it has no finalizer. Assumed: its kubelet cannot stop it."}
	case p.Terminating() && p.Hung:
		return []string{"Its grace period is over, its node answers, and it has no finalizer. Assumed: its kubelet " +
			"cannot stop it."}
	case p.Phase == model.Pending && p.Node != "" && f.Waiting == "" && !p.Terminating() && p.Bound.Add(f.Patience()) < 0:
		if f.Init == "" || f.Sidecar {
			return []string{s.creating(p, f)}
		}
		return append([]string{s.creating(p, f)}, s.deadlock(p)...)
	case p.Terminating() || p.Ready || p.Silenced || p.Phase != model.Running || f.Waiting != "":
		return nil
	case f.Lost:
		return []string{"It was Ready before. Assumed: it does not become Ready again, but a new pod with its name does."}
	case s.proven(p) && s.overdue(p):
		return []string{"Assumed: it does not become Ready, since it has been running for many times as long as the other " +
			"pods took, but a new pod with its name does."}
	case !s.proven(p):
		return []string{"Assumed: it does not become Ready, since no pod with the same spec is Ready. If it only needs " +
			"more time, the StatefulSet continues when it is Ready."}
	}
	return nil
}

// deadlock says of a pod whose init container does not end that it cannot wait for the next pod of its set, if
// OrderedReady does not create that one before; nil if it does not matter.
func (s *stays) deadlock(p *Pod) []string {
	for _, set := range s.State.Sets {
		ordinal := set.OrdinalOf(p.Name)
		if !owns(set, p.Pod) || set.Spec.PodManagement != model.OrderedReady || ordinal < 0 {
			continue
		}
		next := set.PodName(ordinal + 1)
		if s.Pod(model.Key{Namespace: p.Namespace, Name: next}) == nil && ordinal+1 < set.Start()+int(set.Spec.Replicas) {
			return []string{"If it waits for " + next + ", that never ends: OrderedReady creates " + next + " only when " +
				p.Name + " is Ready. Parallel, which only a new StatefulSet can have, creates all at once."}
		}
	}
	return nil
}

// Attached says whether the volume of a pod is said to be attached to another node: no change of the StatefulSet helps.
func (d *Dump) Attached(pod model.Key) bool {
	f := d.Facts[pod]
	return f != nil && strings.Contains(f.Event, multiAttach)
}

// users returns the pods on other nodes that use a claim of a pod, and have not ended.
func (s *stays) users(p *Pod) []*Pod {
	var users []*Pod
	for i := range s.State.Pods {
		other := &s.State.Pods[i]
		if other.Node == "" || other.Node == p.Node || other.Finished() || other.Namespace != p.Namespace {
			continue
		}
		if slices.ContainsFunc(p.Volumes, func(v model.Volume) bool { return v.Claim != "" && uses(other, v.Claim) }) {
			users = append(users, other)
		}
	}
	return users
}

// uses says whether a pod uses a claim of its namespace.
func uses(p *Pod, claim string) bool {
	return slices.ContainsFunc(p.Volumes, func(v model.Volume) bool { return v.Claim == claim })
}

// UsersOf returns the names of the pods that use a claim and have not ended.
func (d *Dump) UsersOf(claim model.Key) []string {
	var names []string
	for i := range d.State.Pods {
		if p := &d.State.Pods[i]; p.Namespace == claim.Namespace && !p.Finished() && uses(p, claim.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// creating says why the containers of a pod that has a node do not start.
func (s *stays) creating(p *Pod, f *Facts) string {
	switch {
	case f.Sidecar:
		return "Its sidecar " + f.Init + " runs, but its startupProbe has not succeeded: until it does, no other container " +
			"starts. To see its log: " + command.In(p.Namespace, "logs", p.Name, "-c", f.Init)
	case f.Init != "":
		return "Its init container " + f.Init + " runs, and until it has ended no other container starts. To see " +
			"its log: " + command.In(p.Namespace, "logs", p.Name, "-c", f.Init)
	case strings.Contains(f.Event, multiAttach):
		text := "Its volume is still attached to another node (kubectl get volumeattachments). It is detached when no " +
			"pod there uses it any more. If that node does not answer, it is detached after 6 minutes, or at once with the " +
			"out-of-service taint."
		for _, user := range s.users(p) {
			text += fmt.Sprintf(" The pod %s on %s uses it.", user.Name, user.Node)
		}
		for i := range s.State.Nodes {
			if n := &s.State.Nodes[i]; n.Down && !n.OutOfService {
				text += " " + n.Name + " does not answer. Only if its machine is certainly off: " +
					command.OutOfService(n.Name)
			}
		}
		return text
	case f.Event != "":
		return "It has been on its node for a long time, and its containers are still not created: the warning says why."
	}
	if s.Unbegun(p) {
		return "The kubelet of " + p.Node + " has not begun with it: see whether that kubelet works (" +
			command.Kubectl("describe", "node", p.Node) + ")."
	}
	return "It has been on its node for a long time, and its containers are still not created. Its events say why, most " +
		"often a volume that is not mounted (" + command.In(p.Namespace, "describe", "pod", p.Name) + ")."
}
