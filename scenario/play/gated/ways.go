package gated

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// way is a list of commands that people can run after the change, one after the other, in the place of a tool that
// waits wrongly. It is played along the run.
type way struct {
	steps []step
	// at is the number of the commands that have returned, right whether all was true when the last one had.
	at    int
	right bool
}

// step is a command, and what holds when it returns.
type step struct {
	command string
	returns func(*timeline.Set) bool
}

// see lets the commands return that return at a fixed point.
func (w *way) see(set *timeline.Set, now model.Time) {
	if set == nil || w.at == len(w.steps) {
		return
	}
	for w.at < len(w.steps) && w.steps[w.at].returns(set) {
		w.at++
	}
	w.right = w.at == len(w.steps) && gate.Asked(set, now)
}

// commands are the lines of the way.
func (w *way) commands() []string {
	var list []string
	for _, s := range w.steps {
		list = append(list, s.command)
	}
	return list
}

// waysFor returns the ways that are tried for a set, the shortest first.
func waysFor(s *timeline.Set) []*way {
	field := func(name string, of func(*model.Status) int32) step {
		want := s.Spec.Spec.Replicas
		return step{
			shell.In(s.Key.Namespace, "wait", "statefulset/"+s.Key.Name,
				fmt.Sprintf("--for=jsonpath={.status.%s}=%d", name, want), "--timeout=10m"),
			func(set *timeline.Set) bool { return of(&set.Status) == want },
		}
	}
	updated := field("updatedReplicas", func(s *model.Status) int32 { return s.Updated })
	available := field("availableReplicas", func(s *model.Status) int32 { return s.Available })
	replicas := field("replicas", func(s *model.Status) int32 { return s.Replicas })
	rollout := step{
		shell.In(s.Key.Namespace, "rollout", "status", "statefulset/"+s.Key.Name),
		func(set *timeline.Set) bool { return gate.KubectlRolloutStatus.Read(set).State == gate.Done },
	}
	if s.Spec.Spec.Strategy.Type != model.RollingUpdateStrategy {
		return []*way{{steps: []step{updated, available}}, {steps: []step{updated, replicas, available}}}
	}
	return []*way{
		{steps: []step{rollout}}, {steps: []step{rollout, replicas}}, {steps: []step{rollout, available}},
		{steps: []step{rollout, replicas, available}},
	}
}

// instead returns commands that wait rightly where a tool does not; nil if no way does.
func (p *player) instead(g *gate.Gate) []string {
	legacy := slices.Index(p.gates, gate.Helm4Legacy)
	if g == gate.Helm4 && legacy >= 0 && p.answers[legacy].Says == gate.SaysDone && p.answers[legacy].True {
		return []string{"helm upgrade --wait=legacy"}
	}
	for _, w := range p.ways {
		if w.right {
			return w.commands()
		}
	}
	return nil
}
