package scenario_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
	appsv1 "k8s.io/api/apps/v1"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/expect"
)

func schema(t *testing.T) map[string]any {
	var root map[string]any
	require.NoError(t, json.Unmarshal(scenario.Schema(), &root))
	return root
}

// compiled is the schema as a validator of JSON Schema reads it; that the schema itself is one, of the draft that it names,
// is part of compiling it. Values are as yaml.v3 decodes them.
func compiled(t *testing.T) *jsonschema.Schema {
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(scenario.Schema()))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("scenario.json", root))
	schema, err := c.Compile("scenario.json")
	require.NoError(t, err)
	return schema
}

// TestSchemaAccepts shows that the schema accepts every scenario that Parse accepts, of those in testdata and of those in
// these tests.
func TestSchemaAccepts(t *testing.T) {
	v := compiled(t)
	texts := []string{short, expand(t, short)}
	for _, file := range glob(t, "../scenarios/*/*.yaml") {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		texts = append(texts, string(data))
	}
	for _, c := range known(t) {
		texts = append(texts, string(c.Scenario))
	}
	for _, text := range texts {
		var value any
		require.NoError(t, yaml.Unmarshal([]byte(text), &value))
		if object, ok := value.(map[string]any); ok && object["steps"] != nil {
			require.NoError(t, v.Validate(value), text)
		}
	}
}

// TestSchemaRefuses shows that the schema refuses what Parse refuses, as far as a schema can know.
func TestSchemaRefuses(t *testing.T) {
	v := compiled(t)
	for _, text := range []string{
		"{}", "[]", "steps: []", "name: x", "{steps: [{}]}", "{steps: [{restart: {}}], nam: x}", "{steps: [{restart: {}, scale: {replicas: 1}}]}",
		"{steps: [{restart: {}, at: 5}]}", "{steps: [{restart: {}, at: 5s, after: 5s}]}", "{steps: [{create: {name: web}}]}",
		"{steps: [{create: {name: web, image: a, replica: 1}}]}", "{steps: [{delete: web-0}]}", "{steps: [{fail: {pod: ''}}]}",
		"{steps: [{restart: {}}], kubelet: {start: soon}}", "{steps: [{restart: {}}], kubelet: {start: {uniform: [1s]}}}",
		"{steps: [{restart: {}}], kubernetes: 1.36}", "{steps: [{restart: {}}], expect: [{nevr: x}]}", "{steps: [{restart: {}}], seed: -1}",
		"{steps: [{restart: {}}], expect: [{never: x, always: x}]}", "{steps: [{patch: {}}]}", "{steps: [{restart: {}}], until: 1 hour}",
	} {
		var value any
		require.NoError(t, yaml.Unmarshal([]byte(text), &value))
		require.Error(t, v.Validate(value), text)
		_, err := scenario.Parse("f", []byte(text), nil, scenario.Options{})
		require.Error(t, err, text)
	}
}

