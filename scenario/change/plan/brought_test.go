package plan

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
)

// TestBrought: what NEW brings is there when the change is judged. A Secret that a pod waits for ends the wait, another
// one does not, and a ConfigMap that has changed may end a crash loop whose containers read it.
func TestBrought(t *testing.T) {
	dumpWith := func(status string) string {
		return `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: default, uid: s, generation: 1, creationTimestamp: "2026-01-01T00:00:00Z"}
spec: {replicas: 1, serviceName: web, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}},
  spec: {containers: [{name: app, image: "a:1", envFrom: [{configMapRef: {name: cfg}}, {secretRef: {name: tls}}]}]}}}
status: {observedGeneration: 1, replicas: 1, currentRevision: web-1, updateRevision: web-1, currentReplicas: 1, updatedReplicas: 1}
---
apiVersion: v1
kind: Pod
metadata: {name: web-0, namespace: default, uid: p, creationTimestamp: "2026-01-01T00:00:00Z",
  labels: {app: web, controller-revision-hash: web-1, statefulset.kubernetes.io/pod-name: web-0},
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true}]}
spec: {nodeName: node-1, containers: [{name: app, image: "a:1"}]}
status:
  startTime: "2026-01-01T00:00:01Z"
  conditions: [{type: PodScheduled, status: "True", lastTransitionTime: "2026-01-01T00:00:01Z"},
    {type: Ready, status: "False", lastTransitionTime: "2026-01-01T00:00:01Z"}]
` + status
	}
	lacks := later(dumpWith(`  phase: Pending
  containerStatuses: [{name: app, restartCount: 0, state: {waiting: {reason: CreateContainerConfigError, message: 'secret "tls" not found'}}}]
`))
	crashes := later(dumpWith(`  phase: Running
  containerStatuses: [{name: app, restartCount: 9, state: {waiting: {reason: CrashLoopBackOff, message: "back-off 5m0s restarting failed container"}},
    lastState: {terminated: {exitCode: 1, reason: Error, startedAt: "2026-01-01T00:50:00Z", finishedAt: "2026-01-01T00:50:01Z"}}}]
`))
	mounts := later(dumpWith(`  phase: Pending
  containerStatuses: [{name: app, restartCount: 0, state: {waiting: {reason: ContainerCreating}}}]
---
apiVersion: v1
kind: Event
metadata: {name: e, namespace: default}
type: Warning
reason: FailedMount
message: 'MountVolume.SetUp failed for volume "keys": failed to get secretproviderclass default/keys: SecretProviderClass.secrets-store.csi.x-k8s.io "keys" not found'
lastTimestamp: "2026-01-01T00:40:00Z"
involvedObject: {kind: Pod, namespace: default, name: web-0}
`))
	lacksKey := strings.Replace(mounts, `MountVolume.SetUp failed for volume "keys": failed to get secretproviderclass default/keys: SecretProviderClass.secrets-store.csi.x-k8s.io "keys" not found`,
		`MountVolume.SetUp failed for volume "cfg" : configmap references non-existent config key: a`, 1)
	require.NotEqual(t, mounts, lacksKey)
	custom := func(kind, name, spec string) string {
		return "---\napiVersion: example.com/v1\nkind: " + kind + "\nmetadata: {name: " + name + "}\nspec: {" + spec + "}\n"
	}
	thing := func(kind, name, data string) string {
		return "---\napiVersion: v1\nkind: " + kind + "\nmetadata: {name: " + name + "}\ndata: {a: " + data + "}\n"
	}
	for _, c := range []struct {
		name, old, brings string
		completes         bool
	}{
		{"the Secret that is missing", lacks, thing("Secret", "tls", "Yg=="), true},
		{"the Secret, without the namespace of its set", strings.ReplaceAll(lacks, "namespace: default", "namespace: prod"),
			thing("Secret", "tls", "Yg=="), true},
		{"another Secret", lacks, thing("Secret", "other", "Yg=="), false},
		{"nothing", lacks, "", false},
		{"an object of another kind that is missing", mounts, custom("SecretProviderClass", "keys", ""), true},
		{"a Secret with the name of the volume", mounts, thing("Secret", "keys", "Yg=="), false},
		{"the key that a volume lacks", lacksKey, thing("ConfigMap", "cfg", "x"), true},
		{"the same key of another ConfigMap", lacksKey, thing("ConfigMap", "other", "x"), false},
		{"another object of that kind", mounts, custom("SecretProviderClass", "key", ""), false},
		{"what makes the Secret", lacks, custom("Certificate", "web", "secretName: tls"), true},
		{"what makes the Secret by another name", lacks, custom("ExternalSecret", "web", "target: {name: tls}"), true},
		{"what makes a Secret of its own name", lacks, custom("SealedSecret", "tls", ""), true},
		{"what makes another Secret", lacks, custom("Certificate", "tls", "secretName: other"), false},
		{"a Secret whose name the API server makes", lacks, "---\napiVersion: v1\nkind: Secret\nmetadata: {generateName: tls-}\n", false},
		{"another configuration", crashes + thing("ConfigMap", "cfg", "bad"), thing("ConfigMap", "cfg", "good"), true},
		{"the same configuration", crashes + thing("ConfigMap", "cfg", "bad"), thing("ConfigMap", "cfg", "bad"), false},
		{"the same configuration with another label", crashes + thing("ConfigMap", "cfg", "bad") + "immutable: false\n",
			strings.Replace(thing("ConfigMap", "cfg", "bad"), "{name: cfg}", "{name: cfg, labels: {a: b}}", 1), false},
		{"the same Secret in plain text", crashes + thing("Secret", "tls", "Yg=="),
			strings.Replace(thing("Secret", "tls", "b"), "\ndata:", "\nstringData:", 1), false},
		{"another Secret in plain text", crashes + thing("Secret", "tls", "Yg=="),
			strings.Replace(thing("Secret", "tls", "c"), "\ndata:", "\nstringData:", 1), true},
		{"a configuration that is not read", crashes, thing("ConfigMap", "other", "good"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := plans(t, c.old, strings.SplitN(c.old, "status:", 2)[0]+c.brings, &Options{})
			require.Len(t, plan.NotAtRest, 1)
			s := plan.NotAtRest[0]
			require.Equal(t, c.completes, s.Completes, s.Ends)
			require.Equal(t, judge.Stuck, s.Now.State)
			require.Equal(t, c.completes, plan.Settles)
			if c.completes {
				require.NotEqual(t, judge.Stuck, s.Then.State)
				require.Nil(t, s.Fix)
			} else if c.old == lacks {
				require.Equal(t, []string{"kubectl -n default create secret generic tls --from-literal=KEY=VALUE"}, s.Fix.Commands)
				require.Equal(t, 2*time.Second, s.Fix.Takes, "as sim explain says: start is behind it, and ready is assumed")
			}
		})
	}
}

