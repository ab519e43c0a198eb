package serve_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKindsAsTheyAre: what a real API server fills in, refuses and shows of kinds on which nothing in the cluster acts.
func TestKindsAsTheyAre(t *testing.T) {
	const (
		core, scoped, storage = "/api/v1/", "/api/v1/namespaces/default/", "/apis/storage.k8s.io/v1/"
		slices                = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
		classes               = "/apis/node.k8s.io/v1/runtimeclasses"
		daemons               = "/apis/apps/v1/namespaces/default/daemonsets"
		policies              = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
		scalers               = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers"
		table                 = "application/json;as=Table;v=v1;g=meta.k8s.io"
		generation            = "deprecated.daemonset.template.generation"
	)
	s := begin(t, nil)
	s.plays([]probe{
		{"POST", scoped + "limitranges", `{"metadata":{"name":"l"},"spec":{"limits":[{"type":"Container","max":{"cpu":"2"},
			"min":{"memory":"1Gi"}}]}}`, "", 201, map[string]any{"spec/limits/0/default/cpu": "2",
			"spec/limits/0/defaultRequest/cpu": "2", "spec/limits/0/defaultRequest/memory": "1Gi"}},
		{"POST", slices, `{"metadata":{"name":"e"},"addressType":"IPv4","endpoints":[],"ports":[{"port":80}]}`, "", 201,
			map[string]any{"ports/0/name": "", "ports/0/protocol": "TCP"}},
		{"POST", scoped + "endpoints", `{"metadata":{"name":"e"},"subsets":[{"addresses":[{"ip":"10.1.1.1"}],
			"ports":[{"port":80}]}]}`, "", 201, map[string]any{"subsets/0/ports/0/protocol": "TCP"}},
		{"POST", core + "persistentvolumes", `{"metadata":{"name":"v"},"spec":{"capacity":{"storage":"1Gi"},
			"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/x"}}}`, "", 201, map[string]any{
			"metadata/finalizers/0": "kubernetes.io/pv-protection", "spec/volumeMode": "Filesystem", "status/phase": "Pending",
			"spec/persistentVolumeReclaimPolicy": "Retain", "spec/hostPath/type": ""}},
		{"GET", core + "persistentvolumes/v", "", table, 200, map[string]any{"rows/0/cells/3": "Retain", "rows/0/cells/5": "",
			"rows/0/cells/7": "<unset>"}},
		{"DELETE", core + "persistentvolumes/v", "", "", 200, map[string]any{"kind": "PersistentVolume",
			"metadata/finalizers/0": "kubernetes.io/pv-protection"}},
		{"GET", core + "persistentvolumes/v", "", "", 404, nil},
		{"POST", storage + "volumeattributesclasses", `{"metadata":{"name":"c"},"driverName":"d","parameters":{"a":"b"}}`, "", 201,
			map[string]any{"metadata/finalizers/0": "kubernetes.io/vac-protection"}},
		{"POST", storage + "csinodes", `{"metadata":{"name":"n"},"spec":{"drivers":[]}}`, "", 201,
			map[string]any{"spec": map[string]any{"drivers": nil}}},
		{"GET", storage + "csinodes/n/status", "", "", 200, map[string]any{"kind": "CSINode"}},
		{"POST", classes, `{"metadata":{"name":"r"},"handler":"runc"}`, "", 201, nil},
		{"PUT", classes + "/r", `{"metadata":{"name":"r"},"handler":"runc"}`, "", 422, map[string]any{
			"details/causes/0/message": "Invalid value: 0: must be specified for an update"}},
		{"POST", daemons, strings.Replace(deployed, `"replicas":3,`, "", 1), "", 201, map[string]any{
			"metadata/annotations": map[string]any{generation: "1"}}},
		{"PUT", daemons + "/d", strings.ReplaceAll(strings.Replace(deployed, `"replicas":3,`, "", 1), "app:1", "app:2"), "", 200,
			map[string]any{"metadata/annotations": map[string]any{generation: "2"}}},
		{"POST", policies, `{"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{"apiGroups":["x.y"],
			"apiVersions":["v1"],"resources":["z"],"operations":["CREATE"]}]},"validations":[{"expression":"true"}]}}`, "", 201, nil},
		{"PATCH", policies + "/p/status", `{"metadata":{"labels":{"a":"b"}}}`, mergeForm, 200, map[string]any{
			"metadata/labels": nil}},
		{"POST", scalers, `{"metadata":{"name":"h"},"spec":{"maxReplicas":3,"scaleTargetRef":{
			"apiVersion":"apps/v1","kind":"A","name":"b"}}}`, "", 201, nil},
		{"PATCH", scalers + "/h/status", `{"status":{"desiredReplicas":2}}`, mergeForm, 200, map[string]any{
			"status": map[string]any{"currentMetrics": nil, "desiredReplicas": float64(2)}}},
		{"POST", scoped + "configmaps?fieldValidation=Strict", `{"metadata":{"name":"x"},"zzz":1}`, "", 400, map[string]any{
			"message": `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "zzz"`}},
	})
}

