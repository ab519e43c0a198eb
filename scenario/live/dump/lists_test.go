package dump_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

const (
	// liveSet is a set as kubectl prints it; its status counts so many pods. The pods ask for a PriorityClass.
	liveSet = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: default, uid: s, generation: 1, creationTimestamp: "2026-01-01T00:00:00Z"}
spec: {replicas: 2, serviceName: web, podManagementPolicy: OrderedReady, selector: {matchLabels: {app: web}}, revisionHistoryLimit: 10,
  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}},
  template: {metadata: {labels: {app: web}}, spec: {%scontainers: [{name: app, image: "app:v1"}]}}}
status: {observedGeneration: 1, replicas: %d, readyReplicas: %d, currentRevision: web-1, updateRevision: web-1, updatedReplicas: %d}
---
`
	// livePod is a pod of it, with more of its metadata, of its spec and of its status.
	livePod = `apiVersion: v1
kind: Pod
metadata: {name: %s, namespace: default, uid: %[1]s, creationTimestamp: "2026-01-01T00:00:00Z", labels: {app: web, controller-revision-hash: web-1},
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: %s, uid: s, controller: true}]%s}
spec: {%scontainers: [{name: app, image: "app:v1"}]}
status: {%s}
---
`
	runs = `phase: Running, startTime: "2026-01-01T00:00:01Z", conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:05Z"}], ` +
		`containerStatuses: [{name: app, image: "app:v1", ready: true, restartCount: 0, state: {running: {startedAt: "2026-01-01T00:00:02Z"}}}]`
	wakes = `phase: Running, startTime: "2026-01-01T00:00:01Z", conditions: [{type: Ready, status: "False", lastTransitionTime: "2026-01-01T00:00:05Z"}], ` +
		`containerStatuses: [{name: app, image: "app:v1", ready: false, restartCount: 3, state: {%s}, lastState: {%s}}]`
	unbound = `phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: "0/2 nodes are available"}]`
	node    = `apiVersion: v1
kind: Node
metadata: {name: %s, labels: {kubernetes.io/hostname: %[1]s}}
spec: {%s}
status: {conditions: [{type: Ready, status: "%s"}], nodeInfo: {kubeletVersion: %q}, allocatable: {cpu: "4", memory: 8Gi}}
---
`
)

func setOf(spec string, pods, ready int) string { return fmt.Sprintf(liveSet, spec, pods, ready, pods) }

func podOf(name, metadata, spec, status string) string {
	return fmt.Sprintf(livePod, name, "web", metadata, spec, status)
}

// revision is a ControllerRevision of that name, with more of its metadata.
const revision = `apiVersion: apps/v1
kind: ControllerRevision
metadata: {name: %s, namespace: default%s}
data: {spec: {template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:v1"}]}}}}
revision: 1
---
`

// claims is a set of two replicas with a claim template, which its controller has not seen yet.
const claims = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: default, uid: s, generation: 1, creationTimestamp: "2026-01-01T00:00:00Z"}
spec: {replicas: 2, serviceName: web, podManagementPolicy: OrderedReady, selector: {matchLabels: {app: web}}, revisionHistoryLimit: 10,
  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}},
  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}}],
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:v1"}]}}}
status: {observedGeneration: 0, currentRevision: web-1, updateRevision: web-1}
---
`

const (
	// owned are the metadata of what a custom resource owns; gone are those of what has been Terminating since some
	// time.
	owned = `, ownerReferences: [{apiVersion: example.com/v1, kind: Database, name: db, uid: x, controller: true}]`
	gone  = `, finalizers: [kubernetes.io/pvc-protection], deletionGracePeriodSeconds: 0, deletionTimestamp: "2026-01-01T`
)

// uses is part of the spec of a pod that uses a claim.
func uses(claim string) string {
	return fmt.Sprintf("volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}], ", claim)
}

func claim(name, metadata, class, phase string) string {
	volume := ", volumeName: pv"
	if phase == "Pending" {
		volume = ""
	}
	return fmt.Sprintf("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: %s, namespace: default, uid: %[1]s%s}\n"+
		"spec: {storageClassName: %s%s}\nstatus: {phase: %s}\n---\n", name, metadata, class, volume, phase)
}

