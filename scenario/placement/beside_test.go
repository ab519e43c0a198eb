package placement_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// set is the step that creates a set of pods with the label app: NAME, all at once.
func set(name, namespace string, replicas int, spec string) string {
	if !strings.Contains(spec, "containers:") {
		spec = strings.TrimPrefix(spec+", containers: [{name: app, image: app:v1}]", ", ")
	}
	return fmt.Sprintf(`
  - create:
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: %[1]s, namespace: %s}
      spec:
        replicas: %d
        podManagementPolicy: Parallel
        serviceName: %[1]s
        selector: {matchLabels: {app: %[1]s}}
        template: {metadata: {labels: {app: %[1]s}}, spec: {%[4]s}}`, name, namespace, replicas, spec)
}

// cache is the step that creates the set cache, of one pod.
func cache(namespace, spec string) string { return set("cache", namespace, 1, spec) }

// required is an affinity or anti-affinity between pods, with further fields.
func required(kind, labels string, more ...string) string {
	return "affinity: {" + kind + ": {requiredDuringSchedulingIgnoredDuringExecution: [{" +
		strings.Join(append([]string{"topologyKey: kubernetes.io/hostname", "labelSelector: {" + labels + "}"}, more...), ", ") +
		"}]}}"
}

func spread(more string) string {
	return "topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule, " +
		"labelSelector: {matchLabels: {app: web}}" + more + "}]"
}

