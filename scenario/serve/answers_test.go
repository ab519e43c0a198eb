package serve_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// probe is a request, and what a real kube-apiserver 1.37.2 answers: its code, and what is at some places of the
// answer. A place that is not there is nil.
type probe struct {
	method, path, body string
	// header is Accept, or the Content-Type of a patch.
	header string
	code   int
	want   map[string]any
}

// The types of bodies.
const (
	mergeForm     = "application/merge-patch+json"
	jsonForm      = "application/json-patch+json"
	strategicForm = "application/strategic-merge-patch+json"
)

// plays plays requests in their order and compares the answers.
func (s *session) plays(list []probe) {
	s.t.Helper()
	for _, c := range list {
		var header []string
		switch {
		case c.header != "" && c.method != "GET" && !strings.Contains(c.header, "as="):
			header = []string{"Content-Type", c.header}
		case c.header != "":
			header = []string{"Accept", c.header}
		}
		if strings.Contains(c.header, "as=") && c.method == "PATCH" {
			header = append(header, "Content-Type", mergeForm)
		}
		code, got := s.ask(c.method, c.path, c.body, header...)
		require.Equal(s.t, c.code, code, "%s %s %s: %v", c.method, c.path, c.body, got)
		for place, want := range c.want {
			require.EqualValues(s.t, want, found(got, place), "%s %s %s: %s of %v", c.method, c.path, c.body, place, got)
		}
	}
}

// found returns what is at a place of an answer, nil without it.
func found(in any, place string) any {
	for _, word := range strings.Split(place, "/") {
		switch v := in.(type) {
		case map[string]any:
			in = v[word]
		case []any:
			if len(word) != 1 || int(word[0]-'0') >= len(v) {
				return nil
			}
			in = v[word[0]-'0']
		default:
			return nil
		}
	}
	return in
}

// configMaps is where the ConfigMaps of the default namespace are.
const configMaps = "/api/v1/namespaces/default/configmaps"

// TestForms: the answer has the form that Accept names, as far as there is such a form.
func TestForms(t *testing.T) {
	s := begin(t, nil)
	const table, part = "application/json;as=Table;v=v1;g=meta.k8s.io",
		"application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
	s.plays([]probe{
		{"POST", configMaps, `{"metadata":{"name":"c"},"data":{"k":"v"}}`, table, 201,
			map[string]any{"kind": "Table", "rows/0/cells/0": "c"}},
		{"GET", configMaps + "/c", "", "text/html", 406, map[string]any{"message": "406: Not Acceptable\n\nAvailable " +
			"representations: application/json, application/yaml, application/vnd.kubernetes.protobuf"}},
		{"GET", configMaps + "/c", "", "application/*", 406, nil},
		{"GET", configMaps + "/c", "", "application/yaml;q=0.1, application/json;q=0.9", 200, map[string]any{"kind": "ConfigMap"}},
		{"GET", configMaps + "/c", "", "application/json;as=Table;v=v2;g=meta.k8s.io", 406, map[string]any{"message": "only the " +
			"following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf"}},
		{"GET", configMaps + "/c", "", "application/json;as=Table;v=v2;g=meta.k8s.io,application/json", 200,
			map[string]any{"kind": "ConfigMap"}},
		{"GET", configMaps + "/c", "", strings.Replace(table, "v=v1", "v=v1beta1", 1), 200,
			map[string]any{"apiVersion": "meta.k8s.io/v1beta1"}},
		{"GET", configMaps + "/c?includeObject=All", "", table, 400, map[string]any{"message": "Unable to convert to Table as " +
			`requested: includeObject: Invalid value: "All": must be 'Metadata', 'Object', 'None', or empty`}},
		{"GET", configMaps, "", part, 406, map[string]any{"message": "you requested PartialObjectMetadata, but the requested " +
			"object is a list (*core.ConfigMapList)"}},
		{"GET", configMaps + "/c", "", strings.Replace(part, "Metadata", "MetadataList", 1), 406, map[string]any{
			"message": "you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)"}},
		{"PATCH", configMaps + "/c", `{"metadata":{"labels":{"a":"b"}}}`, part, 200,
			map[string]any{"kind": "PartialObjectMetadata", "metadata/labels/a": "b", "data": nil}},
		{"DELETE", configMaps + "/c", "", part, 200, map[string]any{"kind": "Status"}},
	})
	for accept, begins := range map[string]string{"application/yaml": "apiVersion: v1\n",
		"application/vnd.kubernetes.protobuf, */*": "k8s\x00"} {
		for _, path := range []string{configMaps, configMaps + "/kube-root-ca.crt"} {
			r, w := httptest.NewRequest("GET", path, nil), httptest.NewRecorder()
			r.Header.Set("Accept", accept)
			s.ServeHTTP(w, r)
			require.Equal(t, http.StatusOK, w.Code)
			require.True(t, strings.HasPrefix(w.Body.String(), begins), w.Body.String())
		}
	}
}

