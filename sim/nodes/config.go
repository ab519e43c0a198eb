package nodes

import (
	"cmp"
	"time"
)

// Config holds the nodes, and the times of the controllers that watch over them. The zero value is three nodes with
// the times of the newest Kubernetes. It is copied by New; only the rules change later (SetRules).
type Config struct {
	// Nodes are the nodes in their order, which decides ties; none means node-1, node-2 and node-3. Names are unique.
	Nodes []Spec
	// Assumed is true if the nodes of the cluster are not listed: then no pod is refused because a node is missing.
	Assumed bool
	// MonitorGrace is how long a node may be silent until it is NotReady (--node-monitor-grace-period); 0 is the default.
	MonitorGrace time.Duration
	// Toleration is the time that a pod stays on a node that does not answer before it is deleted, unless the pod says
	// otherwise; 0 is DefaultToleration.
	Toleration time.Duration
	// Rules are the rules of the version of the control plane.
	Rules Rules
}

// Rules describe how the versions of the components treat nodes and the pods on them. The zero value is the newest
// released version: each field names the behaviour of an older one, so that a new rule costs nothing where it is
// not looked at, or of a version that is not released yet. The components may have different versions.
type Rules struct {
	APIServer
	Manager
	Scheduler
}

// APIServer are the rules of kube-apiserver.
type APIServer struct {
	// IgnoresUnhealthyPolicy is true where unhealthyPodEvictionPolicy of a budget is not obeyed (before 1.27, KEP-3017).
	IgnoresUnhealthyPolicy bool
	// IgnoresSidecars is true if the API server drops the restartPolicy of init containers, so the other containers
	// wait forever (before 1.29, KEP-753).
	IgnoresSidecars bool
}

// Manager are the rules of kube-controller-manager.
type Manager struct {
	// MonitorGrace is the default of Config.MonitorGrace; 0 is DefaultMonitorGrace.
	MonitorGrace time.Duration
	// IgnoresOutOfService is true if the taint out-of-service has no effect on pods that are already deleted and on their
	// volumes (before 1.26, KEP-2268).
	IgnoresOutOfService bool
	// DeletesUnmarked is true if the pod garbage collector does not set a pod to Failed before it deletes it (before
	// 1.26, when the gate PodDisruptionConditions became on by default, KEP-3329).
	DeletesUnmarked bool
	// SaysNothingOfUnmanaged is true if the disruption controller has no event about pods without a controller (1.24.17
	// has none, 1.27.4 has it).
	SaysNothingOfUnmanaged bool
	// ResyncsBudgets is true if the disruption controller looks at each budget every 30s regardless of changes
	// (1.16.15 does, 1.22.17 does not). Here such a budget is always up to date.
	ResyncsBudgets bool
	// UpdatesAllBudgets is true if a change of a pod updates all budgets that select it or selected its old labels, and not
	// just one of those that select it (from 1.38, PR 143111).
	UpdatesAllBudgets bool
}

// Scheduler are the rules of kube-scheduler.
type Scheduler struct {
	// SaysNoPreemption and SaysNoResourceClaims are true if FailedScheduling does not yet report the result of preemption
	// (before 1.24, PR 107775), or dynamic resource claims (before 1.34, when the gate DynamicResourceAllocation became
	// on by default, KEP-4381).
	SaysNoPreemption, SaysNoResourceClaims bool
	// NamesTaints is true if the scheduler names the taint that a pod does not tolerate (before 1.34), and SaysTolerate
	// if it does so in the words of versions before 1.24. SaysConflict is true if it calls a volume out of reach a
	// conflict (before 1.33).
	NamesTaints, SaysTolerate, SaysConflict bool
	// HopesForRoom is true if the scheduler preempts even for a pod that asks for more than the node has (before 1.34).
	HopesForRoom bool
	// CountsEmptySpread is true if a topology spread constraint with an empty labelSelector counts all pods of the
	// namespace, and not none (from 1.38, PR 141340).
	CountsEmptySpread bool
}

// Spec is a node of the cluster.
type Spec struct {
	Name, Zone string
	// Labels are the node's own labels; nil if they are not known: then only its name and zone decide.
	Labels map[string]string `print:"-"`
	// Taints are its initial taints, without the taints for its state.
	Taints []Taint `print:"-"`
	// Allocatable is the total that its pods may request, as quantities by resource. Other resources are not
	// decided.
	Allocatable map[string]string `print:"-"`
}

// Taint is a taint of a node, in the words of the API. Value may be "".
type Taint struct{ Key, Value, Effect string }

// String returns the taint as kubectl writes it: key=value:effect, or key:effect without a value.
func (t Taint) String() string {
	if t.Value == "" {
		return t.Key + ":" + t.Effect
	}
	return t.Key + "=" + t.Value + ":" + t.Effect
}

// The times of the controllers that watch over nodes.
const (
	// DefaultMonitorGrace is the default of --node-monitor-grace-period from 1.32 (PR 126287); before it was 40s.
	DefaultMonitorGrace = 50 * time.Second
	// DefaultToleration is the toleration that the admission plugin DefaultTolerationSeconds gives every pod for the
	// taints not-ready and unreachable.
	DefaultToleration = 300 * time.Second
)

// Specs returns the nodes; the default is three. The caller must not change the slice.
func (c *Config) Specs() []Spec {
	if len(c.Nodes) > 0 {
		return c.Nodes
	}
	return assumed[:]
}

// assumed are the nodes of a cluster that lists none. They are never changed.
var assumed = [...]Spec{{Name: "node-1"}, {Name: "node-2"}, {Name: "node-3"}}

// monitorGrace is the scenario's time, else the version's, else the newest version's.
func (c *Config) monitorGrace() time.Duration {
	return cmp.Or(c.MonitorGrace, c.Rules.MonitorGrace, DefaultMonitorGrace)
}
