package explain_test

import (
	"fmt"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
)

// rolling is a dump of a rollout of three pods that has come to web-2. META is of the set, SPEC of its new pods; WEB-2
// is the status of web-2.
const rolling = `
apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: web, namespace: prod, uid: s, generation: 2, creationTimestamp: "2026-01-01T10:00:00Z"META}
  spec:
    replicas: 3
    selector: {matchLabels: {app: web}}
    template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:2"}]SPEC}}
    updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}}
    volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast,
      resources: {requests: {storage: 1Gi}}}}]
  status: {observedGeneration: 2, replicas: 3, readyReplicas: 2, currentReplicas: 2, updatedReplicas: 1,
    currentRevision: web-1, updateRevision: web-2}
- {apiVersion: apps/v1, kind: ControllerRevision, metadata: {name: web-1, namespace: prod, OWNER, labels: {app: web}}, revision: 1,
   data: {spec: {template: {$patch: replace, metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:1"}]}}}}}
- {apiVersion: apps/v1, kind: ControllerRevision, metadata: {name: web-2, namespace: prod, OWNER, labels: {app: web}}, revision: 2,
   data: {spec: {template: {$patch: replace, metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:2"}]SPEC}}}}}
- {apiVersion: v1, kind: Pod, metadata: {name: web-0, namespace: prod, OWNER, labels: {app: web, controller-revision-hash: web-1}},
   spec: {nodeName: node-1, containers: [{name: app, image: "app:1"}],
     volumes: [{name: data, persistentVolumeClaim: {claimName: data-web-0}}]}, status: {READY}}
- {apiVersion: v1, kind: Pod, metadata: {name: web-1, namespace: prod, OWNER, labels: {app: web, controller-revision-hash: web-1}},
   spec: {nodeName: node-2, containers: [{name: app, image: "app:1"}],
     volumes: [{name: data, persistentVolumeClaim: {claimName: data-web-1}}]}, status: {READY}}
- {apiVersion: v1, kind: Pod, metadata: {name: web-2, namespace: prod, OWNER, labels: {app: web, controller-revision-hash: web-2}},
   spec: {NODEcontainers: [{name: app, image: "app:2"}]SPEC,
     volumes: [{name: data, persistentVolumeClaim: {claimName: data-web-2}}]}, status: {WEB-2}}
- {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data-web-0, namespace: prod},
   spec: {storageClassName: fast, volumeName: pv-0}, status: {phase: Bound}}
- {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data-web-1, namespace: prod},
   spec: {storageClassName: fast, volumeName: pv-1}, status: {phase: Bound}}
- {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data-web-2, namespace: prod},
   spec: {storageClassName: fast, volumeName: pv-2}, status: {phase: Bound}}
- {apiVersion: v1, kind: Node, metadata: {name: node-1, labels: {kubernetes.io/hostname: node-1}},
   status: {conditions: [{type: Ready, status: "True"}]}}
- {apiVersion: v1, kind: Node, metadata: {name: node-2, labels: {kubernetes.io/hostname: node-2}},
   status: {conditions: [{type: Ready, status: "True"}]}}
- {apiVersion: v1, kind: Node, metadata: {name: node-3, labels: {kubernetes.io/hostname: node-3}},
   spec: {unschedulable: CORDONED}, status: {conditions: [{type: Ready, status: "True"}]}}
`