// TestBodies: what is no object of the kind is refused in the words of a real API server.
func TestBodies(t *testing.T) {
	s := begin(t, nil)
	message := func(text string) map[string]any { return map[string]any{"message": text} }
	const unread = "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: "
	s.plays([]probe{
		{"POST", configMaps, `{"kind":"ConfigMap","apiVersion":"v1"`, "", 400,
			message(unread + `unexpected end of JSON input ({"kind":"ConfigMap","apiVersio ...)`)},
		{"POST", configMaps, "", "", 400, message(unread + "unexpected end of JSON input (<empty>)")},
		{"POST", configMaps, `{"kind":"Secret","metadata":{"name":"c"}}`, "", 400, message(`Secret in version "v1" cannot be ` +
			"handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion")},
		{"POST", configMaps, `{"apiVersion":"v2","kind":"ConfigMap"}`, "", 400, message(`ConfigMap in version "v2" cannot be ` +
			`handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"`)},
		{"POST", sets, `{"apiVersion":"apps/v1beta1","kind":"StatefulSet"}`, "", 400, message("the API version in the data " +
			"(apps/v1beta1) does not match the expected API version (apps/v1)")},
		{"POST", configMaps, `{"metadata":{"name":"c"}}`, "text/plain", 415, message("the body of the request was in an unknown " +
			"format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf")},
		{"POST", configMaps, `{"metadata":{"name":"c","resourceVersion":"5"}}`, "", 500,
			message("resourceVersion should not be set on objects to be created")},
		{"POST", configMaps, `{"metadata":{"name":"c"}}`, "", 201, nil},
		{"PUT", configMaps + "/c", `{}`, "", 400,
			message("the name of the object (c based on URL) was undeterminable: name must be provided")},
		{"PUT", configMaps + "/c", `{"metadata":{"name":"c","resourceVersion":"x"}}`, "", 500,
			message(`strconv.ParseUint: parsing "x": invalid syntax`)},
		{"PATCH", configMaps + "/c", `{"metadata":{"uid":"x"}}`, mergeForm, 422,
			message(`ConfigMap "c" is invalid: metadata.uid: Invalid value: "x": field is immutable`)},
		{"PATCH", configMaps + "/c", `[]`, mergeForm, 400,
			message("error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}")},
		{"PATCH", configMaps + "/c", `{}`, jsonForm, 400,
			message("error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp")},
		{"PATCH", configMaps + "/c", `{"kind":"Nothing"}`, mergeForm, 422, map[string]any{"details/causes/0/field": "patch"}},
		{"POST", sets, web, "", 201, nil},
		{"PATCH", sets + "/web", `{"spec":{"$patch":"frob"}}`, strategicForm, 500,
			message("unknown patch type: frob in map: map[$patch:frob]")},
		{"DELETE", configMaps + "/c", `{"kind":"Foo","apiVersion":"v1"}`, "", 400,
			message(`no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"`)},
	})
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", configMaps, strings.NewReader("metadata: {name: d}\ndata:\n  a: '1'\n  a: '2'\n"))
	r.Header.Set("Content-Type", "application/yaml")
	s.ServeHTTP(w, r)
	require.Equal(t, []string{`299 - "line 4: key \"a\" already set in map"`}, w.Header().Values("Warning"))
}