// asking is a claim that has just been created, and asks for a volume by its name. volume is a PersistentVolume.
func asking(name, of string) string {
	return strings.Replace(claim(name, `, creationTimestamp: "2026-01-01T00:59:59Z"`, "fast", "Pending"), "fast", "fast, volumeName: "+of, 1)
}

func volume(name, spec string) string {
	return "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: " + name + "}\nspec: {" + spec + "}\n---\n"
}

// roomy says of nodes how many pods each takes, as those of real clusters do.
func roomy(nodes string) string {
	return strings.ReplaceAll(nodes, "memory: 8Gi", "memory: 8Gi, pods: \"110\"")
}

// renamed replaces each of some texts by the one after it.
func renamed(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }

// onNode is part of the spec of a volume that one node has.
func onNode(name string) string {
	return "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [" + name + "]}]}]}}"
}

// TestObjects compares what is known of objects as servers print them with testdata/objects.txt.
func TestObjects(t *testing.T) {
	two := setOf("", 2, 2) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", "", "nodeName: node-2, ", runs)
	one := setOf("", 1, 1) + podOf("web-0", "", "nodeName: node-1, ", runs)
	crashed := fmt.Sprintf(wakes, `waiting: {reason: CrashLoopBackOff, message: "back-off 5m0s restarting failed container"}`,
		`terminated: {exitCode: 1, reason: Error, message: "it crashed", finishedAt: "2026-01-01T00:00:04Z"}`)
	event := func(reason, message, at string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: Event\nmetadata: {name: e%s, namespace: default}\nreason: %s\nmessage: %q\nlastTimestamp: %q\n"+
			"involvedObject: {kind: StatefulSet, namespace: default, name: web}\n---\n", strings.ToLower(reason)+at[14:16], reason, message, at)
	}
	const quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: few, namespace: default}\n---\n"
	const deleted = `, deletionTimestamp: "2026-01-01T00:00:40Z", deletionGracePeriodSeconds: 30`
	unplaced := setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", "", uses("data-web-1"), unbound) +
		fmt.Sprintf(node, "node-1", "", "True", "v1.37.0")
	cases := []struct{ name, text string }{
		{"nodes of two versions", two + fmt.Sprintf(node, "node-1", "", "True", "v1.35.2") + fmt.Sprintf(node, "node-2", "unschedulable: true", "True", "v1.36.10-gke.100")},
		{"a node that is not Ready, and has taints", two + fmt.Sprintf(node, "node-1", "taints: [{key: dedicated, value: db, effect: NoSchedule}]", "True", "v1.99.1") +
			fmt.Sprintf(node, "node-2", "taints: [{key: node.kubernetes.io/unreachable, effect: NoExecute, timeAdded: \"2026-01-01T00:01:00Z\"}]", "Unknown", "1.37")},
		{"one of the nodes", two + fmt.Sprintf(node, "node-1", "", "True", "v1.37.0")},
		{"a pod that the taint manager has deleted", setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", deleted, "nodeName: node-2, ",
			strings.Replace(runs, "conditions: [", `conditions: [{type: DisruptionTarget, status: "True", reason: DeletionByTaintManager}, `, 1))},
		{"a pod whose grace period is over", setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", deleted, "nodeName: node-2, ", runs)},
		{"the same, on a node that answers", setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", deleted, "nodeName: node-1, ", runs) +
			fmt.Sprintf(node, "node-1", "", "True", "v1.37.0")},
		{"a pod with a finalizer", setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", deleted+", finalizers: [example.com/held]", "nodeName: node-2, ", runs)},
		{"a pod that crashes", setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", "", "nodeName: node-2, ", crashed)},
		{"a pod that has just crashed", setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", "", "nodeName: node-2, ",
			fmt.Sprintf(wakes, `terminated: {exitCode: 137, reason: OOMKilled, message: "out of memory", finishedAt: "2026-01-01T00:00:04Z"}`, ""))},
		{"a pod that ended well and starts again", setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", "", "nodeName: node-2, ",
			fmt.Sprintf(wakes, `running: {startedAt: "2026-01-01T00:00:06Z"}`, `terminated: {exitCode: 0, reason: Completed, finishedAt: "2026-01-01T00:00:04Z"}`))},
		{"a pod whose containers are not created", setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) +
			podOf("web-1", "", "nodeName: node-2, ", `phase: Pending, startTime: "2026-01-01T00:00:01Z", conditions: [{type: PodScheduled, status: "True", lastTransitionTime: "2026-01-01T00:00:01Z"}]`)},
		{"a pod that no node takes", setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", "", "", unbound) + fmt.Sprintf(node, "node-1", "", "True", "v1.37.0")},
		{"pods that no node takes", setOf("", 1, 0) + podOf("web-0", "", "", unbound)},
		{"a pod that no node can take", setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", "", "", unbound) + fmt.Sprintf(node, "node-1", "unschedulable: true", "True", "v1.37.0")},
		{"a pod that is missing", one},
		{"a pod that is missing, and a quota", one + quota + event("FailedCreate", "pods \"web-1\" is forbidden: exceeded quota: few", "2026-01-01T00:10:00Z")},
		{"the same, and one of another namespace that was not tried yet", one + quota + event("FailedCreate", "pods \"web-1\" is forbidden: exceeded quota: few", "2026-01-01T00:10:00Z") +
			renamed(strings.Replace(one, "observedGeneration: 1", "observedGeneration: 0", 1), "namespace: default", "namespace: other", "uid: s", "uid: o")},
		{"two pods that are missing, and an event about one of them", strings.Replace(strings.ReplaceAll(one, "OrderedReady", "Parallel"), "replicas: 2", "replicas: 3", 1) + quota +
			event("FailedCreate", "create Pod web-1 in StatefulSet web failed error: pods \"web-1\" is forbidden: exceeded quota: few", "2026-01-01T00:10:00Z")},
		{"the same, after it was created", one + quota + event("SuccessfulCreate", "created", "2026-01-01T00:20:00Z") +
			event("FailedCreate", "pods \"web-1\" is forbidden: exceeded quota: few", "2026-01-01T00:10:00Z")},
		{"a pod that is missing, and asks for a class", setOf("priorityClassName: high, ", 1, 1) + podOf("web-0", "", "nodeName: node-1, ", runs)},
		{"pods that are missing, and ask for a class", setOf("priorityClassName: high, ", 0, 0)},
		{"pods that are missing, and ask for a class of the system's", setOf("priorityClassName: system-node-critical, ", 0, 0)},
		{"the same, and the class is one of the system's", setOf("priorityClassName: system-node-critical, ", 1, 1) + podOf("web-0", "", "nodeName: node-1, ", runs)},
		{"the same, and another pod has it", setOf("priorityClassName: high, ", 1, 1) + podOf("web-0", "", "priorityClassName: high, nodeName: node-1, ", runs)},
		{"pods of a set that is not there", strings.ReplaceAll(podOf("db-0", "", "nodeName: node-1, ", runs), "name: web, uid: s", "name: db, uid: d") + two},
		{"a pod of another namespace", setOf("", 2, 2) + strings.ReplaceAll(podOf("web-0", "", "nodeName: node-1, ", runs), "namespace: default", "namespace: other")},
		{"a volume that a node has", two + "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: default}\nspec: {storageClassName: fast}\nstatus: {phase: Bound}\n---\n" +
			"apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: pv}\nspec: {claimRef: {namespace: default, name: data}, nodeAffinity: {required: {nodeSelectorTerms: " +
			"[{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [node-1]}]}]}}}\n---\n"},
		{"an event of the new API", one + quota + event("SuccessfulCreate", "created", "2026-01-01T00:10:00Z") +
			strings.Replace(event("FailedCreate", "pods \"web-1\" is forbidden: exceeded quota: few", "2026-01-01T00:20:00.000000Z"), "lastTimestamp", "eventTime", 1)},
		{"pods of one namespace of two", setOf("", 2, 2) + strings.ReplaceAll(two, "namespace: default", "namespace: other")},
		{"two sets without their revisions", two + strings.ReplaceAll(two, "web", "db")},
		{"claims that are not there", setOf("", 2, 2) + podOf("web-0", "", "nodeName: node-1, "+uses("shared"), runs) + podOf("web-1", "", "nodeName: node-1, "+uses("shared"), runs)},
		{"a revision without an owner, and one of a DaemonSet", two + fmt.Sprintf(revision, "web-1", "") + fmt.Sprintf(revision, "web-2", ", ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: web, uid: d, controller: true}]")},
		{"a claim of an owner of another kind", two + claim("data-web-0", owned, "fast", "Bound")},
		{"a volume that a cordoned node has", strings.Replace(claims, "replicas: 2", "replicas: 1", 1) + claim("data-web-0", "", "fast", "Bound") +
			"apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: free}\nspec: {}\n---\n" +
			"apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: other}\nspec: {claimRef: {namespace: other, name: data-web-0}, " + onNode("node-2") + "}\n---\n" +
			"apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: pv}\nspec: {claimRef: {namespace: default, name: data-web-0}, " + onNode("node-1") + "}\n---\n" +
			roomy(fmt.Sprintf(node, "node-1", "unschedulable: true", "True", "v1.37.0")+fmt.Sprintf(node, "node-2", "", "True", "v1.37.0"))},
		{"the same, of nodes that do not say how many pods they take", strings.Replace(claims, "replicas: 2", "replicas: 1", 1) +
			claim("data-web-0", "", "fast", "Bound") +
			"apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: pv}\nspec: {claimRef: {namespace: default, name: data-web-0}, " + onNode("node-1") + "}\n---\n" +
			fmt.Sprintf(node, "node-1", "unschedulable: true", "True", "v1.37.0") + fmt.Sprintf(node, "node-2", "", "True", "v1.37.0")},
		{"a pod that no node takes, its claim is Bound", unplaced + claim("data-web-1", "", "fast", "Bound")},
		{"a pod that no node takes, its claim is missing", unplaced},
		{"a pod that no node takes, its claim is Pending", unplaced + claim("data-web-1", "", "fast", "Pending")},
		{"a pod that no node takes, its claim is Terminating", unplaced + claim("data-web-1", gone+"00:30:00Z\"", "fast", "Bound")},
		{"a pod that no node takes, a claim of another namespace is Pending", unplaced + claim("data-web-1", "", "fast", "Bound") +
			strings.ReplaceAll(claim("data-web-1", "", "fast", "Pending"), "namespace: default", "namespace: other")},
		{"a container whose configuration is missing", setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", "", "nodeName: node-2, ",
			`phase: Pending, startTime: "2026-01-01T00:00:01Z", containerStatuses: [{name: app, image: "app:v1", ready: false, state: {waiting: {reason: CreateContainerConfigError}}}]`)},
		{"an image that another pod has pulled", setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", "", "nodeName: node-2, ",
			`phase: Pending, startTime: "2026-01-01T00:00:01Z", containerStatuses: [{name: app, image: "app:v1", ready: false, state: {waiting: {reason: ErrImagePull}}}]`)},
		{"a pod whose containers have not been created for exactly five minutes", setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", "", "nodeName: node-2, ",
			`phase: Pending, startTime: "2026-01-01T00:55:00Z", conditions: [{type: PodScheduled, status: "True", lastTransitionTime: "2026-01-01T00:55:00Z"}]`)},
		{"a pod whose grace period has been over for exactly a minute", setOf("", 2, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) +
			podOf("web-1", strings.Replace(deleted, "00:00:40Z", "00:59:00Z", 1), "nodeName: node-1, ", runs) + fmt.Sprintf(node, "node-1", "", "True", "v1.37.0")},
		{"a claim that has waited for exactly a minute", claims + claim("data-web-0", `, creationTimestamp: "2026-01-01T00:59:00Z"`, "fast", "Pending")},
		{"a claim that has waited for longer", claims + claim("data-web-0", `, creationTimestamp: "2026-01-01T00:58:59Z"`, "fast", "Pending")},
		{"a claim that has waited for longer, and another of its class is Bound", claims + claim("data-web-0", `, creationTimestamp: "2026-01-01T00:58:59Z"`, "fast", "Pending") +
			claim("data-web-1", "", "fast", "Bound")},
		{"a claim that asks for a volume that is not there", claims + asking("data-web-0", "pv-0") + volume("pv-1", "") + claim("data-db-0", "", "fast", "Bound")},
		{"a claim that asks for a volume of another claim", claims + asking("data-web-0", "pv-0") + volume("pv-0", "claimRef: {namespace: default, name: data-db-0}")},
		{"a claim that asks for a volume of an earlier one", claims + asking("data-web-0", "pv-0") + volume("pv-0", "claimRef: {namespace: default, name: data-web-0, uid: x}")},
		{"a claim that asks for a volume that is free", claims + asking("data-web-0", "pv-0") + volume("pv-0", "")},
		{"a claim that asks for a volume that is kept for it", claims + asking("data-web-0", "pv-0") + volume("pv-0", "claimRef: {namespace: default, name: data-web-0}")},
		{"a claim that asks for a volume, and the volumes are not in the dump", claims + asking("data-web-0", "pv-0")},
		{"claims that ask for the volume of another claim", strings.Replace(claims, "storageClassName: fast,", "storageClassName: fast, volumeName: pv,", 1) + claim("data-web-0", "", "fast", "Bound")},
		{"a claim that has been Terminating for exactly a minute", claims + claim("data-web-0", gone+"00:59:00Z\"", "fast", "Bound")},
		{"a claim that has been Terminating for longer", claims + claim("data-web-0", gone+"00:58:59Z\"", "fast", "Bound")},
		{"a class that is missing, of two sets", setOf("priorityClassName: high, ", 0, 0) +
			strings.ReplaceAll(strings.ReplaceAll(strings.Replace(setOf("priorityClassName: high, ", 0, 0), "observedGeneration: 1", "observedGeneration: 0", 1), "web", "db"), "app:v1", "db:1")},
		{"a pod that nobody owns, and one that is missing", one + strings.Replace(podOf("tool", "", "nodeName: node-1, ", runs), "controller: true", "controller: false", 1)},
		{"a pod that is not Ready any more, and one that is to come", strings.Replace(strings.Replace(setOf("", 1, 0), "observedGeneration: 1", "observedGeneration: 0", 1), "OrderedReady", "Parallel", 1) +
			podOf("web-0", "", "nodeName: node-1, ", fmt.Sprintf(wakes, `running: {startedAt: "2026-01-01T00:00:02Z"}`, ""))},
		{"a status of a rollout whose pods are all updated", strings.Replace(setOf("", 2, 2), "currentRevision: web-1", "currentRevision: web-0", 1)},
		{"a constraint of pods, without nodes", setOf("nodeSelector: {disk: ssd}, ", 2, 2) + podOf("web-0", "", "nodeName: node-1, ", runs) + podOf("web-1", "", "nodeName: node-2, ", runs)},
		{"a pod of nobody that is not Ready", setOf("", 1, 1) + podOf("web-0", "", "nodeName: node-1, ", runs) + strings.Replace(podOf("tool-1", "", "nodeName: node-1, ",
			strings.Replace(fmt.Sprintf(wakes, `running: {startedAt: "2026-01-01T00:00:02Z"}`, ""), "00:00:05Z", "00:00:02Z", 1)), "controller: true", "controller: false", 1)},
		{"a status of a rollout under way", strings.Replace(strings.Replace(setOf("", 2, 2), "currentRevision: web-1", "currentRevision: web-0", 1), "updatedReplicas: 2", "updatedReplicas: 1", 1)},
		{"a status of a rollout above a partition", strings.Replace(strings.Replace(strings.Replace(setOf("", 2, 2), "currentRevision: web-1", "currentRevision: web-0", 1), "updatedReplicas: 2", "updatedReplicas: 1", 1),
			"partition: 0", "partition: 1", 1)},
		{"nothing", ""},
		{"YAML that begins like JSON", "{kind: StatefulSet}\n"},
		{"an object that occurs twice, the newer one counts", two + setOf("", 2, 1)},
		{"an object that occurs once without its namespace, the newer one counts",
			two + strings.Replace(setOf("", 2, 1), "namespace: default, ", "", 1)},
		{"an object without a name", "apiVersion: v1\nkind: Pod\nmetadata: {namespace: default}\n"},
		{"an object that cannot be decoded", "apiVersion: v1\nkind: Pod\nmetadata: {name: [3]}\n"},
		{"no object", "steps: []\n"},
		{"no YAML", "kind: [\n"},
	}
	var text strings.Builder
	at := time.Date(2026, time.January, 1, 1, 0, 0, 0, time.UTC)
	for _, c := range cases {
		fmt.Fprintf(&text, "# %s\n\n", c.name)
		known(t, &text, []byte(c.text), at)
	}
	goldenfile.Equal(t, "testdata/objects.txt", text.String())
}

