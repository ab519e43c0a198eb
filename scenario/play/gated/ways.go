package gated

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// way is a list of commands that people can run after the change, one after the other, in the place of a tool that
// waits wrongly. It is played along the run.
type way struct {
	steps []step
	// begin is the instant at which the command begins that has not returned yet; took is how long the others took.
	begin model.Time
	took  []time.Duration
	// at is the number of the commands that have returned, right whether all was true when the last one had.
	at    int
	right bool
}

// step is a command, and what holds when it returns. kubectl wait has a timeout.
type step struct {
	command string
	timeout bool
	returns func(*timeline.Set) bool
}

// see lets the commands return that return at a fixed point. asked is the same instant by the clock of the set.
func (w *way) see(set *timeline.Set, now, asked model.Time) {
	if set == nil || w.at == len(w.steps) {
		return
	}
	for w.at < len(w.steps) && w.steps[w.at].returns(set) {
		w.took = append(w.took, now.Sub(w.begin))
		w.at, w.begin = w.at+1, now
	}
	w.right = w.at == len(w.steps) && gate.Asked(set, asked)
}

// leastTimeout is the timeout of a kubectl wait that returns soon.
const leastTimeout = 10 * time.Minute

// commands are the lines of the way. A timeout is at least twice as long as the command took.
func (w *way) commands() []string {
	var list []string
	for i, s := range w.steps {
		if s.timeout {
			limit := max(leastTimeout, (2*w.took[i]).Round(time.Minute)+time.Minute)
			s.command += fmt.Sprintf(" --timeout=%dm", limit/time.Minute)
		}
		list = append(list, s.command)
	}
	return list
}

// waysFor returns the ways that are tried for a set from an instant on, the shortest first. kubectl rollout status asks
// for the generation; where it does not know the strategy, the first command does. updatedReplicas and availableReplicas
// are not asked for 0: a field that is 0 may be left out, and kubectl wait would wait for it.
func waysFor(s *timeline.Set, now model.Time) (ways []*way) {
	resource := "statefulset/" + s.Key.Name
	wait := func(condition string) string {
		return shell.In(s.Key.Namespace, "wait", resource) + " --for=" + condition
	}
	field := func(name string, of func(*model.Status) int32) step {
		want := s.Spec.Spec.Replicas
		return step{
			wait(shell.Quote(fmt.Sprintf("jsonpath={.status.%s}=%d", name, want))), true,
			func(set *timeline.Set) bool { return of(&set.Status) == want },
		}
	}
	updated := field("updatedReplicas", func(s *model.Status) int32 { return s.Updated })
	available := field("availableReplicas", func(s *model.Status) int32 { return s.Available })
	replicas := field("replicas", func(s *model.Status) int32 { return s.Replicas })
	rollout := step{
		shell.In(s.Key.Namespace, "rollout", "status", resource), false,
		func(set *timeline.Set) bool { return gate.KubectlRolloutStatus.Read(set).State == gate.Done },
	}
	seen := step{
		wait("jsonpath='{.status.observedGeneration}'=\"$(" + shell.In(s.Key.Namespace, "get", resource,
			"-o", "jsonpath={.metadata.generation}") + ")\""), true,
		func(set *timeline.Set) bool { return set.Status.ObservedGeneration == set.Spec.Generation },
	}
	lists := [][]step{{rollout}, {rollout, replicas}, {rollout, available}, {rollout, replicas, available}}
	switch rolling := s.Spec.Spec.Strategy.Type == model.RollingUpdateStrategy; {
	case rolling && s.Spec.Spec.Replicas == 0:
		lists = lists[:2]
	case s.Spec.Spec.Replicas == 0:
		lists = [][]step{{seen, replicas}}
	case !rolling:
		lists = [][]step{{seen, updated, available}, {seen, updated, replicas, available}}
	}
	for _, steps := range lists {
		ways = append(ways, &way{steps: steps, begin: now})
	}
	return ways
}

// instead returns commands that wait rightly where a tool does not; nil if no way does.
func (p *player) instead(g *gate.Gate) []string {
	legacy := slices.Index(p.gates, gate.Helm4Legacy)
	if g == gate.Helm4 && legacy >= 0 && p.answers[legacy].Says == gate.SaysDone && p.answers[legacy].True {
		return []string{"helm upgrade --wait=legacy"}
	}
	return p.right()
}

// right returns the commands of the first way that is right; nil if none is.
func (p *player) right() []string {
	for _, w := range p.ways {
		if w.right {
			return w.commands()
		}
	}
	return nil
}
