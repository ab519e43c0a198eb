package scheduler

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/nodes"
)

// Filter decides which nodes take a pod, from the pod's template and what is known about the nodes: the job of the
// real scheduler's filter plugins. The package that reads manifests creates it for the nodes of a world. It has no
// memory, so that worlds may share it, and its answers must depend on its arguments only.
type Filter interface {
	// Decides reports whether there is anything to decide about a pod beyond the state of the nodes. Bound is true
	// while there are pods that keep others off their nodes, or if not every node can use the pod's volumes; then
	// even a pod that asks for nothing may be refused.
	Decides(pod *model.Pod, bound bool) bool
	// Fit returns for each place, in their order, what keeps the pod off it.
	Fit(Ask) []Refusal
	// Undecided lists the requirements of the template that the filter does not decide, in sentences without the
	// pod.
	Undecided(*model.Template) []string
}

// Ask is a pod that looks for a node.
type Ask struct {
	Pod *model.Pod
	// Reach are the NodeSelectors of the volumes of its claims, as JSON; a volume that any node can use has none.
	Reach []string
	// Places are the existing nodes in their order, Rules the rules of the version, which decide the words.
	Places []Place
	Rules  *nodes.Rules
}

// Place is a node and its unfinished pods; nil is none.
type Place struct {
	Node *nodes.Node
	*Crowd
}

// Refusal is why a node does not take a pod, in the scheduler's words; the zero value is that it does.
type Refusal struct {
	Reasons []string
	// Preemptible is true if it would help if other pods were not there.
	Preemptible bool
}

// Fits reports whether the node takes the pod.
func (r *Refusal) Fits() bool { return len(r.Reasons) == 0 }

// Filters lets a filter decide which nodes take pods. The default, nil, uses only the state of the nodes. It must
// be set before the first pod is tried.
func (s *Scheduler) Filters(f Filter) { s.filter = f }

// choose returns, of the nodes that take a pod, the first with the fewest pods; or nil, and why each existing node
// does not take it. If the state of the nodes alone decides, it looks at nothing else, and costs O(nodes). The real
// scheduler scores nodes in many ways; only the number of pods is modelled.
func (s *Scheduler) choose(pod *model.Pod) (least *nodes.Node, why []Refusal) {
	if s.decided(pod) {
		return s.fit(pod)
	}
	fewest := 0
	for i, n := range s.nodes.All() {
		if !n.Schedulable() {
			continue
		}
		if bound := s.podsOn(i, n); least == nil || bound < fewest {
			least, fewest = n, bound
		}
	}
	if least != nil {
		return least, nil
	}
	for _, n := range s.nodes.All() {
		if !n.Gone {
			why = append(why, s.byState(n))
		}
	}
	return nil, why
}

// fit is choose for a pod about which the filter decides.
func (s *Scheduler) fit(pod *model.Pod) (least *nodes.Node, why []Refusal) {
	var there []*nodes.Node
	for _, n := range s.nodes.All() {
		if !n.Gone {
			there = append(there, n)
		}
	}
	why = s.filter.Fit(s.ask(pod, there))
	for i, n := range there {
		if why[i].Fits() && (least == nil || *s.boundTo(n.Name) < *s.boundTo(least.Name)) {
			least = n
		}
	}
	return least, why
}

// ask collects the input of the filter.
func (s *Scheduler) ask(pod *model.Pod, there []*nodes.Node) Ask {
	ask := Ask{Pod: pod, Rules: s.nodes.Rules(), Places: make([]Place, len(there))}
	if s.on == nil {
		s.on = map[string]*Crowd{}
		for _, other := range s.store.Pods() {
			s.settle(other)
		}
	}
	for i, n := range there {
		ask.Places[i] = Place{n, s.on[n.Name]}
	}
	ask.Reach = s.reach(pod)
	return ask
}

