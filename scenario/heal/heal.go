// Package heal finds the way out for a StatefulSet that is stuck: the commands that people use, each tried by playing
// it.
package heal

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Cure is a way out that was played and that healed.
type Cure struct {
	// Commands are the kubectl commands, in their order; each waits for the world to settle.
	Commands []string
	// Reverts says that the template is reverted, so that whoever keeps it in Git has to revert it there.
	Reverts bool
	// Takes is the time from the first command until the set is whole again.
	Takes time.Duration
	// Events is the run with the commands as its last steps.
	Events []timeline.Event
}

// Play plays a run with steps added behind its own.
type Play func(more []sim.Step) []timeline.Event

// command is one kubectl command and what it does.
type command struct {
	text string
	verb string
	act  func(*sim.User) sim.Outcome
}

// Find looks for the shortest way out for a set that is not whole at the end of a run, or whose deletion does not come
// to its end: then for one that ends it. It returns nil where none of those that are known heals. A run that ended
// otherwise than settled or stuck cannot go on, and has none.
func Find(events []timeline.Event, key model.Key, play Play) *Cure {
	verdict := events[len(events)-1].Result.Verdict
	if verdict != timeline.Settled && verdict != timeline.IsStuck {
		return nil
	}
	done, tried, healed := steps(events), ways(End(events), key, lost(events)), Whole
	if goes(events, key) {
		tried, healed = waysToGo(End(events), key), gone
	}
	for _, way := range tried {
		run := play(asSteps(way, done))
		if healed(run, key) {
			return cure(way, run, done)
		}
	}
	return nil
}

// Whole says whether a set is as its spec wants it at the end of a run: it waits for nothing, and all its replicas
// serve.
func Whole(events []timeline.Event, key model.Key) bool {
	result := events[len(events)-1].Result
	if result.Verdict != timeline.Settled && result.Verdict != timeline.IsStuck {
		return false
	}
	for _, stuck := range result.Stuck {
		if stuck.Set == key {
			return false
		}
	}
	set := End(events).Set(key)
	return set != nil && set.Serving() == int(set.Spec.Spec.Replicas) && len(set.Pods) == set.Serving()
}

// End is the world at the end of a run.
func End(events []timeline.Event) *timeline.Fold {
	var fold timeline.Fold
	for i := range events {
		fold.Apply(&events[i])
	}
	return &fold
}

func steps(events []timeline.Event) int {
	n := 0
	for i := range events {
		if events[i].Step != nil {
			n++
		}
	}
	return n
}

// ways lists what may heal a set, the mildest first.
func ways(end *timeline.Fold, key model.Key, lost map[string]bool) [][]command {
	set := end.Set(key)
	if set == nil {
		return nil
	}
	var remove, force, taint []command
	for _, pod := range set.Pods {
		switch {
		case pod.Terminating:
			if lost[pod.Node] {
				taint = append(taint, outOfService(pod.Node))
				delete(lost, pod.Node)
			}
			force = append(force, deletion(model.Key{Namespace: key.Namespace, Name: pod.Name}, true))
		case !pod.Serving():
			remove = append(remove, deletion(model.Key{Namespace: key.Namespace, Name: pod.Name}, false))
		}
	}
	list := slices.Concat(waysOfWaking(end, key), waysOfClaims(end, key, remove))
	if len(remove) > 0 {
		list = append(list, remove)
	}
	list = append(list, []command{undo(key)})
	if len(remove) > 0 {
		list = append(list, append([]command{undo(key)}, remove...))
	}
	if len(taint) > 0 {
		list = append(list, taint)
	}
	if len(force) > 0 {
		list = append(list, force, append([]command{undo(key)}, force...))
	}
	return list
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

// outOfService vouches for a node that does not answer being dead. Nothing but a look at the machine can know that.
func outOfService(node string) command {
	text := fmt.Sprintf("kubectl taint nodes %s node.kubernetes.io/out-of-service=nodeshutdown:NoExecute", node)
	return command{text: text, verb: "outOfService", act: func(u *sim.User) sim.Outcome {
		if !u.OutOfService(node, true) {
			return sim.Outcome{Effect: timeline.None}
		}
		return sim.Outcome{Effect: timeline.Done}
	}}
}

func deletion(pod model.Key, force bool) command {
	text := fmt.Sprintf("kubectl -n %s delete pod %s", pod.Namespace, pod.Name)
	if force {
		text += " --force --grace-period=0"
	}
	return command{text: text, verb: "delete", act: func(u *sim.User) sim.Outcome {
		if u.Pod(pod) == nil {
			return sim.Outcome{Effect: timeline.None}
		}
		if err := u.DeletePod(pod, force); err != nil {
			return sim.Outcome{Effect: timeline.Refused, Err: err}
		}
		return sim.Outcome{Effect: timeline.Deleted}
	}}
}

// undo goes back to the revision before, as kubectl rollout undo does.
func undo(key model.Key) command {
	text := fmt.Sprintf("kubectl -n %s rollout undo statefulset/%s", key.Namespace, key.Name)
	return command{text: text, verb: "undo", act: func(u *sim.User) sim.Outcome {
		history := u.Revisions(key)
		if len(history) < 2 {
			err := &model.APIError{Reason: model.Invalid, Message: "no last revision to roll back to"}
			return sim.Outcome{Effect: timeline.Refused, Err: err}
		}
		wanted := *u.Set(key)
		wanted.Spec.Template = history[len(history)-2].Template
		stored, err := u.Update(&wanted)
		if err != nil {
			return sim.Outcome{Effect: timeline.Refused, Err: err}
		}
		return sim.Outcome{Effect: timeline.Configured, Sets: []*model.StatefulSet{stored}}
	}}
}

// BlockCommand is the command that writes out the rollingUpdate block of a set that has none. From 1.37 a Parallel set
// without it may create and delete one pod for ever.
func BlockCommand(key model.Key) string {
	return fmt.Sprintf(`kubectl -n %s patch statefulset %s --type merge `+
		`-p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}'`, key.Namespace, key.Name)
}

// WriteBlock does what BlockCommand says.
func WriteBlock(u *sim.User, key model.Key) sim.Outcome {
	wanted := *u.Set(key)
	wanted.Spec.Strategy.RollingUpdate = &model.RollingUpdate{}
	stored, err := u.Update(&wanted)
	if err != nil {
		return sim.Outcome{Effect: timeline.Refused, Err: err}
	}
	return sim.Outcome{Effect: timeline.Configured, Sets: []*model.StatefulSet{stored}}
}

// LacksBlock says whether a set is one that BlockCommand is for.
func LacksBlock(set *model.StatefulSet) bool {
	return set.Spec.Strategy.Type == model.RollingUpdateStrategy && set.Spec.Strategy.RollingUpdate == nil
}

func asSteps(way []command, done int) []sim.Step {
	var list []sim.Step
	for i, c := range way {
		list = append(list, sim.Step{Number: done + i + 1, Verb: c.verb, Does: c.text, Act: c.act})
	}
	return list
}

func cure(way []command, run []timeline.Event, done int) *Cure {
	c := &Cure{Events: run}
	for _, command := range way {
		c.Commands = append(c.Commands, command.text)
		c.Reverts = c.Reverts || command.verb == "undo"
	}
	for i := range run {
		if step := run[i].Step; step != nil && step.Number == done+1 {
			c.Takes = run[len(run)-1].T.Sub(run[i].T)
		}
	}
	return c
}
