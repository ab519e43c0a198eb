package scenario

import (
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// upgradeControlPlane reads a step that replaces the API server and the controller by those of another version. The
// scenario's feature gates go with it, except those that the version does not have or has locked, as an administrator
// would have to remove them from the flags. The kubelets keep their version, as on nodes that are upgraded later.
func (s *step) upgradeControlPlane() *action {
	version, ok := s.r.String(s.value, "upgradeControlPlane")
	if !ok {
		return nil
	}
	profile, err := statefulset.Lookup(version)
	if err != nil {
		s.r.Problem(s.value, err.Error(), "")
		return nil
	}
	if version == "" {
		s.r.Problem(s.value, "upgradeControlPlane is "+strict.Describe(s.value), "write a version, like \"1.36\"")
		return nil
	}
	gates := map[string]bool{}
	for _, gate := range s.scenario.Gates {
		gates[gate.Name] = gate.On
	}
	profile = profile.WithKnown(gates)
	return &action{does: "upgrade the control plane to " + version, act: func(u *sim.User) sim.Outcome {
		u.ReplaceControlPlane(controlPlane(profile))
		return sim.Outcome{Effect: timeline.Done}
	}}
}

// oldMonitorGrace is the node monitor's grace period before 1.32 (PR 126287); since then it is 50 s, the default of
// sim.
const oldMonitorGrace = 40 * time.Second

// controlPlane returns the parts of a profile that live in the control plane: they change when it is upgraded.
func controlPlane(p statefulset.Profile) sim.ControlPlane {
	return sim.ControlPlane{Controller: statefulset.New(p), API: p.API(), Nodes: NodeRules(p.Version())}
}

// NodeRules returns the rules about nodes, evictions and the scheduler's messages that differ between versions. A
// field is true if the version still has the older rule; see sim.NodeRules for each. A version without a minor number
// has all of them.
func NodeRules(version string) sim.NodeRules {
	minor, _ := strconv.Atoi(strings.Split(version+"..", ".")[1])
	rules := sim.NodeRules{
		IgnoresOutOfService: minor < 26, IgnoresUnhealthyPolicy: minor < 27, IgnoresSidecars: minor < 29,
		DeletesUnmarked: minor < 26, SaysNothingOfUnmanaged: minor < 27, ResyncsBudgets: minor < 22,
		SaysNoPreemption: minor < 24, SaysNoResourceClaims: minor < 34,
		NamesTaints: minor < 34, SaysTolerate: minor < 24, SaysConflict: minor < 33,
		HopesForRoom: minor < 34,
	}
	if minor < 32 {
		rules.MonitorGrace = oldMonitorGrace
	}
	return rules
}
