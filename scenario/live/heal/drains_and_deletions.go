package heal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// letDrain returns the attempts that move a pod off its node although its budget allows no eviction.
func letDrain(x *situation) []attempt {
	set := x.set
	pod := model.Key{Namespace: set.Namespace, Name: x.drained().Why.Object}
	list := []attempt{{what: "adding a replica", script: play.Script{play.Scale(set.Key(), set.Spec.Replicas+1)},
		later: "Set the replicas in Git too, or the next apply undoes it"}}
	budgets := slices.DeleteFunc(slices.Clone(x.given.State.Budgets), func(b *model.Budget) bool {
		return !slices.ContainsFunc(x.given.State.Pods, func(p sim.PodState) bool {
			return p.Key() == pod && b.Covers(p.Namespace, p.Labels)
		})
	})
	var names []string
	for _, b := range budgets {
		names = append(names, b.Name)
		list = append(list, attempt{what: "letting the budget " + b.Name + " allow one disruption",
			script: play.Script{play.Loosen(b)}, later: "Change the budget in Git too, or the next apply undoes it"})
	}
	list = append(list, keepOne(x, budgets, pod)...)
	return append(list, attempt{what: "deleting " + pod.Name + " instead of evicting it",
		script: deletePods([]model.Key{pod}, false), danger: reasons.BudgetDanger(pod.Name, names)})
}

// keepOne returns the attempts that leave one of several budgets of a pod: the Eviction API refuses every eviction of
// a pod that has more than one, and a drain ends with this error. The one that is kept may have to allow a disruption
// too.
func keepOne(x *situation, budgets []*model.Budget, pod model.Key) []attempt {
	if len(budgets) < 2 {
		return nil
	}
	node, danger, bare := x.pod(pod).Node, "", []string(nil)
	for _, p := range x.given.State.Pods {
		if p.Node == node && p.Controller() == nil && !p.Finished() {
			bare = append(bare, p.Namespace+"/"+p.Name)
		}
	}
	if len(bare) > 0 {
		danger = reasons.BareDanger(bare)
	}
	// kubectl drains a node with pods without a controller only with --force, which deletes them.
	again := play.Drain(node, len(bare) > 0)
	var list []attempt
	for _, kept := range budgets {
		var names []string
		var script play.Script
		for _, b := range budgets {
			if b != kept {
				names, script = append(names, b.Name), append(script, play.DeleteBudget(b.Key()))
			}
		}
		what := fmt.Sprintf("deleting the budget %s, so that only %s selects %s", strings.Join(names, ", "), kept.Name,
			pod.Name)
		plain := what + ", and draining again"
		list = append(list, attempt{what: plain, script: script.Then(play.Recount(kept.Key()), again), danger: danger,
			later: "Delete it in Git too, or the next apply brings it back"},
			attempt{what: what + ", letting that one allow one disruption, and draining again", beyond: plain,
				script: script.Then(play.Loosen(kept), again), danger: danger,
				later: "Change the budgets in Git too, or the next apply undoes it"})
	}
	return list
}

// endDeletion returns the attempts that finish the deletion of a set, and create it again if it is to be.
func endDeletion(x *situation) []attempt {
	set, all := x.set, slices.Concat(x.going, x.held, x.down)
	list := append([]attempt{
		{what: "deleting " + names(x.going) + " once more", script: deletePods(x.going, false)},
		{what: "deleting " + names(all) + " by force", script: deletePods(all, true),
			danger: reasons.ForceDanger(play.NamesOf(all)...)},
		{what: "deleting the StatefulSet in the background", script: play.Script{play.DeleteSet(set.Key(), sim.Background)},
			needs: "its pods may keep terminating without it"},
	}, releaseHeld(x)...)
	if own := set.BlockingFinalizers(); len(own) > 0 {
		list = []attempt{{what: "removing the finalizers of " + set.Name, script: play.Script{play.FreeSet(set)},
			danger: reasons.FinalizerDanger(set.Name, own)}}
	}
	for i := range list {
		if a := &list[i]; len(a.script) > 0 && len(x.given.Again) > 0 {
			a.what, a.script = a.what+", and applying again", a.script.Then(x.given.Again...)
		}
	}
	return list
}