// TestBeside plays sets in a cluster in which something is already: other pods, and nodes that are not as they should
// be.
func TestBeside(t *testing.T) {
	const (
		onA, onB = "nodeSelector: {kubernetes.io/hostname: a}", "nodeSelector: {kubernetes.io/hostname: b}"
		isCache  = "matchLabels: {app: cache}"
		isWeb    = "matchLabels: {app: web}"
		racks    = "[{name: a, labels: {rack: r1}}, {name: b, labels: {rack: r2}}, {name: c, labels: {rack: r2, disk: hdd}}]"
		lackOne  = "[{name: a, labels: {rack: r1}}, {name: b, labels: {disk: ssd}}]"
	)
	port := func(fields string) string {
		return "containers: [{name: app, image: app:v1, ports: [{containerPort: 80, " + fields + "}]}]"
	}
	requests := func(list string) string {
		return "containers: [{name: app, image: app:v1, resources: {requests: {" + list + "}}}]"
	}
	for _, c := range []struct{ name, version, nodes, before, spec, on, says string }{
		{
			name: "a cordoned node", nodes: "[a, b]", before: "\n  - cordon: a", spec: onA, on: "- - -",
			says: "1 node(s) didn't match Pod's node affinity/selector, 1 node(s) were unschedulable.",
		},
		{
			name: "a cordoned node that is tolerated", nodes: "[a]", before: "\n  - cordon: a", on: "a a a",
			spec: "tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists}]",
		},
		{
			name: "a node that is silent", nodes: "[a, b]", before: "\n  - nodeDown: a", spec: onA, on: "- - -",
			says: "1 node(s) had untolerated taint(s).",
		},
		{
			name:  "a node that is out of service",
			nodes: "[a, b]", before: "\n  - nodeDown: a\n  - outOfService: a", on: "- - -",
			spec: onA + ", tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists}]",
			says: "1 node(s) had untolerated taint(s).",
		},
		{
			name:  "with another set",
			nodes: "[a, b]", before: cache("default", onB), spec: required("podAffinity", isCache), on: "b b b",
		},
		{
			name: "a set in another namespace", nodes: "[a, b]", before: cache("other", onB),
			spec: required("podAffinity", isCache), on: "- - -", says: "2 node(s) didn't match pod affinity rules.",
		},
		{
			name: "with a set in another namespace that is named", nodes: "[a, b]", before: cache("other", onB),
			spec: required("podAffinity", isCache, "namespaces: [other]"), on: "b b b",
		},
		{
			name: "a set in another namespace than the named one", nodes: "[a, b]", before: cache("default", onB),
			spec: required("podAffinity", isCache, "namespaces: [other]"), on: "- - -",
			says: "2 node(s) didn't match pod affinity rules.",
		},
		{
			name: "with a set in any namespace", nodes: "[a, b]", before: cache("other", onB),
			spec: required("podAffinity", isCache, "namespaceSelector: {}"), on: "b b b",
		},
		{
			name:  "apart from another set",
			nodes: "[a, b]", before: cache("default", onB), spec: required("podAntiAffinity", isCache), on: "a a a",
		},
		{
			name: "apart from a set in another namespace", nodes: "[b]", before: cache("other", onB),
			spec: required("podAntiAffinity", isCache), on: "b b b",
		},
		{
			name: "a set that keeps off others", nodes: "[a]", before: cache("default", required("podAntiAffinity", isWeb)),
			on: "- - -", says: "1 node(s) didn't satisfy existing pods anti-affinity rules. no new claims to deallocate, preemption: " +
				"0/1 nodes are available: 1 No preemption victims found for incoming pod.",
		},
		{
			name: "a set that keeps off others of its own namespace", nodes: "[a]", on: "a a a",
			before: cache("other", required("podAntiAffinity", isWeb)),
		},
		{
			name: "apart from pods with the same value of a label", nodes: "[a]", on: "a a a",
			spec: required("podAntiAffinity", isWeb, "matchLabelKeys: [apps.kubernetes.io/pod-index]"),
		},
		{
			name: "apart from pods with another value of a label", nodes: "[a, b]", before: cache("default", onA), on: "b b b",
			spec: required("podAntiAffinity", "matchExpressions: [{key: app, operator: Exists}]", "mismatchLabelKeys: [app]"),
		},
		{
			name: "the network of the host", nodes: "[a, b]", on: "a b -", spec: "hostNetwork: true, " + port("name: http"),
			says: "2 node(s) didn't have free ports for the requested pod ports.",
		},
		{
			name:  "the same port at another address",
			nodes: "[a]", before: cache("default", port("hostPort: 80, hostIP: 10.0.0.1")),
			spec: port("hostPort: 80, hostIP: 10.0.0.2"), on: "a - -", says: "didn't have free ports",
		},
		{
			name:  "the same port at all addresses",
			nodes: "[a]", before: cache("default", port("hostPort: 80, hostIP: 10.0.0.1")),
			spec: port("hostPort: 80, hostIP: 0.0.0.0"), on: "- - -", says: "didn't have free ports",
		},
		{
			name:  "the same port of another protocol",
			nodes: "[a]", before: cache("default", port("hostPort: 80, protocol: UDP")),
			spec: port("hostPort: 80"), on: "a - -", says: "didn't have free ports",
		},
		{
			name: "just the whole node", nodes: "[{name: a, allocatable: {cpu: '2', memory: 2Gi}}]", on: "a - -",
			spec: requests("cpu: '2', memory: 2Gi"),
			says: "0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory. no new claims to deallocate, preemption: 0/1 " +
				"nodes are available: 1 No preemption victims found for incoming pod.",
		},
		{
			name:  "more than the whole node of one resource",
			nodes: "[{name: a, allocatable: {cpu: '2', memory: 2Gi}}]", on: "- - -",
			spec: requests("cpu: '1', memory: 3Gi"), says: "1 Insufficient memory. no new claims to deallocate, preemption: 0/1 nodes " +
				"are available: 1 Preemption is not helpful for scheduling.",
		},
		{
			name: "more than the whole node, before 1.34", version: "1.33",
			nodes: "[{name: a, allocatable: {cpu: '2'}}]", on: "- - -",
			spec: requests("cpu: '3'"), says: "1 No preemption victims found for incoming pod.",
		},
		{
			name:  "all resources that are short, in the order of their names",
			nodes: "[{name: a, allocatable: {cpu: '1', ephemeral-storage: 1Gi, memory: 1Gi}}]",
			spec:  requests("ephemeral-storage: 2Gi, memory: 2Gi, cpu: 2"), on: "- - -",
			says: "1 Insufficient cpu, 1 Insufficient ephemeral-storage, 1 Insufficient memory.",
		},
		{
			name: "topology spread over nodes of two racks", nodes: racks, spec: spread(""), on: "a b c",
		},
		{
			name: "topology spread over more racks than there are", nodes: racks, spec: spread(", minDomains: 3"), on: "a b -",
			says: "3 node(s) didn't match pod topology spread constraints.",
		},
		{
			name: "topology spread over as many racks as there are", nodes: racks, spec: spread(", minDomains: 2"), on: "a b c",
		},
		{
			name: "topology spread of each pod by itself", nodes: "[{name: a, labels: {rack: r1}}]", on: "a a a",
			spec: spread(", minDomains: 2, matchLabelKeys: [apps.kubernetes.io/pod-index]"),
		},
		{
			name: "topology spread where the pods select nodes", nodes: racks, on: "a a a",
			spec: onA + ", " + spread(""),
		},
		{
			name: "topology spread over the nodes that are not selected too", nodes: racks, on: "a - -",
			spec: onA + ", " + spread(", nodeAffinityPolicy: Ignore"),
			says: "1 node(s) didn't match pod topology spread constraints, 2 node(s) didn't match Pod's node affinity/selector.",
		},
		{
			name: "topology spread beside pods of another namespace", nodes: racks, before: cache("other", onA), on: "b a c",
			spec: "topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule, " +
				"labelSelector: {matchExpressions: [{key: app, operator: Exists}]}}]",
		},
		{
			name: "topology spread beside pods that are counted", nodes: racks, before: cache("default", onA), on: "b c a",
			spec: "topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule, " +
				"labelSelector: {matchExpressions: [{key: app, operator: Exists}]}}]",
		},
		{
			name: "a node that lacks the label of the spread", nodes: lackOne, spec: spread(", minDomains: 2"), on: "a - -",
			says: "1 node(s) didn't match pod topology spread constraints, 1 node(s) didn't match pod topology spread " +
				"constraints (missing required label).",
		},
		{
			name: "topology spread that need not hold", nodes: racks, on: "a a a",
			spec: onA + ", " + strings.Replace(spread(", nodeAffinityPolicy: Ignore"), "DoNotSchedule", "ScheduleAnyway", 1),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "until: 1h\n"
			if c.version != "" {
				text += "kubernetes: \"" + c.version + "\"\n"
			}
			text += "nodes: " + c.nodes + "\nsteps:" + c.before + set("web", "default", 3, c.spec) + "\n"
			s, err := scenario.Parse("fit.yaml", []byte(text), nil, scenario.Options{})
			require.NoError(t, err)
			on, last := placed(s.Run(scenario.RunOptions{}).Timeline)
			require.Equal(t, c.on, on, last)
			require.Contains(t, last, c.says)
			if c.says == "" {
				require.Empty(t, last)
			}
		})
	}
}

