package scenario_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// TestReference holds docs/format.md to the schema that it is generated from; -update writes it.
func TestReference(t *testing.T) {
	var root fields
	require.NoError(t, json.Unmarshal(scenario.Schema(), &root))
	example, err := os.ReadFile("testdata/format.yaml")
	require.NoError(t, err)
	page := &reference{example: example}
	page.write(&root)
	goldenfile.Equal(t, "../docs/format.md", page.out.Bytes())
}

// fields is what the page shows of a JSON Schema.
type fields struct {
	Description string             `json:"description"`
	Type        any                `json:"type"`
	Ref         string             `json:"$ref"`
	Const       any                `json:"const"`
	Enum        []any              `json:"enum"`
	AnyOf       []*fields          `json:"anyOf"`
	OneOf       []*fields          `json:"oneOf"`
	Items       *fields            `json:"items"`
	Properties  map[string]*fields `json:"properties"`
	Required    []string           `json:"required"`
	Defs        map[string]*fields `json:"$defs"`
}

// reference writes the page. example is the scenario that it begins with.
type reference struct {
	out     bytes.Buffer
	example []byte
}

// chapters are the parts of a scenario in the order in which it has them; what else the schema defines follows.
var chapters = []string{"kubelet", "rule", "volumes", "claimRule", "bindingMode", "collector", "delay", "distribution", "step", "fault", "short", "expectation", "entry", "condition", "stepRef"}

func (r *reference) write(root *fields) {
	r.printf("# The format of scenarios\n\n")
	r.printf("This is a whole scenario. Save it as `scenario.yaml`: `sim run scenario.yaml` prints what happens and why, and\n")
	r.printf("`sim test scenario.yaml` only whether the expectations hold.\n\n")
	r.printf("```yaml\n%s```\n\n", r.example)
	r.printf("Most scenarios need only [kubelet](#kubelet), [step](#step) and [expectation](#expectation).\n")
	r.printf("[scenarios/](../scenarios/README.md) has an example of everything. The reference below is generated from the JSON\n")
	r.printf("Schema that `sim schema` prints.\n\n")
	r.printf("In the tables, `crash.pod` is the key `pod` of the mapping `crash`. A key that is not required may be left out. A\n")
	r.printf("glob is a pattern for a whole name: `*` is any run of characters, `?` is one, `[0-2]` is one of a set.\n\n")
	rest := slices.DeleteFunc(slices.Sorted(maps.Keys(root.Defs)), func(name string) bool { return slices.Contains(chapters, name) })
	names := slices.Concat(chapters, rest)
	r.printf("* [A scenario](#a-scenario)\n")
	for _, name := range names {
		r.printf("* [%s](#%s)\n", name, strings.ToLower(name))
	}
	r.printf("\n")
	r.chapter("A scenario", root)
	for _, name := range names {
		r.chapter(name, root.Defs[name])
	}
}

func (r *reference) chapter(title string, f *fields) {
	r.printf("## %s\n\n", title)
	if f.Description != "" {
		r.printf("%s\n\n", f.Description)
	}
	if len(f.Properties) == 0 {
		r.printf("%s\n\n", kind(f))
	}
	if !f.hasKeys() {
		return
	}
	r.printf("| key | value | meaning |\n| --- | --- | --- |\n")
	r.rows("", f)
	r.printf("\n")
}

// hasKeys says whether a value is, or may be, a mapping whose keys stand beside it in the schema, or a list of such.
func (f *fields) hasKeys() bool {
	return len(f.Properties) > 0 || slices.ContainsFunc(f.AnyOf, (*fields).hasKeys) || f.Items != nil && f.Items.hasKeys()
}

// rows writes a row for each key, and below a mapping those of its own keys.
func (r *reference) rows(prefix string, f *fields) {
	for _, form := range f.AnyOf {
		r.rows(prefix, form)
	}
	if f.Items != nil {
		r.rows(prefix, f.Items)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Properties)) {
		p := f.Properties[name]
		key := "`" + prefix + name + "`"
		if slices.Contains(f.Required, name) {
			key += " (required)"
		}
		says := p.Description
		if says == "As in a step." {
			says = "" // The second column says it.
		}
		r.printf("| %s | %s | %s |\n", key, strings.ReplaceAll(kind(p), "|", "\\|"), strings.ReplaceAll(says, "|", "\\|"))
		r.rows(prefix+name+".", p)
	}
}

// kind says what a value looks like.
func kind(f *fields) string {
	switch name, isRef := strings.CutPrefix(f.Ref, "#/$defs/"); {
	case strings.Contains(name, "/"):
		return fmt.Sprintf("as in a [%[1]s](#%[1]s)", name[:strings.Index(name, "/")])
	case isRef:
		return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name))
	case f.Const != nil:
		return fmt.Sprintf("`%v`", f.Const)
	case len(f.Enum) > 0:
		return choice(f.Enum)
	case len(f.Properties) > 0 && f.Type == "object":
		return "mapping"
	case len(f.AnyOf) > 0:
		return kinds(f.AnyOf)
	case f.Items != nil && len(f.Items.AnyOf) > 1:
		return "list whose items are each " + kind(f.Items)
	case f.Items != nil:
		return "list of " + kind(f.Items)
	}
	switch t := f.Type.(type) {
	case string:
		return word(t)
	case []any:
		var words []string
		for _, name := range t {
			if name != "null" {
				words = append(words, word(name.(string)))
			}
		}
		return strings.Join(words, " or ")
	}
	return "as in a [step](#step)"
}

// word is what people call a type of JSON Schema.
func word(t string) string {
	switch t {
	case "object":
		return "mapping"
	case "array":
		return "list"
	}
	return t
}

func choice(values []any) string {
	var texts []string
	for _, v := range values {
		// Null is the value of a key without one, which is the default.
		if v != nil {
			texts = append(texts, fmt.Sprintf("`%v`", v))
		}
	}
	return strings.Join(texts, ", ")
}

func kinds(list []*fields) string {
	var texts []string
	for _, f := range list {
		if text := kind(f); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " or ")
}

func (r *reference) printf(format string, args ...any) { fmt.Fprintf(&r.out, format, args...) }
