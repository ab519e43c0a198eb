package placement_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestFit plays sets whose pods may not run anywhere, and looks at where they are in the end and at what the scheduler
// says of the one that has no node. The words are those of Kubernetes 1.37 unless a case names another version.
func TestFit(t *testing.T) {
	for _, c := range []struct {
		name, version, nodes, spec string
		// on are the nodes of the pods by their ordinals, "-" is none; says is in the scheduler's message.
		on, says string
	}{
		{
			name: "nodeSelector", nodes: "[{name: a, labels: {disk: ssd}}, b]", spec: "nodeSelector: {disk: ssd}",
			on: "a a a",
		},
		{
			name: "nodeSelector that no node has", nodes: "[{name: a, labels: {disk: hdd}}, b]", spec: "nodeSelector: {disk: ssd}",
			on: "- - -", says: "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. no new claims to " +
				"deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
		},
		{
			name: "every node runs Linux and has its name", nodes: "[a, b]",
			spec: "nodeSelector: {kubernetes.io/os: linux, kubernetes.io/hostname: b}", on: "b b b",
		},
		{
			name: "required node affinity", nodes: "[{name: a, labels: {gen: '3'}}, {name: b, labels: {gen: '5'}}]",
			spec: "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " +
				"[{matchExpressions: [{key: gen, operator: Gt, values: ['4']}]}]}}}",
			on: "b b b",
		},
		{
			name: "required node affinity by the node's name", nodes: "[a, b]",
			spec: "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " +
				"[{matchFields: [{key: metadata.name, operator: In, values: [b]}]}]}}}",
			on: "b b b",
		},
		{
			name: "preferred affinity decides nothing", nodes: "[{name: a, labels: {gen: '3'}}]",
			spec: "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: " +
				"{matchExpressions: [{key: gen, operator: Gt, values: ['4']}]}}]}}",
			on: "a a a",
		},
		{
			name: "half a core each", nodes: "[{name: a, allocatable: {cpu: '1'}}]", on: "a a -",
			spec: "containers: [{name: app, image: app:v1, resources: {requests: {cpu: 500m}}}]",
			says: "0/1 nodes are available: 1 Insufficient cpu.",
		},
		{
			name: "a taint", nodes: "[{name: a, taints: ['dedicated=db:NoSchedule']}]", on: "- - -",
			says: "0/1 nodes are available: 1 node(s) had untolerated taint(s).",
		},
		{
			name: "a taint, in the words of before 1.34", version: "1.33", on: "- - -",
			nodes: "[{name: a, taints: ['dedicated=db:NoExecute']}]",
			says: "0/1 nodes are available: 1 node(s) had untolerated taint {dedicated: db}. preemption: 0/1 nodes are " +
				"available: 1 Preemption is not helpful for scheduling.",
		},
		{
			name: "a taint, in the words of before 1.24", version: "1.22", on: "- - -",
			nodes: "[{name: a, taints: ['dedicated=db:NoSchedule']}]",
			says:  "0/1 nodes are available: 1 node(s) had taint {dedicated: db}, that the pod didn't tolerate.",
		},
		{
			name: "a taint that is tolerated", nodes: "[{name: a, taints: ['dedicated=db:NoSchedule']}]",
			spec: "tolerations: [{key: dedicated, operator: Exists}]", on: "a a a",
		},
		{
			name: "taints that every pod tolerates", on: "a b a",
			nodes: "[{name: a, taints: ['node.kubernetes.io/not-ready:NoExecute']}, {name: b, taints: ['node.kubernetes.io/unreachable:NoExecute']}]",
		},
		{name: "a soft taint", nodes: "[{name: a, taints: ['dedicated=db:PreferNoSchedule']}]", on: "a a a"},
		{
			name: "requests", nodes: "[{name: a, allocatable: {cpu: '2', memory: 1Gi}}]",
			spec: "containers: [{name: app, image: app:v1, resources: {requests: {cpu: 900m, memory: 100Mi}}}]", on: "a a -",
			says: "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are " +
				"available: 1 No preemption victims found for incoming pod.",
		},
		{
			name: "limits are requests where there are none", nodes: "[{name: a, allocatable: {cpu: '2', memory: 1Gi}}]",
			spec: "containers: [{name: app, image: app:v1, resources: {limits: {memory: 600Mi}}}]", on: "a - -",
			says: "1 Insufficient memory.",
		},
		{
			name: "requests of the pod as a whole", nodes: "[{name: a, allocatable: {cpu: '2', memory: 1Gi}}]", on: "a a -",
			spec: "resources: {requests: {cpu: 900m}}\n        containers: [{name: app, image: app:v1, resources: {requests: {cpu: 100m}}}]",
			says: "0/1 nodes are available: 1 Insufficient cpu.",
		},
		{
			name: "requests of the pod as a whole, which 1.33 drops", version: "1.33", nodes: "[{name: a, allocatable: {cpu: '2', memory: 1Gi}}]",
			spec: "resources: {requests: {cpu: 900m}}\n        containers: [{name: app, image: app:v1, resources: {requests: {cpu: 100m}}}]", on: "a a a",
		},
		{
			name: "limits of the pod as a whole are requests where no container has any", on: "a - -",
			nodes: "[{name: a, allocatable: {cpu: '2', memory: 1Gi}}]",
			spec:  "resources: {limits: {cpu: '2', memory: 600Mi}}\n        containers: [{name: app, image: app:v1, resources: {requests: {cpu: 100m}}}]",
			says:  "1 Insufficient memory.",
		},
		{
			name: "more than the whole node", nodes: "[{name: a, allocatable: {cpu: '2'}}]", on: "- - -",
			spec: "containers: [{name: app, image: app:v1, resources: {requests: {cpu: '3'}}}]",
			says: "1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not " +
				"helpful for scheduling.",
		},
		{
			name: "an extended resource", nodes: "[{name: a, allocatable: {cpu: '2'}}]", on: "- - -",
			spec: "containers: [{name: app, image: app:v1, resources: {limits: {example.com/gpu: 1}}}]",
			says: "1 Insufficient example.com/gpu.",
		},
		{name: "the number of pods", nodes: "{count: 2, allocatable: {pods: 1}}", on: "node-1 node-2 -", says: "2 Too many pods."},
		{
			name: "host ports", nodes: "[a, b]", on: "a b -", says: "2 node(s) didn't have free ports for the requested pod ports.",
			spec: "containers: [{name: app, image: app:v1, ports: [{containerPort: 80, hostPort: 80}]}]",
		},
		{
			name: "ports of containers in the network of the host", nodes: "[a, b]", on: "a b -",
			says: "2 node(s) didn't have free ports for the requested pod ports.",
			spec: "hostNetwork: true\n        containers: [{name: app, image: app:v1, ports: [{containerPort: 80}]}]",
		},
		{
			name: "anti-affinity by host", nodes: "[a, b]", on: "a b -", says: "2 node(s) didn't match pod anti-affinity rules.",
			spec: "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " +
				"[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]}}",
		},
		{
			name: "anti-affinity by zone", nodes: "{count: 4, zones: [x, y]}", on: "node-1 node-2 -",
			says: "4 node(s) didn't match pod anti-affinity rules.",
			spec: "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " +
				"[{topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: web}}}]}}",
		},
		{
			name: "affinity to itself", nodes: "[a, b]", on: "a a a",
			spec: "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " +
				"[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]}}",
		},
		{
			name: "affinity to nobody", nodes: "[a, b]", on: "- - -", says: "2 node(s) didn't match pod affinity rules.",
			spec: "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " +
				"[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: cache}}}]}}",
		},
		{
			name: "topology spread", nodes: "[{name: a, zone: x}, {name: b, zone: y, taints: ['db:NoSchedule']}]", on: "a - -",
			says: "1 node(s) didn't match pod topology spread constraints, 1 node(s) had untolerated taint(s). no new claims to " +
				"deallocate, preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption " +
				"is not helpful for scheduling.",
			spec: "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, " +
				"whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}]",
		},
		{
			name: "topology spread that counts no tainted node", on: "a a a",
			nodes: "[{name: a, zone: x}, {name: b, zone: y, taints: ['db:NoSchedule']}]",
			spec: "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, nodeTaintsPolicy: Honor, " +
				"whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}]",
		},
		{
			name: "topology spread with an empty selector counts no pod up to 1.37", version: "1.37", on: "a a a",
			nodes: "[{name: a, zone: x}, {name: b, zone: y, taints: ['db:NoSchedule']}]",
			spec: "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, " +
				"whenUnsatisfiable: DoNotSchedule, labelSelector: {}}]",
		},
		{
			name: "and from 1.38 on all pods", version: "1.38", on: "a - -",
			nodes: "[{name: a, zone: x}, {name: b, zone: y, taints: ['db:NoSchedule']}]",
			says:  "1 node(s) didn't match pod topology spread constraints, 1 node(s) had untolerated taint(s).",
			spec: "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, " +
				"whenUnsatisfiable: DoNotSchedule, labelSelector: {}}]",
		},
		{
			name: "topology spread by a label that a node lacks", nodes: "[{name: a, labels: {rack: r1}}, b]", on: "a a a",
			spec: "topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule, " +
				"labelSelector: {matchLabels: {app: web}}}]",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			events := play(t, c.version, c.nodes, c.spec)
			on, last := placed(events)
			require.Equal(t, c.on, on, last)
			require.Contains(t, last, c.says)
			if c.says == "" {
				require.Empty(t, last)
			}
			require.Empty(t, events[len(events)-1].Result.Warnings)
		})
	}
}

