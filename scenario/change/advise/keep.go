package advise

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// keep is the number of pods that have to serve, and why.
type keep struct {
	pods int
	why  string
	// asked says that the user asks for it. What is only assumed yields if no setting keeps it.
	asked bool
}

// keepOf returns what a set has to keep where nobody says otherwise: what its budgets ask for or, where it has none, a
// majority of three or more.
func keepOf(set *model.StatefulSet, budgets []*model.Budget) keep {
	n := int(set.Spec.Replicas)
	k := keep{}
	if n >= leastVoters && len(budgets) == 0 {
		k = keep{pods: n/2 + 1, why: fmt.Sprintf("a majority of %s", render.Count(n, "pod"))}
	}
	for _, b := range budgets {
		if needs := int(b.Desired(int32(n))); needs > k.pods {
			k = keep{pods: needs, why: "PodDisruptionBudget " + b.Name}
		}
	}
	return k
}

// leastVoters is the smallest number of members that can lose one and still have a majority.
const leastVoters = 3

// limits are what a setting has to keep.
type limits struct {
	keep
	// within is the longest that a rollout may take, in 95 of 100 runs; 0 is no limit.
	within render.Seconds
}

// fails says what a setting does not keep; nil if it keeps all.
func (l *limits) fails(t *trial) []string {
	var list []string
	if !t.ends {
		return []string{t.wrong}
	}
	if t.fewest < l.pods {
		list = append(list, fmt.Sprintf("only %d %s at times (fewer than %d for %s), and %s asks for %d", t.fewest,
			render.Agree(t.fewest, "serves", "serve"), l.pods, render.Brief(t.below), l.why, l.pods))
	}
	if l.within > 0 && render.Seconds(t.p95) > l.within {
		list = append(list, fmt.Sprintf("it takes %s", render.Brief(t.p95)))
	}
	return list
}
