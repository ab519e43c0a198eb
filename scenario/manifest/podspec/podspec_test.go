package podspec_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/manifest/podspec"
	"github.com/statefulsim/statefulsim/sim/corpus"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// TestMistakes shows what is said of each mistake. That the real API server says the same of it, alone and beside others,
// is held by .ci/tasks/refusals.
func TestMistakes(t *testing.T) {
	goldenfile.Equal(t, "testdata/mistakes.golden", judged(t, corpus.Mistakes))
}

// judged is what is said of each mistake.
func judged(t *testing.T, mistakes []corpus.Mistake) string {
	t.Helper()
	var text strings.Builder
	for _, mistake := range mistakes {
		spec := corpus.PodSpec(mistake)
		var set appsv1.StatefulSet
		require.NoError(t, json.Unmarshal(fmt.Appendf(nil, `{"spec": {"template": {"spec": %s}}}`, spec), &set))
		manifest.Default(&set)
		fmt.Fprintf(&text, "%s\n", strings.Join(strings.Fields(mistake.Container+mistake.Volumes+mistake.Spec), " "))
		for _, err := range podspec.Validate(&set.Spec.Template.Spec, field.NewPath("spec")) {
			fmt.Fprintf(&text, "  %s\n", err)
		}
	}
	return text.String()
}

// fine are specs that are right, many of them just so: what they have most of, and what only looks like a mistake.
var fine = []corpus.Mistake{
	{Container: `{"ports": [{"containerPort": 65535, "name": "a"}, {"containerPort": 1, "name": "b", "protocol": "SCTP"}, {"containerPort": 2, "protocol": "UDP"}]}`},
	{Container: `{"ports": [{"containerPort": 80, "hostPort": 80}, {"containerPort": 81, "hostPort": 80, "protocol": "UDP"}, {"containerPort": 82, "hostPort": 80, "hostIP": "10.0.0.1"}]}`},
	{Container: `{"livenessProbe": {"tcpSocket": {"port": 80}, "terminationGracePeriodSeconds": 1}, "readinessProbe": {"httpGet": {"port": "http", "scheme": "HTTPS"}, "successThreshold": 2},
		"startupProbe": {"grpc": {"port": 80}}}`},
	{Container: `{"lifecycle": {"preStop": {"sleep": {"seconds": 30}}, "postStart": {"sleep": {"seconds": 0}}}}`},
	{Container: `{"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "status.hostIPs"}}}, {"name": "B", "valueFrom": {"resourceFieldRef": {"resource": "limits.hugepages-2Mi"}}},
		{"name": "C", "valueFrom": {"resourceFieldRef": {"resource": "requests.cpu"}}}, {"name": "D", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}, {"name": "E.f-g", "value": "h"}]}`},
	{Container: `{"envFrom": [{"secretRef": {"name": "a"}, "prefix": "A_"}, {"configMapRef": {"name": "b"}}]}`},
	{Container: `{"volumeMounts": [{"name": "v", "mountPath": "/a", "subPath": "b..c/.d"}, {"name": "v", "mountPath": "/b", "subPathExpr": "$(A)", "mountPropagation": "HostToContainer"}]}`},
	{Container: `{"securityContext": {"privileged": true, "runAsUser": 0, "runAsGroup": 2147483647}, "volumeMounts": [{"name": "v", "mountPath": "/a", "mountPropagation": "Bidirectional"}]}`},
	{Container: `{"securityContext": {"allowPrivilegeEscalation": false, "privileged": false, "seccompProfile": {"type": "Localhost", "localhostProfile": "a"}}}`},
	{Container: `{"volumeDevices": [{"name": "d", "devicePath": "/dev/a"}, {"name": "e", "devicePath": "/dev/b"}]}`,
		Volumes: `[{"name": "d", "persistentVolumeClaim": {"claimName": "c"}}, {"name": "e", "ephemeral": {"volumeClaimTemplate": {"spec": {}}}}]`},
	{Container: `{"resources": {"requests": {"cpu": "1", "memory": "0", "ephemeral-storage": "1Gi"}, "limits": {"cpu": "1", "hugepages-2Mi": "2Mi", "example.com/gpu": "1"}}}`},
	{Container: `{"imagePullPolicy": "Never", "terminationMessagePolicy": "FallbackToLogsOnError"}`},
	{Spec: `{"initContainers": [{"name": "i", "image": "i"}, {"name": "s", "image": "s", "restartPolicy": "Always", "livenessProbe": {"exec": {"command": ["a"]}}, "lifecycle": {"preStop": {"exec": {"command": ["a"]}}}}]}`},
	{Spec: `{"dnsPolicy": "None", "dnsConfig": {"nameservers": ["1.1.1.1", "::1", "8.8.8.8"], "options": [{"name": "ndots"}]}}`},
	{Spec: `{"dnsPolicy": "Default", "nodeSelector": {"a": "b"}, "serviceAccountName": "a.b", "priorityClassName": "a.b", "runtimeClassName": "a.b", "nodeName": "n.1"}`},
	{Spec: `{"securityContext": {"fsGroup": 0, "runAsUser": 2147483647, "runAsGroup": 0, "fsGroupChangePolicy": "OnRootMismatch", "supplementalGroups": [1, 2], "seccompProfile": {"type": "RuntimeDefault"}}}`},
	{Spec: `{"tolerations": [{"operator": "Exists"}, {"key": "a", "value": "b", "effect": "NoSchedule"}, {"key": "a", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 0}]}`},
	{Spec: `{"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "DoNotSchedule"}, {"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "ScheduleAnyway"}]}`},
	{Spec: `{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]},
		{"key": "b", "operator": "NotIn", "values": ["c", "d"]}, {"key": "e", "operator": "DoesNotExist"}]}]},
		"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 100, "preference": {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b c"]}]}}]},
		"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": {"topologyKey": "z", "namespaces": ["a"], "namespaceSelector": {}}}]}}}`},
	{Spec: `{"hostNetwork": true, "hostAliases": [{"ip": "127.0.0.1", "hostnames": ["a.b"]}], "readinessGates": [{"conditionType": "example.com/a"}]}`},
	{Volumes: `[{"name": "w", "hostPath": {"path": "/a", "type": "DirectoryOrCreate"}}, {"name": "x", "nfs": {"path": "/a", "server": "s"}}, {"name": "y", "emptyDir": {"sizeLimit": "0"}},
		{"name": "z", "csi": {"driver": "d"}}]`},
	{Volumes: `[{"name": "w", "secret": {"secretName": "s", "defaultMode": 511, "items": [{"key": "a", "path": "a/..b/.c", "mode": 0}]}}]`},
	{Volumes: `[{"name": "w", "projected": {"sources": [{"serviceAccountToken": {"path": "t", "expirationSeconds": 600}}, {"configMap": {"name": "c", "items": [{"key": "a", "path": "b"}, {"key": "a", "path": "c"}]}},
		{"downwardAPI": {"items": [{"path": "d", "fieldRef": {"fieldPath": "metadata.annotations['a']"}}]}}]}}]`},
	{Volumes: `[{"name": "w", "downwardAPI": {"items": [{"path": "a", "resourceFieldRef": {"containerName": "app", "resource": "limits.cpu"}}]}}]`},
}

