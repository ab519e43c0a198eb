package sim

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kubelet"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// State is a cluster at an instant, as its objects show it: what a world can begin with. The instant is 0s of the new
// world; what happened before it has a time below 0. A world copies what it takes from a State, so any number of
// worlds may begin with one.
type State struct {
	// From names the source, for the timeline: "begin with " and this.
	From string
	// The lists are in any order: the store sorts them. Names and uids are unique in each kind, and no uid is 0.
	Sets      []*model.StatefulSet
	Pods      []PodState
	Claims    []*model.Claim
	Revisions []*model.Revision
	Budgets   []*model.Budget
	Services  []*model.Service
	Nodes     []NodeState
	// Rest holds everything that the objects do not show. Only World.State and World.Hold set it. With it, the
	// world continues exactly as the other one would have, at the same instant and with the same timeline; the
	// fields above are then only for reading. If it is nil, a controller begins as after a restart, and delays are
	// drawn again.
	Rest *Rest
}

// Pod returns a pod of the state, nil if there is none, and for nil. O(pods).
func (s *State) Pod(key model.Key) *PodState {
	if s == nil {
		return nil
	}
	at := slices.IndexFunc(s.Pods, func(p PodState) bool { return p.Key() == key })
	if at < 0 {
		return nil
	}
	return &s.Pods[at]
}

// PodState is a pod at an instant, with what its kubelet knows. Its template may be shared by many.
type PodState struct {
	*model.Pod
	// Bound is the instant when it was bound to its node, Started the instant when it began to run, both at most 0.
	// They have no meaning before it reaches that stage.
	Bound, Started model.Time
	// Hung is true if its kubelet does not finish stopping it, though the node answers.
	Hung bool
	// Silenced is true if it is unready only because its node is silent.
	Silenced bool
	// Passed counts the first of its init containers that need not run again: they have completed or, sidecars, started.
	Passed int
	// Turned is the instant before 0 when the next init container began to run; 0 if it does not run or is unknown.
	Turned model.Time
}

// memory returns what the kubelets should remember about the pod.
func (s *PodState) memory() kubelet.Memory {
	return kubelet.Memory{
		Bound: s.Bound, Started: s.Started, Hung: s.Hung, Silenced: s.Silenced, Passed: s.Passed, Turned: s.Turned,
	}
}

// NodeState is a node at an instant.
type NodeState struct {
	Node
	// Down is true if its kubelet is silent.
	Down bool
	// NotReady, Cordoned, OutOfService and Unreachable are what its object says: the condition Ready, spec.unschedulable,
	// and the taints out-of-service and unreachable, or not-ready. Tainted is when one of the last two was added.
	NotReady, Cordoned, OutOfService, Unreachable bool
	Tainted                                       model.Time
}

// state returns the node in the form of its room, and nodeState does the opposite.
func (s *NodeState) state() nodes.State {
	return nodes.State{
		Spec: s.Node, Down: s.Down, NotReady: s.NotReady, Cordoned: s.Cordoned, OutOfService: s.OutOfService,
		Unreachable: s.Unreachable, Tainted: s.Tainted,
	}
}

// nodeState returns a node of the room in the form of a State.
func nodeState(s nodes.State) NodeState {
	return NodeState{
		Node: s.Spec, Down: s.Down, NotReady: s.NotReady, Cordoned: s.Cordoned, OutOfService: s.OutOfService,
		Unreachable: s.Unreachable, Tainted: s.Tainted,
	}
}

// nodes returns the nodes of a world that starts from the state.
func (s *State) nodes() []Node {
	var specs []Node
	for i := range s.Nodes {
		specs = append(specs, s.Nodes[i].Node)
	}
	return specs
}

// byDump is the actor of a start state: none of these writes was made during the run.
var byDump = store.By{Actor: timeline.Dump}

// beginWith fills an empty world: the rooms are told about every object as if it were added, and continue what is
// under way. The order matters: nodes come before pods, because a kubelet asks for its node; pods before claims,
// because claims ask whether they are in use; and the controller begins last, when everything is there.
func (w *World) beginWith(state *State) {
	objects := store.Objects{Sets: state.Sets, Claims: state.Claims, Revisions: state.Revisions}
	memories := map[model.UID]kubelet.Memory{}
	for i := range state.Pods {
		objects.Pods = append(objects.Pods, state.Pods[i].Pod)
		memories[state.Pods[i].UID] = state.Pods[i].memory()
	}
	w.store.Restore(objects)
	w.manager.Stop()
	w.kubelet.Remember(memories)
	for _, n := range state.Nodes {
		w.nodes.Put(byDump, n.state())
	}
	w.beginSets(state.From)
	dump := w.store.As(byDump)
	dump.Announce(model.KindPod)
	dump.Announce(model.KindClaim)
	for _, service := range state.Services {
		w.dns.Create(service)
	}
	for _, spec := range state.Budgets {
		w.disruption.Put(spec)
	}
	dump.Announce(model.KindStatefulSet)
	w.nodes.GoOn()
	w.manager.Start()
}

