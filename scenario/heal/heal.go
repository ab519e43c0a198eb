// Package heal finds the way out for a StatefulSet that is stuck: the commands that people use, each tried by playing
// it.
package heal

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Cure is a way out that was played and that healed.
type Cure struct {
	// Commands are the kubectl commands, in their order; each waits for the world to settle.
	Commands []string
	// Danger is what must be true before the commands are used, lest something is lost; "" is nothing.
	Danger string
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
	// text is "" where the command is a part of the one before.
	text string
	// does says what it does, "" is the text.
	does string
	verb string
	// danger is what must be true before it is used, "" is nothing.
	danger string
	act    func(*sim.User) sim.Outcome
}

// Find looks for the shortest way out for a set that is not whole at the end of a run, or whose deletion does not come
// to its end: then for one that ends it. It returns nil where none of those that are known heals, and what was tried. A
// run that ended otherwise than settled or stuck cannot go on, and has none.
func Find(events []timeline.Event, key model.Key, play Play) (found *Cure, tried []string) {
	verdict := events[len(events)-1].Result.Verdict
	if verdict != timeline.Settled && verdict != timeline.IsStuck {
		return nil, nil
	}
	done, list, healed := steps(events), ways(End(events), key, lost(events)), Whole
	if goes(events, key) {
		list, healed = waysToGo(End(events), key), gone
	}
	for _, way := range list {
		run := play(asSteps(way.commands, done))
		if healed(run, key) {
			return cure(way.commands, run, done), nil
		}
		tried = append(tried, way.what)
	}
	return nil, tried
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
		if step := events[i].Step; step != nil && step.Number > 0 {
			n++
		}
	}
	return n
}

// way is a way out: its commands, and what they do, in words.
type way struct {
	what     string
	commands []command
}

// trouble are the commands for each pod that is not as it should be.
type trouble struct {
	// remove deletes the pods that do not serve, force those that do not go; taint vouches for their nodes being dead.
	remove, force, taint []command
}

func troubleOf(set *timeline.Set, lost map[string]bool) *trouble {
	t := &trouble{}
	for _, pod := range set.Pods {
		name := model.Key{Namespace: set.Key.Namespace, Name: pod.Name}
		if (pod.Terminating || !pod.Serving()) && lost[pod.Node] {
			t.taint = append(t.taint, outOfService(pod.Node))
			delete(lost, pod.Node)
		}
		switch {
		case pod.Terminating:
			t.force = append(t.force, deletion(name, true))
		case !pod.Serving():
			t.remove = append(t.remove, deletion(name, false))
		}
	}
	return t
}

// ways lists what may heal a set, the mildest first.
func ways(end *timeline.Fold, key model.Key, lost map[string]bool) []way {
	set := end.Set(key)
	if set == nil {
		return nil
	}
	t := troubleOf(set, lost)
	list := slices.Concat(waysOfWaking(end, key), waysOfClaims(end, key, t.remove))
	one, all := namesTaken(end, key)
	list = append(list,
		way{"deleting the pods that the controller takes for gone", takenForGone(end, key)},
		way{"deleting the pod of another that has the name of its own", one},
		way{"deleting the pods that may have the names of its own", all},
		way{"deleting the pods that cannot be changed", unfit(end, key)},
		way{"deleting the pods that are not Ready", t.remove},
	)
	if len(set.History()) > 1 {
		list = append(list, way{"undoing the rollout", []command{undo(key)}})
		if len(t.remove) > 0 {
			list = append(list, way{"both", append([]command{undo(key)}, t.remove...)})
		}
	}
	if set.Spec.Spec.PodManagement == model.OrderedReady && len(t.remove) > 0 {
		list = append(list, way{"recreating the StatefulSet with Parallel", anewInParallel(key)})
	}
	list = append(list,
		way{"vouching for the node being dead", t.taint},
		way{"deleting the pods by force", t.force},
	)
	if len(t.force) > 0 && len(set.History()) > 1 {
		list = append(list, way{"that and undoing the rollout", append([]command{undo(key)}, t.force...)})
	}
	if len(t.force) > 0 && len(t.remove) > 0 {
		list = append(list, way{"deleting all pods that do not serve, by force where they do not go",
			slices.Concat(t.force, t.remove)})
	}
	return slices.DeleteFunc(list, func(w way) bool { return len(w.commands) == 0 })
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
	danger := reasons.OutOfServiceDanger(node)
	return command{text: text, verb: "outOfService", danger: danger, act: func(u *sim.User) sim.Outcome {
		if !u.OutOfService(node, true) {
			return sim.Outcome{Effect: timeline.None}
		}
		return sim.Outcome{Effect: timeline.Done}
	}}
}

func deletion(pod model.Key, force bool) command {
	text, danger := fmt.Sprintf("kubectl -n %s delete pod %s", pod.Namespace, pod.Name), ""
	if force {
		text, danger = text+" --force --grace-period=0", reasons.ForceDanger(pod.Name)
	}
	return command{text: text, verb: "delete", danger: danger, act: func(u *sim.User) sim.Outcome {
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

// SlowCalls is machinery with calls that take some time. A livelock that would go on for ever in one instant then goes
// on through time, as a real one does, and steps can come in the midst of it.
func SlowCalls() sim.Machinery {
	const call = 10 * time.Millisecond
	return sim.Machinery{Write: behaviour.Constant(call), Watch: behaviour.Constant(call)}
}

// BlockEnds says whether BlockCommand ends a livelock that has gone on for some time. Slow plays the run with SlowCalls
// and with steps added behind its own.
func BlockEnds(key model.Key, slow Play) bool {
	const rounds = 3
	command := BlockCommand(key)
	events := slow([]sim.Step{{
		Verb: "patch", Does: command, When: sim.When{Trigger: sim.After, D: 5 * time.Minute},
		Act: func(u *sim.User) sim.Outcome { return WriteBlock(u, key) },
	}})
	deleted := map[string]int{}
	for i := range events {
		e := &events[i]
		if e.Step != nil && e.Step.Does == command {
			break
		}
		if e.Kind == timeline.KindPod && e.Set == key && e.State == timeline.Terminating {
			deleted[e.Pod]++
		}
	}
	for _, pod := range slices.Sorted(maps.Keys(deleted)) {
		if deleted[pod] >= rounds {
			return Whole(events, key)
		}
	}
	return false
}

// LacksBlock says whether a set is one that BlockCommand is for.
func LacksBlock(set *model.StatefulSet) bool {
	return set.Spec.Strategy.Type == model.RollingUpdateStrategy && set.Spec.Strategy.RollingUpdate == nil
}

func asSteps(way []command, done int) []sim.Step {
	var list []sim.Step
	for i, c := range way {
		list = append(list, sim.Step{Number: done + i + 1, Verb: c.verb, Does: cmp.Or(c.does, c.text), Act: c.act})
	}
	return list
}

func cure(way []command, run []timeline.Event, done int) *Cure {
	c := &Cure{Events: run}
	for _, command := range way {
		if command.text != "" {
			c.Commands = append(c.Commands, command.text)
		}
		c.Reverts = c.Reverts || command.verb == "undo"
		if command.danger != "" && !strings.Contains(c.Danger, command.danger) {
			c.Danger = strings.TrimPrefix(c.Danger+"; "+command.danger, "; ")
		}
	}
	for i := range run {
		if step := run[i].Step; step != nil && step.Number == done+1 {
			c.Takes = run[len(run)-1].T.Sub(run[i].T)
		}
	}
	return c
}
