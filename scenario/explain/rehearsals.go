package explain

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/render"
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
	return slices.DeleteFunc(slices.Clone(r.Result().Stuck), func(stuck timeline.Stuck) bool {
		return stuck.Set != set || stuck.Why.Code != model.DrainBlocked
	})
}

// drains plays drains of the nodes that are cordoned, Ready and in use: a dump does not show that somebody drains
// them, but what would hold such a drain up. There are none without a budget. Pods without a controller hold up only
// those who drain without --force.
func (v *view) drains() []rehearsal {
	var list []rehearsal
	if len(v.State.Budgets) == 0 {
		return nil
	}
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

// drained describes a drain, for a set that is at rest, if it does not end because of a pod of the set.
func (v *view) drained(s *LiveSet, drain rehearsal) {
	if s.StuckOn != "" {
		return
	}
	all := drain.blocked(s.Key())
	if len(all) == 0 {
		return
	}
	found := all[0]
	s.StuckOn, s.draining = found.Why.Object, drain.node
	s.Why = "the StatefulSet is at rest; what does not end is to " + drain.Does + ": " + found.Why.Sentence()
	if isSeveral(found.Error) {
		s.Why = "the StatefulSet is at rest; what fails is to " + drain.Does + ": " + tooMany(found.Why.Object)
	}
	w := v.wait(s.Key(), &found, drain.End)
	// Nobody waits yet: the dump shows no drain.
	w.Since = 0
	switch {
	case isSeveral(found.Error):
		w.Sentence, w.Release = tooMany(s.StuckOn), oneBudgetEnds(s.StuckOn)
	case spent(refusing(drain.End, s.Namespace, []string{refuser(&found)})):
		w.Release = budgetEnds(s.StuckOn)
	}
	s.Waits = append(s.Waits, w)
	s.WaysOut = v.ways(s, drain.Run, play.Script{drain.Deed})
}

// holdsUp says of a set that is stuck that a drain cannot finish for that reason: a budget wants the pods that do not
// serve, and so it lets no other one go.
func (v *view) holdsUp(s *LiveSet, drain rehearsal) []string {
	var pods, budgets []string
	for _, stuck := range drain.blocked(s.Key()) {
		if isSeveral(stuck.Error) {
			return []string{cannotFinish(drain.node) + tooMany(stuck.Why.Object) + "."}
		}
		pods, budgets = append(pods, stuck.Why.Object), append(budgets, refuser(&stuck))
	}
	list := refusing(drain.End, s.Namespace, budgets)
	if len(pods) == 0 || len(list) == 0 {
		return nil
	}
	b := list[0]
	fact := fmt.Sprintf("the PodDisruptionBudget %s allows no eviction of %s (%d of %d healthy, %d wanted)",
		b.Name, render.List(pods, 3), b.Healthy, b.Expected, b.Desired)
	switch sick := v.unhealthy(s, b.Name); {
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
func (v *view) unhealthy(s *LiveSet, budget string) (names []string) {
	set := s.of.Now.Spec
	if !slices.ContainsFunc(v.State.Budgets, func(b *model.Budget) bool {
		return b.Name == budget && b.Covers(s.Namespace, set.Spec.Template.Labels)
	}) {
		return nil
	}
	for i := range s.Replicas {
		key := model.Key{Namespace: s.Namespace, Name: set.PodName(set.Start() + i)}
		if p := v.Pod(key); p == nil || !p.Serving() {
			names = append(names, key.Name)
		}
	}
	return names
}
