package play

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Allowance is what the worlds of a laboratory may still spend on readiness conditions together, in the units of
// behaviour.Pay. A run may need a condition many times. left may fall below 0, with the evaluation that uses it up.
type Allowance struct{ left int64 }

// Empty reports whether nothing is left; an allowance that is nil is never empty.
func (a *Allowance) Empty() bool { return a != nil && a.left <= 0 }

// Paying returns a laboratory whose worlds pay for their readiness conditions, and what they may spend; this one and nil
// if it has no conditions. A condition of which nobody knows whether it holds uses up the allowance. A world ends when
// nothing is left.
func (l *Lab) Paying(most int64) (*Lab, *Allowance) {
	a := &Allowance{left: most}
	paid := map[*behaviour.Condition]*behaviour.Condition{}
	lab := *l
	kubelet := &lab.World.Kubelet
	kubelet.Default.When = a.pays(kubelet.Default.When, paid)
	kubelet.Rules = slices.Clone(kubelet.Rules)
	for i := range kubelet.Rules {
		kubelet.Rules[i].Times.When = a.pays(kubelet.Rules[i].Times.When, paid)
	}
	if len(paid) == 0 {
		return l, nil
	}
	exhausted := lab.World.Exhausted
	lab.World.Exhausted = func() string {
		if a.Empty() {
			return "the readiness conditions cost too much"
		}
		if exhausted != nil {
			return exhausted()
		}
		return ""
	}
	return &lab, a
}

// pays returns a condition that pays for its evaluations; one for each, so that pods of one condition share it.
func (a *Allowance) pays(
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
		if a.Empty() {
			return false, nil
		}
		holds, err := c.Holds(world, set, pod, func(cost int64) string {
			a.left -= cost
			return pay(cost)
		})
		if err != nil {
			a.left = 0
		}
		return holds, err
	}
	paid[c] = &as
	return &as
}

// InQuorum returns a laboratory in which a pod is Ready as soon as another pod of its set runs, and nothing else keeps
// it from that.
func (l *Lab) InQuorum() *Lab {
	quorum := *l
	quorum.World.Kubelet.Rules, quorum.World.Kubelet.Sets = nil, nil
	// A pod that needs one peer has the simplest quorum.
	quorum.World.Kubelet.Default.When = &behaviour.Condition{
		Text: "another pod of the set runs", Shared: true,
		Holds: func(world *timeline.Fold, set model.Key, _ string, _ behaviour.Pay) (bool, error) {
			running := 0
			if s := world.Set(set); s != nil {
				for pod := range s.Pods.All {
					if pod.Phase == model.Running && !pod.Terminating {
						running++
					}
				}
			}
			return running > 1, nil
		},
	}
	return &quorum
}
