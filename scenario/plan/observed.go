package plan

import (
	"slices"

	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// Observed lets the pods of a world that begins with a dump take as long as those of their sets took in recordings:
// the median. given are the times that the user has asked for: they win. What the dump shows to go wrong stays as it
// is. The configuration that is passed is not changed.
func Observed(config sim.Config, recordings []*Recording, given behaviour.Times) sim.Config {
	var own, all []behaviour.Rule
	for _, set := range config.Start.Sets {
		times := given
		seen := false
		for stage, to := range []*behaviour.Delay{&times.Stop, &times.Start, &times.Ready} {
			timing := recorded(recordings, set.Key(), stage)
			if *to != nil || timing == nil {
				continue
			}
			*to, seen = behaviour.Constant(typical(timing.delay)), true
		}
		if !seen {
			continue
		}
		match := behaviour.Match{Namespace: set.Namespace, StatefulSet: set.Name}
		for _, rule := range config.Kubelet.Rules {
			if rule.Match.StatefulSet == "" {
				rule.Match.Namespace, rule.Match.StatefulSet = match.Namespace, match.StatefulSet
				rule.Times = filled(rule.Times, times)
				own = append(own, rule)
			}
		}
		all = append(all, behaviour.Rule{Match: match, Times: filled(times, config.Kubelet.Default)})
	}
	config.Kubelet.Rules = slices.Concat(own, config.Kubelet.Rules, all)
	return config
}