// TestJSON: a dump says the same whether it was printed as YAML or as JSON, as one List, as lists of one kind each whose
// items do not say what they are, or as one object after the other.
func TestJSON(t *testing.T) {
	for _, c := range scenes {
		s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
		require.NoError(t, err, c.name)
		world := sim.New(s.Config(scenario.RunOptions{}))
		world.Run(s.Steps)
		var printed bytes.Buffer
		require.NoError(t, printing.Print(&printed, world.State(), epoch))
		var list map[string]any
		require.NoError(t, yaml.Unmarshal(printed.Bytes(), &list))
		whole, err := json.Marshal(list)
		require.NoError(t, err)
		apart := []byte("\n ")
		for _, item := range list["items"].([]any) {
			object, err := json.Marshal(item)
			require.NoError(t, err)
			apart = append(append(apart, object...), '\n')
		}
		kinds, inYAML := []byte{}, []byte{}
		for _, item := range list["items"].([]any) {
			fields := maps.Clone(item.(map[string]any))
			of := map[string]any{"apiVersion": fields["apiVersion"], "kind": fields["kind"].(string) + "List"}
			delete(fields, "kind")
			delete(fields, "apiVersion")
			of["items"] = []any{fields}
			object, err := json.Marshal(of)
			require.NoError(t, err)
			kinds = append(kinds, object...)
			object, err = yaml.Marshal(of)
			require.NoError(t, err)
			inYAML = append(append(inYAML, object...), "---\n"...)
		}
		items, err := json.Marshal(list["items"])
		require.NoError(t, err)
		var want strings.Builder
		known(t, &want, printed.Bytes(), epoch)
		for _, data := range [][]byte{whole, apart, items, kinds, inYAML, append([]byte("apiVersion: v1\nkind: List\nitems:\n- "),
			bytes.ReplaceAll(bytes.TrimSpace(whole), []byte("\n"), []byte("\n  "))...)} {
			var got strings.Builder
			known(t, &got, data, epoch)
			require.Equal(t, want.String(), got.String(), c.name)
		}
	}
}

