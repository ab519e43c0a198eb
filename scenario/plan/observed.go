package plan

import (
	"slices"

	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// Observed lets the pods of a world that begins with a dump take as long as was recorded of those of their sets: the
// median. Given are the times that somebody has asked for: they win. What the dump shows to go wrong stays as it is.
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