// TestBroughtAllows: what NEW brings may end the refusal of pods. Of a quota and a LimitRange the amounts count, and of
// an object that the pods name its kind, its name and its namespace.
func TestBroughtAllows(t *testing.T) {
	refused := func(message, spec string) string {
		set := `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: default, uid: s, generation: 1, creationTimestamp: "2026-01-01T00:00:00Z"}
spec: {replicas: 1, serviceName: web, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}},
  spec: {` + spec + `containers: [{name: app, image: "a:1"}]}}}
status: {observedGeneration: 1, replicas: 0, currentRevision: web-1, updateRevision: web-1}
`
		if message == "" {
			return set + later("---\n")
		}
		return set + later(`---
apiVersion: v1
kind: Event
metadata: {name: e, namespace: default}
type: Warning
reason: FailedCreate
involvedObject: {kind: StatefulSet, apiVersion: apps/v1, namespace: default, name: web}
message: 'create Pod web-0 in StatefulSet web failed error: pods "web-0" is forbidden: `+message+`'
`)
	}
	object := func(version, kind, name, rest string) string {
		return "---\napiVersion: " + version + "\nkind: " + kind + "\nmetadata: {name: " + name + "}\n" + rest + "\n"
	}
	const (
		account = `error looking up service account default/sa: serviceaccount "sa" not found`
		full    = "exceeded quota: team, requested: pods=1,requests.cpu=2, used: pods=3,requests.cpu=2, limited: pods=9,requests.cpu=3"
		most    = "maximum memory usage per Container is 2Gi, but limit is 4Gi"
		least   = "minimum cpu usage per Container is 500m, but request is 100m"
		names   = "serviceAccountName: sa, "
	)
	for _, c := range []struct {
		name, says, spec, brings string
		completes                bool
	}{
		{"a ServiceAccount", account, names, object("v1", "ServiceAccount", "sa", ""), true},
		{"one of another API group", account, names, object("acme.io/v1", "ServiceAccount", "sa", ""), false},
		{"a quota of another API group", full, "", object("acme.io/v1", "ResourceQuota", "team", "spec: {hard: {pods: 9}}"), false},
		{"one of another name", account, names, object("v1", "ServiceAccount", "s", ""), false},
		{"a ServiceAccount, and no event", "", names, object("v1", "ServiceAccount", "sa", ""), true},
		{"one that no pod names, and no event", "", names, object("v1", "ServiceAccount", "s", ""), false},
		{"a PriorityClass", "no PriorityClass with name gold was found", "priorityClassName: gold, ",
			object("scheduling.k8s.io/v1", "PriorityClass", "gold", "value: 1"), true},
		{"a RuntimeClass", `pod rejected: RuntimeClass "vm" not found`, "runtimeClassName: vm, ",
			object("node.k8s.io/v1", "RuntimeClass", "vm", "handler: vm"), true},
		{"a quota that is enough", full, "", object("v1", "ResourceQuota", "team", "spec: {hard: {pods: 9, requests.cpu: 4000m}}"), true},
		{"a quota that is not enough", full, "", object("v1", "ResourceQuota", "team", "spec: {hard: {pods: 9, requests.cpu: 3500m}}"),
			false},
		{"a quota without cpu", full, "", object("v1", "ResourceQuota", "team", "spec: {hard: {pods: 9}}"), true},
		{"another quota", full, "", object("v1", "ResourceQuota", "other", "spec: {hard: {pods: 9, requests.cpu: 9}}"), false},
		{"a LimitRange with more", most, "", object("v1", "LimitRange", "l",
			"spec: {limits: [{type: Pod, max: {memory: 1Gi}}, {type: Container, max: {memory: 4Gi}}]}"), true},
		{"a LimitRange with too little", most, "", object("v1", "LimitRange", "l",
			"spec: {limits: [{type: Container, max: {memory: 3Gi}}]}"), false},
		{"a LimitRange with less", least, "", object("v1", "LimitRange", "l", "spec: {limits: [{type: Container, min: {cpu: 100m}}]}"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			old := refused(c.says, c.spec)
			plan := plans(t, old, strings.SplitN(old, "status:", 2)[0]+c.brings, &Options{})
			require.Len(t, plan.NotAtRest, 1)
			require.Equal(t, c.completes, plan.NotAtRest[0].Completes, plan.NotAtRest[0].Ends)
			require.Equal(t, c.completes, plan.Settles)
			require.NotContains(t, strings.Join(plan.Notes, "\n"), "team is not modelled")
		})
	}
}