// TestRequestsAsTheyAre: options, patches and bodies are refused in the words of a real API server.
func TestRequestsAsTheyAre(t *testing.T) {
	s := begin(t, nil)
	says := func(text string) map[string]any { return map[string]any{"message": text} }
	const decoding, applying = "error decoding patch: ", "application/apply-patch+yaml"
	const one = configMaps + "/c"
	s.plays([]probe{
		{"POST", configMaps + "?timeout=x", `{"metadata":{"name":"c"}}`, "", 400,
			says(`invalid timeout specified in the request URL - time: invalid duration "x"`)},
		{"POST", configMaps, `{"metadata":{"name":"c","generation":5}}`, "", 201, map[string]any{"metadata/generation": 5}},
		{"POST", configMaps, `{"metadata":{"generateName":"` + strings.Repeat("g", 70) + `"}}`, "", 201, nil},
		{"PATCH", one, ``, mergeForm, 400, says("invalid JSON patch")},
		{"PATCH", one, `[{"op"`, jsonForm, 400, says("invalid JSON patch")},
		{"PATCH", one, `[]`, strategicForm, 400,
			says("json: cannot unmarshal array into Go value of type map[string]interface {}")},
		{"PATCH", one, `{"metadata":{"deletionTimestamp":"2020-01-01T00:00:00Z"}}`, mergeForm, 422, map[string]any{
			"details/causes/0/message": `Invalid value: "2020-01-01T00:00:00Z": field is immutable`}},
		{"PATCH", one, `{"metadata":{"selfLink":"x"}}`, mergeForm, 200, map[string]any{"metadata/selfLink": nil}},
		{"PATCH", one + "?fieldManager=m", `x`, applying, 400, says(decoding + "error unmarshaling JSON: while decoding JSON: json: " +
			"cannot unmarshal string into Go value of type map[string]interface {}")},
		{"PATCH", one + "?fieldManager=m", ``, applying, 400, says("invalid object type: /, Kind=")},
		{"PATCH", one + "?fieldManager=m", `{apiVersion: v1, kind: Secret, metadata: {name: c}}`, applying, 400,
			says("invalid object type: /v1, Kind=Secret")},
		{"PATCH", one + "?fieldManager=m", `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, uid: x}}`, applying, 422,
			map[string]any{"details/causes/0/message": `Invalid value: "x": field is immutable`}},
		{"POST", configMaps, `{"apiVersion":"a/b/c","kind":"ConfigMap"}`, "", 400, says("the object provided is unrecognized (must be of " +
			`type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)`)},
		{"POST", configMaps, `a: b: c`, "application/yaml", 400, says("the object provided is unrecognized (must be of type ConfigMap): " +
			"yaml: mapping values are not allowed in this context (613a20623a2063)")},
		{"POST", configMaps, `{}`, "application/vnd.kubernetes.protobuf", 400, says("the object provided is unrecognized (must be of type " +
			"ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({})")},
		{"GET", jobs + "?fieldSelector=status.successful%3D0", "", "", 200, map[string]any{"kind": "JobList"}},
		{"GET", "/api/v1/nodes?fieldSelector=metadata.namespace%3Dx", "", "", 400, nil},
		{"GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles?fieldSelector=metadata.namespace%3Dx", "", "", 200, nil},
		{"GET", "/api/v1/watch/namespaces/default/configmaps/c?fieldSelector=metadata.name%3Dd", "", "", 400,
			says("fieldSelector metadata.name doesn't match requested name")},
		{"GET", "/apis/authorization.k8s.io/v1", "", "", 200, map[string]any{"resources/0/name": "localsubjectaccessreviews"}},
	})
}

// TestJobsOrphanTheirPods: the deletion of a Job that does not say what becomes of its pods leaves them, and warns.
func TestJobsOrphanTheirPods(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", jobs, jobOf("j", "", "migrate:1"))
	s.settle()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodDelete, jobs+"/j", nil))
	require.Contains(t, w.Header().Get("Warning"), "child pods are preserved by default when jobs are deleted")
	require.Contains(t, w.Body.String(), `"finalizers":["orphan"]`)
	s.settle()
	require.Len(t, s.images("job-name%3Dj"), 1)
}

