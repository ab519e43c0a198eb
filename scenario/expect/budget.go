package expect

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// budget is the rule: at no fixed point are fewer pods healthy than a PodDisruptionBudget promises. Each budget is
// judged from when as many are healthy for the first time, or all of them since a step: a budget is always broken
// while its pods start.
type budget struct {
	// name is a glob for NAME or NAMESPACE/NAME; "" is any.
	name string
	// since is the number of the first step that is judged; 0 means from the start.
	since int
}

// compileBudget reads `budget: NAME`, or a mapping with name and since; null is any budget.
func compileBudget(c *compiler, value *yaml.Node, _ *strict.Map) rule {
	m := c.shortOr(value, "budget", "name", "since")
	c.glob(m, "name")
	return budget{m.String("name"), c.step(m.Value("since"), "since")}
}

// means reports whether the rule is about a budget.
func (k budget) means(key model.Key) bool {
	if strings.Contains(k.name, "/") {
		return glob.Match(k.name, key.String())
	}
	return k.name == "" || glob.Match(k.name, key.Name)
}

// begin ignores the set that the expectation is limited to: a budget belongs to no set.
func (k budget) begin(r *run, _ model.Key) watcher {
	from, _, ok := r.since(k.since)
	if !ok {
		return r.neverActed(k.since)
	}
	return &budgetWatcher{run: r, budget: k, from: from, begun: map[model.Key]bool{}}
}

// budgetWatcher judges budgets by their status, as the disruption controller writes it, not by the pods.
type budgetWatcher struct {
	quiet
	run    *run
	budget budget
	// from is the number of events before the first fixed point that counts.
	from int
	// begun are the budgets that are judged. judged is true once a budget with pods was judged, seen once there was
	// one with pods.
	begun        map[model.Key]bool
	judged, seen bool
	// others are the names of budgets that are not meant, for the message, each once.
	others []string
	// fail is the first failure; after it nothing is judged.
	fail *failure
}

// tick judges every budget that the rule means. A budget without pods promises nothing, so its judging does not
// start.
func (w *budgetWatcher) tick(f *timeline.Fold) {
	if w.fail != nil || f.Index < w.from {
		return
	}
	for _, key := range f.Budgets() {
		b := f.Budget(key)
		if !w.budget.means(key) {
			if !slices.Contains(w.others, key.String()) {
				w.others = append(w.others, key.String())
			}
			continue
		}
		w.seen = w.seen || b.Expected > 0
		w.begun[key] = w.begun[key] || w.budget.since > 0 || b.Expected > 0 && b.Healthy >= b.Desired
		w.judged = w.judged || w.begun[key] && b.Expected > 0
		if w.begun[key] && b.Healthy < b.Desired {
			w.fail = failed(fmt.Sprintf("at %s %d of %d pods are healthy, but PodDisruptionBudget %s promises %d",
				clock(f.T), b.Healthy, b.Expected, key.Name, b.Desired), w.run.lastTold(f.Index))
		}
	}
}

// end fails if nothing was judged: an expectation that cannot fail is a mistake of its author.
func (w *budgetWatcher) end() (*failure, string) {
	switch {
	case w.fail != nil:
		return w.fail, ""
	case w.judged:
		return nil, ""
	case w.seen:
		return failed("it checks nothing: there were never as many healthy pods as the PodDisruptionBudget promises; add " +
			"since: STEP to check from that step on"), ""
	case len(w.others) > 0:
		return failed(fmt.Sprintf("it checks nothing: the run has no PodDisruptionBudget %s with pods: it has %s",
			w.budget.name, strict.List(w.others))), ""
	}
	return failed("it checks nothing: the run has no PodDisruptionBudget that selects a pod"), ""
}