// TestJSONWrong: what is wrong in a dump in JSON is said with the line of its document, or of the item of its List.
func TestJSONWrong(t *testing.T) {
	manifest := `{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"}}`
	for text, want := range map[string]string{
		"{\"kind\": \"Pod\"}\n{\"kind\": 3,\n":                          "d.json:2:12: the JSON is cut off here: a dump is what kubectl get -o yaml or -o json prints",
		"{\"kind\": \"Pod\"}\n\n[1e999]":                                "d.json:3:7: the number 1e999 is too large: numbers are below",
		"{\"kind\": \"List\", \"items\": [\n1,\n\n1e999]}":              "d.json:4:6: the number 1e999 is too large: numbers are below",
		"\n{\"items\": [\n1\n,\n" + manifest + "], \"kind\": \"List\"}": "d.json:5:1: this is a manifest, not what kubectl get -o yaml prints",
		"{\"kind\": \"Pod\"}\n\":\"List\"}\n":                           "d.json:2:4: this is not JSON: a dump is what",
		"{}\n" + manifest:                                               "d.json:2:1: this is a manifest, not what kubectl get -o yaml prints",
	} {
		_, err := dump.Read([]dump.Source{{Name: "d.json", Data: []byte(text)}}, dump.Options{})
		require.ErrorContains(t, err, want, "%s", text)
	}
}

