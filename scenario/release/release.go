// Package release makes the parts of a cluster that a version of Kubernetes decides: the StatefulSet controller, the
// rules of the API server, and those of the scheduler, the disruption controller and the kubelets.
//
// Everything that builds a world from a version does so here, so that no part of a version is left out.
package release

import (
	"time"

	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// oldMonitorGrace is the monitor's grace period before 1.32 (PR 126287); since then it is 50 s, the default of sim.
const oldMonitorGrace = 40 * time.Second

// Config returns the configuration of a world with all parts of a version. Everything else of it stays.
func Config(p statefulset.Profile, config sim.Config) sim.Config {
	parts := Parts(p)
	config.Controller, config.API, config.Cluster.Rules = parts.Controller, parts.API, parts.Nodes
	return config
}

// Parts returns the parts of a version, with a controller of their own.
func Parts(p statefulset.Profile) sim.ControlPlane {
	return sim.ControlPlane{Controller: statefulset.New(p), API: p.API(), Nodes: NodeRules(p.Version())}
}

// NodeRules returns the rules about nodes, evictions and the scheduler's messages that differ between versions. A
// field is true if the version still has the older rule or has one that is not out yet; see sim.NodeRules for each. A
// version without a minor number has all older ones.
func NodeRules(version string) (rules sim.NodeRules) {
	minor := minor(version)
	rules.IgnoresUnhealthyPolicy, rules.IgnoresSidecars = minor < 27, minor < 29

	rules.IgnoresOutOfService, rules.DeletesUnmarked = minor < 26, minor < 26
	rules.SaysNothingOfUnmanaged, rules.ResyncsBudgets = minor < 27, minor < 22
	rules.UpdatesAllBudgets = minor >= 38
	if minor < 32 {
		rules.MonitorGrace = oldMonitorGrace
	}

	rules.SaysNoPreemption, rules.SaysNoResourceClaims = minor < 24, minor < 34
	rules.NamesTaints, rules.SaysTolerate, rules.SaysConflict = minor < 34, minor < 24, minor < 33
	rules.HopesForRoom, rules.CountsEmptySpread = minor < 34, minor >= 38
	return rules
}
