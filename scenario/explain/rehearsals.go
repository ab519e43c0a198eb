package explain

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// rehearsal is a drain and the run in which it is played from the dump.
type rehearsal struct {
	play.Deed
	*chronicle
	node string
}

// blocked returns what is said at its end of the pods of a set that it may not evict.
func (r *rehearsal) blocked(set model.Key) []timeline.Stuck {
	return slices.DeleteFunc(slices.Clone(r.result().Stuck), func(stuck timeline.Stuck) bool {
		return stuck.Set != set || stuck.Why.Code != model.DrainBlocked
	})
}

// drainsOf plays drains of the nodes that are cordoned, Ready and in use: a dump does not show that somebody drains
// them, but what would hold such a drain up. There are none without a budget. Pods without a controller hold up only
// those who drain without --force.
func drainsOf(d *dump.Index, lab *play.Lab) []rehearsal {
	var list []rehearsal
	if len(d.State.Budgets) == 0 {
		return nil
	}
	for i := range d.State.Nodes {
		n := &d.State.Nodes[i]
		used := slices.ContainsFunc(d.State.Pods, func(p sim.PodState) bool { return p.Node == n.Name })
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
		list = append(list, rehearsal{drain, chronicleOf(lab.Run(play.Script{drain}), d), n.Name})
	}
	return list
}

// drained describes a drain, for a set that is at rest, if it does not end because of a pod of the set.
func (s *LiveSet) drained(lab *play.Lab, drain rehearsal) {
	if s.StuckOn != "" {
		return
	}
	all := drain.blocked(s.key)
	if len(all) == 0 {
		return
	}
	found := all[0]
	s.StuckOn, s.draining = found.Why.Object, drain.node
	s.Why = "the StatefulSet is at rest; what does not end is to " + drain.Does + ": " + found.Why.Sentence()
	if isSeveral(found.Error) {
		s.Why = "the StatefulSet is at rest; what fails is to " + drain.Does + ": " + tooMany(found.Why.Object)
	}
	end := drain.atEnd()
	s.wait(&found, end, drain.dump.Dump)
	// Nobody waits yet: the dump shows no drain.
	s.Waits[0].Since = 0
	switch {
	case isSeveral(found.Error):
		s.Waits[0].Sentence, s.Waits[0].Release = tooMany(s.StuckOn), oneBudgetEnds(s.StuckOn)
	case spent(refusing(end, s.Namespace, []string{refuser(&found)})):
		s.Waits[0].Release = budgetEnds(s.StuckOn)
	}
	s.lead(lab, drain.chronicle, play.Script{drain.Deed})
}

// holdsUp says of a set that is stuck that a drain cannot finish for that reason: a budget wants the pods that do not
// serve, and so it lets no other one go.
func (s *LiveSet) holdsUp(drain rehearsal) {
	var pods, budgets []string
	for _, stuck := range drain.blocked(s.key) {
		if isSeveral(stuck.Error) {
			s.Facts = append(s.Facts, cannotFinish(drain.node)+tooMany(stuck.Why.Object)+".")
			return
		}
		pods, budgets = append(pods, stuck.Why.Object), append(budgets, refuser(&stuck))
	}
	list := refusing(drain.atEnd(), s.Namespace, budgets)
	if len(pods) == 0 || len(list) == 0 {
		return
	}
	b := list[0]
	fact := fmt.Sprintf("the PodDisruptionBudget %s allows no eviction of %s (%d of %d healthy, %d wanted)",
		b.Name, render.List(pods, 3), b.Healthy, b.Expected, b.Desired)
	switch sick := s.unhealthy(drain.dump, b.Name); {
	case b.Desired >= b.Expected:
		fact += ". It wants all its pods, so it never allows one"
	case len(sick) > 0:
		fact += fmt.Sprintf(" while %s %s not Ready. The drain goes on when %[1]s %[2]s Ready", render.List(sick, 3),
			render.Agree(len(sick), "is", "are"))
	}
	s.Facts = append(s.Facts, cannotFinish(drain.node)+fact+".")
}

// cannotFinish begins what is said of a drain that somebody may mean to do: a dump shows the cordon, not the drain.
func cannotFinish(node string) string {
	return "The node " + node + " is cordoned, and a drain of it cannot finish: "
}

// unhealthy returns the pods of the set that a budget is for and that do not serve; those that do not exist too.
func (s *LiveSet) unhealthy(d *dump.Index, budget string) (names []string) {
	set := s.now.Spec
	if !slices.ContainsFunc(d.State.Budgets, func(b *model.Budget) bool {
		return b.Name == budget && b.Covers(s.Namespace, set.Spec.Template.Labels)
	}) {
		return nil
	}
	for i := range s.Replicas {
		key := model.Key{Namespace: s.Namespace, Name: set.PodName(set.Start() + i)}
		if p := d.Pod(key); p == nil || !p.Serving() {
			names = append(names, key.Name)
		}
	}
	return names
}