// TestNamed: what nobody decides is named, and refuses nothing.
func TestNamed(t *testing.T) {
	const spec = `nodeSelector: {disk: ssd}
        readinessGates: [{conditionType: example.com/lb}]
        affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname,
          labelSelector: {matchLabels: {app: web}}}]}}
        containers: [{name: app, image: app:v1, resources: {requests: {cpu: '300'}}}]`
	for _, c := range []struct{ name, nodes, want string }{
		{"no nodes", "", "web: no nodes are given, so each pod is assumed to fit on some node, whatever it asks for (the node label " +
			"disk, podAntiAffinity by kubernetes.io/hostname, requests for cpu)"},
		{"nodes with names alone", "3", "web: the nodes do not show enough (labels, allocatable) to check the node label " +
			"disk and requests for cpu: what cannot be checked keeps no pod off a node"},
		{"labels", "[{name: a, labels: {disk: ssd}}, {name: b, labels: {disk: ssd}}, {name: c, labels: {disk: ssd}}]",
			"web: the nodes do not show enough (labels, allocatable) to check requests for cpu: what cannot be checked keeps no pod " +
				"off a node"},
	} {
		events := play(t, "", c.nodes, spec)
		result := events[len(events)-1].Result
		require.Equal(t, timeline.Settled, result.Verdict, c.name)
		require.Equal(t, []string{c.want, "web: not modelled: readinessGates (assumed: True)"}, result.Warnings, c.name)
	}
}

