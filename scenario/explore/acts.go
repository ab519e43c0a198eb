package explore

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// act is something that may happen, as a step of a scenario.
type act struct {
	step sim.Step
	// text is the step as a scenario writes it.
	text *yaml.Node
	// kind is the kind of the act. The number of acts of a kind in a run is limited.
	kind int
	// pod is the pod that it is about, if any; needs is the state that the pod must have.
	pod   model.Key
	needs need
}

// need is the state that a pod must have for an act to make sense.
type need uint8

const (
	nothing need = iota
	there
	alive
	serving
)

// met says whether an act makes sense in a state: nobody deletes a pod that does not exist.
func (a *act) met(world *timeline.Fold) bool {
	if a.needs == nothing {
		return true
	}
	for _, set := range world.Sets() {
		if set.Key.Namespace != a.pod.Namespace {
			continue
		}
		for _, p := range set.Pods {
			if p.Name == a.pod.Name {
				return !p.Terminating && (a.needs == there || a.needs == alive && !ended(p) || p.Serving())
			}
		}
	}
	return false
}

func ended(p *timeline.Pod) bool { return p.Phase == model.Failed || p.Phase == model.Succeeded }

// draft is an act whose step has not been read yet: the text of the step.
type draft struct {
	text  *yaml.Node
	kind  int
	pod   model.Key
	needs need
}

// blip is how long a pod is unready by default: long enough for the controller to see it, and shorter than a rollout.
const blip = "3s"

// usual returns the acts that are tried where a scenario names none: what people do, and what happens to pods. Each
// kind happens once in a run.
func usual(sets []shape) []draft {
	var drafts []draft
	kind := 0
	for _, s := range sets {
		for _, acts := range [][]draft{
			s.restarted(),
			s.changed("{undo: {statefulset: %s}, namespace: %s}"),
			s.eachPod(there, "{delete: pod/%s, namespace: %s}"),
			s.eachPod(serving, "{unready: {pod: %s, for: "+blip+"}, namespace: %s}"),
			s.eachPod(alive, "{fail: {pod: %s, reason: Evicted}, namespace: %s}"),
			s.scaled(s.replicas - 1),
			s.scaled(s.replicas + 1),
			s.changed("{delete: statefulset/%s, cascade: foreground, namespace: %s}"),
		} {
			for i := range acts {
				acts[i].kind = kind
			}
			kind++
			drafts = append(drafts, acts...)
		}
	}
	return append(drafts, draft{text: node("{restartController: {after: 1s}}"), kind: kind})
}

// node parses the text of a step; the texts are constants of this package.
func node(format string, args ...any) *yaml.Node {
	text := fmt.Sprintf(format, args...)
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		panic(fmt.Sprintf("explore: %s is no YAML: %v", text, err))
	}
	return doc.Content[0]
}

func (s *shape) restarted() []draft { return s.changed("{restart: {statefulset: %s}, namespace: %s}") }

func (s *shape) changed(format string) []draft {
	return []draft{{text: node(format, s.key.Name, s.key.Namespace)}}
}

func (s *shape) scaled(replicas int) []draft {
	if replicas < 0 {
		return nil
	}
	return []draft{{text: node("{scale: {statefulset: %s, replicas: %d}, namespace: %s}", s.key.Name, replicas,
		s.key.Namespace)}}
}

func (s *shape) eachPod(needs need, format string) []draft {
	var drafts []draft
	for _, pod := range s.pods {
		drafts = append(drafts, draft{
			text: node(format, pod, s.key.Namespace), pod: model.Key{Namespace: s.key.Namespace, Name: pod}, needs: needs,
		})
	}
	return drafts
}

// shape holds the properties of a set of the plain run.
type shape struct {
	key      model.Key
	replicas int
	pods     []string
	// claimsGo is true if a scale-down deletes claims.
	claimsGo bool
	// template is its current template; changes is true if it has had another one before.
	template int
	changes  bool
}

// shapes returns the sets that the plain run has, with the pods that it has had.
func shapes(start *sim.State, events []timeline.Event) []shape {
	var all []shape
	if start != nil {
		for _, set := range start.Sets {
			shapeOf(&all, set.Key()).see(set)
		}
		for _, pod := range start.Pods {
			owner := pod.Controller()
			if owner != nil && owner.Kind == model.KindStatefulSet {
				shapeOf(&all, model.Key{Namespace: pod.Namespace, Name: owner.Name}).has(pod.Name)
			}
		}
	}
	for i := range events {
		e := &events[i]
		switch {
		case e.Kind == timeline.KindStep:
			for _, set := range e.Step.Sets {
				shapeOf(&all, set.Key()).see(set)
			}
		case e.Kind == timeline.KindPod && e.State == timeline.Pending && !e.Bare && e.Set.Name != "":
			shapeOf(&all, e.Set).has(e.Pod)
		}
	}
	return all
}

// see updates the shape with the set as it is now.
func (s *shape) see(set *model.StatefulSet) {
	s.replicas = int(set.Spec.Replicas)
	s.claimsGo = s.claimsGo || set.Spec.Retention != nil && set.Spec.Retention.DeleteWhenScaled
	if set.Spec.Template != nil {
		s.changes = s.changes || s.template != 0 && s.template != set.Spec.Template.ID
		s.template = set.Spec.Template.ID
	}
}

// has adds a pod of the set.
func (s *shape) has(pod string) {
	if !slices.Contains(s.pods, pod) {
		s.pods = append(s.pods, pod)
	}
}

func shapeOf(all *[]shape, key model.Key) *shape {
	at := slices.IndexFunc(*all, func(s shape) bool { return s.key == key })
	if at < 0 {
		at = len(*all)
		*all = append(*all, shape{key: key})
	}
	return &(*all)[at]
}