// TestBroughtRoom: a quota that NEW raises may have room for some of the pods that do not exist, and not for all: that is
// no cure, and it is said how far it goes.
func TestBroughtRoom(t *testing.T) {
	const says = "exceeded quota: team, requested: pods=1,requests.cpu=2, used: pods=3,requests.cpu=2, limited: pods=9,requests.cpu=3"
	set := func(policy string) string {
		return `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: default, uid: s, generation: 1, creationTimestamp: "2026-01-01T00:00:00Z"}
spec: {replicas: 3, podManagementPolicy: ` + policy + `, serviceName: web, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}},
  spec: {containers: [{name: app, image: "a:1", resources: {requests: {cpu: 2}}}]}}}
`
	}
	for _, policy := range []string{"OrderedReady", "Parallel"} {
		old := set(policy) + "status: {observedGeneration: 1, replicas: 0, currentRevision: web-1, updateRevision: web-1}\n" + later(`---
apiVersion: v1
kind: Event
metadata: {name: e, namespace: default}
type: Warning
reason: FailedCreate
involvedObject: {kind: StatefulSet, apiVersion: apps/v1, namespace: default, name: web}
message: 'create Pod web-0 in StatefulSet web failed error: pods "web-0" is forbidden: `+says+`'
`)
		for cpu, room := range map[string]int{"4": 1, "7": 2, "8": 3} {
			plan := plans(t, old, set(policy)+"---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: {requests.cpu: "+cpu+"}}\n",
				&Options{})
			idle := plan.NotAtRest[0]
			require.Equal(t, room == 3, idle.Completes, "%s, %s: %s", policy, cpu, idle.Ends)
			says := idle.alarms[0].Sentence
			require.Equal(t, room < 3, strings.Contains(says, fmt.Sprintf("NEW brings ResourceQuota team, which has room for %d of the 3 pods "+
				"that do not exist, but that is not enough: ", room)), says)
			require.Equal(t, room < 3, strings.Contains(says, fmt.Sprintf("used: requests.cpu=%d, limited: requests.cpu=%s", 2+2*room, cpu)), says)
		}
	}
}

