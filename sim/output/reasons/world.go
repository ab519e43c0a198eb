package reasons

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// At returns what a run knows, at an instant, about the pod that a set waits for. A pod that does not exist gives a
// World without a node. Finalizers are not in a timeline.
func At(fold *timeline.Fold, set model.Key, pod string, forever bool) World {
	world := World{Namespace: set.Namespace, Forever: forever}
	p := fold.Pod(set, pod)
	if p == nil {
		return world
	}
	world.Node, world.Terminating, world.Shown = p.Node, p.Terminating, p.Shown
	if node := fold.Node(p.Node); node != nil {
		world.Down, world.OutOfService = !node.Up, node.OutOfService
	}
	return world
}

// Named returns the fact and the rule of a reason in words, with the names of both in brackets, so that they can be
// searched for in the documentation.
func Named(why model.Why) string { return why.Sentence() + " (" + Names(why) + ")" }

// Names returns the code of a reason, and its rule if it has one.
func Names(why model.Why) string {
	if why.Rule == model.RuleNone {
		return string(why.Code)
	}
	return string(why.Code) + ", rule " + string(why.Rule)
}
