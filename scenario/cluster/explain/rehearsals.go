package explain

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/judge"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// rehearsal is a drain and the run in which it is played from the dump.
type rehearsal struct {
	play.Deed
	*judge.Run
	node string
}

// blocked returns what is said at its end of the pods of a set that it may not evict.
func (r *rehearsal) blocked(set model.Key) []timeline.Stuck {
	return slices.DeleteFunc(r.StuckOf(set), func(stuck timeline.Stuck) bool {
		return stuck.Why.Code != model.DrainBlocked
	})
}

// drains plays drains of the nodes that are cordoned, Ready and in use: a dump does not show that somebody drains
// them, but what would hold such a drain up. There are none without a
// budget, or a set that may hold it up. Pods without a controller hold up only
// those who drain without --force.
func (v *view) drains(sets []*judge.Set) []rehearsal {
	holds := func(of *judge.Set) bool {
		return !of.Unseen && (of.State == judge.AtRest || of.State == judge.Stuck || of.State == judge.TooEarly)
	}
	if len(v.State.Budgets) == 0 || !slices.ContainsFunc(sets, holds) {
		return nil
	}
	var list []rehearsal
	for i := range v.State.Nodes {
		n := &v.State.Nodes[i]
		used := slices.ContainsFunc(v.State.Pods, func(p sim.PodState) bool { return p.Node == n.Name })
		if !n.Cordoned || n.NotReady || !used {
			continue
		}
		drain := play.Deed{
			Verb: "drain", Does: "drain " + n.Name, When: sim.When{Trigger: sim.At},
			Act: func(u *sim.User) sim.Outcome {
				u.Drain(n.Name, 0, true)
				return sim.Outcome{Effect: timeline.Done}
			},
		}
		list = append(list, rehearsal{drain, judge.RunOf(v.lab.Run(play.Script{drain}), v.Index), n.Name})
	}
	return list
}

// hold is that a drain does not end because of a pod of a set that is at rest: what is said of it, and the run.
type hold struct {
	rehearsal
	pod, why string
	wait     *Wait
}

// hold returns what holds up the first of some drains that a set at rest does not let end; nil if none does.
func (v *view) hold(of *judge.Set, drains []rehearsal) *hold {
	for _, drain := range drains {
		all := drain.blocked(of.Key)
		if len(all) == 0 {
			continue
		}
		found := all[0]
		h := &hold{rehearsal: drain, pod: found.Why.Object, wait: v.wait(of.Key, &found, drain.End),
			why: "the StatefulSet is at rest; what does not end is to " + drain.Does + ": " + found.Why.Sentence()}
		// Nobody waits yet: the dump shows no drain.
		h.wait.Since = 0
		switch {
		case isSeveral(found.Error):
			h.why = "the StatefulSet is at rest; what fails is to " + drain.Does + ": " + tooMany(h.pod)
			h.wait.Sentence, h.wait.Release = tooMany(h.pod), oneBudgetEnds(h.pod)
		case spent(refusing(drain.End, of.Key.Namespace, []string{refuser(&found)})):
			h.wait.Release = budgetEnds(h.pod)
		}
		return h
	}
	return nil
}

// holdsUp says of a set that is stuck that a drain cannot finish for that reason: a budget wants the pods that do not
// serve, and so it lets no other one go.
func (v *view) holdsUp(of *judge.Set, drain rehearsal) []string {
	var pods, budgets []string
	for _, stuck := range drain.blocked(of.Key) {
		if isSeveral(stuck.Error) {
			return []string{cannotFinish(drain.node) + tooMany(stuck.Why.Object) + "."}
		}
		pods, budgets = append(pods, stuck.Why.Object), append(budgets, refuser(&stuck))
	}
	list := refusing(drain.End, of.Key.Namespace, budgets)
	if len(pods) == 0 || len(list) == 0 {
		return nil
	}
	b := list[0]
	fact := fmt.Sprintf("the PodDisruptionBudget %s allows no eviction of %s (%d of %d healthy, %d wanted)",
		b.Name, render.List(pods, 3), b.Healthy, b.Expected, b.Desired)
	switch sick := v.unhealthy(of, b.Name); {
	case b.Desired >= b.Expected:
		fact += ". It wants all its pods, so it never allows one"
	case len(sick) > 0:
		fact += fmt.Sprintf(" while %s %s not Ready. The drain goes on when %[1]s %[2]s Ready", render.List(sick, 3),
			render.Agree(len(sick), "is", "are"))
	}
	return []string{cannotFinish(drain.node) + fact + "."}
}

// cannotFinish begins what is said of a drain that somebody may mean to do: a dump shows the cordon, not the drain.
func cannotFinish(node string) string {
	return "The node " + node + " is cordoned, and a drain of it cannot finish: "
}

// unhealthy returns the pods of the set that a budget is for and that do not serve; those that do not exist too.
func (v *view) unhealthy(of *judge.Set, budget string) (names []string) {
	set := of.Now.Spec
	if !slices.ContainsFunc(v.State.Budgets, func(b *model.Budget) bool {
		return b.Name == budget && b.Covers(set.Namespace, set.Spec.Template.Labels)
	}) {
		return nil
	}
	for i := range int(set.Spec.Replicas) {
		key := model.Key{Namespace: set.Namespace, Name: set.PodName(set.Start() + i)}
		if p := v.Pod(key); p == nil || !p.Serving() {
			names = append(names, key.Name)
		}
	}
	return names
}
