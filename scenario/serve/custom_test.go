package serve_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	openapi "github.com/google/gnostic-models/openapiv2"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
)

const (
	definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	brokers     = "/apis/example.com/v1/namespaces/default/brokers"
	broker      = `{"apiVersion":"example.com/v1","kind":"Broker","metadata":{"name":"b"},"spec":{"size":2,"mode":"fast"}}`
	definition  = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"brokers.example.com"},"spec":{
		"group":"example.com","scope":"Namespaced","names":{"plural":"brokers","kind":"Broker","shortNames":["bk"],"categories":["all"]},
		"versions":[{"name":"v1","served":true,"storage":true,
			"subresources":{"status":{},"scale":{"specReplicasPath":".spec.size","statusReplicasPath":".status.size","labelSelectorPath":".status.selector"}},
			"additionalPrinterColumns":[{"name":"Size","type":"integer","jsonPath":".spec.size"},
				{"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type == 'Ready')].status"},
				{"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}],
			"schema":{"openAPIV3Schema":{"type":"object","description":"A broker.","properties":{
				"spec":{"type":"object","required":["size"],"properties":{
					"size":{"type":"integer","minimum":1,"maximum":9,"description":"How many."},
					"mode":{"type":"string","enum":["fast","safe"]},
					"image":{"type":"string","default":"broker:v1","minLength":3,"pattern":"^[a-z]"},
					"port":{"x-kubernetes-int-or-string":true},
					"extra":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
					"users":{"type":"array","maxItems":2,"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
						"items":{"type":"object","properties":{"name":{"type":"string"},"role":{"type":"string","default":"user"}}}}}},
				"status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}}`
)

// TestCustomResources: a definition makes a kind with its columns, defaults, subresources and schema; and with the
// definition its objects go.
func TestCustomResources(t *testing.T) {
	s := begin(t, nil)
	none := httptest.NewRecorder()
	s.ServeHTTP(none, httptest.NewRequest("GET", brokers, nil))
	require.Equal(t, 404, none.Code)
	crd := s.must("POST", definitions, definition)
	require.Equal(t, "Established", at(t, crd, "status.conditions.1.type"))
	require.Equal(t, "broker", at(t, crd, "status.acceptedNames.singular"))
	require.Equal(t, "bk", at(t, s.must("GET", "/apis/example.com/v1", ""), "resources.0.shortNames.0"))

	made := s.must("POST", brokers, strings.Replace(broker, `"size":2`, `"size":2,"extra":{"a":1},"users":[{"name":"x"}]`, 1))
	require.Equal(t, "broker:v1", at(t, made, "spec.image"), "a default")
	require.Equal(t, "user", at(t, made, "spec.users.0.role"))
	require.EqualValues(t, 1, at(t, made, "spec.extra.a"))
	require.EqualValues(t, 1, at(t, made, "metadata.generation"))
	version := `"metadata":{"resourceVersion":"` + at(t, made, "metadata.resourceVersion").(string) + `",`
	s.must("PUT", brokers+"/b/status", strings.Replace(strings.Replace(broker, `"metadata":{`, version, 1), `"spec"`, `"status":{"size":1,"conditions":[{"type":"Ready","status":"True"}]},"spec"`, 1))
	table := s.must("GET", brokers, "", "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json")
	require.Equal(t, []any{"b", float64(2), "True", "0s"}, []any{at(t, table, "rows.0.cells.0"), json2(at(t, table, "rows.0.cells.1")),
		at(t, table, "rows.0.cells.2"), at(t, table, "rows.0.cells.3")})

	scale := s.must("PATCH", brokers+"/b/scale", `{"spec":{"replicas":4}}`, "Content-Type", "application/merge-patch+json")
	require.EqualValues(t, 4, at(t, scale, "spec.replicas"))
	require.EqualValues(t, 1, at(t, scale, "status.replicas"))
	changed := s.must("PATCH", brokers+"/b", `{"spec":{"size":5},"status":{"size":9}}`, "Content-Type", "application/merge-patch+json")
	require.EqualValues(t, 1, at(t, changed, "status.size"), "the status is a subresource")
	require.EqualValues(t, 3, at(t, changed, "metadata.generation"))

	three := s.must("GET", "/openapi/v3/apis/example.com/v1", "")
	of := at(t, three, "components.schemas").(map[string]any)["com.example.v1.Broker"]
	require.Equal(t, "How many.", at(t, of, "properties.spec.properties.size.description"))
	require.Contains(t, at(t, of, "properties.metadata.$ref"), "v1.ObjectMeta")

	applied := s.must("PATCH", brokers+"/b?fieldManager=a&force=true", `{"apiVersion":"example.com/v1","kind":"Broker","spec":{"size":3,"users":[{"name":"y"}]}}`,
		"Content-Type", applyForm)
	require.Len(t, at(t, applied, "spec.users"), 2, "users are told apart by their names")

	s.must("DELETE", definitions+"/brokers.example.com", "")
	gone := httptest.NewRecorder()
	s.ServeHTTP(gone, httptest.NewRequest("GET", brokers+"/b", nil))
	require.Equal(t, 404, gone.Code)
	s.must("POST", definitions, definition)
	require.Empty(t, s.must("GET", brokers, "")["items"])
}

func json2(v any) any {
	if n, is := v.(string); is {
		var f float64
		json.Unmarshal([]byte(n), &f)
		return f
	}
	return v
}

// TestCustomRefusals: what the schema of a kind does not allow is refused in the API server's words.
func TestCustomRefusals(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", definitions, definition)
	for change, wrong := range map[string]string{
		`{"size":0}`:           "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1",
		`{"size":10}`:          "spec.size in body should be less than or equal to 9",
		`{"size":"2"}`:         `spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"`,
		`{"size":null}`:        "spec.size: Required value",
		`{"mode":"slow"}`:      `spec.mode: Unsupported value: "slow": supported values: "fast", "safe"`,
		`{"image":"x"}`:        "spec.image in body should be at least 3 chars long",
		`{"image":"X:v1"}`:     "spec.image in body should match '^[a-z]'",
		`{"users":[{},{},{}]}`: "spec.users: Too many: 3: must have at most 2 items",
		`{"users":{}}`:         "spec.users in body must be of type array",
		`{"port":[]}`:          "spec.port",
	} {
		body := `{"apiVersion":"example.com/v1","kind":"Broker","metadata":{"name":"b"},"spec":{"size":1}}`
		var object, spec map[string]any
		require.NoError(t, json.Unmarshal([]byte(body), &object))
		require.NoError(t, json.Unmarshal([]byte(change), &spec))
		for name, v := range spec {
			object["spec"].(map[string]any)[name] = v
		}
		text, err := json.Marshal(object)
		require.NoError(t, err)
		code, answer := s.ask("POST", brokers, string(text))
		require.Equal(t, 422, code, change)
		require.Contains(t, answer["message"], wrong)
		require.NotEmpty(t, at(t, answer, "details.causes.0.field"))
	}
	code, answer := s.ask("POST", brokers+"?fieldValidation=Strict", strings.Replace(broker, "mode", "moed", 1))
	require.Equal(t, 400, code)
	require.Contains(t, answer["message"], `unknown field "spec.moed"`)
	s.must("DELETE", definitions+"/brokers.example.com", "")
	for _, wrong := range []string{`"plural":"brokers"`, `"scope":"Namespaced"`, `"kind":"Broker"`, `"group":"example.com"`} {
		code, answer = s.ask("POST", definitions, strings.Replace(definition, wrong, `"x":"y"`, 1))
		require.Equal(t, 422, code, answer)
	}
}

// TestWatchOfARedefinedKind: a watch ends with 410 when its kind is defined anew, and the objects are there in the new form.
func TestWatchOfARedefinedKind(t *testing.T) {
	s := begin(t, nil)
	s.must("POST", definitions, definition)
	s.must("POST", brokers, broker)
	server := httptest.NewServer(s)
	defer server.Close()
	response, err := http.Get(server.URL + brokers + "?watch=1&timeoutSeconds=30")
	require.NoError(t, err)
	defer response.Body.Close()
	events := stream{t, json.NewDecoder(response.Body)}
	kind, _ := events.next()
	require.Equal(t, "ADDED", kind)
	s.must("PATCH", definitions+"/brokers.example.com", `[{"op":"replace","path":"/spec/versions/0/name","value":"v2"}]`, "Content-Type",
		"application/json-patch+json")
	kind, object := events.next()
	require.Equal(t, "ERROR", kind)
	require.EqualValues(t, 410, object["code"])
	require.Equal(t, "example.com/v2", s.must("GET", strings.Replace(brokers, "v1", "v2", 1)+"/b", "")["apiVersion"])
}

// TestHostileDefinitions: whatever is in a definition, it is refused or served, and so are objects of what it defines.
func TestHostileDefinitions(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	var whole map[string]any
	require.NoError(t, json.Unmarshal([]byte(definition), &whole))
	s := begin(t, nil)
	ask := func(method, path, body string, header ...string) {
		code, answer := s.ask(method, path, body, header...)
		require.True(t, code < 500 || strings.HasPrefix(answer["message"].(string), "failed to create typed"), "%s %s %s: %v", method, path, body, answer)
	}
	made := 0
	try := func() {
		text, err := json.Marshal(whole)
		require.NoError(t, err)
		code, answer := s.ask("POST", definitions, string(text))
		require.Less(t, code, 500, "%s: %v", text, answer)
		if code >= 300 {
			return
		}
		made++
		version, _ := at(t, answer, "spec.versions.0.name").(string)
		path := strings.Replace(brokers, "v1", version, 1)
		body := strings.NewReplacer("example.com/v1", "example.com/"+version).Replace(broker)
		ask("POST", path, body)
		ask("PATCH", path+"/b?fieldManager=a", body, "Content-Type", applyForm)
		ask("PATCH", path+"/b/scale", `{"spec":{"replicas":2}}`, "Content-Type", "application/merge-patch+json")
		ask("GET", path, "", "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
		ask("GET", "/openapi/v3/apis/example.com/"+version, "")
		ask("DELETE", definitions+"/brokers.example.com", "")
	}
	var replaced func(v any)
	replaced = func(v any) {
		each := func(part any, put func(any)) {
			for _, odd := range []any{nil, int64(7), "x", []any{}, map[string]any{}, []any{map[string]any{}}, true} {
				put(odd)
				try()
			}
			put(part)
			replaced(part)
		}
		switch of := v.(type) {
		case map[string]any:
			for name, part := range of {
				each(part, func(odd any) { of[name] = odd })
			}
		case []any:
			for i, part := range of {
				each(part, func(odd any) { of[i] = odd })
			}
		}
	}
	replaced(whole["spec"])
	require.Greater(t, made, 100)
}

// TestOpenAPI: both versions say the same of each kind, and every reference leads to a schema.
func TestOpenAPI(t *testing.T) {
	s := begin(t, nil)
	two := s.must("GET", "/openapi/v2", "")["definitions"].(map[string]any)
	set := two["io.k8s.api.apps.v1.StatefulSet"].(map[string]any)
	require.Equal(t, "StatefulSet", at(t, set, "x-kubernetes-group-version-kind.0.kind"))
	require.Contains(t, set["description"], "A set of pods with identities that last")
	spec := two["io.k8s.api.apps.v1.StatefulSetSpec"].(map[string]any)
	require.ElementsMatch(t, []any{"selector", "template"}, spec["required"])
	container := two["io.k8s.api.core.v1.Container"].(map[string]any)
	require.Equal(t, "containerPort", at(t, container, "properties.ports.x-kubernetes-patch-merge-key"))
	require.Equal(t, []any{"containerPort", "protocol"}, at(t, container, "properties.ports.x-kubernetes-list-map-keys"))
	kinds := 0
	for path, of := range s.must("GET", "/openapi/v3", "")["paths"].(map[string]any) {
		three := s.must("GET", at(t, of, "serverRelativeURL").(string), "")
		require.NotEmpty(t, three["paths"], path)
		schemas := at(t, three, "components.schemas").(map[string]any)
		leads(t, schemas, "#/components/schemas/", schemas)
		for name, one := range schemas {
			require.NotNil(t, two[name], name)
			require.Equal(t, at(t, two[name], "description"), at(t, one, "description"))
			if at(t, one, "x-kubernetes-group-version-kind") != nil {
				kinds++
			}
		}
	}
	require.Greater(t, kinds, 20)
	leads(t, two, "#/definitions/", two)

	r := httptest.NewRequest("GET", "/openapi/v2", nil)
	r.Header.Set("Accept", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	require.Equal(t, 200, w.Code)
	var packed openapi.Document
	require.NoError(t, proto.Unmarshal(w.Body.Bytes(), &packed))
	require.Len(t, packed.Definitions.AdditionalProperties, len(two))
}

// leads follows all references in a schema.
func leads(t *testing.T, v any, prefix string, schemas map[string]any) {
	switch of := v.(type) {
	case map[string]any:
		if ref, is := of["$ref"].(string); is {
			require.NotNil(t, schemas[strings.TrimPrefix(ref, prefix)], ref)
		}
		require.Nil(t, of["x-text"])
		for _, part := range of {
			leads(t, part, prefix, schemas)
		}
	case []any:
		for _, part := range of {
			leads(t, part, prefix, schemas)
		}
	}
}
