package corpus

import "encoding/json"

// Mistakes are what people get wrong in the spec of a pod template: JSON merge patches of a container that is right, of
// the volumes, or of the rest of the spec.
var Mistakes = []Mistake{
	{Container: `{"name": ""}`}, {Container: `{"name": "App"}`}, {Container: `{"name": "a.b"}`},
	{Container: `{"image": ""}`},
	{Container: `{"imagePullPolicy": "Sometimes"}`}, {Container: `{"terminationMessagePolicy": "Foo"}`},
	{Container: `{"ports": [{"containerPort": 0}]}`}, {Container: `{"ports": [{"containerPort": 99999}]}`},
	{Container: `{"ports": [{"containerPort": 80, "name": "a"}, {"containerPort": 81, "name": "a"}]}`},
	{Container: `{"ports": [{"containerPort": 80, "name": "a-name-of-many-letters"}]}`},
	{Container: `{"ports": [{"containerPort": 80, "name": "9"}]}`},
	{Container: `{"ports": [{"containerPort": 80, "name": "A_b--c"}]}`},
	{Container: `{"ports": [{"containerPort": 80, "protocol": "HTTP"}]}`},
	{Container: `{"ports": [{"containerPort": 80, "hostPort": 80}, {"containerPort": 81, "hostPort": 80}]}`},
	{Container: `{"ports": [{"containerPort": 80, "hostPort": 70000}]}`},
	{Container: `{"livenessProbe": {"tcpSocket": {"port": 80}, "successThreshold": 2}}`},
	{Container: `{"startupProbe": {"tcpSocket": {"port": 80}, "successThreshold": 2}}`},
	{Container: `{"readinessProbe": {"periodSeconds": 5}}`}, {Container: `{"readinessProbe": {"exec": {}}}`},
	{Container: `{"readinessProbe": {"exec": {"command": ["a"]}, "tcpSocket": {"port": 1}}}`},
	{Container: `{"readinessProbe": {"httpGet": {"port": 0}}}`},
	{Container: `{"readinessProbe": {"httpGet": {"port": "http!"}}}`},
	{Container: `{"readinessProbe": {"httpGet": {"port": 80, "scheme": "http"}}}`},
	{Container: `{"readinessProbe": {"httpGet": {"port": 80, "httpHeaders": [{"name": "a b", "value": ""}]}}}`},
	{Container: `{"readinessProbe": {"grpc": {"port": 0}}}`},
	{Container: `{"readinessProbe": {"tcpSocket": {"port": 80}, "periodSeconds": -1, "initialDelaySeconds": -1,
		"timeoutSeconds": -1}}`},
	{Container: `{"readinessProbe": {"tcpSocket": {"port": 80}, "terminationGracePeriodSeconds": 5}}`},
	{Container: `{"livenessProbe": {"tcpSocket": {"port": 80}, "terminationGracePeriodSeconds": 0}}`},
	{Container: `{"lifecycle": {"preStop": {}}}`},
	{Container: `{"lifecycle": {"preStop": {"sleep": {"seconds": 60}}}}`},
	{Container: `{"lifecycle": {"postStart": {"exec": {"command": []}}}}`},
	{Container: `{"env": [{"name": ""}]}`}, {Container: `{"env": [{"name": "A=B"}]}`},
	{Container: `{"env": [{"name": "A", "valueFrom": {}}]}`},
	{Container: `{"env": [{"name": "A", "value": "b",
		"valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]}`},
	{Container: `{"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.nam"}}}]}`},
	{Container: `{"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels"}}}]}`},
	{Container: `{"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['app']"}}}]}`},
	{Container: `{"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "status.phase"}}}]}`},
	{Container: `{"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": ""}}}]}`},
	{Container: `{"env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "S", "key": "a b"}}}]}`},
	{Container: `{"env": [{"name": "A", "valueFrom": {"configMapKeyRef": {"name": "s", "key": ""}}}]}`},
	{Container: `{"env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.disk"}}}]}`},
	{Container: `{"env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"},
		"configMapKeyRef": {"name": "s", "key": "k"}}}]}`},
	{Container: `{"envFrom": [{}]}`}, {Container: `{"envFrom": [{"secretRef": {"name": ""}}]}`},
	{Container: `{"envFrom": [{"secretRef": {"name": "a"}, "configMapRef": {"name": "B"}, "prefix": "a=b"}]}`},
	{Container: `{"volumeMounts": [{"name": "nope", "mountPath": "/a"}]}`},
	{Container: `{"volumeMounts": [{"name": "v", "mountPath": ""}]}`},
	{Container: `{"volumeMounts": [{"name": "v", "mountPath": "/a"}, {"name": "v", "mountPath": "/a"}]}`},
	{Container: `{"volumeMounts": [{"name": "", "mountPath": "/a"}]}`},
	{Container: `{"volumeMounts": [{"name": "v", "mountPath": "/a", "subPath": "/b"}]}`},
	{Container: `{"volumeMounts": [{"name": "v", "mountPath": "/a", "subPath": "../b"}]}`},
	{Container: `{"volumeMounts": [{"name": "v", "mountPath": "/a", "subPath": "b", "subPathExpr": "c"}]}`},
	{Container: `{"volumeMounts": [{"name": "v", "mountPath": "/a", "mountPropagation": "Bidirectional"}]}`},
	{Container: `{"volumeDevices": [{"name": "v", "devicePath": "/a"}]}`},
	{Container: `{"volumeDevices": [{"name": "x", "devicePath": ""}]}`},
	{Container: `{"resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}}`},
	{Container: `{"resources": {"requests": {"memory": "-1"}}}`},
	{Container: `{"resources": {"limits": {"disk": "1"}}}`},
	{Container: `{"resources": {"limits": {"pods": "1"}}}`},
	{Container: `{"resources": {"requests": {"example.com/gpu": "1"}}}`},
	{Container: `{"resources": {"requests": {"example.com/gpu": "1"}, "limits": {"example.com/gpu": "2"}}}`},
	{Container: `{"resources": {"requests": {"example.com/gpu": "1500m"},
		"limits": {"example.com/gpu": "1500m"}}}`},
	{Container: `{"resources": {"limits": {"a b": "1"}}}`},
	{Container: `{"securityContext": {"runAsUser": -1, "runAsGroup": -1}}`},
	{Container: `{"securityContext": {"seccompProfile": {"type": "Foo"}}}`},
	{Container: `{"securityContext": {"seccompProfile": {"type": "Localhost"}}}`},
	{Container: `{"securityContext": {"seccompProfile": {"type": ""}}}`},
	{Container: `{"securityContext": {"seccompProfile": {"type": "Localhost", "localhostProfile": "/a/../b"}}}`},
	{Container: `{"securityContext": {"seccompProfile": {"type": "Foo", "localhostProfile": "a"}}}`},
	{Container: `{"securityContext": {"procMount": "Foo"}}`},
	{Container: `{"securityContext": {"procMount": "Unmasked"}}`},
	{Container: `{"securityContext": {"allowPrivilegeEscalation": false, "capabilities": {"add": ["CAP_SYS_ADMIN"],
		"drop": ["ALL"]}, "seLinuxOptions": {"level": "s0"}, "seccompProfile": {"type": "RuntimeDefault"}}}`},
	{Container: `{"resizePolicy": [{"resourceName": "cpu", "restartPolicy": "Foo"}, {"resourceName": "cpu",
		"restartPolicy": "NotRequired"}, {"resourceName": "disk", "restartPolicy": ""}]}`},
	{Container: `{"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName['a']"}}}]}`},
	{Container: `{"restartPolicy": "Foo"}`},
	{Spec: `{"containers": []}`}, {Spec: `{"initContainers": [{"name": "app", "image": "i"}]}`},
	{Spec: `{"initContainers": [{"name": "i", "image": "i", "readinessProbe": {"tcpSocket": {"port": 1}},
		"lifecycle": {}}]}`},
	{Spec: `{"initContainers": [{"name": "i", "image": "", "restartPolicy": "Always", "livenessProbe": {}}]}`},
	{Spec: `{"restartPolicy": "Foo"}`}, {Spec: `{"restartPolicy": "Never"}`},
	{Spec: `{"dnsPolicy": "Foo"}`}, {Spec: `{"dnsPolicy": "None"}`},
	{Spec: `{"nodeSelector": {"a b": "c d"}}`}, {Spec: `{"activeDeadlineSeconds": 5}`},
	{Spec: `{"serviceAccountName": "A"}`},
	{Spec: `{"priorityClassName": "A"}`}, {Spec: `{"nodeName": "A_"}`},
	{Spec: `{"readinessGates": [{"conditionType": "a b"}]}`},
	{Spec: `{"securityContext": {"fsGroup": -1, "runAsUser": -1, "fsGroupChangePolicy": "Foo",
		"supplementalGroups": [-1]}}`},
	{Spec: `{"preemptionPolicy": "Foo"}`}, {Spec: `{"os": {"name": ""}}`}, {Spec: `{"os": {"name": "darwin"}}`},
	{Spec: `{"schedulingGates": [{"name": "a b"}, {"name": "c"}, {"name": "c"}]}`},
	{Spec: `{"tolerations": [{"value": "a"}]}`}, {Spec: `{"tolerations": [{"key": "a", "operator": "Foo"}]}`},
	{Spec: `{"tolerations": [{"key": "a b", "operator": "Exists", "value": "c"}]}`},
	{Spec: `{"tolerations": [{"key": "a", "effect": "Foo", "tolerationSeconds": 5}]}`},
	{Spec: `{"tolerations": [{"key": "a", "value": "b c"}]}`},
	{Spec: `{"tolerations": [{"key": "a", "operator": "Gt", "value": "1"}, {"key": "a", "operator": "Lt",
		"value": "b"}]}`},
	{Spec: `{"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "a b", "whenUnsatisfiable": "ScheduleAnyway"}]}`},
	{Spec: `{"topologySpreadConstraints": [{"maxSkew": 0, "topologyKey": "", "whenUnsatisfiable": "Foo"}]}`},
	{Spec: `{"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "z",
		"whenUnsatisfiable": "DoNotSchedule"},
		{"maxSkew": 2, "topologyKey": "z", "whenUnsatisfiable": "DoNotSchedule"}]}`},
	{Spec: `{"affinity": {"podAntiAffinity":
		{"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": ""}]}}}`},
	{Spec: `{"affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 0,
		"podAffinityTerm": {"topologyKey": "a b"}}]}}}`},
	{Spec: `{"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "z",
		"labelSelector": {"matchExpressions": [{"key": "a", "operator": "In"}]}}]}}}`},

	{Spec: `{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution":
		{"nodeSelectorTerms": []}}}}`},
	{Spec: `{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
		{"matchExpressions": [{"key": "a", "operator": "In"}, {"key": "b", "operator": "Foo", "values": ["c d"]},
		{"key": "c", "operator": "Exists", "values": ["d"]}]}]}}}}`},
	{Spec: `{"affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 101,
		"preference": {}}]}}}`},
	{Container: `{"securityContext": {"allowPrivilegeEscalation": false, "capabilities": {"add": ["CAP_SYS_ADMIN"]},
		"seLinuxOptions": {"level": "s0"}, "appArmorProfile": {"type": "RuntimeDefault"}}}`},
	{Container: `{"securityContext": {"procMount": "Foo", "seccompProfile": {"type": "Unconfined",
		"localhostProfile": "a"}}}`},
	{Container: `{"securityContext": {"procMount": "Unmasked"}}`},
	{Container: `{"resizePolicy": [{"resourceName": "cpu", "restartPolicy": "Foo"}, {"resourceName": "pods",
		"restartPolicy": "NotRequired"}, {"resourceName": "cpu", "restartPolicy": "RestartContainer"}]}`},
	{Container: `{"resources": {"limits": {"hugepages-2Mi": "3Mi"}}}`},
	{Container: `{"resources": {"limits": {"hugepages-2Mi": "4Mi"}}}`},
	{Container: `{"volumeMounts": [{"name": "v", "mountPath": "/a", "recursiveReadOnly": "Enabled"}]}`},
	{Container: `{"volumeMounts": [{"name": "v", "mountPath": "/a", "readOnly": true, "recursiveReadOnly": "IfPossible",
		"mountPropagation": "HostToContainer"}, {"name": "v", "mountPath": "/b", "recursiveReadOnly": "Foo"}]}`},
	{Spec: `{"resources": {"requests": {"pods": "1"}}}`}, {Spec: `{"resources": {"requests": {"foo": "1"}}}`},
	{Spec: `{"resources": {"requests": {"hugepages-2Mi": "2Mi"}}}`},
	{Spec: `{"overhead": {"cpu": "-1"}}`}, {Spec: `{"os": {"name": "foo"}}`}, {Spec: `{"os": {"name": ""}}`},
	{Spec: `{"preemptionPolicy": "Foo"}`}, {Spec: `{"hostPID": true, "shareProcessNamespace": true}`},
	{Spec: `{"schedulingGates": [{"name": "a b"}, {"name": "c"}, {"name": "c"}]}`},
	{Spec: `{"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "a", "whenUnsatisfiable": "DoNotSchedule",
		"minDomains": 0, "nodeAffinityPolicy": "Foo"}, {"maxSkew": 1, "topologyKey": "a", "minDomains": 2,
		"whenUnsatisfiable": "ScheduleAnyway", "nodeTaintsPolicy": "Bar"}]}`},
	{Spec: `{"ephemeralContainers": [{"name": "debug", "image": "i", "imagePullPolicy": "Always",
		"terminationMessagePolicy": "File"}]}`},
	{Spec: `{"hostAliases": [{"ip": "a", "hostnames": ["A_"]}]}`},
	{Spec: `{"dnsConfig": {"nameservers": ["a"], "options": [{}]}}`},
	{Spec: `{"hostNetwork": true, "containers": [{"name": "app", "image": "i", "ports": [{"containerPort": 80,
		"hostPort": 81}]}]}`},
	{Volumes: `[{"name": "v.x"}]`}, {Volumes: `[{"name": ""}]`}, {Volumes: `[{"name": "v"}]`},
	{Volumes: `[{"name": "w", "emptyDir": {}, "hostPath": {"path": "/a"}}]`},
	{Volumes: `[{"name": "w", "hostPath": {"path": ""}}]`},
	{Volumes: `[{"name": "w", "hostPath": {"path": "/a/../b", "type": "Foo"}}]`},
	{Volumes: `[{"name": "w", "secret": {"defaultMode": 1000}}]`},
	{Volumes: `[{"name": "w", "configMap": {"name": "", "items": [{"key": "", "path": ""}]}}]`},
	{Volumes: `[{"name": "w", "configMap": {"name": "c", "items": [{"key": "a", "path": "../b"}, {"key": "a",
		"path": "/b", "mode": -1}]}}]`},
	{Volumes: `[{"name": "w", "persistentVolumeClaim": {"claimName": ""}}]`},
	{Volumes: `[{"name": "w", "nfs": {"path": "a", "server": ""}}]`},
	{Volumes: `[{"name": "w", "nfs": {"path": "", "server": "s"}}]`},
	{Volumes: `[{"name": "w", "projected": {"sources": [{"secret": {"name": "s"}, "configMap": {"name": "c"}}]}}]`},
	{Volumes: `[{"name": "w", "emptyDir": {"sizeLimit": "-1"}}]`},
	{Volumes: `[{"name": "w", "csi": {"driver": ""}}]`},
	{Volumes: `[{"name": "w", "downwardAPI": {"items": [{"path": "",
		"fieldRef": {"fieldPath": "status.podIP"}}]}}]`},
	{Volumes: `[{"name": "w", "downwardAPI": {"items": [{"path": "a"}, {"path": "..b",
		"resourceFieldRef": {"resource": "limits.cpu"}}]}}]`},
	{Volumes: `[{"name": "w", "projected": {"sources": [{"secret": {"name": "", "items": [{"key": "a",
		"path": "b"}]}},
		{"configMap": {"name": "c", "items": [{"key": "a", "path": "b"}]}}]}}]`},
	{Volumes: `[{"name": "w", "projected": {"sources": [{"serviceAccountToken": {"path": "",
		"expirationSeconds": 5}}]}}]`},
	{Volumes: `[{"name": "w", "ephemeral": {}}]`},
}

// Mistake is one mistake.
type Mistake struct{ Container, Volumes, Spec string }

// PodSpec returns the spec of a pod template with the mistakes in it, those in the spec as a whole last.
func PodSpec(mistakes ...Mistake) json.RawMessage {
	container := map[string]any{"name": "app", "image": "app:v1"}
	volumes := []any{map[string]any{"name": "v", "emptyDir": map[string]any{}}}
	spec := map[string]any{}
	for _, m := range mistakes {
		if m.Container != "" {
			must(0, json.Unmarshal([]byte(m.Container), &container))
		}
		if m.Volumes != "" {
			var more []any
			must(0, json.Unmarshal([]byte(m.Volumes), &more))
			volumes = append(volumes, more...)
		}
	}
	spec["containers"], spec["volumes"] = []any{container}, volumes
	for _, m := range mistakes {
		if m.Spec != "" {
			must(0, json.Unmarshal([]byte(m.Spec), &spec))
		}
	}
	return must(json.Marshal(spec))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