// TestVersionsAsked: what a resource version, its match and a token of a list mean, and where they are refused.
func TestVersionsAsked(t *testing.T) {
	s := begin(t, nil)
	first := s.must("POST", configMaps, `{"metadata":{"name":"a"}}`)
	version := at(t, first, "metadata.resourceVersion").(string)
	s.must("POST", configMaps, `{"metadata":{"name":"b"}}`)
	part := s.must("GET", configMaps+"?limit=1", "")
	next := at(t, part, "metadata.continue").(string)
	unread := `resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax`
	reason := func(text string) map[string]any { return map[string]any{"details/causes/0/message": text} }
	s.plays([]probe{
		{"GET", configMaps + "/a?resourceVersion=x", "", "", 500, map[string]any{"message": unread}},
		{"GET", configMaps + "?resourceVersion=x", "", "", 400, map[string]any{"message": "invalid resource version: " + unread}},
		{"GET", configMaps + "?watch=1&resourceVersion=x", "", "", 500, map[string]any{"message": unread}},
		{"GET", configMaps + "/a?resourceVersion=99999999", "", "", 504, reason("Too large resource version")},
		{"GET", configMaps + "?resourceVersion=99999999", "", "", 504, reason("Too large resource version")},
		{"GET", configMaps + "?resourceVersionMatch=Exact&resourceVersion=" + version, "", "", 200,
			map[string]any{"items/0/metadata/name": "a", "items/2": nil}},
		{"GET", configMaps + "?resourceVersionMatch=Exact", "", "", 422,
			reason("Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided")},
		{"GET", configMaps + "?resourceVersionMatch=Exact&resourceVersion=0", "", "", 422,
			reason(`Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"`)},
		{"GET", configMaps + "?sendInitialEvents=true", "", "", 422,
			reason("Forbidden: sendInitialEvents is forbidden for list")},
		{"GET", configMaps + "?watch=1&sendInitialEvents=true", "", "", 422,
			reason("Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")},
		{"GET", configMaps + "?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&timeoutSeconds=1", "", "", 200,
			map[string]any{"type": nil}},
		{"GET", configMaps + "?continue=bogus", "", "", 400, map[string]any{
			"message": "invalid continue token: continue key is not valid: illegal base64 data at input byte 4"}},
		{"GET", configMaps + "?resourceVersion=" + version + "&continue=" + next, "", "", 400,
			map[string]any{"message": "specifying resource version is not allowed when using continue"}},
		{"GET", configMaps + "?continue=" + next, "", "", 200, map[string]any{"items/0/metadata/name": "b"}},
		{"GET", configMaps + "?fieldSelector=spec.x%3D1", "", "", 400, map[string]any{
			"message": `"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"`}},
		{"GET", pods + "?fieldSelector=spec.x%3D1", "", "", 400, map[string]any{"message": "field label not supported: spec.x"}},
		{"GET", "/api/v1/watch/namespaces/default/configmaps/a?timeoutSeconds=1", "", "", 200,
			map[string]any{"type": "ADDED", "object/metadata/name": "a"}},
	})
}

// TestMetadata: finalizers, owners, labels and annotations of all kinds are what the API allows.
func TestMetadata(t *testing.T) {
	s := begin(t, nil)
	says := func(text string) map[string]any { return map[string]any{"message": text} }
	s.plays([]probe{
		{"POST", configMaps, `{"metadata":{"name":"c","finalizers":["short"]}}`, "", 422, says(`ConfigMap "c" is invalid: ` +
			`metadata.finalizers[0]: Invalid value: "short": name is neither a standard finalizer name nor is it fully qualified`)},
		{"POST", configMaps, `{"metadata":{"name":"c","ownerReferences":[{"apiVersion":"v1","kind":"Event","name":"x","uid":"u"}]}}`,
			"", 422, says(`ConfigMap "c" is invalid: metadata.ownerReferences[0]: Invalid value: {"apiVersion":"v1","kind":"Event",` +
				`"name":"x","uid":"u"}: /v1, Kind=Event is disallowed from being an owner`)},
		{"POST", configMaps, `{"metadata":{"name":"c","labels":{"a b":"c"}}}`, "", 422,
			map[string]any{"details/causes/0/field": "metadata.labels"}},
		{"POST", configMaps, `{"metadata":{"generateName":"Gen_"}}`, "", 422, map[string]any{
			"details/causes/0/field": "metadata.generateName", "details/causes/1/field": "metadata.name"}},
		{"POST", configMaps, `{"metadata":{"name":"c","finalizers":["x.example/hold"]}}`, "", 201, nil},
		{"DELETE", configMaps + "/c", "", "", 200, map[string]any{"kind": "ConfigMap", "metadata/deletionGracePeriodSeconds": 0.0}},
		{"PATCH", configMaps + "/c", `{"metadata":{"finalizers":["x.example/hold","x.example/more"]}}`, mergeForm, 422, says(
			`ConfigMap "c" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being ` +
				`deleted, found new finalizers []string{"x.example/more"}`)},
	})
}