// TestClaimMounts: a claim that is found elsewhere, or by another user, is an alarm; a mount of something else is none.
func TestClaimMounts(t *testing.T) {
	mounted := func(mount, context string) string {
		set := strings.Replace(probed(web("2", "a:1", claimTemplates)), `image: "a:1"`, `image: "a:1", volumeMounts: [`+mount+"]", 1)
		return strings.Replace(set, "containers:", context+"containers:", 1)
	}
	const data = "{name: data, mountPath: /data"
	for _, c := range []struct{ was, is, context, trap string }{
		{data + "}", data + "}, {name: tmp, mountPath: /tmp}", "volumes: [{name: tmp, emptyDir: {}}], ", ""},
		{data + "}", data + "}, {name: tmp, mountPath: /data/db}", "volumes: [{name: tmp, emptyDir: {}}], ", alarm.TrapMounts},
		{data + "}", data + "}, {name: tmp, mountPath: /database}", "volumes: [{name: tmp, emptyDir: {}}], ", ""},
		{data + "}", data + ", subPath: v2}", "", alarm.TrapMounts},
		{data + ", subPath: v1}", data + ", subPath: v2}", "", alarm.TrapMounts},
		{data + "}", "{name: data, mountPath: /other}", "", alarm.TrapMounts},
		{data + "}", data + ", readOnly: true}", "", alarm.TrapMounts},
		{data + ", readOnly: true}", data + "}", "", ""},
		{data + "}", "{name: tmp, mountPath: /data}", "volumes: [{name: tmp, emptyDir: {}}], ", alarm.TrapMounts},
		{data + "}", data + "}], volumeDevices: [{name: raw, devicePath: /dev/x}", "volumes: [{name: raw, persistentVolumeClaim: {claimName: r}}], ", ""},
		{data + "}", data + "}", "securityContext: {fsGroup: 7}, ", alarm.TrapUser},
		{data + "}", data + "}", "securityContext: {supplementalGroups: [7]}, ", alarm.TrapUser},
		{data + "}", data + "}", "securityContext: {runAsUser: 7}, ", alarm.TrapUser},
	} {
		s := one(t, mounted(c.was, ""), mounted(c.is, c.context)+"", &Options{})
		var traps []string
		for _, a := range s.alarms {
			if a.Trap == alarm.TrapMounts || a.Trap == alarm.TrapUser {
				traps = append(traps, a.Trap)
				require.Equal(t, strings.Contains(c.context, "fsGroup"), strings.Contains(a.Sentence, "its ownership is changed"))
			}
		}
		require.Equal(t, strings.Fields(c.trap), append([]string{}, traps...), "%+v", c)
	}
	other := func(claim string) string {
		return strings.Replace(probed(web("2", "a:1")), "containers: [{", "volumes: [{name: v, persistentVolumeClaim: {claimName: "+
			claim+"}}], containers: [{volumeMounts: [{name: v, mountPath: /v}], ", 1)
	}
	require.Contains(t, fmt.Sprint(one(t, other("a"), other("b"), &Options{}).alarms),
		"the claim a in app is no longer mounted (/v): the container sees none of its data")
}