// TestUndecided: what a template asks for and nobody decides is named once, with the sets; what is decided is not.
func TestUndecided(t *testing.T) {
	const (
		enough = "[{name: a, labels: {disk: ssd}, allocatable: {cpu: '4'}}]"
		asks   = ", containers: [{name: app, image: app:v1, resources: {requests: {cpu: '1'}}}]"
	)
	const (
		decide = "the nodes do not show enough (labels, allocatable) to check "
		one    = ": what cannot be checked keeps no pod off a node"
	)
	apart := required("podAntiAffinity", "matchLabels: {app: cache}", "namespaceSelector: {matchLabels: {team: x}}")
	for _, c := range []struct{ name, nodes, spec, says string }{
		{"a priority, where there may be too little room", enough, "priorityClassName: system-cluster-critical" + asks,
			"not modelled: priority (no pod is preempted)"},
		{"a priority as a number", enough, "priority: 7, priorityClassName: mine" + asks,
			"not modelled: priority (no pod is preempted)"},
		{"a priority, where there is always room", "[a]", "priorityClassName: system-cluster-critical" + asks,
			decide + "requests for cpu" + one},
		{"gates", enough, "schedulingGates: [{name: example.com/later}], readinessGates: [{conditionType: example.com/lb}]",
			"not modelled: schedulingGates (assumed: removed at once), readinessGates (assumed: True)"},
		{"another scheduler", enough, "schedulerName: mine",
			"not modelled: schedulerName mine (assumed: it works like the default scheduler)"},
		{"the default scheduler", enough, "schedulerName: default-scheduler", ""},
		{"claims of devices", enough, "resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]",
			"not modelled: resourceClaims (assumed: allocated)"},
		{"the labels of namespaces, for those to be apart from", enough, apart,
			"not modelled: the namespaceSelector of podAntiAffinity (assumed: it keeps no pod off a node)"},
		{"the labels of namespaces, for those to be with", enough, strings.Replace(apart, "podAntiAffinity", "podAffinity",
			1),
			"not modelled: the namespaceSelector of podAffinity (assumed: it keeps no pod off a node)"},
		{"a topology of which nothing is known", "[a]", spread(""), decide + "topologySpreadConstraints by rack" + one},
		{"a topology that no node has", enough, spread(""), ""},
		{"a port of the host, where nodes are unknown", "", "hostNetwork: true, containers: [{name: app, image: app:v1, " +
			"ports: [{containerPort: 80}]}]", "no nodes are given, so each pod is assumed to fit on some node, whatever it asks for (hostPort)"},
		{"a port of the host", enough, "hostNetwork: true, containers: [{name: app, image: app:v1, " +
			"ports: [{containerPort: 80}]}]", ""},
		{"a resource that only some nodes have", enough,
			"containers: [{name: app, image: app:v1, resources: {limits: {example.com/gpu: 1}}}]", ""},
		{"resources of which nothing is known, in the scheduler's order", "[a]",
			"containers: [{name: app, image: app:v1, resources: {requests: {ephemeral-storage: 1Gi, memory: 1Gi, cpu: '1'}}}]",
			decide + "requests for cpu, memory and ephemeral-storage" + one},
		{"a resource of which nothing is known", "[a]",
			"containers: [{name: app, image: app:v1, resources: {limits: {example.com/gpu: 1}}}]", decide + "requests for example.com/gpu" + one},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "until: 1h\n"
			if c.nodes != "" {
				text += "nodes: " + c.nodes + "\n"
			}
			text += "steps:" + set("web", "default", 1, c.spec) + set("db", "default", 1, c.spec) + "\n"
			s, err := scenario.Parse("fit.yaml", []byte(text), nil, scenario.Options{})
			require.NoError(t, err)
			events := s.Run(scenario.RunOptions{}).Timeline
			said := events[len(events)-1].Result.Warnings
			if c.says != "" && !strings.Contains(c.says, "no pod is preempted") {
				require.Equal(t, timeline.Settled, events[len(events)-1].Result.Verdict, "what is not checked refuses nothing")
			}
			if c.says == "" {
				require.Empty(t, said)
				return
			}
			require.Len(t, said, 1)
			require.Contains(t, said[0], "web, db: "+c.says)
		})
	}
}