// TestDeletions: what is answered to a deletion, and what it is refused for.
func TestDeletions(t *testing.T) {
	s := begin(t, nil)
	for _, name := range []string{"a", "b", "c"} {
		s.must("POST", configMaps, `{"metadata":{"name":"`+name+`","labels":{"of":"test"}}}`)
	}
	s.must("POST", sets, web)
	s.settle()
	s.plays([]probe{
		{"DELETE", configMaps + "/a?dryRun=All", "", "", 200, map[string]any{"kind": "Status", "details/name": "a"}},
		{"DELETE", configMaps + "/a", `{"preconditions":{"uid":"x"}}`, "", 409, map[string]any{"details/kind": "ConfigMap"}},
		{"DELETE", configMaps + "/a?ignoreStoreReadErrorWithClusterBreakingPotential=true", "", "", 409, map[string]any{
			"reason": "Conflict"}},
		{"DELETE", configMaps + "?limit=1&labelSelector=of%3Dtest", "", "", 200, map[string]any{
			"items/0/metadata/name": "a", "items/1": nil}},
		{"GET", configMaps + "/b", "", "", 200, nil},
		{"DELETE", configMaps + "/b?propagationPolicy=Orphan", "", "", 200, map[string]any{
			"kind": "ConfigMap", "metadata/finalizers": []any{"orphan"}}},
		{"DELETE", configMaps, "", "", 200, nil},
		{"DELETE", "/api/v1/namespaces", "", "", 405,
			map[string]any{"message": "the server does not allow this method on the requested resource", "details": nil}},
		{"DELETE", pods + "/web-2?gracePeriodSeconds=1", "", "", 200, map[string]any{"metadata/generation": 2.0}},
		{"DELETE", sets + "/web?propagationPolicy=Foreground", "", "", 200, map[string]any{
			"kind": "StatefulSet", "metadata/generation": 2.0, "metadata/finalizers": []any{"foregroundDeletion"}}},
		{"POST", "/api/v1/namespaces", `{"metadata":{"name":"n"}}`, "", 201, nil},
		{"DELETE", "/api/v1/namespaces/n", "", "", 200, map[string]any{"status/phase": "Terminating"}},
		{"GET", pods + "/web-0/eviction", "", "", 405, nil},
	})
}

// TestDefaultsOfStored: what a real API server fills in in the kinds that this cluster only stores.
func TestDefaultsOfStored(t *testing.T) {
	s := begin(t, nil)
	const template = `{"metadata":{"labels":{"app":"a"}},"spec":{"containers":[{"name":"c","image":"app:1"}]}}`
	const once = `{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"a"}]}}`
	apps, batch := "/apis/apps/v1/namespaces/default/", "/apis/batch/v1/namespaces/default/"
	const hooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
	s.plays([]probe{
		{"POST", apps + "deployments", `{"metadata":{"name":"x"},"spec":{"selector":{"matchLabels":{"app":"a"}},"template":` +
			template + `}}`, "", 201, map[string]any{"spec/replicas": 1.0, "spec/strategy/rollingUpdate/maxSurge": "25%",
			"spec/progressDeadlineSeconds": 600.0, "spec/template/spec/containers/0/terminationMessagePolicy": "File",
			"status": map[string]any{}, "metadata/generation": 1.0}},
		{"PATCH", apps + "deployments/x", `{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"b"}]}}}}`,
			strategicForm, 200, map[string]any{"spec/template/spec/containers/0/name": "c", "metadata/generation": 2.0}},
		{"POST", apps + "daemonsets", `{"metadata":{"name":"x"},"spec":{"selector":{"matchLabels":{"app":"a"}},"template":` +
			template + `}}`, "", 201, map[string]any{"spec/updateStrategy/rollingUpdate/maxUnavailable": 1.0,
			"status/numberReady": 0.0, "metadata/annotations/deprecated.daemonset.template.generation": "1"}},
		{"POST", batch + "jobs", `{"metadata":{"name":"x"},"spec":{"template":` + once + `}}`, "", 201, map[string]any{
			"spec/backoffLimit": 6.0, "spec/completions": 1.0, "spec/completionMode": "NonIndexed",
			"metadata/labels/job-name": "x", "spec/template/metadata/labels/job-name": "x"}},
		{"POST", batch + "cronjobs", `{"metadata":{"name":"x"},"spec":{"schedule":"* * * * *","jobTemplate":{"spec":{"template":` +
			once + `}}}}`, "", 201, map[string]any{"spec/concurrencyPolicy": "Allow", "spec/successfulJobsHistoryLimit": 3.0}},
		{"POST", "/apis/storage.k8s.io/v1/storageclasses", `{"metadata":{"name":"x"},"provisioner":"a/b"}`, "", 201,
			map[string]any{"reclaimPolicy": "Delete", "volumeBindingMode": "Immediate", "metadata/generation": nil}},
		{"POST", hooks, `{"metadata":{"name":"x"},"webhooks":[{"name":"a.example.com","clientConfig":{"service":{"name":"s",` +
			`"namespace":"n"}},"rules":[{"operations":["*"]}]}]}`, "", 201, map[string]any{
			"webhooks/0/failurePolicy": "Fail", "webhooks/0/timeoutSeconds": 10.0, "webhooks/0/clientConfig/service/port": 443.0}},
		{"GET", apps + "deployments/x", "", "application/json;as=Table;v=v1;g=meta.k8s.io", 200, map[string]any{
			"columnDefinitions/1/name": "Ready", "rows/0/cells/1": "0/1", "rows/0/cells/5": "c", "rows/0/cells/7": "app=a"}},
	})
}