// TestScalers: an autoscaler of the set is an alarm if the manifest sets the replicas too, or takes them out. One of
// another namespace, kind or group is none.
func TestScalers(t *testing.T) {
	const target = "{apiVersion: apps/v1, kind: StatefulSet, name: web}"
	scaler := func(version, kind, namespace, target string) string {
		return fmt.Sprintf("---\napiVersion: %s\nkind: %s\nmetadata: {name: h, namespace: %s}\nspec: {scaleTargetRef: %s}\n", version,
			kind, namespace, target)
	}
	for _, c := range []struct{ replicas, version, kind, namespace, target, says string }{
		{"3", "autoscaling/v2", "HorizontalPodAutoscaler", "default", target, "most likely brings it back from 3 to 5: leave spec.replicas out"},
		{"3", "keda.sh/v1alpha1", "ScaledObject", "default", "{kind: StatefulSet, name: web}", "the ScaledObject h sets the number"},
		{"null", "autoscaling/v2", "HorizontalPodAutoscaler", "default", target, "the API server fills in 1"},
		{"5", "autoscaling/v2", "HorizontalPodAutoscaler", "default", target, "this apply sets it back to 5"},
		{"3", "autoscaling/v2", "HorizontalPodAutoscaler", "other", target, ""},
		{"3", "autoscaling/v2", "HorizontalPodAutoscaler", "default", "{apiVersion: apps.kruise.io/v1beta1, kind: StatefulSet, name: web}", ""},
		{"3", "autoscaling/v2", "HorizontalPodAutoscaler", "default", "{apiVersion: apps/v1, kind: Deployment, name: web}", ""},
		{"3", "acme.io/v1", "HorizontalPodAutoscaler", "default", target, ""},
	} {
		now := strings.Replace(web("5", "a:2"), "replicas: 5", "replicas: "+c.replicas, 1)
		alarms := fmt.Sprint(one(t, web("5", "a:1"), now+scaler(c.version, c.kind, c.namespace, c.target), &Options{}).alarms)
		require.Equal(t, c.says != "", strings.Contains(alarms, alarm.TrapAutoscaler), "%+v: %s", c, alarms)
		require.Contains(t, alarms, c.says)
	}
}

// TestFixesAroundThePod: what holds a pod up may be its volume, a node or another pod. NEW ends that only if it fits, and
// the fix of a plan is the one that sim explain offers first.
func TestFixesAroundThePod(t *testing.T) {
	const set = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: default, uid: s, generation: 1, creationTimestamp: "2026-01-01T00:00:00Z"}
spec: {replicas: 1, serviceName: web, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}},
  spec: {containers: [{name: app, image: "a:1"}]}}, volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce],
  storageClassName: manual, resources: {requests: {storage: 1Gi}}}}]}
