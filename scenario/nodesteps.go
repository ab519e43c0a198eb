package scenario

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// nodeVerbs are the steps about nodes, each with its additional keys.
var nodeVerbs = map[string][]string{
	"nodeDown": {"off"}, "nodeUp": nil, "outOfService": {"remove"}, "cordon": nil, "uncordon": nil,
	"drain": {"timeout", "force"},
}

// nodeStep reads a step about nodes: a name, a glob for several, or a mapping with node. Globs are resolved here,
// since no node is created in a run.
func (s *step) nodeStep() *action {
	n, options := s.value, (*strict.Map)(nil)
	if s.value.Kind == yaml.MappingNode {
		options = s.mapping(s.value, s.verb, append([]string{"node"}, nodeVerbs[s.verb]...), nil)
		if !options.Need("node") {
			return nil
		}
		n = options.Value("node")
	}
	pattern, _ := s.r.String(n, s.verb)
	names := s.nodesNamed(n, pattern)
	if len(names) == 0 {
		return nil
	}
	what := strings.Join(names, ", ")
	switch s.verb {
	case "nodeDown":
		off := options.Bool("off")
		does := "take " + what + " down"
		if off {
			does = "switch " + what + " off"
		}
		return nodeAction(names, does, func(u *sim.User, name string) bool { return u.NodeDown(name, off) })
	case "nodeUp":
		return nodeAction(names, "bring "+what+" back", (*sim.User).NodeUp)
	case "outOfService":
		remove := options.Bool("remove")
		does := "taint " + what + " as out of service"
		if remove {
			does = "take the taint out-of-service off " + what
		}
		return nodeAction(names, does, func(u *sim.User, name string) bool { return u.OutOfService(name, !remove) })
	case "drain":
		return drainAction(names, "drain "+what, options.Duration("timeout"), options.Bool("force"))
	}
	off := s.verb == "cordon"
	return nodeAction(names, s.verb+" "+what, func(u *sim.User, name string) bool { return u.Cordon(name, off) })
}

// nodesNamed finds the nodes that match a name or a glob in n, in the cluster's order; nil after a problem.
func (s *step) nodesNamed(n *yaml.Node, pattern string) []string {
	if !s.given(n, pattern, "node-1") {
		return nil
	}
	if err := strict.Glob(pattern); err != nil {
		s.r.Problem(n, "the node is "+strict.Describe(n), err.Error())
		return nil
	}
	var names, all []string
	for _, node := range s.scenario.Cluster.Nodes {
		all = append(all, node.Name)
		if glob.Match(pattern, node.Name) {
			names = append(names, node.Name)
		}
	}
	if len(names) == 0 {
		const most = 10
		s.r.Problem(n, "there is no node "+strict.Shorten(pattern), "the nodes are "+strict.List(all[:min(len(all), most)]))
	}
	return names
}

// nodeAction returns an action on nodes, one after the other. If it changes none of them the outcome says so, with a
// warning. do returns whether it has changed the node.
func nodeAction(names []string, does string, do func(*sim.User, string) bool) *action {
	return &action{does: does, act: func(u *sim.User) sim.Outcome {
		done := false
		for _, name := range slices.Clone(names) {
			done = do(u, name) || done
		}
		if done {
			return sim.Outcome{Effect: timeline.Done}
		}
		warning := fmt.Sprintf("it did nothing: %s did not change at %ss", strings.Join(names, ", "), u.Now().Seconds())
		return sim.Outcome{Effect: timeline.None, Warning: warning}
	}}
}

// drainAction returns an action that drains nodes. If kubectl refuses to drain some of them, it drains the others, and
// fails.
func drainAction(names []string, does string, timeout time.Duration, force bool) *action {
	return &action{does: does, act: func(u *sim.User) sim.Outcome {
		var errors []string
		outcome := nodeAction(names, does, func(u *sim.User, name string) bool {
			began, err := u.Drain(name, timeout, force)
			if err != nil {
				errors = append(errors, err.Message)
			}
			return began
		}).act(u)
		if len(errors) > 0 {
			return refusal(usage(strings.Join(errors, "; ")))
		}
		return outcome
	}}
}

// deleteNode reads a deletion of Node objects. Their pods follow when the pod garbage collector has seen it.
func (s *step) deleteNode(at *yaml.Node, name string) *action {
	names := s.nodesNamed(at, name)
	if len(names) == 0 {
		return nil
	}
	return nodeAction(names, "delete the node "+strings.Join(names, ", "), (*sim.User).DeleteNode)
}

// evict reads a pod that the Eviction API is asked to delete. A PodDisruptionBudget that does not allow it makes the
// step a refusal, as 429 is for kubectl.
func (s *step) evict() *action {
	key, ok := s.podOf(s.mapping(s.value, s.verb, []string{"pod"}, nil))
	if !ok {
		return nil
	}
	return &action{does: "evict " + key.Name, act: func(u *sim.User) sim.Outcome {
		if u.Pod(key) == nil {
			return s.absent(nothing(u, key), fmt.Sprintf("pods %q not found", key.Name))
		}
		if err := u.Evict(key); err != nil {
			return refusal(err)
		}
		return sim.Outcome{Effect: timeline.Deleted, Pod: key}
	}}
}

// hang reads a pod that its kubelet forgets: it stays as it is, and its deletion never ends unless it is forced.
func (s *step) hang() *action {
	key, ok := s.podOf(s.mapping(s.value, s.verb, []string{"pod"}, nil))
	if !ok {
		return nil
	}
	return podAction(key, "let the kubelet forget "+key.Name, func(u *sim.User) bool { return u.Hang(key) })
}
