package reasons

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// At is what a run knows, at an instant, of the pod that a set waits for. Forever says that nothing is pending then.
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

// Named is the fact and the rule of a reason, with the names of both: what is searched for.
func Named(why model.Why) string { return why.Sentence() + " (" + Names(why) + ")" }

// Names are the code of a reason and its rule, where it has one.
func Names(why model.Why) string {
	if why.Rule == model.RuleNone {
		return string(why.Code)
	}
	return string(why.Code) + ", rule " + string(why.Rule)
}