// TestInvalidKinds: what is refused of Services, roles and their bindings, and of what is asked of pods.
func TestInvalidKinds(t *testing.T) {
	const (
		services = "/api/v1/namespaces/default/services"
		rbac     = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/"
		daemons  = "/apis/apps/v1/namespaces/default/daemonsets"
		ref      = `"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"r"}`
	)
	service := func(spec string) string {
		return `{"metadata":{"name":"s"},"spec":{"ports":[{"port":80}],` + spec + `}}`
	}
	says := func(text string) map[string]any { return map[string]any{"details/causes/0/message": text} }
	s := begin(t, nil)
	s.must("POST", pods, `{"metadata":{"name":"p"},"spec":{"schedulerName":"nobody","containers":[{"name":"c","image":"a"}]}}`)
	s.plays([]probe{
		{"POST", services, service(`"type":"ExternalName"`), "", 422, says("Required value")},
		{"POST", services, service(`"clusterIP":"x"`), "", 422,
			says(`Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`)},
		{"POST", services, service(`"clusterIP":"None","type":"NodePort"`), "", 422,
			says(`Invalid value: "None": may not be set to 'None' for NodePort services`)},
		{"POST", services, `{"metadata":{"name":"s"},"spec":{"ports":[{"port":80,"nodePort":30000}]}}`, "", 422,
			says("Forbidden: may not be used when `type` is 'ClusterIP'")},
		{"POST", services, `{"metadata":{"name":"s"},"spec":{"type":"NodePort","ports":[{"port":80,"nodePort":80}]}}`, "", 422,
			says("Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767")},
		{"POST", services, `{"metadata":{"name":"s"},"spec":{"ports":[{"port":80,"name":"a"},{"port":80,"name":"b"}]}}`, "", 422,
			says(`Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}`)},
		{"POST", services, service(`"externalTrafficPolicy":"Local"`), "", 422,
			says(`Invalid value: "Local": may only be set for externally-accessible services`)},
		{"POST", services, service(`"sessionAffinity":"ClientIP"`), "", 201,
			map[string]any{"spec/sessionAffinityConfig/clientIP/timeoutSeconds": 10800}},
		{"PATCH", services + "/s", `{"spec":{"clusterIP":"10.96.9.9"}}`, mergeForm, 422,
			says(`Invalid value: ["10.96.9.9"]: may not change once set`)},
		{"POST", rbac + "roles", `{"metadata":{"name":"r"},"rules":[{"verbs":["get"],"apiGroups":[""]}]}`, "", 422,
			says("Required value: resource rules must supply at least one resource")},
		{"POST", rbac + "rolebindings", `{"metadata":{"name":"b"},"subjects":[{"kind":"X","name":"y"}],` + ref + `}`, "", 422,
			says(`Unsupported value: "X": supported values: "ServiceAccount", "User", "Group"`)},
		{"POST", rbac + "rolebindings", `{"metadata":{"name":"b"},` + ref + `}`, "", 201, nil},
		{"PATCH", rbac + "rolebindings/b", `{"roleRef":{"name":"other"}}`, mergeForm, 422, map[string]any{
			"details/causes/0/field": "roleRef"}},
		{"POST", daemons, strings.Replace(deployed, `"replicas":3,`, `"updateStrategy":{"type":"X"},`, 1), "", 422,
			says(`Unsupported value: {"Type":"X","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"`)},
		{"GET", pods + "/p/log?tailLines=-1", "", "", 422, says("Invalid value: -1: must be greater than or equal to 0")},
		{"POST", pods + "/p/binding", `{"metadata":{"name":"q"},"target":{"name":"node-1"}}`, "", 400, map[string]any{
			"message": "name in URL does not match name in Binding object"}},
		{"POST", pods + "/p/eviction", `{"metadata":{"name":"p"},"deleteOptions":{"dryRun":["x"]}}`, "", 422,
			says(`Unsupported value: ["x"]: supported values: "All"`)},
		{"DELETE", configMaps, `{"preconditions":{"uid":"x"}}`, "", 409, nil},
		{"DELETE", configMaps, `x`, "", 400, map[string]any{"message": "couldn't get version/kind; json parse error: " +
			"invalid character 'x' looking for beginning of value"}},
	})
}

// TestNodesClaimsPorts: the columns of nodes are those of kubectl, a claim grows as its class allows it, and a slice has the
// numbers of named ports.
func TestNodesClaimsPorts(t *testing.T) {
	const claims, classes = "/api/v1/namespaces/default/persistentvolumeclaims", "/apis/storage.k8s.io/v1/storageclasses"
	s := begin(t, nil)
	nodes := s.must("GET", "/api/v1/nodes", "", "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
	for i, name := range []string{"Name", "Status", "Roles", "Age", "Version", "Internal-IP", "External-IP", "OS-Image",
		"Kernel-Version", "Container-Runtime"} {
		require.Equal(t, name, at(t, nodes, fmt.Sprintf("columnDefinitions.%d.name", i)))
	}
	s.must("POST", classes, `{"metadata":{"name":"fixed"},"provisioner":"a/b"}`)
	for class, code := range map[string]int{"standard": 200, "fixed": 403} {
		s.must("POST", claims, fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"accessModes":["ReadWriteOnce"],"storageClassName":%q,
			"resources":{"requests":{"storage":"1Gi"}}}}`, class, class))
		s.settle()
		got, _ := s.ask("PATCH", claims+"/"+class, `{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}`, "Content-Type", mergeForm)
		require.Equal(t, code, got, class)
	}
	s.must("POST", "/api/v1/namespaces/default/services", `{"metadata":{"name":"s"},"spec":{"selector":{"app":"p"},
		"ports":[{"port":80,"targetPort":"web"}]}}`)
	s.must("POST", pods, `{"metadata":{"name":"p","labels":{"app":"p"}},"spec":{"containers":[{"name":"c","image":"a",
		"ports":[{"name":"web","containerPort":8080}]}]}}`)
	s.settle()
	slice := s.must("GET", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/s-sim", "")
	require.EqualValues(t, 8080, at(t, slice, "ports.0.port"))
}