// TestLooks: a dump, or a manifest, has a kind and no steps.
func TestLooks(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "kind: Pod\n": true, "apiVersion: v1\nkind: List\n": true, " kind: Pod\n": true, "a:\n kind: Pod\n": false, "kind: Pod\nsteps:\n": false,
		"start: dump.yaml\nkind: x\n": false, "a: b\n": false, `{"kind": "List"}`: true, "\n\t {\"kind\": \"List\"}": true, `{"steps": [], "kind": 1}`: false,
		"---\n{apiVersion: v1, kind: Pod}\n": true, "{apiVersion: v1, kind: Pod}": true, "{steps: [{apply: {kind: Pod}}]}": false,
		"- {kind: Pod}\n": false, `[{"kind": "Pod"}]`: true, `{}`: false, "\ufeffkind: Pod\n": false, "\ufeff{\"kind\": 1}": true,
	} {
		require.Equal(t, want, dump.Looks([]byte(text)), "%q", text)
	}
}

// TestYAMLItemByItem: a List that cannot be read item by item is read as a whole from there on, and no object twice.
func TestYAMLItemByItem(t *testing.T) {
	pod := func(name string) string {
		return "- apiVersion: v1\n  kind: Pod\n  metadata: {name: " + name + ", uid: x}\n  status: {phase: Pending}\n"
	}
	manifest := "- apiVersion: apps/v1\n  kind: StatefulSet\n  metadata: {name: web}\n"
	list := func(items string) string { return "apiVersion: v1\nitems:\n" + items + "kind: List\n" }
	for name, text := range map[string]string{
		"an alias":                   list(strings.Replace(pod("web-0"), "uid: x", "labels: &l {a: b}", 1) + strings.Replace(pod("web-1"), "uid: x", "labels: *l", 1) + manifest),
		"quotes in the first column": list(pod("web-0") + strings.Replace(pod("web-1"), "uid: x", "uid: \"x\n- y\"", 1) + manifest),
	} {
		_, err := dump.Read([]dump.Source{{Name: "d.yaml", Data: []byte(text)}}, dump.Options{})
		require.Error(t, err, name)
		require.Equal(t, 1, strings.Count(err.Error(), "this is a manifest"), "%s: %v", name, err)
		at := 1 + strings.Count(text[:strings.Index(text, manifest)], "\n")
		require.ErrorContains(t, err, fmt.Sprintf("d.yaml:%d:1: this is a manifest", at), name)
	}
	ofPods, err := dump.Read([]dump.Source{{Name: "d.yaml", Data: []byte(strings.Replace(list(pod("web-0")), "kind: List", "kind: PodList", 1))}},
		dump.Options{})
	require.NoError(t, err, "it is not cut off")
	require.Len(t, ofPods.State.Pods, 1)
	_, err = dump.Read([]dump.Source{{Name: "d.yaml", Data: []byte(list(manifest + "- a: b: c\n"))}}, dump.Options{})
	require.ErrorContains(t, err, "d.yaml:6:")
	require.NotContains(t, err.Error(), "YAML parser fails")
	_, err = dump.Read([]dump.Source{{Name: "d.yaml", Data: []byte(list(pod("web-0") + pod("web-1")))}},
		dump.Options{Limits: strict.Limits{Nodes: 40}})
	require.NoError(t, err)
	_, err = dump.Read([]dump.Source{{Name: "d.yaml", Data: []byte(list(pod("web-0") + pod("web-1") + pod("web-2")))}},
		dump.Options{Limits: strict.Limits{Nodes: 40}})
	require.ErrorContains(t, err, "--max-nodes")
}

// TestDumpsTakeMemory: a dump that takes more memory than is allowed is refused, in YAML and in JSON, item by item.
func TestDumpsTakeMemory(t *testing.T) {
	items := strings.Repeat("- apiVersion: v1\n  kind: Pod\n  metadata: {name: web-0, uid: x}\n", 20000)
	objects := strings.Repeat(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web-0", "uid": "x"}},`, 20000)
	for name, text := range map[string]string{
		"d.yaml": "apiVersion: v1\nitems:\n" + items + "kind: List\n",
		"d.json": `{"kind": "List", "items": [` + strings.TrimSuffix(objects, ",") + "]}",
	} {
		_, err := dump.Read([]dump.Source{{Name: name, Data: []byte(text)}}, dump.Options{Limits: strict.Limits{Memory: 1 << 20}})
		require.ErrorContains(t, err, name+": reading it takes nearly the 1 MiB of memory that are allowed")
		_, err = dump.Read([]dump.Source{{Name: name, Data: []byte(text)}}, dump.Options{})
		require.NoError(t, err)
	}
}
