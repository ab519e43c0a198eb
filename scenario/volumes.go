package scenario

import (
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
)

var (
	claimTimeKeys  = []string{"bind", "mode", "release"}
	volumesKeys    = append(claimTimeKeys[:len(claimTimeKeys):len(claimTimeKeys)], "rules")
	claimRuleKeys  = append([]string{"match"}, claimTimeKeys...)
	claimMatchKeys = []string{"claim", "nth", "namespace"}
)

// volumes reads how claims are bound to their storage, and how long a deleted one stays. Rules are in the order of the
// file: the first that matches a claim applies.
func (l *loader) volumes(n *yaml.Node) sim.Volumes {
	m := l.mapping(n, "volumes", volumesKeys, nil)
	volumes := sim.Volumes{Default: l.claimTimes(m)}
	for _, item := range m.List("rules") {
		rule := l.mapping(item, "a rule of the volumes", claimRuleKeys, nil)
		if rule == nil {
			continue
		}
		rule.Need("match")
		volumes.Rules = append(volumes.Rules, sim.ClaimRule{Match: l.claimMatch(rule), Times: l.claimTimes(rule)})
	}
	return volumes
}

// claimTimes reads the times of claims; nil and "" mean that a rule leaves the default as it is.
func (l *loader) claimTimes(m *strict.Map) sim.ClaimTimes {
	var times sim.ClaimTimes
	l.time(m, "bind", &times.Bind)
	l.time(m, "release", &times.Release)
	if m.Has("mode") {
		times.Mode = sim.BindingMode(m.OneOf("mode", string(sim.Immediate), string(sim.WaitForFirstConsumer)))
	}
	return times
}

// modes returns the binding modes of claims by their StorageClasses.
func modes(classes manifest.Classes) func(*model.Claim) sim.BindingMode {
	return func(claim *model.Claim) sim.BindingMode {
		switch class := classes.Of(claim.Data); {
		case class == nil:
			return ""
		case manifest.WaitsForPod(class):
			return sim.WaitForFirstConsumer
		}
		return sim.Immediate
	}
}

// claimMatch reads which claims a rule applies to: the claims that match all its keys.
func (l *loader) claimMatch(rule *strict.Map) sim.ClaimMatch {
	m := rule.Map("match", claimMatchKeys...)
	if m == nil {
		return sim.ClaimMatch{}
	}
	return sim.ClaimMatch{
		Claim:     l.pattern(m, "claim"),
		Namespace: l.pattern(m, "namespace"),
		Nth:       optionalInt(m, "nth", 1),
	}
}

// collector reads how long the garbage collector takes; nil means no time.
func (l *loader) collector(n *yaml.Node) sim.Collector {
	var collector sim.Collector
	l.time(l.mapping(n, "collector", []string{"delay"}, nil), "delay", &collector.Delay)
	return collector
}