// TestFine: in what is right nothing is found.
func TestFine(t *testing.T) {
	for _, spec := range fine {
		require.NotContains(t, judged(t, []corpus.Mistake{spec}), "\n  ", "something is wrong")
	}
}

// just are mistakes by the smallest amount, and pairs of which each by itself is right.
var just = []corpus.Mistake{
	{Container: `{"ports": [{"containerPort": 65536}, {"containerPort": -1}]}`}, {Container: `{"livenessProbe": {"tcpSocket": {"port": 0}}}`},
	{Container: `{"ports": [{"containerPort": 1, "hostPort": 65536}]}`}, {Container: `{"startupProbe": {"tcpSocket": {"port": 70000}, "failureThreshold": -1, "successThreshold": -1}}`},
	{Container: `{"lifecycle": {"preStop": {"sleep": {"seconds": 31}}, "postStart": {"sleep": {"seconds": -1}}}}`},
	{Container: `{"lifecycle": {"preStop": {"tcpSocket": {"port": "a b"}}}}`},
	{Container: `{"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.annotations['A b']"}}}, {"name": "B", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName['a']"}}}]}`},
	{Container: `{"env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": ""}}}, {"name": "B", "valueFrom": {"fileKeyRef": {"volumeName": "v", "path": "p", "key": "k"}, "fieldRef": {"fieldPath": "metadata.name"}}}]}`},
	{Container: `{"envFrom": [{"secretRef": {"name": "A_"}}]}`},
	{Container: `{"volumeMounts": [{"name": "v", "mountPath": "/a", "subPathExpr": "/b"}, {"name": "v", "mountPath": "/b", "subPath": "a/.."}]}`},
	{Container: `{"volumeMounts": [{"name": "v", "mountPath": "/a", "mountPropagation": "Both"}], "securityContext": {"privileged": false}}`},
	{Container: `{"securityContext": {"privileged": true, "allowPrivilegeEscalation": false}}`},
	{Container: `{"securityContext": {"seccompProfile": {"type": "Unconfined", "localhostProfile": "a"}, "runAsUser": 2147483648}}`},
	{Container: `{"volumeDevices": [{"name": "v", "devicePath": "/a/../b"}, {"name": "v", "devicePath": "/c"}, {"name": "d", "devicePath": "/c"}], "volumeMounts": [{"name": "d", "mountPath": "/c"}]}`,
		Volumes: `[{"name": "d", "persistentVolumeClaim": {"claimName": "c"}}]`},
	{Container: `{"resources": {"requests": {"cpu": "1001m", "hugepages-2Mi": "2Mi", "kubernetes.io/a": "1"}, "limits": {"cpu": "1", "storage": "1", "requests.example.com/gpu": "1", "pods.example.com/b.c": "1"}}}`},
	{Container: `{"resources": {"limits": {"hugepages-2Mi": "4Mi", "memory": "-1m"}, "requests": {"hugepages-2Mi": "2Mi"}}}`},
	{Spec: `{"initContainers": [{"name": "", "image": "i"}, {"name": "", "image": "i"}, {"name": "a", "image": "i"}, {"name": "a", "image": "i", "livenessProbe": {}, "startupProbe": {}}]}`},
	{Spec: `{"initContainers": [{"name": "i", "image": "i", "ports": [{"containerPort": 1, "hostPort": 1}, {"containerPort": 2, "hostPort": 1}]}]}`},
	{Spec: `{"dnsPolicy": "None", "dnsConfig": {"nameservers": []}}`}, {Spec: `{"dnsConfig": {"nameservers": ["1.1.1.1", "1.1.1.1", "1.1.1.1", "1.1.1.1"]}}`},
	{Spec: `{"activeDeadlineSeconds": 0}`}, {Spec: `{"runtimeClassName": "A"}`},
	{Spec: `{"securityContext": {"runAsGroup": -1, "seccompProfile": {"type": ""}}}`},
	{Spec: `{"tolerations": [{"key": "a", "effect": "NoSchedule", "tolerationSeconds": 0}, {"key": "a", "operator": "Gt", "value": "1"}]}`},
	{Spec: `{"topologySpreadConstraints": [{"maxSkew": -1, "topologyKey": "a b", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchLabels": {"a b": "c"}}}]}`},
	{Spec: `{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1", "2"]},
		{"key": "a", "operator": "Lt"}, {"key": "b c", "operator": "NotIn"}, {"key": "a", "operator": "DoesNotExist", "values": ["x"]}]}]},
		"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 0, "preference": {"matchExpressions": [{"key": "a", "operator": "In"}]}}]},
		"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 101, "podAffinityTerm": {"topologyKey": "", "namespaces": ["A"], "namespaceSelector": {"matchLabels": {"a b": "c"}}}}]}}}`},
	{Spec: `{"hostNetwork": true, "containers": [{"name": "app", "image": "i"}, {"name": "b", "image": "i", "ports": [{"containerPort": 80, "hostPort": 80}, {"containerPort": 81, "hostPort": 82}]}]}`},
	{Spec: `{"containers": [{"name": "app", "image": "i"}, {"name": "app", "image": "i"}]}`},
	{Volumes: `[{"name": "w", "secret": {"secretName": "s", "defaultMode": 512, "items": [{"key": "a", "path": "..", "mode": 512}]}}]`}, {Volumes: `[{"name": "w", "secret": {"defaultMode": -1}}]`},
	{Container: `{"volumeDevices": [{"name": "", "devicePath": ""}]}`}, {Volumes: `[{"name": "w", "hostPath": {"path": "", "type": "Folder"}}]`},
	{Volumes: `[{"name": "w", "nfs": {"path": "", "server": "s"}}]`}, {Volumes: `[{"name": "w"}, {"name": "w"}]`},
	{Volumes: `[{"name": "w", "projected": {"defaultMode": 512, "sources": [{"serviceAccountToken": {"path": "../t", "expirationSeconds": 599}, "secret": {"name": "s"}},
		{"downwardAPI": {"items": [{"path": "d", "fieldRef": {"fieldPath": "metadata.name"}, "resourceFieldRef": {"resource": "limits.cpu"}}, {"path": "d", "mode": 512, "fieldRef": {"fieldPath": "metadata.uid"}}]}}]}}]`},
}

// TestJust shows what is said of mistakes by the smallest amount: testdata/just.golden.
func TestJust(t *testing.T) {
	goldenfile.Equal(t, "testdata/just.golden", judged(t, just))
}