// TestRefusedOfStored: what a real API server refuses in the kinds that this cluster only stores.
func TestRefusedOfStored(t *testing.T) {
	s := begin(t, nil)
	says := func(field, message string) map[string]any {
		return map[string]any{"details/causes/0/field": field, "details/causes/0/message": message}
	}
	const secrets, classes = "/api/v1/namespaces/default/secrets", "/apis/storage.k8s.io/v1/storageclasses"
	s.plays([]probe{
		{"POST", configMaps, `{"metadata":{"name":"c"},"data":{"..":"d"}}`, "", 422,
			says("data[..]", `Invalid value: "..": must not be '..'`)},
		{"POST", secrets, `{"metadata":{"name":"s"},"type":"kubernetes.io/tls"}`, "", 422,
			says("data[tls.crt]", "Required value")},
		{"POST", secrets, `{"metadata":{"name":"s"},"type":"kubernetes.io/dockerconfigjson","data":{".dockerconfigjson":"eA=="}}`,
			"", 422, says("data[.dockerconfigjson]",
				`Invalid value: "<secret contents redacted>": invalid character 'x' looking for beginning of value`)},
		{"POST", "/apis/coordination.k8s.io/v1/namespaces/default/leases", `{"metadata":{"name":"l"},"spec":{"leaseTransitions":-1}}`,
			"", 422, says("spec.leaseTransitions", "Invalid value: -1: must be greater than or equal to 0")},
		{"PUT", "/apis/coordination.k8s.io/v1/namespaces/default/leases/l", `{"metadata":{"name":"l"},"spec":{}}`, "", 201, nil},
		{"PUT", "/apis/coordination.k8s.io/v1/namespaces/default/leases/l", `{"metadata":{"name":"l"},"spec":{}}`, "", 422,
			says("metadata.resourceVersion", "Invalid value: 0: must be specified for an update")},
		{"POST", "/apis/batch/v1/namespaces/default/cronjobs", `{"metadata":{"name":"x"},"spec":{"schedule":"61 * * * *",` +
			`"jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"a"}]}}}}}}`, "",
			422, says("spec.schedule", `Invalid value: "61 * * * *": end of range (61) above maximum (59): 61`)},
		{"POST", "/apis/apps/v1/namespaces/default/deployments", `{"metadata":{"name":"x"},"spec":{"selector":{"matchLabels":` +
			`{"b":"c"}},"template":{"metadata":{"labels":{"app":"a"}},"spec":{"containers":[{"name":"c","image":"a"}]}}}}`, "", 422,
			says("spec.template.metadata.labels", "Invalid value: {\"app\":\"a\"}: `selector` does not match template `labels`")},
		{"POST", classes, `{"metadata":{"name":"y"},"provisioner":"a/b"}`, "", 201, nil},
		{"PATCH", classes + "/y", `{"provisioner":"c/d"}`, mergeForm, 422,
			says("provisioner", "Invalid value: null: field is immutable")},
		{"POST", "/apis/networking.k8s.io/v1/namespaces/default/ingresses", `{"metadata":{"name":"x"},"spec":{}}`, "", 422,
			says("spec", "Invalid value: null: either `defaultBackend` or `rules` must be specified")},
	})
}