// settle notes where a pod is, if it takes room there.
func (s *Scheduler) settle(pod *model.Pod) {
	if pod.Node == "" || pod.Finished() {
		return
	}
	if s.on[pod.Node] == nil {
		s.on[pod.Node] = &Crowd{}
	}
	s.on[pod.Node].put(pod)
}

// follow keeps the pods of the nodes up to date, once they have been asked for.
func (s *Scheduler) follow(old, pod *model.Pod) {
	if s.on == nil {
		return
	}
	if old != nil && s.on[old.Node] != nil && (pod == nil || pod.Node != old.Node || pod.Finished()) {
		s.on[old.Node].remove(old.Key())
	}
	if pod != nil {
		s.settle(pod)
	}
}

// reach returns which nodes can use the volumes of a pod's claims, of those that not every node can use.
func (s *Scheduler) reach(pod *model.Pod) (selectors []string) {
	for i := range pod.Volumes {
		key := model.Key{Namespace: pod.Namespace, Name: pod.Volumes[i].Claim}
		if reach := s.claims.Reach(key); key.Name != "" && reach != "" {
			selectors = append(selectors, reach)
		}
	}
	return selectors
}

// byState says why a node does not take a pod, if only the state of the node decides. The order is the scheduler's:
// only the first reason is given.
func (s *Scheduler) byState(n *nodes.Node) Refusal {
	switch {
	case n.Cordoned:
		return Refusal{Reasons: []string{Unschedulable}}
	case n.NotReady:
		return Refusal{Reasons: []string{Untolerated(s.nodes.Rules(), n.Taint(), "")}}
	case n.OutOfService:
		return Refusal{Reasons: []string{Untolerated(s.nodes.Rules(), taintOutOfService, outOfServiceValue)}}
	}
	return Refusal{}
}

// The taints of a node's state.
const (
	taintOutOfService = "node.kubernetes.io/out-of-service"
	outOfServiceValue = "nodeshutdown"
)

// Unschedulable is the scheduler's message about a cordoned node.
const Unschedulable = "node(s) were unschedulable"

// Untolerated returns the scheduler's message, in the words of a version, about a node with a taint that a pod does not
// tolerate.
func Untolerated(rules *nodes.Rules, key, value string) string {
	switch {
	case rules.SaysTolerate:
		return "node(s) had taint {" + key + ": " + value + "}, that the pod didn't tolerate"
	case rules.NamesTaints:
		return "node(s) had untolerated taint {" + key + ": " + value + "}"
	}
	return "node(s) had untolerated taint(s)"
}

// undecided is something that is not decided, with the names of sets whose pods ask for it, or of pods.
type undecided struct {
	what string
	of   []string
}

// noteUndecided remembers the undecided requirements of a pod. The pods of one template are alike, so only the
// first is examined.
func (s *Scheduler) noteUndecided(u *unbound, pod *model.Pod) {
	if s.filter == nil || pod.Template == nil || pod.Template.Constraints == nil {
		return
	}
	name := u.Set
	if name.Name == "" {
		name = u.Key
	}
	about := asked{pod.Template, name}
	if s.asked[about] {
		return
	}
	if s.asked == nil {
		s.asked = map[asked]bool{}
	}
	s.asked[about] = true
	for _, what := range s.filter.Undecided(pod.Template) {
		at := slices.IndexFunc(s.open, func(o undecided) bool { return o.what == what })
		if at < 0 {
			at = len(s.open)
			s.open = append(s.open, undecided{what: what})
		}
		if !slices.Contains(s.open[at].of, name.Name) {
			s.open[at].of = append(slices.Clip(s.open[at].of), name.Name)
		}
	}
}

// Warn warns about requests of pods that the filter does not decide, once for each: they must not be ignored
// silently. It is called once, at the end of a run.
func (s *Scheduler) Warn() {
	for _, open := range s.open {
		s.kernel.Warn("%s: %s", Few(open.of), open.what)
	}
}

// Few names the first three of some names, and the number of the others.
func Few(names []string) string {
	const most = 3
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