// TestPortsOfTwoSets: pods share a node unless they take the same port of it.
func TestPortsOfTwoSets(t *testing.T) {
	set := func(name, spec string) string {
		return "  - create: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: " + name + "}, spec: {replicas: 1, serviceName: web, " +
			"selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: " + spec + "}}}\n"
	}
	host := func(port string) string {
		return "{hostNetwork: true, containers: [{name: app, image: app:v1, ports: [" + port + "]}]}"
	}
	for _, c := range []struct {
		name, web, db string
		both          bool
	}{
		{"two ports", host("{containerPort: 80}"), host("{containerPort: 81}"), true},
		{"one port", host("{containerPort: 80}"), host("{containerPort: 80}"), false},
		{"the port of a node, and the network of the node", "{containers: [{name: app, image: app:v1, ports: [{containerPort: 80, hostPort: 81}]}]}",
			host("{containerPort: 81}"), false},
		{"a port of a container, and the network of the node", "{containers: [{name: app, image: app:v1, ports: [{containerPort: 80}]}]}",
			host("{containerPort: 80}"), true},
		{"one port of two protocols", host("{containerPort: 80}"), host("{containerPort: 80, protocol: UDP}"), true},
	} {
		s, err := scenario.Parse("ports.yaml", []byte("nodes: [a]\nsteps:\n"+set("web", c.web)+set("db", c.db)), nil, scenario.Options{})
		require.NoError(t, err)
		verdict := s.Run(scenario.RunOptions{}).Result.Verdict
		require.Equal(t, c.both, verdict == timeline.Settled, "%s: %s", c.name, verdict)
	}
}

// TestAssumedNodes: where no nodes are given every pod fits somewhere, however many there are that keep each other off.
func TestAssumedNodes(t *testing.T) {
	const text = `steps:
  - create: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 20, podManagementPolicy: Parallel, serviceName: web,
      selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {hostNetwork: true,
      containers: [{name: app, image: app:v1, ports: [{containerPort: 80}]}]}}}}
`
	for nodes, want := range map[string]timeline.Verdict{"": timeline.Settled, "nodes: 3\n": timeline.IsStuck} {
		s, err := scenario.Parse("many.yaml", []byte(nodes+text), nil, scenario.Options{})
		require.NoError(t, err)
		require.Equal(t, want, s.Run(scenario.RunOptions{}).Result.Verdict, nodes)
	}
}

// placed returns the nodes of the three pods of the set web, "-" for none, and the last thing that the scheduler says of
// one that has none.
func placed(events []timeline.Event) (on, last string) {
	where := []string{"-", "-", "-"}
	for _, e := range events {
		if i := slices.Index([]string{"web-0", "web-1", "web-2"}, e.Pod); i >= 0 && e.Kind == timeline.KindPod && e.Node != "" {
			where[i] = e.Node
		}
		if e.Reason == timeline.ReasonFailedScheduling {
			last = e.Message
		}
	}
	return strings.Join(where, " "), last
}

func play(t *testing.T, version, nodes, spec string) []timeline.Event {
	t.Helper()
	if !strings.Contains(spec, "containers:") {
		spec += "\n        containers: [{name: app, image: app:v1}]"
	}
	head := ""
	if version != "" {
		head += "kubernetes: \"" + version + "\"\n"
	}
	if nodes != "" {
		head += "nodes: " + nodes + "\n"
	}
	text := head + `steps:
  - create:
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: web}
      spec:
        replicas: 3
        podManagementPolicy: Parallel
        serviceName: web
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            ` + strings.ReplaceAll(spec, "\n        ", "\n            ") + "\n"
	s, err := scenario.Parse("fit.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err)
	return s.Run(scenario.RunOptions{}).Timeline
}