// ruled is a definition whose objects have a default, a null, an address and a rule.
const ruled = `{"metadata":{"name":"as.x.io"},"spec":{"group":"x.io","scope":"Cluster","names":{"plural":"as","kind":"A"},
	"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":
	{"type":"object","x-kubernetes-validations":[{"rule":"!has(self.m) || self.m < self.n","message":"m must be less than n"}],
	"properties":{"n":{"type":"integer","default":3},"m":{"type":"integer"},"list":{"type":"array","items":{"type":"string"}},
	"nn":{"type":"string","nullable":true,"default":"x"},"when":{"type":"string","format":"date-time"},"imm":{"type":"string",
	"x-kubernetes-validations":[{"rule":"self == oldSelf","message":"immutable"}]}}}}}}}]}}`

// TestSchemas: nulls are pruned, formats and rules of CEL are kept, and what is no schema is refused.
func TestSchemas(t *testing.T) {
	s := begin(t, nil)
	says := func(text string) map[string]any { return map[string]any{"message": text} }
	const as = "/apis/x.io/v1/as"
	s.plays([]probe{
		{"POST", definitions, strings.Replace(ruled, `"spec":
	{"type":"object",`, `"spec":{`, 1), "", 422, map[string]any{
			"details/causes/0/field": "spec.validation.openAPIV3Schema.properties[spec].type"}},
		{"POST", definitions, strings.Replace(ruled, "!has(self.m) ||", "self.m + ||", 1), "", 422, map[string]any{
			"details/causes/0/field": "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule"}},
		{"POST", definitions, ruled, "", 201, nil},
		{"POST", as, `{"metadata":{"name":"a"},"spec":{"list":null,"n":null,"nn":null,"imm":"a"}}`, "", 201, map[string]any{
			"spec": map[string]any{"n": 3.0, "nn": nil, "imm": "a"}}},
		{"POST", as, `{"metadata":{"name":"b"},"spec":{"m":7}}`, "", 422,
			says(`A.x.io "b" is invalid: spec: Invalid value: m must be less than n`)},
		{"PATCH", as + "/a", `{"spec":{"imm":"b"}}`, mergeForm, 422,
			says(`A.x.io "a" is invalid: spec.imm: Invalid value: "b": immutable`)},
		{"POST", as, `{"metadata":{"name":"b"},"spec":{"when":"soon"}}`, "", 422, map[string]any{
			"details/causes/0/message": `Invalid value: "soon": spec.when in body must be of type date-time: "soon"`,
			"details/causes/1/field":   "<nil>"}},
		{"POST", as + "?fieldValidation=Strict", `{"metadata":{"name":"b","foo":"bar"},"spec":{}}`, "", 400, says(
			`A in version "v1" cannot be handled as a A: strict decoding error: unknown field "metadata.foo"`)},
		{"PUT", as + "/a", `{"metadata":{"name":"a"},"spec":{}}`, "", 422, says(
			`as.x.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`)},
	})
}

