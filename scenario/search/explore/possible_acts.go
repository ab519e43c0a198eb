package explore

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// act is a step that may happen although the plain run has no such step. Acts are read once, by Source.read, and are
// shared by all runs, so nothing changes them afterwards.
type act struct {
	// step is the step as the simulator plays it. Its Number is that of no run: course.do sets it on a copy.
	step sim.Step
	// text is the step as a scenario writes it.
	text *yaml.Node
	// kind is an index into Explorer.times, which limits how often acts of the kind happen in a run. The deletions of all
	// pods are one kind: one of them happens, not one for each pod.
	kind int
	// pod is the pod that it is about; the zero value if it is about none, and then needs is nothing. needs is the state
	// that the pod must have for the act to make sense.
	pod   model.Key
	needs need
}

// need is the state that a pod must have for an act to make sense.
type need uint8

const (
	// nothing: the act is always possible.
	nothing need = iota
	// there: the pod exists and is not being deleted.
	there
	// alive: besides, it has not ended: its phase is neither Failed nor Succeeded.
	alive
	// serving: besides, it is Ready, so that it can become unready.
	serving
)

// met says whether an act makes sense in a state: nobody deletes a pod that does not exist. Acts that are not met are
// left out of the list from which the search chooses, so the list is shorter in some states than in others, and the
// number of an act in it means nothing outside its state. A pod without a StatefulSet never meets a need: the fold has
// it under no set.
func (a *act) met(world *timeline.Fold) bool {
	if a.needs == nothing {
		return true
	}
	for _, set := range world.Sets() {
		if set.Key.Namespace != a.pod.Namespace {
			continue
		}
		for p := range set.Pods.All {
			if p.Name == a.pod.Name {
				return !p.Terminating && (a.needs == there || a.needs == alive && !ended(p) || p.Serving())
			}
		}
	}
	return false
}

// ended says whether no container of the pod runs any more, or ever will again.
func ended(p *timeline.Pod) bool { return p.Phase == model.Failed || p.Phase == model.Succeeded }

// draft is an act whose step has not been read yet. The steps of all drafts are read together with the scenario, as
// its last steps, because a step may refer to what earlier steps have created.
type draft struct {
	text *yaml.Node
	// kind, pod and needs are those of the act that it becomes.
	kind  int
	pod   model.Key
	needs need
}

// blip is how long a pod is unready by default: long enough for the controller to see it, and shorter than a rollout.
// A duration as a scenario writes it.
const blip = "3s"

// usual returns the acts that are tried where a scenario names none: what people do, and what happens to pods. Each
// kind happens once in a run, for each set. Kinds are numbered from 0 in the order of the list, without a gap, even if
// a kind has no act: Explorer.drafts shifts them behind those of the block.
//
// The order is part of what a token means, because the search answers with the place of an act in the list of those
// that are possible. Explorer.Digest covers the acts in their order, so that a token of another order is refused.
func usual(sets []shape) []draft {
	var drafts []draft
	kind := 0
	for _, s := range sets {
		for _, acts := range [][]draft{
			s.restarted(),
			s.changed("{undo: {statefulset: NAME}, namespace: NAMESPACE}"),
			s.eachPod(there, "{delete: pod/NAME, namespace: NAMESPACE}"),
			s.eachPod(serving, "{unready: {pod: NAME, for: "+blip+"}, namespace: NAMESPACE}"),
			s.eachPod(alive, "{fail: {pod: NAME, reason: Evicted}, namespace: NAMESPACE}"),
			s.scaled(s.replicas - 1),
			s.scaled(s.replicas + 1),
			s.changed("{delete: statefulset/NAME, cascade: foreground, namespace: NAMESPACE}"),
		} {
			for i := range acts {
				acts[i].kind = kind
			}
			kind++
			drafts = append(drafts, acts...)
		}
	}
	return append(drafts, draft{text: node("{restartController: {after: 1s}}", model.Key{}), kind: kind})
}

// node parses the text of a step, a constant of this package, and puts the names in the places of NAME and NAMESPACE. A
// name is text, whatever YAML would read it as.
func node(text string, names model.Key) *yaml.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		panic(fmt.Sprintf("explore: %s is no YAML: %v", text, err))
	}
	fill(doc.Content[0], strings.NewReplacer("NAMESPACE", names.Namespace, "NAME", names.Name))
	return doc.Content[0]
}

// fill replaces words in all values of a tree.
func fill(n *yaml.Node, words *strings.Replacer) {
	n.Value = words.Replace(n.Value)
	for _, child := range n.Content {
		fill(child, words)
	}
}

// restarted returns the draft of a restart of the set.
func (s *shape) restarted() []draft {
	return s.changed("{restart: {statefulset: NAME}, namespace: NAMESPACE}")
}

// changed returns the draft of a step that is about the whole set.
func (s *shape) changed(text string) []draft { return []draft{{text: node(text, s.key)}} }

// scaled returns the draft of a scale to a number of replicas; none if it is negative, which the API server refuses.
func (s *shape) scaled(replicas int) []draft {
	if replicas < 0 {
		return nil
	}
	return s.changed(fmt.Sprintf("{scale: {statefulset: NAME, replicas: %d}, namespace: NAMESPACE}", replicas))
}

// eachPod returns the drafts of a step for each pod that the set has in the plain run. Pods that only other runs have
// are not tried.
func (s *shape) eachPod(needs need, text string) []draft {
	var drafts []draft
	for _, name := range s.pods {
		pod := model.Key{Namespace: s.key.Namespace, Name: name}
		drafts = append(drafts, draft{text: node(text, pod), pod: pod, needs: needs})
	}
	return drafts
}

// shape holds what the usual acts have to know of a set of the plain run.
type shape struct {
	key model.Key
	// replicas is spec.replicas after the last step of the plain run; pods are the names of all pods that it has ever
	// had, in the order in which they first appeared.
	replicas int
	pods     []string
	// claimsGo is true if a scale-down deletes claims.
	claimsGo bool
	// template is the ID of its last template, 0 before it has had one. changes is true if it has had another one before:
	// then the scenario has a rollout of its own, and Explorer.widen adds none.
	template int
	changes  bool
}

// shapes returns the sets of the plain run, in the order in which they first appear, with the pods that they have had:
// those of the start state, if the scenario has one, and those that its events create. Bare pods belong to no set.
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

// see updates the shape with the set as it is after a step. claimsGo stays true once it was: a policy that is taken
// back later has been in force.
func (s *shape) see(set *model.StatefulSet) {
	s.replicas = int(set.Spec.Replicas)
	s.claimsGo = s.claimsGo || set.Spec.Retention != nil && set.Spec.Retention.DeleteWhenScaled
	if set.Spec.Template != nil {
		s.changes = s.changes || s.template != 0 && s.template != set.Spec.Template.ID
		s.template = set.Spec.Template.ID
	}
}

// has adds a pod of the set; a pod that is recreated under its name is there once.
func (s *shape) has(pod string) {
	if !slices.Contains(s.pods, pod) {
		s.pods = append(s.pods, pod)
	}
}

// shapeOf returns the shape of a set, which it adds to the list if it is new. The pointer is valid until the next
// call: the list may move.
func shapeOf(all *[]shape, key model.Key) *shape {
	at := slices.IndexFunc(*all, func(s shape) bool { return s.key == key })
	if at < 0 {
		at = len(*all)
		*all = append(*all, shape{key: key})
	}
	return &(*all)[at]
}
