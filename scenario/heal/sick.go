package heal

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// sick are the pods of a set that do not serve at the end of a run, by what can be done about them.
type sick struct {
	// down are those that are not being deleted, going those that are. held are those of the latter that have finalizers.
	down, going, held []model.Key
	// nodes are the nodes of these pods that do not answer, cordoned all that take no pods, where a pod waits for one.
	nodes, cordoned []string
	finalizers      []string
}

func (s *Stuck) sick() *sick {
	found := &sick{}
	end := End(s.Events).Set(s.Key)
	if end == nil {
		return found
	}
	silent := lost(s.Events)
	for _, pod := range end.Pods {
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
		case len(finalizers) > 0:
			found.held, found.finalizers = append(found.held, key), finalizers
		default:
			found.going = append(found.going, key)
		}
	}
	return found
}

// lost are the nodes that do not answer at the end of a run.
func lost(events []timeline.Event) map[string]bool {
	nodes := map[string]bool{}
	for i := range events {
		if state := events[i].NodeState; state != nil {
			nodes[events[i].Node] = !state.Up && !state.OutOfService
		}
	}
	return nodes
}

// finalizers are the finalizers of a pod, without those of the garbage collector.
func (s *Stuck) finalizers(key model.Key) []string {
	for i := range s.State.Pods {
		if p := &s.State.Pods[i]; p.Key() == key {
			return Finalizers(p.Pod)
		}
	}
	return nil
}

// Finalizers are the finalizers of a pod that only their owners remove: the garbage collector removes its own.
func Finalizers(p *model.Pod) []string {
	return slices.DeleteFunc(slices.Clone(p.Finalizers), func(f string) bool { return f == "foregroundDeletion" })
}

func (s *Stuck) cordoned() []string {
	var names []string
	for i := range s.State.Nodes {
		if n := &s.State.Nodes[i]; n.Cordoned && !n.NotReady {
			names = append(names, n.Name)
		}
	}
	return names
}
