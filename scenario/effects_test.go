package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

const (
	nowhere = "kubernetes: \"%s\"\nnodes: {names: [{name: n1, taints: [\"dedicated=db:NoSchedule\"]}, {name: n2}, {name: n3}, {name: n4, allocatable: {pods: 1}}, {name: n5, allocatable: {cpu: 1}}]}\nuntil: 1h\n" +
		"steps:\n- cordon: n2\n- nodeDown: n3\n- after: 2m\n  createPod: {name: tool-0, image: \"tool:1\", labels: {app: tool}}\n- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 2, serviceName: web, " +
		"podManagementPolicy: Parallel, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"app:v1\", resources: {requests: {cpu: \"2\"}}}]}}}}\n- outOfService: n3\n"
	pdb   = "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {minAvailable: %d, selector: {matchLabels: {app: web}}}}"
	most  = "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: %s}, spec: {maxUnavailable: 1, selector: {matchLabels: {app: %s}}}}"
	whole = "- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 1, serviceName: web, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, " +
		"spec: {terminationGracePeriodSeconds: %d, initContainers: [{name: init, image: \"init:1\"}, {name: proxy, image: \"proxy:1\", restartPolicy: Always}], " +
		"containers: [{name: app, image: \"app:v1\", readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 2}, livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 5, terminationGracePeriodSeconds: 3}, " +
		"lifecycle: {preStop: {exec: {command: [\"true\"]}}}}, {name: side, image: \"side:1\"}]}}}}\n"
	pvc    = "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: shared}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}"
	svc    = "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {%s selector: {app: web}, ports: [{port: 80}]}}"
	stored = "- create: {name: web, replicas: 2, image: \"app:v1\", volumeClaimTemplates: [%s]}\n"
	asked  = "{metadata: {name: %s}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}"
	affine = "- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: %s}, spec: {serviceName: web, selector: {matchLabels: {app: %s}}, replicas: %d, template: {metadata: {labels: {app: %[2]s}}, " +
		"spec: {affinity: {%[4]s: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: %[5]s}}}]}}, " +
		"containers: [{name: app, image: \"app:v1\"}]}}}}\n"
	created = "- create: {name: web, replicas: 2, image: \"app:v1\"}\n"
)

// claimOf is the manifest of a claim.
func claimOf(name, mode, size, more string) string {
	return fmt.Sprintf("{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: %s}, spec: {accessModes: [%s], resources: {requests: {storage: %s}}%s}}",
		name, mode, size, more)
}