`
	const status = "status: {observedGeneration: 1, replicas: 1, currentRevision: web-1, updateRevision: web-1, currentReplicas: 1, updatedReplicas: 1}\n"
	pod := func(name, owner, rest string) string {
		return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", namespace: default, uid: " + name +
			", creationTimestamp: \"2026-01-01T00:00:00Z\"" + owner + "}\n" + rest
	}
	const owned = ", labels: {app: web, controller-revision-hash: web-1}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true}]"
	const volumes = "containers: [{name: app, image: \"a:1\"}], volumes: [{name: data, persistentVolumeClaim: {claimName: data-web-0}}]}\n"
	waits := func(says string) string {
		return pod("web-0", owned, "spec: {"+volumes+"status: {phase: Pending, conditions: [{type: PodScheduled, status: \"False\", "+
			"reason: Unschedulable, lastTransitionTime: \"2026-01-01T00:00:00Z\", message: '"+says+"'}]}\n")
	}
	claim := func(meta, spec, phase string) string {
		return "---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data-web-0, namespace: default, uid: c, " +
			"creationTimestamp: \"2026-01-01T00:00:00Z\"" + meta + "}\nspec: {accessModes: [ReadWriteOnce], storageClassName: manual, " +
			"resources: {requests: {storage: 1Gi}}" + spec + "}\nstatus: {phase: " + phase + "}\n"
	}
	volume := func(size, mode string) string {
		return "---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {name: v}\nspec: {capacity: {storage: " + size + "}, accessModes: [" +
			mode + "], storageClassName: manual, hostPath: {path: /x}}\n"
	}
	const node = "---\napiVersion: v1\nkind: Node\nmetadata: {name: n}\nspec: {taints: [{key: KEY, effect: NoSchedule}]}\n" +
		"status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}, conditions: [{type: Ready, status: \"True\"}]}\n"
	unbound := waits("0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.") + claim("", "", "Pending")
	bound := claim("", ", volumeName: v", "Bound")
	tainted := func(key string) string {
		return waits("0/1 nodes are available: 1 node(s) had untolerated taint {"+key+": }.") + bound + strings.Replace(node, "KEY", key, 1)
	}
	debug := pod("debug", "", "spec: {nodeName: m, "+volumes+"status: {phase: Running, conditions: [{type: Ready, status: \"True\"}]}\n")
	for _, c := range []struct{ name, dump, brings, fix string }{
		{"a volume", unbound, volume("2Gi", "ReadWriteOnce"), ""},
		{"a volume that is too small", unbound, volume("500Mi", "ReadWriteOnce"), "storageClassName"},
		{"a volume of another kind", unbound, volume("2Gi", "ReadOnlyMany"), "storageClassName"},
		{"a taint", tainted("x/maintenance"), "", "kubectl taint nodes n x/maintenance-"},
		{"a full disk", tainted("node.kubernetes.io/disk-pressure"), "", "kubectl wait node/n --for=condition=DiskPressure=False --timeout=-1s"},
		{"a pod that holds the claim", strings.Replace(claim(`, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: [kubernetes.io/pvc-protection]`,
			", volumeName: v", "Bound"), "---\n", debug+"---\n", 1), "", "kubectl -n default delete pod debug"},
	} {
		of := status
		if !strings.Contains(c.dump, "name: web-0,") {
			of = strings.NewReplacer("replicas: 1", "replicas: 0", "Replicas: 1", "Replicas: 0").Replace(of)
		}
		plan := plans(t, later(set+of+c.dump), set+c.brings, &Options{})
		require.Len(t, plan.NotAtRest, 1, c.name)
		s := plan.NotAtRest[0]
		require.Equal(t, c.fix == "", s.Completes, c.name)
		if c.fix != "" {
			require.NotNil(t, s.Fix, c.name)
			require.Contains(t, s.Fix.Commands[0], c.fix, c.name)
		}
	}
}
