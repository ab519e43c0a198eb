package scenario_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/manifest"
)

func schema(t *testing.T) map[string]any {
	var root map[string]any
	require.NoError(t, json.Unmarshal(scenario.Schema(), &root))
	return root
}

// TestSchemaAccepts shows that the schema accepts every scenario that Parse accepts, of those in testdata and of those in
// these tests.
func TestSchemaAccepts(t *testing.T) {
	v := validator{schema(t)}
	texts := []string{short, expand(t, short)}
	for _, pattern := range []string{"testdata/cases/*/*.yaml", "testdata/traces/*.yaml", "../scenarios/*/*.yaml"} {
		for _, file := range glob(t, pattern) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			texts = append(texts, string(data))
		}
	}
	for _, text := range texts {
		var value any
		require.NoError(t, yaml.Unmarshal([]byte(text), &value))
		if object, ok := value.(map[string]any); ok && object["steps"] != nil {
			require.NoError(t, v.check(v.root, value, ""), text)
		}
	}
}

// TestSchemaRefuses shows that the schema refuses what Parse refuses, as far as a schema can know.
func TestSchemaRefuses(t *testing.T) {
	v := validator{schema(t)}
	for _, text := range []string{
		"{}", "[]", "steps: []", "name: x", "{steps: [{}]}", "{steps: [{restart: {}}], nam: x}", "{steps: [{restart: {}, scale: {replicas: 1}}]}",
		"{steps: [{restart: {}, at: 5}]}", "{steps: [{restart: {}, at: 5s, after: 5s}]}", "{steps: [{create: {name: web}}]}",
		"{steps: [{create: {name: web, image: a, replica: 1}}]}", "{steps: [{delete: web-0}]}", "{steps: [{fail: {pod: web}}]}",
		"{steps: [{restart: {}}], kubelet: {start: soon}}", "{steps: [{restart: {}}], kubelet: {start: {uniform: [1s]}}}",
		"{steps: [{restart: {}}], kubernetes: 1.36}", "{steps: [{restart: {}}], expect: [{nevr: x}]}", "{steps: [{restart: {}}], seed: -1}",
		"{steps: [{restart: {}}], expect: [{never: x, always: x}]}", "{steps: [{patch: {}}]}", "{steps: [{restart: {}}], until: 1 hour}",
	} {
		var value any
		require.NoError(t, yaml.Unmarshal([]byte(text), &value))
		require.Error(t, v.check(v.root, value, ""), text)
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
		"steps: [{createPod: {zzzzzz: 1}}]":         "$defs/step/properties/createPod",
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
	known := manifest.ShortFields()
	slices.Sort(known)
	require.Equal(t, known, keysAt(t, root, "$defs/short"))
	require.Subset(t, keysAt(t, root, "$defs/expectation"), expect.Kinds())
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

// validator is as much of JSON Schema as the schema uses. A keyword that it does not know is an error.
type validator struct{ root map[string]any }

func (v validator) check(schema map[string]any, value any, at string) error {
	for _, keyword := range slices.Sorted(maps.Keys(schema)) {
		check := keywords[keyword]
		if check == nil {
			return fmt.Errorf("%s: the keyword %s is not known", at, keyword)
		}
		if err := check(v, schema[keyword], value, at); err != nil {
			return err
		}
		if object, ok := value.(map[string]any); ok && keyword == "additionalProperties" {
			if err := v.additional(schema, object, at); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v validator) additional(schema, object map[string]any, at string) error {
	known, _ := schema["properties"].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if known[key] != nil {
			continue
		}
		if rest, ok := schema["additionalProperties"].(map[string]any); ok {
			if err := v.check(rest, object[key], at+"/"+key); err != nil {
				return err
			}
			continue
		}
		return fmt.Errorf("%s: %s is not allowed", at, key)
	}
	return nil
}

// fits counts the schemas of a list that a value fits.
func (v validator) fits(schemas, value any, at string) int {
	n := 0
	for _, schema := range schemas.([]any) {
		if v.check(schema.(map[string]any), value, at) == nil {
			n++
		}
	}
	return n
}

type keyword func(v validator, want, value any, at string) error

func must(ok bool, at, text string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%s: %s", at, text)
}

func number(value any) (float64, bool) {
	switch value := value.(type) {
	case int:
		return float64(value), true
	case float64:
		return value, value == float64(int64(value))
	}
	return 0, false
}

func size(value any) int {
	switch value := value.(type) {
	case []any:
		return len(value)
	case map[string]any:
		return len(value)
	case string:
		return utf8.RuneCountInString(value)
	}
	return -1
}

func same(a, b any) bool {
	x, isNumber := number(a)
	y, areNumbers := number(b)
	return a == b || isNumber && areNumbers && x == y
}

func isType(value any, name string) bool {
	_, isNumber := number(value)
	kinds := map[string]bool{"integer": isNumber, "number": isNumber, "null": value == nil}
	switch value.(type) {
	case float64:
		kinds["number"] = true
	case string:
		kinds["string"] = true
	case bool:
		kinds["boolean"] = true
	case []any:
		kinds["array"] = true
	case map[string]any:
		kinds["object"] = true
	}
	return kinds[name]
}

var keywords map[string]keyword

func init() {
	ignore := func(validator, any, any, string) error { return nil }
	atLeast := func(_ validator, want, value any, at string) error {
		return must(size(value) < 0 || size(value) >= int(want.(float64)), at, "too small")
	}
	atMost := func(_ validator, want, value any, at string) error {
		return must(size(value) <= int(want.(float64)), at, "too large")
	}
	keywords = map[string]keyword{
		"$schema": ignore, "$id": ignore, "title": ignore, "description": ignore, "$defs": ignore, "additionalProperties": ignore,
		"minItems": atLeast, "minProperties": atLeast, "minLength": atLeast, "maxItems": atMost, "maxProperties": atMost,
		"type": func(_ validator, want, value any, at string) error {
			if name, ok := want.(string); ok {
				return must(isType(value, name), at, "not of the type "+name)
			}
			return must(slices.ContainsFunc(want.([]any), func(name any) bool { return isType(value, name.(string)) }), at, "of none of the types")
		},
		"const": func(_ validator, want, value any, at string) error {
			return must(same(want, value), at, "another constant")
		},
		"enum": func(_ validator, want, value any, at string) error {
			return must(slices.ContainsFunc(want.([]any), func(w any) bool { return same(w, value) }), at, "none of the enumeration")
		},
		"pattern": func(_ validator, want, value any, at string) error {
			text, ok := value.(string)
			return must(!ok || regexp.MustCompile(want.(string)).MatchString(text), at, "not of the pattern")
		},
		"minimum": func(_ validator, want, value any, at string) error {
			n, ok := number(value)
			return must(!ok || n >= want.(float64), at, "too small")
		},
		"exclusiveMinimum": func(_ validator, want, value any, at string) error {
			n, isNumber := value.(float64)
			return must(!isNumber || n > want.(float64), at, "too small")
		},
		"maximum": func(_ validator, want, value any, at string) error {
			n, ok := number(value)
			return must(!ok || n <= want.(float64), at, "too large")
		},
		"required": func(_ validator, want, value any, at string) error {
			object, ok := value.(map[string]any)
			for _, key := range want.([]any) {
				if _, found := object[key.(string)]; ok && !found {
					return fmt.Errorf("%s: %s is missing", at, key)
				}
			}
			return nil
		},
		"properties": checkProperties, "items": checkItems, "$ref": checkRef,
		"oneOf": func(v validator, want, value any, at string) error {
			return must(v.fits(want, value, at) == 1, at, "not one of the schemas")
		},
		"anyOf": func(v validator, want, value any, at string) error {
			return must(v.fits(want, value, at) > 0, at, "none of the schemas")
		},
		"not": func(v validator, want, value any, at string) error {
			return must(v.check(want.(map[string]any), value, at) != nil, at, "what it must not be")
		},
	}
}

func checkProperties(v validator, want, value any, at string) error {
	object, _ := value.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(want.(map[string]any))) {
		if inner, found := object[key]; found {
			if err := v.check(want.(map[string]any)[key].(map[string]any), inner, at+"/"+key); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkItems(v validator, want, value any, at string) error {
	list, _ := value.([]any)
	for i := range list {
		if err := v.check(want.(map[string]any), list[i], fmt.Sprintf("%s/%d", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func checkRef(v validator, want, value any, at string) error {
	def, ok := v.root, true
	for _, name := range strings.Split(strings.TrimPrefix(want.(string), "#/"), "/") {
		if def, ok = def[name].(map[string]any); !ok {
			return fmt.Errorf("%s: there is no definition %s", at, want)
		}
	}
	return v.check(def, value, at)
}
