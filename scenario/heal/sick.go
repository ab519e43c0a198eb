package heal

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// sick are the pods of a set that do not serve at the end of a run, grouped by what can be done about them.
type sick struct {
	// down are pods that are not being deleted, sorted by ordinal. going are terminating pods without finalizers, held
	// are terminating pods with finalizers.
	down, going, held []model.Key
	// unplaced is the number of those that are down because the scheduler finds no node.
	unplaced int
	// nodes are the nodes of these pods that do not answer. cordoned are all cordoned nodes, if a pod waits for a node.
	nodes, cordoned []string
	// finalizers are those of the last pod of held.
	finalizers []string
}

// unplaced says whether the scheduler finds no node for a pod, and not because of a claim: it warns of that, or the
// pod has no node in a world that began with a dump, where pods keep the nodes of the dump.
func (s *Stuck) unplaced(pod *timeline.Pod) bool {
	warns := strings.HasPrefix(pod.Warning, "FailedScheduling") &&
		!strings.Contains(strings.ToLower(pod.Warning), "persistentvolumeclaim")
	return pod.Node == "" && (warns || pod.Warning == "" && s.Lab.World.Start != nil)
}

// sick groups the pods of the set that do not serve at the end of the run.
func (s *Stuck) sick() *sick {
	found := &sick{}
	end := End(s.Events).Set(s.Key)
	if end == nil {
		return found
	}
	silent := lost(s.Events)
	for pod := range end.Pods.All {
		key := model.Key{Namespace: s.Key.Namespace, Name: pod.Name}
		if pod.Serving() {
			continue
		}
		if silent[pod.Node] && !slices.Contains(found.nodes, pod.Node) {
			found.nodes = append(found.nodes, pod.Node)
		}
		switch finalizers := s.finalizers(key); {
		case !pod.Terminating:
			found.down = append(found.down, key)
			if pod.Node == "" {
				found.cordoned = s.cordoned()
			}
			if s.unplaced(pod) {
				found.unplaced++
			}
		case len(finalizers) > 0:
			found.held, found.finalizers = append(found.held, key), finalizers
		default:
			found.going = append(found.going, key)
		}
	}
	return found
}

// lost returns which nodes do not answer at the end of a run and have no out-of-service taint: true for these. A node
// of which no event tells is not in it.
func lost(events []timeline.Event) map[string]bool {
	nodes := map[string]bool{}
	for i := range events {
		if state := events[i].NodeState; state != nil {
			nodes[events[i].Node] = !state.Up && !state.OutOfService
		}
	}
	return nodes
}

// finalizers returns the finalizers of a pod, without those of the garbage collector.
func (s *Stuck) finalizers(key model.Key) []string {
	for i := range s.State.Pods {
		if p := &s.State.Pods[i]; p.Key() == key {
			return Finalizers(p.Pod)
		}
	}
	return nil
}

// Finalizers returns the finalizers of a pod that only their owners remove. The garbage collector removes its own, so
// it is left out.
func Finalizers(p *model.Pod) []string {
	return slices.DeleteFunc(slices.Clone(p.Finalizers), func(f string) bool { return f == "foregroundDeletion" })
}

// FinalizersOf returns the finalizers of a set without those that say what becomes of its pods when it is deleted. Only
// their owners remove them, and until then a deleted set stays.
func FinalizersOf(set *model.StatefulSet) []string {
	return slices.DeleteFunc(slices.Clone(set.Finalizers), func(f string) bool {
		return f == "foregroundDeletion" || f == "orphan"
	})
}

// cordoned returns the names of the nodes that are cordoned and Ready.
func (s *Stuck) cordoned() []string {
	var names []string
	for i := range s.State.Nodes {
		if n := &s.State.Nodes[i]; n.Cordoned && !n.NotReady {
			names = append(names, n.Name)
		}
	}
	return names
}
