package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// crowded is a dump of a set of three, with a spec of its pods, on a cluster of 90 nodes in three zones. Some nodes are
// small, tainted or cordoned. unready is an ordinal whose pod is not Ready; the volume of web-0 is in one zone.
func crowded(spec string, unready int) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for i := range 90 {
		more := ""
		switch {
		case i%30 == 7:
			more = ", taints: [{key: gpu, effect: NoSchedule}]"
		case i%30 == 8:
			more = ", unschedulable: true"
		}
		fmt.Fprintf(&b, "- {apiVersion: v1, kind: Node, metadata: {name: n%02d, labels: {kubernetes.io/hostname: n%[1]d, "+
			"topology.kubernetes.io/zone: z%d, disk: %s, pool: main}}, spec: {podCIDR: x%s}, status: {allocatable: {cpu: \"%d\", pods: \"9\"}, "+
			"conditions: [{type: Ready, status: \"True\"}]}}\n", i, i%3, []string{"ssd", "hdd"}[i/3%2], more, 1+i/45*7)
	}
	b.WriteString("- {apiVersion: v1, kind: PersistentVolume, metadata: {name: v0}, spec: {capacity: {storage: 1Gi}, " +
		"claimRef: {namespace: default, name: data-web-0, uid: c0}, nodeAffinity: {required: {nodeSelectorTerms: [" +
		"{matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [z1]}]}]}}}, status: {phase: Bound}}\n")
	set := "  apiVersion: apps/v1\n  kind: StatefulSet\n  metadata: {name: web, namespace: default, uid: w, generation: 1}\n" +
		"  spec:\n    replicas: 3\n    serviceName: web\n    selector: {matchLabels: {app: web}}\n    template:\n      metadata: " +
		"{labels: {app: web}}\n      spec: {" + spec + "}\n"
	ready := 3
	if unready >= 0 {
		ready = 2
	}
	b.WriteString("-\n" + set + fmt.Sprintf("    volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: "+
		"[ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]\n  status: {observedGeneration: 1, replicas: 3, "+
		"readyReplicas: %d, currentReplicas: 3, updatedReplicas: 3, currentRevision: web-1, updateRevision: web-1}\n", ready))
	fmt.Fprintf(&b, "- {apiVersion: apps/v1, kind: ControllerRevision, metadata: {name: web-1, namespace: default, uid: r, "+
		"labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: w, controller: true}]}, "+
		"revision: 1, data: {spec: {template: {$patch: replace, metadata: {labels: {app: web}}, spec: {%s}}}}}\n", spec)
	for i := range 3 {
		fmt.Fprintf(&b, "- {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data-web-%d, namespace: default, uid: "+
			"c%[1]d}, spec: {accessModes: [ReadWriteOnce], volumeName: v%[1]d, resources: {requests: {storage: 1Gi}}}, "+
			"status: {phase: Bound}}\n", i)
		fmt.Fprintf(&b, "- {apiVersion: v1, kind: Pod, metadata: {name: web-%d, namespace: default, uid: p%[1]d, labels: {app: "+
			"web, controller-revision-hash: web-1}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: w, "+
			"controller: true}]}, spec: {nodeName: n%[2]d, volumes: [{name: data, persistentVolumeClaim: {claimName: "+
			"data-web-%[1]d}}], %[3]s}, status: {phase: Running, conditions: [{type: Ready, status: %[4]q}]}}\n",
			i, 61+i, spec, map[bool]string{true: "False", false: "True"}[i == unready])
	}
	return b.String()
}

// TestFewNodes: a plan is the same to the letter whether its worlds have all nodes of a dump or only those that the
// pods of the set may ever need.
func TestFewNodes(t *testing.T) {
	const app = `containers: [{name: app, image: "a:1", readinessProbe: {tcpSocket: {port: 1}}, resources: {requests: {cpu: "%s"}}}]`
	apart := func(topology string) string {
		return ", affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: " + topology +
			", labelSelector: {matchLabels: {app: web}}}]}}"
	}
	spread := func(topology string) string {
		return ", topologySpreadConstraints: [{maxSkew: 1, whenUnsatisfiable: DoNotSchedule, topologyKey: " + topology +
			", labelSelector: {matchLabels: {app: web}}}]"
	}
	for _, c := range []struct {
		name, cpu, more string
		unready         int
		few             bool
	}{
		{"anywhere", "500m", "", -1, true},
		{"a pod is not Ready", "500m", "", 0, true},
		{"large nodes", "4", "", -1, true},
		{"no node is large enough", "9", "", -1, false},
		{"apart by node", "500m", apart("kubernetes.io/hostname"), -1, true},
		{"apart by zone", "500m", apart("topology.kubernetes.io/zone"), -1, false},
		{"spread over nodes", "500m", spread("kubernetes.io/hostname"), -1, false},
		{"spread over zones", "500m", spread("topology.kubernetes.io/zone"), -1, false},
		{"spread over disks", "500m", spread("disk"), -1, false},
		{"by a label", "500m", ", nodeSelector: {pool: main}", 2, true},
		{"by a label that some nodes have", "500m", ", nodeSelector: {disk: ssd}", 2, false},
		{"by a label that no node has", "500m", ", nodeSelector: {disk: tape}", -1, false},
		{"by the name", "500m", ", nodeSelector: {kubernetes.io/hostname: n61}", -1, false},
		{"a toleration", "500m", ", tolerations: [{operator: Exists}]", -1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := crowded(fmt.Sprintf(app, c.cpu)+c.more, c.unready)
			after := strings.NewReplacer("a:1", "a:2", "replicas: 3", "replicas: 4").Replace(before[strings.Index(before, "  apiVersion: apps"):])
			after = after[:strings.Index(after, "  status:")]
			var texts [2]string
			var nodes [2]int
			for i := range texts {
				in, err := Read(Stream{Name: "old.yaml", Data: []byte(before)}, Stream{Name: "new.yaml", Data: []byte(after)},
					strict.Limits{})
				require.NoError(t, err)
				if i == 0 {
					in.Crowd = nil
				}
				plan, err := Of(in, &Options{Profiles: profiles(t, "1.37"), Runs: 1})
				require.NoError(t, err)
				nodes[i] = len(plan.world.Sets[0].Part.State.Nodes)
				var b strings.Builder
				require.NoError(t, plan.Document().Text(&b, render.Style{Width: 120}))
				texts[i] = b.String()
			}
			require.Equal(t, texts[0], texts[1])
			require.Equal(t, 90, nodes[0])
			require.Equal(t, c.few, nodes[1] < 90, "%d nodes", nodes[1])
		})
	}
}
