package heal

import (
	"cmp"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// situation is a set at the point where it is stuck, and all that the attempts are made from. It does not change.
type situation struct {
	// given is the question, lab the laboratory at that point. set is the set as the cluster has it; nil if there is
	// none, and if the run cannot be continued. end is the world at the end of the run, stuck what the set is stuck for
	// there, and serving the number of its pods that serve.
	given   Stuck
	lab     *play.Lab
	set     *model.StatefulSet
	end     *timeline.Fold
	stuck   []timeline.Stuck
	serving int

	// down are the pods of the set that do not serve and are not being deleted, sorted by ordinal. going are terminating
	// pods without finalizers, held are terminating pods with finalizers: those of the set, and those that stand in its
	// way, whoever owns them.
	down, going, held []model.Key
	// unplaced is the number of those that are down because the scheduler finds no node.
	unplaced int
	// nodes are the nodes of these pods that do not answer. cordoned are all cordoned nodes, if a pod waits for a node.
	nodes, cordoned []string
	// finalizers are those of the last pod of held.
	finalizers []string
	// blocking are the pods that do not belong to the set, are not being deleted, and have what a pod of the set needs.
	blocking []obstacle
	// refusal is the message with which pods of the set cannot be created, as a dump shows or suggests it; "" if they
	// can, or in a scenario. refused are the templates of the pods that do not exist.
	refusal string
	refused []*model.Template
}

// situation returns the situation in the laboratory that begins at its point. State must be set.
func (s *Stuck) situation(lab *play.Lab) *situation {
	x := &situation{given: *s, lab: lab, end: timeline.EndOf(s.Events)}
	at := slices.IndexFunc(s.State.Sets, func(set *model.StatefulSet) bool { return set.Key() == s.Key })
	if at < 0 {
		return x
	}
	x.set = s.State.Sets[at]
	for _, stuck := range s.Events[len(s.Events)-1].Result.Stuck {
		if stuck.Set == s.Key {
			x.stuck = append(x.stuck, stuck)
		}
	}
	if i := x.stuckFor(model.SyncError); i >= 0 && s.Lab.World.Admit != nil {
		x.refusal = x.stuck[i].Error
	}
	for i, key := range x.set.PodKeys() {
		template := templateAt(x, i)
		if x.pod(key) == nil && template != nil && !slices.Contains(x.refused, template) {
			x.refused = append(x.refused, template)
		}
	}
	if set := x.end.Set(s.Key); set != nil {
		x.serving = set.Serving()
		silent := silentNodes(s.Events)
		for pod := range set.Pods.All {
			if !pod.Serving() {
				x.add(pod, silent)
			}
		}
		x.obstruct(silent)
	}
	return x
}

func (x *situation) add(pod *timeline.Pod, silent map[string]bool) {
	key := model.Key{Namespace: x.given.Key.Namespace, Name: pod.Name}
	if pod.Terminating {
		x.stops(key, pod.Node, silent)
		return
	}
	x.down = append(x.down, key)
	if silent[pod.Node] && !slices.Contains(x.nodes, pod.Node) {
		x.nodes = append(x.nodes, pod.Node)
	}
	for _, n := range x.given.State.Nodes {
		if pod.Node == "" && n.Cordoned && !n.NotReady && !slices.Contains(x.cordoned, n.Name) {
			x.cordoned = append(x.cordoned, n.Name)
		}
	}
	// The scheduler finds no node, and not because of a claim: it warns of that, or the pod has no node in a world that
	// began with a dump, where pods keep the nodes of the dump.
	warns := strings.HasPrefix(pod.Warning, symptom.FailedScheduling) && !symptom.Unplaced(pod.Warning).OfVolumes()
	if pod.Node == "" && (warns || pod.Warning == "" && x.given.Lab.World.Start != nil) {
		x.unplaced++
	}
}

// stops adds a pod that is being deleted, and is not gone.
func (x *situation) stops(key model.Key, node string, silent map[string]bool) {
	if silent[node] && !slices.Contains(x.nodes, node) {
		x.nodes = append(x.nodes, node)
	}
	var finalizers []string
	if p := x.pod(key); p != nil {
		finalizers = p.Pod.BlockingFinalizers()
	}
	if len(finalizers) > 0 {
		x.held, x.finalizers = append(x.held, key), finalizers
		return
	}
	x.going = append(x.going, key)
}

// silentNodes returns the nodes that do not answer at the end of a run and have no out-of-service taint.
func silentNodes(events []timeline.Event) map[string]bool {
	nodes := map[string]bool{}
	for i := range events {
		switch state := events[i].NodeState; {
		case state == nil:
		case !state.Up && !state.OutOfService:
			nodes[events[i].Node] = true
		default:
			delete(nodes, events[i].Node)
		}
	}
	return nodes
}

// stuckFor returns the index of the first reason with one of these codes for which the set is stuck, -1 for none.
func (x *situation) stuckFor(codes ...model.Code) int {
	return slices.IndexFunc(x.stuck, func(stuck timeline.Stuck) bool { return slices.Contains(codes, stuck.Why.Code) })
}

func (x *situation) pod(key model.Key) *sim.PodState { return x.given.State.Pod(key) }

// named returns the pod of the set at an index from 0.
func (x *situation) named(index int) model.Key {
	return model.Key{Namespace: x.set.Namespace, Name: x.set.PodName(x.set.Start() + index)}
}

func (x *situation) owns(object interface{ Controller() *model.Owner }) bool {
	owner := object.Controller()
	return owner != nil && owner.UID == x.set.UID
}

// revisions returns the revisions of the set: with only one there is nothing to undo.
func (x *situation) revisions() []*model.Revision {
	return slices.DeleteFunc(slices.Clone(x.given.State.Revisions), func(r *model.Revision) bool { return !x.owns(r) })
}

// fromDump says whether the set is stuck in the state of a dump itself, and not after something was played.
func (x *situation) fromDump() bool {
	return x.given.Lab.World.Start != nil && len(x.given.Before) == 0
}

// drained returns the wait of a drain for a pod of the set that it cannot evict, nil if there is none.
func (x *situation) drained() *timeline.Stuck {
	if at := x.stuckFor(model.DrainBlocked); at >= 0 {
		return &x.stuck[at]
	}
	return nil
}

// freed returns the laboratory in which these pods do not fail: what they lack is there, what is in their way is gone.
func (x *situation) freed(pods []model.Key) *play.Lab {
	return x.without(func(r behaviour.Rule) bool {
		return slices.ContainsFunc(pods, func(key model.Key) bool {
			p := x.pod(key)
			return p != nil && r.Match.That != nil && r.Match.That(p.Pod)
		})
	})
}

// begun returns the laboratory that begins with another state.
func begun(lab *play.Lab, change func(*sim.State)) *play.Lab {
	other, start := *lab, *lab.World.Start
	change(&start)
	other.World.Start = &start
	return &other
}

// without returns the laboratory that lacks some rules for pods.
func (x *situation) without(is func(behaviour.Rule) bool) *play.Lab {
	lab := *x.given.Lab
	lab.World.Kubelet.Rules = slices.DeleteFunc(slices.Clone(lab.World.Kubelet.Rules), is)
	return &lab
}

// shown returns the dump that shows more of the set; an empty one if there is none.
func (x *situation) shown() *dump.Dump {
	return cmp.Or(x.given.Shown, &dump.Dump{State: &sim.State{}})
}

// unready returns the pods of the set that the dump shows, and that are not Ready.
func (x *situation) unready() []*dump.Pod {
	return slices.DeleteFunc(x.shown().PodsOf(x.set), func(p *dump.Pod) bool { return p.Ready })
}

// facts returns what the dump shows of a pod of the set that is not Ready; what says nothing for any other pod.
func (x *situation) facts(key model.Key) *dump.Facts {
	if p := x.shown().Pod(key); p != nil && !p.Ready && x.owns(p) {
		return x.shown().Facts[key]
	}
	return &dump.Facts{}
}