// TestPodsAsReal: what a real API server gives a pod, and what it refuses. Nobody binds a pod of another scheduler.
func TestPodsAsReal(t *testing.T) {
	s := begin(t, nil)
	forbidden := func(text string) map[string]any { return map[string]any{"message": `pods "p" is forbidden: ` + text} }
	pod := func(more string) string {
		return `{"metadata":{"name":"p"},"spec":{` + more + `"schedulerName":"nobody","containers":[{"name":"c","image":"a:1"}]}}`
	}
	s.plays([]probe{
		{"POST", pods, pod(`"priorityClassName":"nope",`), "", 403, forbidden("no PriorityClass with name nope was found")},
		{"POST", pods, pod(`"priority":7,`), "", 403, forbidden("the integer value of priority (7) must not be provided in pod " +
			"spec; priority admission controller computed 0 from the given PriorityClass name")},
		{"POST", pods, pod(`"priorityClassName":"system-node-critical",`), "", 201, map[string]any{
			"spec/priority": 2000001000.0, "spec/preemptionPolicy": "PreemptLowerPriority", "spec/enableServiceLinks": true,
			"spec/tolerations/0/key": "node.kubernetes.io/not-ready", "status/phase": "Pending", "status/conditions": nil}},
		{"POST", "/sim/clock/advance?by=1m", "", "", 200, nil},
		{"GET", pods + "/p", "", "", 200, map[string]any{"spec/nodeName": nil}},
		{"GET", pods + "/p/log", "", "", 204, nil},
		{"GET", pods + "/p/exec?command=x", "", "", 400, map[string]any{"message": "pod p does not have a host assigned"}},
		{"PATCH", pods + "/p", `{"spec":{"hostname":"other"}}`, mergeForm, 422, map[string]any{"details/causes/0/field": "spec"}},
		{"PATCH", pods + "/p/status", `{"status":{"message":"m","conditions":[{"type":"X","status":"True"}]}}`, mergeForm, 200, nil},
		{"PATCH", pods + "/p", `{"metadata":{"labels":{"l":"m"}}}`, mergeForm, 200, map[string]any{
			"status/message": "m", "status/conditions/0/type": "X"}},
		{"POST", pods + "/p/binding", `{"target":{"kind":"Foo","name":""}}`, "", 500, map[string]any{"message": "[target.kind: " +
			`Unsupported value: "Foo": supported values: "Node", "<empty>", target.name: Required value]`}},
		{"DELETE", pods + "/p", "", "", 200, map[string]any{"kind": "Pod", "metadata/deletionGracePeriodSeconds": 0.0}},
		{"GET", pods + "/p", "", "", 404, nil},
	})
}

// TestServicesAsReal: the addresses, ports and policies that a real API server gives a Service.
func TestServicesAsReal(t *testing.T) {
	s := begin(t, nil)
	const services = "/api/v1/namespaces/default/services"
	s.plays([]probe{
		{"POST", services, `{"metadata":{"name":"a"},"spec":{"selector":{"a":"b"},"ports":[{"port":80}]}}`, "", 201, map[string]any{
			"spec/internalTrafficPolicy": "Cluster", "spec/ipFamilies": []any{"IPv4"}, "spec/ipFamilyPolicy": "SingleStack",
			"spec/clusterIP": "10.96.0.10", "metadata/generation": nil}},
		{"POST", services, `{"metadata":{"name":"b"},"spec":{"type":"LoadBalancer","ports":[{"port":80}]}}`, "", 201,
			map[string]any{"spec/allocateLoadBalancerNodePorts": true, "spec/externalTrafficPolicy": "Cluster",
				"spec/ports/0/nodePort": 30000.0, "spec/clusterIP": "10.97.0.2"}},
		{"POST", services, `{"metadata":{"name":"c"},"spec":{"type":"ExternalName","externalName":"a.example"}}`, "", 201,
			map[string]any{"spec/clusterIP": nil, "spec/ipFamilies": nil}},
		{"DELETE", services + "/c", "", "", 200, map[string]any{"kind": "Service"}},
		{"GET", "/api/v1/namespaces/default/endpoints/kubernetes", "", "", 200, map[string]any{"subsets/0/ports/0/name": "https"}},
	})
}

// TestEventsInBothGroups: an event is the same in both of its groups, with other names of its fields.
func TestEventsInBothGroups(t *testing.T) {
	s := begin(t, nil)
	const core, other = "/api/v1/namespaces/default/events", "/apis/events.k8s.io/v1/namespaces/default/events"
	s.plays([]probe{
		{"POST", other, `{"metadata":{"name":"e"},"reason":"R","type":"Foo"}`, "", 422, map[string]any{
			"details/causes/0/field": "eventTime", "details/causes/1/message": `Invalid value: "": has invalid value: Foo`}},
		{"POST", core, `{"metadata":{"name":"e"},"involvedObject":{"namespace":"x"}}`, "", 422,
			map[string]any{"details/causes/0/message": `Invalid value: "x": does not match event.namespace`}},
		{"POST", other, `{"metadata":{"name":"e"},"eventTime":"2026-01-01T00:00:00.000000Z","reportingController":"x.example/c",
			"reportingInstance":"i","action":"Do","reason":"R","type":"Normal","regarding":{"kind":"Pod","name":"p",
			"namespace":"default"},"note":"n"}`, "", 201, map[string]any{"apiVersion": "events.k8s.io/v1", "note": "n"}},
		{"GET", core + "/e", "", "", 200, map[string]any{"apiVersion": "v1", "message": "n", "involvedObject/name": "p"}},
		{"PATCH", other + "/e", `{"note":"m"}`, mergeForm, 200, map[string]any{"note": "m", "deprecatedFirstTimestamp": nil}},
		{"GET", other + "?fieldSelector=regarding.name%3Dp", "", "", 200, map[string]any{
			"kind": "EventList", "apiVersion": "events.k8s.io/v1", "items/0/note": "m"}},
		{"GET", other + "?fieldSelector=involvedObject.name%3Dp", "", "", 400,
			map[string]any{"message": "field label not supported: involvedObject.name"}},
	})
}

