package dump

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// Begin completes the configuration of a world so that it begins in the state of the dump. It adds the state, rules for
// what happens to the pods and claims, and what the API server refuses. Settings of the configuration win. Times for
// Start, Ready and Stop that it does not have are the median of those that the dump shows, or else a default.
//
// A failure that the dump shows is assumed to last until its cause changes. An image that cannot be pulled stays so
// until the pod has another image. If no pod of a revision becomes Ready, that lasts until the spec of the pod changes.
// A pod that no node takes stays unscheduled until its claims, the nodes or its spec change; if the nodes of the dump
// explain it, the simulated scheduler decides. A pod that cannot be created stays so until the spec changes.
//
// Start, NodeFilter and Admit are replaced in any case. The configuration that was given is not changed, and its slices
// are not written to. It costs O(pods) and, if a set is not at rest, the first instant of a world.
func (d *Dump) Begin(config sim.Config) sim.Config {
	s := stays{Dump: d}
	config.Start, config.NodeFilter, config.Cluster.Assumed = d.State, d.memory().New, d.Nodeless
	config.Kubelet.Rules = slices.Clone(config.Kubelet.Rules)
	if config.Kubelet.Default.Stop == nil {
		config.Kubelet.Rules = append(config.Kubelet.Rules, d.slow()...)
	}
	d.Fill(&config.Kubelet.Default)
	s.config = config
	config.Kubelet.Rules = append(config.Kubelet.Rules, s.rules(config.Kubelet.Default.When != nil)...)
	config.Volumes.Rules = append(slices.Clone(config.Volumes.Rules), sim.ClaimRule{
		Match: sim.ClaimMatch{That: d.unprovided()}, Times: sim.ClaimTimes{Bind: behaviour.Never},
	}, sim.ClaimRule{
		Match: sim.ClaimMatch{That: d.retained()}, Times: sim.ClaimTimes{Release: behaviour.Never},
	})
	config.Admit = s.admission(config)
	return config
}

// rules returns the rules for all pods. Of those that match the very same pods, since they go by one word, only the
// first is there: it would win.
func (s *stays) rules(quorum bool) []behaviour.Rule {
	type domain struct {
		behaviour.Whose
		node     string
		schedule bool
	}
	var rules []behaviour.Rule
	known := map[domain]bool{}
	for i := range s.State.Pods {
		rule, is := s.rule(&s.State.Pods[i], quorum)
		if !is {
			continue
		}
		of := domain{rule.Of, rule.Match.Node, rule.Times.Schedule != nil}
		if of.Word == "" || !known[of] {
			known[of], rules = true, append(rules, rule)
		}
	}
	return rules
}

// slow returns the rules for pods that terminate for longer than the default: they take their whole grace period.
func (d *Dump) slow() []behaviour.Rule {
	var rules []behaviour.Rule
	for i := range d.State.Pods {
		if p := &d.State.Pods[i]; d.Slow(p) {
			rules = append(rules, behaviour.Rule{
				Match: behaviour.Match{That: only(p.Pod)}, Times: behaviour.Times{Stop: behaviour.Constant(p.Deletion.Grace)},
				Of: ofSet(p),
			})
		}
	}
	return rules
}

// Slow says whether a pod has been terminating for longer than pods take by default, and its grace period is not over.
func (d *Dump) Slow(p *Pod) bool {
	if !p.Terminating() || len(p.Finalizers) > 0 || p.Hung {
		return false
	}
	since := time.Duration(-p.Deletion.At)
	return since > DefaultStop && since < p.Deletion.Grace
}
