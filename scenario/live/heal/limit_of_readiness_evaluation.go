package heal

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// mostSpent is what the readiness conditions may cost in all attempts together: about as much as three evaluations
// that are ended because each of them costs too much.
const mostSpent = 30_000_000

// allowance is what the attempts for one set may still spend on readiness conditions, in the units of
// behaviour.Pay. A run may need them many times, and each attempt is a run. left may fall below 0, with the
// evaluation that uses it up.
type allowance struct{ left int64 }

// empty says whether nothing is left; an allowance that is nil is never empty.
func (p *allowance) empty() bool { return p != nil && p.left <= 0 }

// Untried says why attempts were not made, or not all of them, in a clause; "" if all that were needed were made.
func (s *Stuck) Untried() string {
	if !s.left.empty() {
		return ""
	}
	return "each fix that is tried evaluates the readiness condition again, and that costs too much with so many pods"
}

// limitSpending lets the worlds of the attempts pay for their readiness conditions. A condition of which nobody knows
// whether it holds uses up the allowance: what is tried with it would say nothing. A world ends when nothing is left.
// With a Begun it does nothing: the caller has played that laboratory's worlds already.
func (s *Stuck) limitSpending() {
	if s.left != nil || s.Begun != nil {
		return
	}
	p := &allowance{left: mostSpent}
	paid := map[*behaviour.Condition]*behaviour.Condition{}
	lab := *s.Lab
	kubelet := &lab.World.Kubelet
	kubelet.Default.When = p.pays(kubelet.Default.When, paid)
	kubelet.Rules = slices.Clone(kubelet.Rules)
	for i := range kubelet.Rules {
		kubelet.Rules[i].Times.When = p.pays(kubelet.Rules[i].Times.When, paid)
	}
	if len(paid) == 0 {
		return
	}
	exhausted := lab.World.Exhausted
	lab.World.Exhausted = func() string {
		if p.empty() {
			return "the readiness conditions cost too much"
		}
		if exhausted != nil {
			return exhausted()
		}
		return ""
	}
	s.Lab, s.left = &lab, p
}

// pays returns a condition that pays for its evaluations; one for each, so that pods of one condition share it.
func (p *allowance) pays(
	c *behaviour.Condition, paid map[*behaviour.Condition]*behaviour.Condition,
) *behaviour.Condition {
	if c == nil {
		return nil
	}
	if paid[c] != nil {
		return paid[c]
	}
	as := *c
	as.Holds = func(world *timeline.Fold, set model.Key, pod string, pay behaviour.Pay) (bool, error) {
		if p.empty() {
			return false, nil
		}
		holds, err := c.Holds(world, set, pod, func(cost int64) string {
			p.left -= cost
			return pay(cost)
		})
		if err != nil {
			p.left = 0
		}
		return holds, err
	}
	paid[c] = &as
	return &as
}