// TestOthersRevisions: other controllers than that of StatefulSets keep revisions, too.
func TestOthersRevisions(t *testing.T) {
	s := begin(t, nil)
	const revisions = "/apis/apps/v1/namespaces/default/controllerrevisions"
	s.plays([]probe{
		{"POST", revisions, `{"metadata":{"name":"r"},"revision":-1}`, "", 422, map[string]any{
			"details/causes/0/field": "revision", "details/causes/1/message": "Required value: data is mandatory"}},
		{"POST", revisions, `{"metadata":{"name":"r"},"data":{"a":1},"revision":3}`, "", 201, map[string]any{"data/a": 1.0}},
		{"PATCH", revisions + "/r", `{"data":{"a":2}}`, mergeForm, 422, map[string]any{"details/causes/0/field": "data"}},
		{"PATCH", revisions + "/r", `{"revision":4}`, mergeForm, 200, map[string]any{"revision": 4.0}},
		{"DELETE", revisions + "/r", "", "", 200, nil},
		{"GET", revisions + "/r", "", "", 404, nil},
	})
}

// TestReviews: everybody may do everything, and a token says whose it is.
func TestReviews(t *testing.T) {
	s := begin(t, nil)
	const reviews = "/apis/authentication.k8s.io/v1/tokenreviews"
	made := s.must("POST", "/api/v1/namespaces/default/serviceaccounts/default/token", `{"spec":{"expirationSeconds":600}}`)
	s.plays([]probe{
		{"POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", `{"spec":{"user":"u"}}`, "", 201,
			map[string]any{"status/allowed": true}},
		{"POST", reviews, `{"spec":{"token":"nope"}}`, "", 201, map[string]any{"status/authenticated": nil}},
		{"POST", reviews, `{"spec":{"token":"` + at(t, made, "status.token").(string) + `"}}`, "", 201, map[string]any{
			"status/authenticated": true, "status/user/username": "system:serviceaccount:default:default"}},
	})
}

// TestFinalizersOfPods: a finalizer holds a pod, and each is taken away by itself.
func TestFinalizersOfPods(t *testing.T) {
	s := begin(t, nil)
	s.plays([]probe{
		{"POST", pods, `{"metadata":{"name":"p","finalizers":["x.example/a","x.example/b"]},"spec":{"containers":[{"name":"c",` +
			`"image":"a:1"}]}}`, "", 201, map[string]any{"metadata/finalizers": []any{"x.example/a", "x.example/b"}}},
		{"POST", "/sim/clock/advance?by=1m", "", "", 200, nil},
		{"DELETE", pods + "/p", "", "", 200, map[string]any{"metadata/deletionGracePeriodSeconds": 30.0}},
		{"POST", "/sim/clock/advance?by=1m", "", "", 200, nil},
		{"PATCH", pods + "/p", `{"metadata":{"finalizers":["x.example/b"]}}`, mergeForm, 200, map[string]any{
			"metadata/finalizers": []any{"x.example/b"}}},
		{"PATCH", pods + "/p", `{"metadata":{"finalizers":null}}`, mergeForm, 200, nil},
		{"GET", pods + "/p", "", "", 404, nil},
	})
}

// TestItems: an item of a list of a built-in kind does not say again what it is.
func TestItems(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", configMaps, `{"metadata":{"name":"a"},"data":{"kind":"},\"kind\":\"x\"","k":"v"}}`)
	s.plays([]probe{{"GET", configMaps + "?fieldSelector=metadata.name%3Da", "", "", 200, map[string]any{
		"kind": "ConfigMapList", "items/0/kind": nil, "items/0/apiVersion": nil, "items/0/metadata/name": "a",
		"items/0/data": map[string]any{"kind": `},"kind":"x"`, "k": "v"}}}})
}