// effects are steps about every kind of object, in states in which they have and have not an effect, and settings.
var effects = []struct{ name, text string }{
	{"budgets", "steps:\n" + created + "- create: " + fmt.Sprintf(pdb, 1) + "\n- create: " + fmt.Sprintf(pdb, 1) + "\n  refused: already exists\n- apply: " + fmt.Sprintf(pdb, 1) +
		"\n- apply: " + fmt.Sprintf(pdb, 2) + "\n- replace: " + fmt.Sprintf(pdb, 3) + "\n- delete: pdb/web\n- delete: pdb/web\n  refused: not found\n- replace: " + fmt.Sprintf(pdb, 3) +
		"\n  refused: not found\n- evict: web-0\n- drain: node-2\n"},
	{"claims", "steps:\n- apply: " + pvc + "\n- apply: " + pvc + "\n- create: " + pvc + "\n  refused: already exists\n- delete: pvc/shared\n- delete: pvc/shared\n  refused: not found\n- replace: " + pvc +
		"\n  refused: not found\n"},
	{"claims that change", "volumes: {rules: [{match: {claim: late}, bind: never}]}\nsteps:\n- apply: " + claimOf("shared", "ReadWriteOnce", "1Gi", "") +
		"\n- apply: " + claimOf("shared", "ReadWriteOnce", "1024Mi", "") + "\n- apply: " + claimOf("shared", "ReadWriteOnce", "2Gi", ", storageClassName: fast") +
		"\n- apply: " + claimOf("shared", "ReadWriteOnce", "2Gi", ", storageClassName: slow") + "\n  refused: immutable\n- apply: " + claimOf("shared", "ReadWriteOnce", "2Gi", "") + "\n- apply: " + claimOf("shared", "ReadWriteOnce", "1Gi", "") +
		"\n  refused: less than\n- apply: " + claimOf("shared", "ReadWriteMany", "3Gi", ", volumeMode: Block") + "\n  refused: immutable\n- replace: " +
		claimOf("shared", "ReadWriteOnce", "2Gi", "") + "\n  refused: immutable\n- apply: " + claimOf("shared", "None", "2Gi", "") + "\n  refused: accessModes\n- apply: " +
		claimOf("late", "ReadWriteOnce", "1Gi", "") + "\n- replace: " + claimOf("late", "ReadWriteOnce", "1Gi", ", volumeName: disk") + "\n- apply: " +
		claimOf("late", "ReadWriteOnce", "2Gi", "") + "\n  refused: immutable\n"},
	{"a claim that does not go", "volumes: {release: never}\nsteps:\n- create: {name: web, replicas: 1, image: \"app:v1\", volumeClaimTemplates: [{metadata: {name: data}, spec: " +
		"{accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}\n- delete: pvc/data-web-0\n- delete: pod/web-0\n- after: 5s\n  delete: pvc/data-web-0\n  force: true\n"},
	{"services", "steps:\n- create: " + fmt.Sprintf(svc, "clusterIP: None,") + "\n- apply: " + fmt.Sprintf(svc, "clusterIP: None,") + "\n- apply: " + fmt.Sprintf(svc, "") + "\n- apply: " +
		fmt.Sprintf(svc, "publishNotReadyAddresses: true,") + "\n- create: " + fmt.Sprintf(svc, "") + "\n  refused: already exists\n- delete: service/web\n- apply: " + fmt.Sprintf(svc, "") + "\n- apply: " +
		fmt.Sprintf(svc, "clusterIP: None,") + "\n  refused: may not change once set\n- delete: service/web\n- delete: service/web\n  refused: not found\n- replace: " + fmt.Sprintf(svc, "") + "\n  refused: not found\n"},
	{"nodes with labels, taints and room", "nodes: {count: 3, zones: [a, b], labels: {disk: ssd}, taints: [\"dedicated=db:NoSchedule\"], allocatable: {pods: \"1\"}}\nuntil: 1m\nsteps:\n" + created},
	{"nodes by their names", "nodes: {names: [plain, {name: big, zone: a, labels: {disk: ssd}, allocatable: {pods: 5}}], allocatable: {pods: 1}, labels: {disk: hdd}}\nuntil: 1m\nsteps:\n" +
		"- create: {name: web, replicas: 4, image: \"app:v1\"}\n"},
	{"nodes whose zone is a label", "nodes: [{name: n1, labels: {topology.kubernetes.io/zone: east}}, n2]\nsteps:\n" + created},
	{"nodes that are wrong", "nodes: {names: [{zone: a}, {name: n1, labels: {\"a b\": c, d: [1]}, taints: [\"x\", 3], allocatable: {cpu: much}}], zones: [a], labels: 3}\nsteps:\n" + created},
	{"nodes that go and come", "nodes: {count: 2}\nuntil: 1h\nsteps:\n" + created + "- nodeDown: node-1\n- after: 1m\n  nodeUp: node-1\n- after: 1m\n  nodeDown: {node: node-2, off: true}\n- after: 10m\n  outOfService: node-2\n" +
		"- after: 1m\n  outOfService: {node: node-2, remove: true}\n- nodeUp: node-2\n- cordon: node-1\n- cordon: node-1\n- uncordon: \"node-*\"\n- drain: {node: node-1, timeout: 1s}\n"},
	{"a new control plane, with gates of the old one", "kubernetes: \"1.36\"\nfeatureGates: {MaxUnavailableStatefulSet: true}\nsteps:\n" + created + "- upgradeControlPlane: \"1.37\"\n- setImage: {image: \"app:v2\"}\n" +
		"- upgradeControlPlane: \"1.30\"\n- upgradeControlPlane: \"1.26\"\n"},
	{"a controller that restarts", "steps:\n" + created + "- restartController: {after: 5s, behind: 3s}\n- restartController: {}\n"},
	{"evictions", "steps:\n" + created + "- apply: " + fmt.Sprintf(pdb, 2) + "\n- evict: web-0\n  refused: disruption budget\n- evict: web-9\n- evict: web-1\n"},
	{"pods", "steps:\n" + created + "- fail: {pod: web-0, phase: Succeeded}\n- crash: {pod: web-1, again: 3s, times: 2}\n- after: 1m\n  hang: web-1\n- delete: pod/web-1\n- after: 1m\n  delete: pod/web-1\n  force: true\n" +
		"- label: {pod: web-0, labels: {app: other}}\n- delete: pod/web-7\n  refused: not found\n"},
	{"undo without a change", "steps:\n" + created + "- setImage: {image: \"app:v2\"}\n- undo: {toRevision: 2}\n- delete: statefulset/web\n- undo: web\n  refused: not found\n- scale: {statefulset: web, replicas: 1}\n  refused: not found\n" +
		"- setImage: {statefulset: web, image: \"app:v3\"}\n  refused: not found\n- restart: web\n  refused: not found\n- delete: statefulset/web\n  refused: not found\n"},
	{"two total outages", "nodes: {count: 2}\nuntil: 1h\nsteps:\n" + created + "- nodeDown: \"node-*\"\n- after: 10m\n  nodeUp: \"node-*\"\n- after: 10m\n  nodeDown: \"node-*\"\n- after: 10m\n  nodeUp: node-2\n"},
	{"a pod that changes while its node is silent, which is so twice", "nodes: {count: 2}\nuntil: 1h\nsteps:\n" + created + "- nodeDown: node-2\n- after: 2m\n  label: {pod: web-1, labels: {team: a}}\n- after: 2m\n  nodeUp: node-2\n" +
		"- after: 2m\n  nodeDown: node-2\n- after: 2m\n  label: {pod: web-1, labels: {team: b}}\n"},
	{"a node that is deleted while it is silent", "nodes: {count: 2}\nuntil: 1h\nsteps:\n" + created + "- nodeDown: node-2\n- after: 10s\n  delete: node/node-2\n"},
	{"volumes of a node that is deleted", "nodes: {count: 2}\nuntil: 1h\nsteps:\n" + fmt.Sprintf(stored, fmt.Sprintf(asked, "data")+", "+fmt.Sprintf(asked, "logs")) +
		"- nodeDown: node-2\n- after: 10s\n  delete: node/node-2\n"},
	{"volumes of a pod whose process lives on", "kubelet: {stop: 20s}\nuntil: 1h\nsteps:\n" + fmt.Sprintf(stored, fmt.Sprintf(asked, "data")+", "+fmt.Sprintf(asked, "logs")) +
		"- cordon: node-2\n- delete: pod/web-1\n  force: true\n"},
	{"volumes of a pod that returns to its node", "kubelet: {stop: 1m}\nuntil: 1h\nsteps:\n" + fmt.Sprintf(stored, fmt.Sprintf(asked, "data")) +
		"- cordon: \"node-[13]\"\n- delete: pod/web-1\n  force: true\n- after: 5s\n  uncordon: node-1\n- cordon: node-2\n- delete: pod/web-1\n"},
	{"a claim that is deleted before it gets a volume", "volumes: {bind: 10s}\nuntil: 1h\nsteps:\n" + fmt.Sprintf(stored, fmt.Sprintf(asked, "data")) + "- at: 5s\n  delete: pvc/data-web-0\n- after: 1m\n  delete: pod/web-0\n"},
	{"rules of volumes that say one time of two", "volumes: {bind: 2s, release: 3s, rules: [{match: {claim: data-web-0}, release: never}, {match: {claim: \"data-*\", namespace: other}, bind: never}, " +
		"{match: {claim: data-web-1, nth: 1}, bind: 5s}]}\nuntil: 1h\nsteps:\n" + fmt.Sprintf(stored, fmt.Sprintf(asked, "data")) + "- delete: pvc/data-web-1\n- delete: pod/web-1\n- delete: pvc/data-web-0\n- delete: pod/web-0\n"},
	{"pods that keep others away", "nodes: {count: 3}\nuntil: 1h\nsteps:\n" + fmt.Sprintf(affine, "db", "db", 1, "podAntiAffinity", "web") + "- create: {name: web, replicas: 3, image: \"app:v1\"}\n" +
		"- cordon: \"node-[23]\"\n- delete: pod/web-1\n- after: 1m\n  delete: statefulset/db\n"},
	{"pods that need others beside them", "nodes: {count: 3}\nuntil: 1h\nsteps:\n" + fmt.Sprintf(affine, "web", "web", 2, "podAffinity", "db") + "- create: {name: db, replicas: 1, image: \"db:1\"}\n" +
		"- cordon: node-1\n- after: 1m\n  delete: pod/web-1\n- uncordon: node-1\n"},
	{"pods that nobody may join", "nodes: {count: 2}\nuntil: 1h\nsteps:\n" + fmt.Sprintf(affine, "web", "web", 3, "podAntiAffinity", "web") + "- delete: pod/web-0\n- scale: {replicas: 2}\n"},
	{"what no scheduler of a simulation decides", "until: 1h\nsteps:\n- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 2, serviceName: web, selector: {matchLabels: {app: web}}, " +
		"template: {metadata: {labels: {app: web}}, spec: {nodeSelector: {disk: ssd}, priorityClassName: high, containers: [{name: app, image: \"app:v1\", resources: {requests: {cpu: \"2\"}}}]}}}}\n" +
		"- setImage: {image: \"app:v2\"}\n"},
	{"a budget of pods that lose their set, and of others", "until: 1h\nkubernetes: \"1.27\"\nsteps:\n" + created + "- apply: " + fmt.Sprintf(most, "web", "web") + "\n- createPod: {name: tool-0, image: \"tool:1\", labels: {app: web}}\n" +
		"- createPod: {name: other-0, image: \"tool:1\", labels: {app: web}}\n- delete: pod/tool-0\n- delete: pod/other-0\n- delete: statefulset/web\n  cascade: orphan\n- evict: web-0\n  refused: disruption budget\n"},
	{"two budgets of a pod, and one of none", "until: 1h\nsteps:\n" + created + "- apply: " + fmt.Sprintf(most, "web", "web") + "\n- apply: " + fmt.Sprintf(most, "too", "web") + "\n- apply: " + fmt.Sprintf(most, "none", "none") +
		"\n- evict: web-0\n  refused: more than one\n- delete: pdb/too\n- evict: web-0\n"},
	{"a drain whose pods leave otherwise", "nodes: {count: 1}\nuntil: 1h\nsteps:\n- create: {name: web, replicas: 3, image: \"app:v1\"}\n- apply: " + fmt.Sprintf(pdb, 3) + "\n- drain: node-1\n- after: 7s\n  delete: pod/web-1\n" +
		"- after: 1s\n  delete: pdb/web\n"},
	{"containers that crash in every state of a pod", "kubelet: {start: 3s}\nuntil: 1h\nsteps:\n" + created + "- crash: {pod: web-0, reason: OOMKilled}\n- after: 2s\n  crash: web-0\n- after: 1m\n  crash: web-0\n" +
		"- delete: pod/web-1\n- after: 1s\n  crash: web-1\n- after: 3s\n  crash: web-1\n- fail: web-7\n- unready: {pod: web-1, for: 5s}\n- hang: web-0\n- hang: web-0\n- after: 5s\n  crash: web-0\n"},
	{"containers of a manifest", "kubelet: {probes: true, healthy: 4s, init: 2s, preStop: 3s, stop: 4s, rules: [{match: {container: side}, crash: 30s, crashes: 1}]}\nuntil: 30m\nsteps:\n" + fmt.Sprintf(whole, 9) +
		"- crash: {pod: web-0, container: proxy}\n- after: 30s\n  crash: {pod: web-0, container: side, again: 5s, times: 2}\n- after: 2m\n  crash: {pod: web-0, container: init}\n- nodeDown: {node: node-1, off: true}\n- after: 2m\n  nodeUp: node-1\n" +
		"- after: 2m\n  delete: pod/web-0\n"},
	{"an application that stops to answer, and one that never does", "kubelet: {probes: true, stop: 40s, rules: [{match: {image: \"app:bad\"}, healthy: never}, {match: {image: \"app:gone\"}, pull: never}]}\nuntil: 10m\nsteps:\n" + fmt.Sprintf(whole, 9) +
		"- unready: {pod: web-0, for: 20s}\n- after: 1m\n  setImage: {image: \"app:bad\", container: app}\n- after: 4m\n  setImage: {image: \"app:gone\", container: app}\n- delete: pod/web-0\n"},
	{"hooks without probes, and a grace period that is over", "kubelet: {preStop: 8s, stop: 30s, sigkill: true}\nuntil: 1h\nsteps:\n" + fmt.Sprintf(whole, 20) + "- delete: pod/web-0\n"},
	{"processes that live on, on nodes that fall silent", "kubelet: {stop: 10m}\nnodes: {count: 2}\nuntil: 2h\nsteps:\n" + created + "- delete: pod/web-0\n  force: true\n- nodeDown: node-1\n- after: 15m\n  nodeUp: node-1\n- delete: pod/web-1\n  force: true\n" +
		"- after: 1m\n  nodeDown: {node: node-2, off: true}\n"},
	{"peers that are needed, on a node that goes", "kubelet: {ready: {after: 2s, when: \"self.ordinal == 0 || pods.exists(p, p.ordinal == 0 && p.up)\"}}\nnodes: {count: 2}\nuntil: 1h\nsteps:\n" + created +
		"- nodeDown: {node: node-1, off: true}\n- after: 1m\n  nodeUp: node-1\n- delete: pod/web-0\n- crash: web-1\n"},
	{"Recreate, and deletions that fail", "kubernetes: \"1.37\"\nfeatureGates: {StatefulSetRecreateStrategy: true}\nuntil: 1h\nsteps:\n- create: {name: web, replicas: 3, image: \"app:v1\", updateStrategy: {type: Recreate}}\n- setImage: {image: \"app:v2\"}\n" +
		"- setImage: {image: \"app:v3\"}\nfaults:\n- {write: {verb: delete, kind: pod, nth: 2}, error: NotFound}\n- {write: {verb: delete, kind: pod, nth: 6}, error: InternalError}\n"},
	{"claims whose owners cannot be written", "until: 1h\nsteps:\n- create: {name: web, replicas: 3, image: \"app:v1\", persistentVolumeClaimRetentionPolicy: {whenScaled: Delete, whenDeleted: Delete}, volumeClaimTemplates: [" + fmt.Sprintf(asked, "data") + "]}\n" +
		"- scale: {replicas: 1}\n- scale: {replicas: 2}\n- delete: statefulset/web\nfaults:\n- {write: {verb: update, kind: claim}, error: Conflict, times: 4}\n- {write: {verb: create, kind: claim, nth: 2}, error: Forbidden, times: 2}\n"},
	{"an update of two at a time, and deletions that fail", "kubernetes: \"1.37\"\nuntil: 1h\nsteps:\n- create: {name: web, replicas: 4, image: \"app:v1\", updateStrategy: {rollingUpdate: {maxUnavailable: 2}}}\n- setImage: {image: \"app:v2\"}\n- scale: {replicas: 1}\n" +
		"faults:\n- {write: {verb: delete, kind: pod, nth: 2}, error: InternalError}\n- {write: {verb: delete, kind: pod, nth: 6}, error: Conflict}\n- {write: {verb: update, kind: statefulset}, error: Conflict, times: 2}\n"},
	{"peers of which each pod asks for itself, and all for the same", "kubelet: {rules: [{match: {image: \"app:v1\"}, ready: {after: 2s, when: \"self.ordinal != 1 || pods.exists(p, p.ordinal == 2 && p.ready)\"}}, " +
		"{match: {image: \"app:v2\"}, ready: {after: 2s, when: \"pods.size() > 2\"}}]}\nuntil: 1h\nsteps:\n- create: {name: web, replicas: 3, image: \"app:v1\", podManagementPolicy: Parallel}\n- create: {name: all, replicas: 2, image: \"app:v2\", podManagementPolicy: Parallel}\n" +
		"- scale: {statefulset: all, replicas: 3}\n- scale: {statefulset: web, replicas: 2}\n"},
	{"minReadySeconds, and a controller that restarts meanwhile", "until: 1h\nsteps:\n- create: {name: web, replicas: 2, image: \"app:v1\", minReadySeconds: 20}\n- setImage: {image: \"app:v2\"}\n- after: 10s\n  restartController: {after: 3s}\n" +
		"- after: 1s\n  patch: {spec: {minReadySeconds: 40}}\n"},
	{"pods that are not in a state for a step", "kubelet: {stop: 20s}\nuntil: 1h\nsteps:\n" + created + "- delete: pod/web-0\n- after: 1s\n  fail: web-0\n- unready: web-0\n- delete: pod/web-1\n- after: 25s\n  unready: web-1\n- fail: {pod: web-9}\n"},
	{"regimes that are wrong", "steps:\n" + created + "explore: {regimes: [{collector: {delays: 1s}}, {dns: {tll: 1s}}, {volumes: {bound: 1s}}, {kubelet: {starts: 1s}}, {apiserver: {writes: 1s}}, {controller: {worker: 1}}, {}, 3]}\n"},
	{"a list that kubectl prints", "apiVersion: v1\nkind: List\nitems:\n- {kind: Pod, metadata: {name: web-0, uid: a}}\n"},
	{"a list of manifests", "apiVersion: v1\nkind: List\nitems:\n- {kind: Pod, metadata: {name: web-0}}\n"},
	{"a list of something else", "apiVersion: v1\nkind: List\nitems: 3\nmetadata: {uid: a}\n"},
	{"what the scheduler says, in 1.22", fmt.Sprintf(nowhere, "1.22")},
	{"what the scheduler says, in 1.25", fmt.Sprintf(nowhere, "1.25")},
	{"what the scheduler says, in 1.37", fmt.Sprintf(nowhere, "1.37")},
	{"nodes that are all deleted", "nodes: {count: 1}\nuntil: 1h\nsteps:\n" + created + "- delete: node/node-1\n- delete: pod/web-1\n"},
	{"many sets of which something is not decided", "until: 1h\nsteps:\n" + undecided("a") + undecided("b") + undecided("c") + undecided("d") + undecided("e") + undecided("f")},
	{"a node that is deleted, in 1.25", "kubernetes: \"1.25\"\nnodes: {count: 2}\nuntil: 1h\nsteps:\n" + created + "- nodeDown: node-2\n- after: 5s\n  delete: node/node-2\n"},
	{"a node that is deleted, in 1.26", "kubernetes: \"1.26\"\nnodes: {count: 2}\nuntil: 1h\nsteps:\n" + created + "- nodeDown: node-2\n- after: 5s\n  delete: node/node-2\n"},
	{"pods that ask for a label of nodes", "nodes: [{name: n1, labels: {disk: hdd}}, {name: n2, labels: {disk: ssd}}, n3]\nuntil: 1h\nsteps:\n" + undecided("a") + undecided("b") + "- cordon: n2\n- delete: pod/a-0\n"},
	{"faults at writes of any kind", "until: 1h\nsteps:\n" + created + "- delete: pvc/data-web-0\n- delete: pvc/data-web-9\nfaults:\n- {write: {verb: any, kind: any, nth: 2}, error: Conflict}\n- {write: {verb: create, kind: pod, name: \"web-*\"}, error: Conflict}\n" +
		"- {at: 4s, unready: web-0}\n- {pod: web-1 Ready, fail: web-0}\n"},
	{"claims of templates", "until: 1h\nsteps:\n" + fmt.Sprintf(stored, fmt.Sprintf(asked, "data")) + "- delete: pvc/data-web-0\n- delete: pvc/data-web-9\n- delete: pvc/logs-web-0\n"},
	{"volumes in the zones of their first consumers", "nodes: {count: 4, zones: [a, b]}\nvolumes: {mode: WaitForFirstConsumer, bind: 1s}\nuntil: 1h\nsteps:\n" + fmt.Sprintf(stored, fmt.Sprintf(asked, "data")) +
		"- cordon: node-1\n- delete: pod/web-0\n- cordon: node-3\n- delete: pod/web-0\n- delete: pod/web-1\n"},
	{"volumes of nodes without zones", "nodes: [n1, n2, n3]\nvolumes: {mode: WaitForFirstConsumer}\nuntil: 1h\nsteps:\n" + fmt.Sprintf(stored, fmt.Sprintf(asked, "data")) +
		"- cordon: \"n[12]\"\n- delete: pod/web-0\n- delete: pod/web-1\n"},
	{"steps that wait for commands", "steps:\n- {namespace: shop, create: {name: web, replicas: 1, image: \"app:v1\"}}\n- {namespace: shop, when: {rolloutStatus: web, timeout: 1m}, setImage: {image: \"app:v2\"}}\n" +
		"- {namespace: shop, when: {wait: pod/web-0, for: condition=Ready}, scale: {replicas: 2}}\n- {namespace: shop, when: {wait: pod/web-1, for: \"jsonpath={.status.phase}=Running\"}, scale: {replicas: 1}}\n" +
		"- {namespace: shop, when: {wait: pod/web-1, for: delete}, delete: statefulset/web}\n- {namespace: shop, when: {wait: statefulset/web, for: delete, timeout: 1s}, scale: {statefulset: web, replicas: 3}, refused: not found}\n"},
	{"a rollout status of a set that goes, and of one that is updated by hand", "steps:\n- create: {name: web, replicas: 1, image: \"app:v1\", updateStrategy: {type: OnDelete}}\n- {when: {rolloutStatus: web}, scale: {replicas: 2}}\n"},
	{"steps that wait for nothing that there is", "steps:\n" + created + "- {when: {wait: job/x, for: delete}, scale: {replicas: 1}}\n- {when: {wait: pod/web-0}, scale: {replicas: 1}}\n- {when: 3, scale: {replicas: 1}}\n" +
		"- {when: {wait: pod/, for: delete}, scale: {replicas: 1}}\n- {when: {wait: pod/other-0, for: delete}, scale: {replicas: 1}}\n- {when: {wait: statefulset/db, for: delete}, scale: {replicas: 1}}\n"},
	{"faults with chances, in a namespace", "steps:\n- {namespace: shop, create: {name: web, replicas: 2, image: \"app:v1\"}}\nseed: 3\nfaults:\n- {namespace: shop, at: 10s, delete: pod/web-0, chance: 0.75, name: cut}\n" +
		"- {namespace: shop, pod: \"shop/web-* Ready\", unready: {pod: web-0}, chance: 1.0, times: 2}\n- {write: {verb: create, kind: pod}, error: Conflict, chance: 0.5, times: always}\n"},
	{"a pod of nobody that is wrong", "steps:\n- createPod: {name: tool-0, image: \"a b\"}\n- createPod: {name: Tool, image: \"\"}\n- createPod: {labels: {app: tool}}\n"},
	{"a set that a manifest has twice", "steps:\n- apply: |\n    apiVersion: apps/v1\n    kind: StatefulSet\n    metadata: {name: web}\n    spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, " +
		"spec: {containers: [{name: app, image: \"app:v1\"}]}}}\n    ---\n    apiVersion: apps/v1\n    kind: StatefulSet\n    metadata: {name: web}\n    spec: {replicas: 2, selector: {matchLabels: {app: web}}, " +
		"template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"app:v2\"}]}}}\n"},
	{"a fault that happens once, and one that always does", "until: 1m\nsteps:\n" + created + "faults:\n- {write: {verb: create, kind: pod, name: web-0}, error: Forbidden}\n- {write: {verb: create, kind: pod, name: web-1}, error: Forbidden, times: always}\n"},
	{"faults that are wrong", "steps:\n" + created + "faults:\n- 3\n- {at: 1s, delete: pod/web-0, chance: 1.5}\n- {at: 1s, delete: pod/web-0, chance: 0}\n- {at: 1s, delete: pod/web-0, chance: half}\n" +
		"- {at: 1s, delete: pod/web-0, chance: 0.1234567}\n- {at: 1s, delete: pod/web-0, times: 2}\n- {at: 1s, pod: web-0 Ready, delete: pod/web-0}\n- {delete: pod/web-0}\n- {at: 1s}\n- {pod: web, delete: pod/web-0}\n"},
	{"times of pods", "until: 5m\nkubelet:\n  start: {normal: {mean: 3s, sd: 1s}}\n  ready: {exponential: {mean: 2s}}\n  rules:\n  - {match: {pod: web-0}, pull: {fails: 2, takes: 1s, until: 40s}}\n  - {match: {pod: web-1}, pull: never}\n" +
		"steps:\n- create: {name: web, replicas: 2, image: \"app:v1\", podManagementPolicy: Parallel}\n"},
	{"times that are wrong", "kubelet: {start: {normal: 3}, ready: {uniform: [1s], normal: {mean: 1s, sd: 1s}}, rules: [3, {match: {image: x}, pull: {takes: never}}], stop: {choice: [never, 1s]}, crashes: 3}\n" +
		"apiserver: {watch: {choice: [never, 1s]}, write: never}\ncontroller: {resync: 10ms, burst: 3}\nvolumes: {rules: [3]}\nuntil: 0s\nsteps:\n" + created},
	{"probes", "kubelet: {probes: false}\nsteps:\n" + created},
	{"names that are missing or unclear", "steps:\n- create: {name: web, replicas: 1, image: \"app:v1\"}\n- {namespace: b, create: {name: db, replicas: 1, image: \"db:1\"}}\n- scale: {replicas: 2}\n- scale: {statefulset: wbe, replicas: 2}\n" +
		"- {namespace: none, scale: {replicas: 2}}\n- delete: pod/web\n- delete: pod/wbe-0\n- fail: {}\n- delete: pod/\n- apply: \"\"\n- apply: |\n    # nothing\n- delete: pvc/nothing\n- delete: service/none\n  force: true\n"},
	{"a manifest that says one thing twice", "steps:\n- apply: |\n    apiVersion: v1\n    kind: Service\n    metadata: {name: web}\n    spec: {clusterIP: None, selector: {app: web}}\n    ---\n    apiVersion: v1\n    kind: Service\n" +
		"    metadata: {name: web}\n    spec: {clusterIP: None, selector: {app: web}}\n    ---\n    apiVersion: v1\n    kind: PersistentVolumeClaim\n    metadata: {name: a}\n    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n"},
	{"the version of the file", "apiVersion: statefulsim/v2\nkubernetes: \"\"\nsteps:\n" + created},
}