// TestCauses explains stuck sets by what else a dump shows: the cause, what heals, and what is not said to heal, since
// it would not.
func TestCauses(t *testing.T) {
	const (
		up = `conditions: [{type: PodScheduled, status: "True"}, {type: ContainersReady, status: "True"}, {type: Ready, status: `
		at = `, lastTransitionTime: "2026-01-01T10:00:02Z"`

		unplaced = `phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: '0/3 nodes are ` +
			`available: 1 node(s) were unschedulable, 2 node(s) VOLUME. preemption: not helpful'}]`
		waiting = `phase: Pending, conditions: [{type: PodScheduled, status: "True"}, {type: Ready, status: "False"}], `
	)
	for _, c := range []struct {
		name, meta, spec, status string
		// made is when the pods were created, if that was earlier, event a warning about web-2, later another one after
		// it, claimEvent one about its PVC. silent is true if a node without a pod does not answer.
		made, event, later, claimEvent string
		silent                         bool
		// pending is true if the PVC of web-2 has waited for its volume for an hour.
		pending     bool
		says, never []string
	}{
		{
			name: "an init container that crashes", spec: `, initContainers: [{name: migrate, image: "migrate:2"}]`,
			status: waiting + `initContainerStatuses: [{name: migrate, image: "migrate:2", restartCount: 6,
       state: {waiting: {reason: CrashLoopBackOff, message: back-off 2m40s}}}]`,
			says:  []string{"web-2: init container migrate", "set image statefulset/web migrate=IMAGE"},
			never: []string{"web app=IMAGE"},
		},
		{
			name: "a container that uses more memory than its limit",
			status: "phase: Running, startTime: \"2026-01-01T10:00:00Z\", " + up + `"False", reason: ContainersNotReady` + `}],
       containerStatuses: [{name: app, image: "app:2", ready: false, started: false, restartCount: 7, state: {waiting: {reason: CrashLoopBackOff, message: back-off 5m0s}},
         lastState: {terminated: {exitCode: 137, reason: OOMKilled, startedAt: "2026-01-01T10:00:10Z", finishedAt: "2026-01-01T10:01:00Z"}}}]`,
			says: []string{"web-2: container app", "Its last run has ended: OOMKilled, exit code 137, after 50s.", "It needs a higher limit, or has to use less.",
				"This assumes that the edit raises the memory limit of app far enough", "kubectl -n prod edit statefulset/web"},
			never: []string{"IMAGE", "init container"},
		},
		{
			name: "a PVC for which there is no volume", pending: true, claimEvent: "ProvisioningFailed: quota exceeded",
			status: strings.Replace(strings.Replace(unplaced, "1 node(s) were unschedulable, 2 node(s) VOLUME", "pod has unbound immediate PersistentVolumeClaims", 1), "3 node", "", 1),
			says: []string{"Its PVC data-web-2 has been Pending for 60m: its last event says: quota exceeded", "The provisioner of the volumes tries again by itself: when it succeeds, web-2 starts.",
				"a new PVC gets the same answer"},
		},
		{
			name: "a ConfigMap that is missing",
			status: waiting + `containerStatuses: [{name: app, image: "app:2",
       state: {waiting: {reason: CreateContainerConfigError, message: 'configmap "web-config" not found'}}}]`,
			says: []string{`configmap "web-config" not found`, "kubectl -n prod edit statefulset/web",
				"Or create what is missing: then the kubelet starts the container by itself"},
			never: []string{"IMAGE"},
		},
		{
			name: "a startup probe that fails",
			status: "phase: Running, startTime: \"2026-01-01T10:00:00Z\", " + up + `"False", reason: ContainersNotReady` + `}],
       containerStatuses: [{name: app, image: "app:2", ready: false, started: false, restartCount: 7, state: {running: {startedAt: "2026-01-01T10:01:50Z"}},
         lastState: {terminated: {exitCode: 137, reason: Error}}}]`,
			says: []string{"web-2: container app runs, but has ended before (Error, exit code 137). The pod has not been Ready", "Restarts: 7.",
				"The startupProbe of app has not succeeded.", "kubectl -n prod logs web-2 -c app --previous", "rollout undo statefulset/web"},
			never: []string{"in Error"},
		},
		{
			name: "an init container that waits for something", spec: `, initContainers: [{name: wait, image: "wait:1"}]`,
			status: `phase: Pending, conditions: [{type: Initialized, status: "False"}, {type: PodScheduled, status: "True", ` +
				`lastTransitionTime: "2026-01-01T09:00:00Z"}, {type: Ready, status: "False"}],
       initContainerStatuses: [{name: wait, image: "wait:1", ready: false, started: true, state: {running: {}}}],
       containerStatuses: [{name: app, image: "app:2", ready: false, started: false, state: {waiting: {reason: PodInitializing}}}]`,
			made: "2026-01-01T09:00:00Z",
			says: []string{"Its init container wait runs, and until it has ended no other container starts. To see its log: " +
				"kubectl -n prod logs web-2 -c wait", "kubectl -n prod edit statefulset/web", "rollout undo statefulset/web"},
			never: []string{"IMAGE", "a volume that is not mounted"},
		},
		{
			name: "a volume that is attached elsewhere",
			status: `phase: Pending, conditions: [{type: PodScheduled, status: "True", lastTransitionTime: "2026-01-01T09:00:00Z"}, ` +
				`{type: Ready, status: "False"}], containerStatuses: [{name: app, image: "app:2", state: {waiting: {reason: ContainerCreating}}}]`,
			made: "2026-01-01T09:00:00Z", event: "FailedAttachVolume: Multi-Attach error for volume pv-2", later: "FailedMount: timed out", silent: true,
			says: []string{"The last warning about it: FailedAttachVolume: Multi-Attach error for volume pv-2",
				"Its volume is still attached to another node (kubectl get volumeattachments).", "kubectl get volumeattachments",
				"node-4 does not answer. Only if its machine is certainly off: kubectl taint nodes node-4 node.kubernetes.io/out-of-service"},
			never: []string{"IMAGE", "statefulset/web", "kubectl -n prod", "timed out"},
		},
		{
			name: "an image for which the credentials are missing",
			status: waiting + `containerStatuses: [{name: app, image: "app:2", state: {waiting: {reason: ImagePullBackOff,
         message: 'Back-off pulling image "app:2": failed to authorize: 401 Unauthorized'}}}]`,
			says:  []string{"The registry refuses the credentials, or there are none", "edit gives the pods imagePullSecrets that are right"},
			never: []string{"IMAGE"},
		},
		{
			name: "a node selector that no node has, and a PVC that waits for its pod", spec: `, nodeSelector: {disk: ssd}`, pending: true,
			status: strings.Replace(strings.Replace(unplaced, "1 node(s) were unschedulable, 2", "3", 1), "VOLUME",
				"didn''t match Pod''s node affinity/selector", 1),
			says: []string{"Its PVC data-web-2 has been Pending for 60m: it may wait for its pod to get a node (WaitForFirstConsumer).",
				"what keeps the pods off all nodes", "kubectl -n prod edit statefulset/web", "rollout undo statefulset/web"},
			never: []string{"IMAGE", "a storage class, the PVC"},
		},
		{
			name: "nodes without room",
			status: strings.Replace(strings.Replace(unplaced, "1 node(s) were unschedulable, 2 node(s)", "3", 1), "VOLUME",
				"Insufficient cpu", 1),
			says:  []string{"When a node has room for the pod (a new node, or one that other pods leave), the pod gets that node by itself."},
			never: []string{"IMAGE"},
		},
		{
			name: "a volume of nodes without room",
			status: strings.Replace(strings.Replace(unplaced, "1 node(s) were unschedulable", "1 Insufficient memory", 1), "VOLUME",
				"had volume node affinity conflict", 1),
			says:  []string{"Only some nodes can use its volume (kubectl get pv shows which), and these have no room for the pod.", "kubectl -n prod edit statefulset/web"},
			never: []string{"When a node has room", "No change of the StatefulSet helps", "delete pvc"},
		},
		{
			name: "a readiness gate", spec: ", readinessGates: [{conditionType: example.com/in}]",
			status: "phase: Running, startTime: \"2026-01-01T10:00:00Z\", " + up + `"False", reason: ReadinessGatesNotReady, ` +
				`message: 'corresponding condition of pod readiness gate "example.com/in" does not exist.'` + at + `}],
       containerStatuses: [{name: app, image: "app:2", ready: true, state: {running: {}}}]`,
			says: []string{`readiness gate "example.com/in" does not exist. Whoever sets that condition has to set it to True.`,
				"rollout undo statefulset/web", "Not enough (simulated): deleting web-2;",
				"kubectl -n prod edit statefulset/web"},
			never: []string{"IMAGE"},
		},
		{
			name:   "a volume of a cordoned node",
			status: strings.Replace(unplaced, "VOLUME", "had volume node affinity conflict", 1),
			says: []string{"kubectl uncordon node-3",
				"deleting web-2; undoing the rollout; undoing the rollout and deleting web-2; pausing the rollout"},
			never: []string{"kubectl -n prod"},
		},
		{
			name:   "a volume of a cordoned node, in the words of 1.34",
			status: strings.Replace(unplaced, "VOLUME", `didn''t match PersistentVolume''s node affinity`, 1),
			says:   []string{"kubectl uncordon node-3"}, never: []string{"kubectl -n prod"},
		},
		{
			name:   "a volume of a node that is gone",
			status: strings.Replace(unplaced, "1 node(s) were unschedulable, 2 node(s) VOLUME", "3 node(s) had volume node affinity conflict", 1),
			says: []string{"1. Deleting data-web-2 and web-2: ",
				"DANGER: do this only if the data of data-web-2 is backed up, or no longer needed", "kubectl -n prod delete pvc data-web-2"},
			never: []string{"2. "},
		},
		{
			name: "a deletion that a finalizer holds", meta: `, deletionTimestamp: "2026-01-01T10:00:30Z", finalizers: [example.com/backup]`,
			status: "phase: Running, " + up + `"True"` + at + `}], containerStatuses: [{name: app, ready: true, state: {running: {}}}]`,
			says: []string{"web has been Terminating for 90s, and the finalizer example.com/backup keeps it.",
				"removes web-0, web-1 and web-2, and then no pod serves.\n       DANGER: do this only if the work behind the finalizer example.com/backup of web is done",
				`kubectl -n prod patch statefulset web --type merge -p '{"metadata":{"finalizers":null}}'`},
			never: []string{"delete statefulset"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			node := "nodeName: node-3, "
			if strings.Contains(c.status, "Unschedulable") {
				node = ""
			}
			text := strings.NewReplacer("META", c.meta, "SPEC", c.spec, "WEB-2", c.status, "NODE", node,
				"CORDONED", map[bool]string{true: "true", false: "false"}[strings.Contains(c.status, "were unschedulable")],
				"OWNER", `creationTimestamp: "2026-01-01T10:00:00Z", ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true}]`,
				"READY", "phase: Running, "+up+`"True"`+at+`}], containerStatuses: [{name: app, ready: true, state: {running: {}}}]`).Replace(rolling)
			if c.pending {
				text = strings.Replace(text, "name: data-web-2, namespace: prod},\n   spec: {storageClassName: fast, volumeName: pv-2}, "+
					"status: {phase: Bound}", "name: data-web-2, namespace: prod, creationTimestamp: \"2026-01-01T09:02:00Z\"},\n"+
					"   spec: {storageClassName: fast}, status: {phase: Pending}", 1)
			}
			if c.made != "" {
				text = strings.ReplaceAll(text, "creationTimestamp: \"2026-01-01T10:00:00Z\", owner", "creationTimestamp: \""+c.made+"\", owner")
			}
			for i, event := range []string{c.event, c.later, c.claimEvent} {
				object := []string{"kind: Pod, namespace: prod, name: web-2", "kind: Pod, namespace: prod, name: web-2",
					"kind: PersistentVolumeClaim, namespace: prod, name: data-web-2"}[i]
				if reason, message, is := strings.Cut(event, ": "); is {
					text += fmt.Sprintf("- {apiVersion: v1, kind: Event, metadata: {name: e%d, namespace: prod}, type: Warning, reason: %s, message: %q,\n"+
						"   involvedObject: {%s}}\n", i, reason, message, object)
				}
			}
			if c.silent {
				text += "- {apiVersion: v1, kind: Node, metadata: {name: node-4}, status: {conditions: [{type: Ready, status: Unknown}]}}\n"
			}
			now := time.Date(2026, time.January, 1, 10, 2, 0, 0, time.UTC)
			dumped, printed := explained(t, text, now)
			require.True(t, dumped.Sets[0].Stuck())
			for _, says := range c.says {
				require.Contains(t, printed, says)
			}
			// What one waits with names the set too, and changes nothing.
			changes, _, _ := strings.Cut(printed, "Then wait with:")
			for _, never := range c.never {
				require.NotContains(t, changes, never)
			}
		})
	}
}

// explained reads a dump that was taken at a time, and returns what is said of it, and that as text.
func explained(t *testing.T, text string, at time.Time) (dumped *explain.Dumped, says string) {
	t.Helper()
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{At: at})
	require.NoError(t, err)
	s, err := scenario.Parse("s.yaml", []byte("steps:\n"+three), nil, scenario.Options{})
	require.NoError(t, err)
	dumped = explain.Begin(d, labOf(s, d), "").All(nil)
	var printed strings.Builder
	require.NoError(t, dumped.Document().Text(&printed, render.Style{Width: 1 << 20}))
	return dumped, printed.String()
}