// beginSets records the sets, their histories and their statuses.
func (w *World) beginSets(from string) {
	sets := w.store.Sets()
	w.kernel.Record(timeline.Entry{Kind: timeline.KindStep, Actor: timeline.Dump, Step: &timeline.Step{
		Verb: "start", Does: "begin with " + from, Trigger: At.String(), Effect: timeline.Created, Sets: sets,
	}})
	w.store.As(byDump).Announce(model.KindRevision)
	for _, set := range sets {
		w.kernel.KeepStatus(w.kernel.Record(timeline.Entry{
			Kind: timeline.KindStatus, Actor: timeline.Dump, Set: set.Key(), Reason: "Dump",
		}), &set.Status)
	}
}

// Hold returns the state of a world at a fixed point for worlds that continue from it. Unlike State it has no
// copies of objects to look at, and so it is cheaper.
func (w *World) Hold() *State { return &State{Rest: save(w)} }

// State returns what the objects of the world show at this instant, which becomes 0s of the state. The world must
// be at a fixed point, and continues as before. The objects are copies, and their times are counted from that
// instant. It costs O(objects).
func (w *World) State() *State {
	now := w.Now()
	state := &State{
		From: "the state at " + now.Clock(), Sets: copies(w.store.Sets(), now, rebaseSet),
		Claims: copies(w.store.Claims(), now, func(c *model.Claim, now model.Time) {
			c.Reach = w.storage.Reach(c.Key())
			rebase(&c.Meta, now)
		}),
		Revisions: copies(w.store.Revisions(), now, func(r *model.Revision, now model.Time) { rebase(&r.Meta, now) }),
		Budgets:   w.disruption.Budgets(), Services: w.dns.Services(), Rest: save(w),
	}
	for _, pod := range w.store.Pods() {
		state.Pods = append(state.Pods, statedPod(w, pod))
	}
	for _, n := range w.nodes.States() {
		n.Tainted -= now
		state.Nodes = append(state.Nodes, nodeState(n))
	}
	return state
}

// statedPod returns a copy of a pod and what its kubelet knows about it, with times counted from now.
func statedPod(w *World, pod *model.Pod) PodState {
	next, now, m := *pod, w.Now(), w.kubelet.Memory(pod.UID)
	rebasePod(&next, now)
	return PodState{
		Pod: &next, Bound: m.Bound - now, Started: m.Started - now, Hung: m.Hung, Silenced: m.Silenced, Passed: m.Passed,
		Turned: m.Turned - now,
	}
}

// copies returns copies of objects with their times counted from an instant, which rebase does.
func copies[T any](objects []*T, now model.Time, rebase func(*T, model.Time)) []*T {
	list := make([]*T, len(objects))
	for i, object := range objects {
		next := *object
		rebase(&next, now)
		list[i] = &next
	}
	return list
}

// rebaseSet, rebasePod and rebase change only a copy: whatever the copy shares with the stored object is copied
// first.
func rebaseSet(set *model.StatefulSet, now model.Time) {
	rebase(&set.Meta, now)
	set.Status.Conditions = slices.Clone(set.Status.Conditions)
	for i := range set.Status.Conditions {
		set.Status.Conditions[i].Since -= now
	}
}

// rebasePod counts the times of a copy of a pod from an instant.
func rebasePod(pod *model.Pod, now model.Time) {
	rebase(&pod.Meta, now)
	pod.ReadySince -= now
}

// rebase counts the times of metadata from an instant, so past times become negative. It replaces Deletion, since
// the stored object shares it.
func rebase(meta *model.Meta, now model.Time) {
	meta.Created -= now
	if meta.Deletion != nil {
		meta.Deletion = &model.Deletion{At: meta.Deletion.At - now, Grace: meta.Deletion.Grace}
	}
}

// assumeClaims creates the missing claims that the template of a set names. A claim that is not from
// volumeClaimTemplates is assumed to have existed before the run, with its volume. A claim that existed during the
// run and is gone is not assumed again, and neither is a claim whose name comes from a claim template.
func (w *World) assumeClaims(set *model.StatefulSet) {
	for i := range set.Spec.Template.Volumes {
		key := model.Key{Namespace: set.Namespace, Name: set.Spec.Template.Volumes[i].Claim}
		if key.Name == "" || w.audit.Claim(key) != nil || w.store.ClaimSet(key).Name != "" || fromTemplates(set, i) {
			continue
		}
		draft := &model.Claim{Meta: model.Meta{Namespace: key.Namespace, Name: key.Name}}
		if _, err := w.store.As(store.By{Actor: timeline.APIServer}).GiveClaim(draft); err != nil {
			panic("sim: the API server refuses the assumed claim " + key.String() + ": " + err.Error())
		}
	}
}

// fromTemplates reports whether a volume of the template is replaced by the volume of a claim template with the
// same name.
func fromTemplates(set *model.StatefulSet, volume int) bool {
	for i := range set.Spec.ClaimTemplates {
		if set.Spec.ClaimTemplates[i].Name == set.Spec.Template.Volumes[volume].Name {
			return true
		}
	}
	return false
}

// written completes a user's write of a set: if the API server has accepted it, the claims that are assumed for it
// are created, and the result may be kept by the user.
func (u *User) written(set *model.StatefulSet, err *model.APIError) (*model.StatefulSet, *model.APIError) {
	if err == nil {
		u.w.assumeClaims(set)
		u.w.store.Give(set.Key())
	}
	return set, err
}