// undecided is a set whose pods ask for a node with a label, where it is not said which labels nodes have.
func undecided(name string) string {
	return "- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: " + name + "}, spec: {replicas: 1, serviceName: web, selector: {matchLabels: {app: web}}, " +
		"template: {metadata: {labels: {app: web}}, spec: {nodeSelector: {disk: ssd}, containers: [{name: app, image: \"app:v1\"}]}}}}\n"
}

// TestEffects compares what steps do, and what is said of them, with testdata/effects.golden.
func TestEffects(t *testing.T) {
	var b strings.Builder
	for _, c := range effects {
		fmt.Fprintf(&b, "# %s\n\n", c.name)
		s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
		if err != nil {
			fmt.Fprintf(&b, "%v\n\n", err)
			continue
		}
		for _, warning := range s.Warnings {
			fmt.Fprintf(&b, "warning: %s\n", warning)
		}
		o := s.Run(scenario.RunOptions{})
		for i := range o.Timeline {
			writeEffect(&b, &o.Timeline[i])
		}
		for _, warning := range o.Result.Warnings {
			fmt.Fprintf(&b, "warning of the run: %s\n", warning)
		}
		b.WriteString("\n")
	}
	goldenfile.Equal(t, "testdata/effects.golden", b.String())
}

func writeEffect(b *strings.Builder, e *timeline.Event) {
	switch {
	case e.Step != nil:
		fmt.Fprintf(b, "%s step %d: %s: %s %s\n", e.T.Clock(), e.Step.Number, e.Step.Does, e.Step.Effect, e.Step.Refusal)
	case e.Kind == timeline.KindPod:
		fmt.Fprintf(b, "%s %s@%d %s %s\n", e.T.Clock(), e.Pod, e.Template, e.State, e.Node)
	case e.Kind == timeline.KindContainer || e.Kind == timeline.KindProcess:
		fmt.Fprintf(b, "%s %s of %s %s %s\n", e.T.Clock(), e.Kind, e.Pod, e.Reason, e.Message)
	case e.Fault != nil:
		fmt.Fprintf(b, "%s fault %d: %s: %s\n", e.T.Clock(), e.Fault.Number, e.Fault.Trigger, e.Fault.Does)
	case e.Kind == timeline.KindNode:
		fmt.Fprintf(b, "%s %s %s %s %s\n", e.T.Clock(), e.Kind, e.Node, e.Reason, e.Message)
	case e.Kind == timeline.KindClaim:
		fmt.Fprintf(b, "%s %s %s\n", e.T.Clock(), e.Claim.Name, e.Claim.Phase)
	case e.Budget != nil:
		fmt.Fprintf(b, "%s budget %s: %d of %d healthy, %d wanted, %d allowed\n", e.T.Clock(), e.Budget.Name, e.Budget.Healthy, e.Budget.Expected,
			e.Budget.Desired, e.Budget.Allowed)
	case e.Warning:
		fmt.Fprintf(b, "%s warning: %s: %s\n", e.T.Clock(), e.Reason, e.Message)
	case e.Result != nil:
		fmt.Fprintf(b, "%s %s\n", e.T.Clock(), e.Result.Verdict)
	}
}

// TestIsScenario: a text that has steps, or no kind, is meant to be a scenario.
func TestIsScenario(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "steps: []\n": true, "kind: Pod\n": false, "kind: x\nsteps: []\n": true, "a: b\n": true, "- kind\n": false, "3\n": false, "a: [\n": false,
	} {
		require.Equal(t, want, scenario.IsScenario([]byte(text)), text)
	}
}

// TestReadBack: a timeline is read as it was written, with all that happens in these runs.
func TestReadBack(t *testing.T) {
	written := func(events []timeline.Event) string {
		var b strings.Builder
		require.NoError(t, report.JSONLines(&b, &report.Run{Events: events}))
		return b.String()
	}
	for _, c := range effects {
		s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
		if err != nil {
			continue
		}
		events := s.Run(scenario.RunOptions{}).Timeline
		text := written(events)
		read, err := timeline.Read(strings.NewReader(text))
		require.NoError(t, err, c.name)
		require.Len(t, read, len(events), c.name)
		require.Equal(t, text, written(read), c.name)
	}
}
