package heal

import (
	"encoding/json"
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

// situation is a set at the point where it is stuck, and all that the attempts are made from. It is made once, and does
// not change.
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
	for i := range int(x.set.Spec.Replicas) {
		template := templateAt(x, i)
		if x.pod(x.named(i)) == nil && template != nil && !slices.Contains(x.refused, template) {
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

// stuckFor returns the index of the first reason with one of these codes for which the set is stuck, -1 if there is
// none.
func (x *situation) stuckFor(codes ...model.Code) int {
	return slices.IndexFunc(x.stuck, func(stuck timeline.Stuck) bool { return slices.Contains(codes, stuck.Why.Code) })
}

func (x *situation) pod(key model.Key) *sim.PodState { return x.given.State.Pod(key) }

// named returns the pod of the set at an index from 0.
func (x *situation) named(index int) model.Key {
	return model.Key{Namespace: x.set.Namespace, Name: x.set.PodName(x.set.Start() + index)}
}

func (x *situation) owns(p *sim.PodState) bool {
	owner := p.Controller()
	return owner != nil && owner.UID == x.set.UID
}

// revisions counts the revisions of the set: with only one there is nothing to undo.
func (x *situation) revisions() int {
	n := 0
	for _, revision := range x.given.State.Revisions {
		if owner := revision.Controller(); owner != nil && owner.UID == x.set.UID {
			n++
		}
	}
	return n
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

// podSpec is what heal reads of the spec of a pod template.
type podSpec struct {
	ServiceAccountName, PriorityClassName, RuntimeClassName string

	ReadinessGates []struct{ ConditionType string }
	Containers     []struct{ Ports []struct{ HostPort int } }
}

// specOf decodes the spec of a template; it is empty if there is none, or if it is no spec.
func specOf(template *model.Template) podSpec {
	var parts struct{ Spec podSpec }
	if template == nil || json.Unmarshal([]byte(template.Data), &parts) != nil {
		return podSpec{}
	}
	return parts.Spec
}

// freed returns the laboratory in which no failure that the dump shows of these pods lasts: what they lack is there, or
// what is in their way is gone.
func (x *situation) freed(pods []model.Key) *play.Lab {
	lab := *x.given.Lab
	lab.World.Kubelet.Rules = slices.DeleteFunc(slices.Clone(lab.World.Kubelet.Rules), func(r behaviour.Rule) bool {
		return slices.ContainsFunc(pods, func(key model.Key) bool {
			p := x.pod(key)
			return p != nil && r.Match.That != nil && r.Match.That(p.Pod)
		})
	})
	return &lab
}

// AroundOf returns what a dump shows near a set that is stuck on a pod, and that is no object of its worlds.
func AroundOf(d *dump.Dump, set *model.StatefulSet, pod string) Around {
	key, waited := set.Key(), model.Key{Namespace: set.Namespace, Name: pod}
	around := Around{Services: d.State.Services, Scalers: d.Sets[key].Scalers, Unplaced: map[model.Key]string{},
		Working: map[model.Key]string{}, Unready: map[model.Key]Unready{},
		Quotas: d.RoomInQuotas(set), Tool: d.Sets[key].Tool, Historyless: d.Sets[key].Historyless}
	if p := d.Pod(waited); p != nil {
		around.Elsewhere = d.Attached(waited)
		image := d.Facts[waited].NoImage()
		around.Platform = image != nil && image.OfNode
		around.Untemplated = d.Full(waited) || d.Ungrown(p) || d.Unmounted(p) || d.Unbegun(p) ||
			d.Outside(p) ||
			d.Facts[waited].Imposed()
	}
	for _, pod := range d.PodsOf(set) {
		f := d.Facts[pod.Key()]
		if f == nil || pod.Ready {
			continue
		}
		if f.Over {
			around.Over = append(around.Over, pod.Key())
		}
		if kind, name := f.Lacks(); name != "" {
			around.Missing = append(around.Missing, Missing{Pod: pod.Key(), Kind: kind, Name: name})
		}
		if key, of := d.LacksKey(pod); key != "" {
			kind, name, _ := strings.Cut(of, " ")
			around.Missing = append(around.Missing, Missing{Pod: pod.Key(), Kind: kind, Name: name, Key: key})
		}
		if claim, owned := d.Unfound(pod); claim != "" && !owned {
			around.Missing = append(around.Missing, Missing{Pod: pod.Key(), Kind: "PersistentVolumeClaim", Name: claim})
			around.Untemplated = true
		}
		if f.Init != "" && !f.Sidecar {
			around.Working[pod.Key()] = f.Init
		}
		unready := Unready{Probe: f.Waiting == "" && symptom.ProbeFails(f.Event), Stopped: f.Stopped != "",
			Unresolved: symptom.Unresolved(f.Event) && strings.Contains(f.Event, pod.Name+"."+set.Spec.ServiceName)}
		if len(f.Unready) > 0 {
			unready.Container = f.Unready[0]
		}
		around.Unready[pod.Key()] = unready
		for _, claim := range d.ClaimsOf(pod.Pod) {
			if volume := d.Claims[claim.Key()].Released; volume != "" && d.Waits(claim) {
				around.Released = append(around.Released, Released{Claim: claim.Key(), Volume: volume})
			}
		}
		if f.Unschedulable != "" {
			around.Unplaced[pod.Key()] = f.Unschedulable
		}
		if d.Attached(pod.Key()) {
			around.Attached = append(around.Attached, pod.Key())
			for _, h := range d.Holders(pod) {
				if h.Scaled() {
					around.Holders = append(around.Holders, h)
				}
			}
			for _, a := range d.AttachedElsewhere(pod) {
				if d.Stranded(&a) && !a.Going {
					around.Stranded = append(around.Stranded, a)
				}
			}
		}
	}
	return around
}
