package nodes

import (
	"cmp"
	"time"
)

// Config is the nodes, and the times of those who watch over them. The zero value is three nodes with the times of the
// newest Kubernetes.
type Config struct {
	// Nodes are the nodes in their order; none is node-1, node-2 and node-3.
	Nodes []Spec
	// Assumed is true where nobody has said which nodes there are: then no pod is refused for want of another.
	Assumed bool
	// MonitorGrace is how long a node may be silent before it counts as not ready (--node-monitor-grace-period); 0 is the
	// version's default.
	MonitorGrace time.Duration
	// Toleration is how long a pod stays on a node that does not answer before it is deleted, where the pod says nothing;
	// 0 is DefaultToleration.
	Toleration time.Duration
	// Rules are what the version of the control plane decides.
	Rules Rules
}

// Rules is how a version of the control plane watches over nodes. The zero value is the newest.
type Rules struct {
	// MonitorGrace is the default of Config.MonitorGrace; 0 is DefaultMonitorGrace.
	MonitorGrace time.Duration
	// IgnoresOutOfService is true where the taint out-of-service has no effect on pods and volumes that are deleted
	// already (before 1.26, KEP-2268).
	IgnoresOutOfService bool
	// IgnoresUnhealthyPolicy is true where unhealthyPodEvictionPolicy of a budget is not obeyed (before 1.27, KEP-3017).
	IgnoresUnhealthyPolicy bool
	// DeletesUnmarked is true where the pod garbage collector does not make a pod Failed before it deletes it (before
	// 1.26, where the gate PodDisruptionConditions is on by default, KEP-3329).
	DeletesUnmarked bool
	// SaysNoPreemption and SaysNoResourceClaims are true where the scheduler does not yet say in FailedScheduling what
	// came of preemption (before 1.24, PR 107775), nor of dynamic resource claims (before 1.34, where the gate
	// DynamicResourceAllocation is on by default, KEP-4381).
	SaysNoPreemption, SaysNoResourceClaims bool
	// NamesTaints is true where the scheduler names the taint that a pod does not tolerate (before 1.34), and SaysTolerate
	// where it does so in the words of before 1.24. SaysConflict is true where it calls a volume out of reach a conflict
	// (before 1.33).
	NamesTaints, SaysTolerate, SaysConflict bool
	// HopesForRoom is true where the scheduler looks for pods to preempt even where one asks for more than the whole node
	// has (before 1.34).
	HopesForRoom bool
	// IgnoresSidecars is true where the API server drops the restartPolicy of init containers, so that the others wait for
	// what never ends (before 1.29, KEP-753).
	IgnoresSidecars bool
}

// Spec is a node of the cluster.
type Spec struct {
	Name, Zone string
	// Labels are the node's own labels, nil where they are not known: then nothing that asks for one is decided, but for
	// its name and its zone.
	Labels map[string]string `print:"-"`
	// Taints are those that it has from the beginning. Those of its state are not among them.
	Taints []Taint `print:"-"`
	// Allocatable is what its pods may ask for together, as quantities of the API by the resource. What is not given is
	// not decided.
	Allocatable map[string]string `print:"-"`
}

// Taint is a taint of a node.
type Taint struct{ Key, Value, Effect string }

// The times of those who watch over nodes.
const (
	// DefaultMonitorGrace is the default of --node-monitor-grace-period from 1.32 (PR 126287); before it was 40s.
	DefaultMonitorGrace = 50 * time.Second
	// DefaultToleration is what the admission plugin DefaultTolerationSeconds gives every pod for the taints not-ready and
	// unreachable.
	DefaultToleration = 300 * time.Second
)

// Specs returns the nodes, which are three where none is given.
func (c *Config) Specs() []Spec {
	if len(c.Nodes) > 0 {
		return c.Nodes
	}
	return []Spec{{Name: "node-1"}, {Name: "node-2"}, {Name: "node-3"}}
}

func (c *Config) monitorGrace() time.Duration {
	return cmp.Or(c.MonitorGrace, c.Rules.MonitorGrace, DefaultMonitorGrace)
}