// TestSchemaKeys shows that the schema and the decoder know the same keys: a message of the decoder lists them.
func TestSchemaKeys(t *testing.T) {
	root := schema(t)
	for text, path := range map[string]string{
		"zzzzzz: 1":                                 "",
		"kubelet: {zzzzzz: 1}":                      "$defs/kubelet",
		"kubelet: {rules: [{zzzzzz: 1}]}":           "$defs/rule",
		"kubelet: {rules: [{match: {zzzzzz: 1}}]}":  "$defs/rule/properties/match",
		"kubelet: {start: {zzzzzz: 1}}":             "$defs/distribution",
		"volumes: {zzzzzz: 1}":                      "$defs/volumes",
		"volumes: {rules: [{zzzzzz: 1}]}":           "$defs/claimRule",
		"volumes: {rules: [{match: {zzzzzz: 1}}]}":  "$defs/claimRule/properties/match",
		"collector: {zzzzzz: 1}":                    "$defs/collector",
		"steps: [{zzzzzz: 1}]":                      "$defs/step",
		"steps: [{patch: {zzzzzz: 1}}]":             "$defs/step/properties/patch",
		"steps: [{setImage: {zzzzzz: 1}}]":          "$defs/step/properties/setImage",
		"steps: [{scale: {zzzzzz: 1}}]":             "$defs/step/properties/scale",
		"steps: [{undo: {zzzzzz: 1}}]":              "$defs/step/properties/undo/anyOf/1",
		"steps: [{restart: {zzzzzz: 1}}]":           "$defs/step/properties/restart/anyOf/1",
		"steps: [{fail: {zzzzzz: 1}}]":              "$defs/step/properties/fail/anyOf/1",
		"steps: [{unready: {zzzzzz: 1}}]":           "$defs/step/properties/unready/anyOf/1",
		"steps: [{label: {zzzzzz: 1}}]":             "$defs/step/properties/label",
		"steps: [{createPod: {zzzzzz: 1}}]":         "$defs/step/properties/createPod/anyOf/1",
		"steps: [{delete: {zzzzzz: 1}}]":            "$defs/step/properties/delete/anyOf/1",
		"faults: [{zzzzzz: 1}]":                     "$defs/fault",
		"faults: [{write: {zzzzzz: 1}}]":            "$defs/fault/properties/write",
		"expect: [{zzzzzz: 1}]":                     "$defs/expectation",
		"expect: [{exactly: {zzzzzz: 1}}]":          "$defs/expectation/properties/exactly",
		"expect: [{count: {zzzzzz: 1}}]":            "$defs/expectation/properties/count",
		"expect: [{check: {zzzzzz: 1}}]":            "$defs/expectation/properties/check",
		"expect: [{completes: {zzzzzz: 1}}]":        "$defs/expectation/properties/completes",
		"expect: [{stuck: {zzzzzz: 1}}]":            "$defs/expectation/properties/stuck",
		"expect: [{resolves: {zzzzzz: 1}}]":         "$defs/expectation/properties/resolves",
		"dns: {zzzzzz: 1}":                          "properties/dns",
		"apiserver: {zzzzzz: 1}":                    "properties/apiserver",
		"controller: {zzzzzz: 1}":                   "properties/controller",
		"steps: [{watch: {zzzzzz: 1}}]":             "$defs/step/properties/watch",
		"steps: [{restartController: {zzzzzz: 1}}]": "$defs/step/properties/restartController",
		"steps: [{nodeDown: {zzzzzz: 1}}]":          "$defs/step/properties/nodeDown/anyOf/1",
		"steps: [{nodeUp: {zzzzzz: 1}}]":            "$defs/nodeStep/anyOf/1",
		"steps: [{cordon: {zzzzzz: 1}}]":            "$defs/nodeStep/anyOf/1",
		"steps: [{outOfService: {zzzzzz: 1}}]":      "$defs/step/properties/outOfService/anyOf/1",
		"steps: [{drain: {zzzzzz: 1}}]":             "$defs/step/properties/drain/anyOf/1",
		"steps: [{evict: {zzzzzz: 1}}]":             "$defs/podStep/anyOf/1",
		"steps: [{crash: {zzzzzz: 1}}]":             "$defs/step/properties/crash/anyOf/1",
		"steps: [{hang: {zzzzzz: 1}}]":              "$defs/podStep/anyOf/1",
		"explore: {zzzzzz: 1}":                      "$defs/explore",
		"explore: {bounds: {zzzzzz: 1}}":            "$defs/explore/properties/bounds",
		"explore: {regimes: [{zzzzzz: 1}]}":         "$defs/regime",
		"nodes: [{zzzzzz: 1}]":                      "$defs/nodeList/items/anyOf/1",
		"nodes: {zzzzzz: 1}":                        "$defs/nodes/anyOf/1",
	} {
		_, err := scenario.Parse("f", []byte(text), nil, scenario.Options{})
		require.Error(t, err)
		match := regexp.MustCompile(`unknown key "zzzzzz": the keys of .* are (.*)`).FindStringSubmatch(err.Error())
		require.NotNil(t, match, err.Error())
		known := strings.Split(match[1], ", ")
		slices.Sort(known)
		require.Equal(t, known, keysAt(t, root, path), text)
	}
	require.ElementsMatch(t, shortKeys(), keysAt(t, root, "$defs/short"))
	require.Subset(t, keysAt(t, root, "$defs/expectation"), expect.Kinds())
}

// shortKeys are the keys of the short form of a StatefulSet: those of a spec, with a name, and an image in place of the template.
func shortKeys() []string {
	keys := []string{"name", "image"}
	for field := range reflect.TypeFor[appsv1.StatefulSetSpec]().Fields() {
		if key, _, _ := strings.Cut(field.Tag.Get("json"), ","); key != "template" {
			keys = append(keys, key)
		}
	}
	return keys
}

func keysAt(t *testing.T, root map[string]any, path string) []string {
	var at any = root
	for _, key := range strings.Split(path, "/") {
		if list, ok := at.([]any); ok {
			require.Equal(t, "1", key)
			at = list[1]
		} else if key != "" {
			at = at.(map[string]any)[key]
		}
	}
	return slices.Sorted(maps.Keys(at.(map[string]any)["properties"].(map[string]any)))
}
