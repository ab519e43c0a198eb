package scenario

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Setting is a field that all StatefulSets of a scenario are given, over what their manifests say (--with).
type Setting struct {
	// Field is its path from the root, with dots: spec.updateStrategy.rollingUpdate.maxUnavailable. Lists have none.
	Field string
	// Value is YAML. A null removes the field, as in a merge patch.
	Value string
}

// String returns the setting as it is written: spec.replicas=5.
func (s Setting) String() string { return s.Field + "=" + s.Value }

// ParseSettings reads settings that commas separate: spec.replicas=5,spec.x=y. A comma in brackets, braces or quotes
// belongs to a value. Whether the field exists is checked when a scenario is read.
func ParseSettings(text string) ([]Setting, error) {
	var settings []Setting
	for _, part := range splitSettings(text) {
		field, value, found := strings.Cut(part, "=")
		field, value = strings.TrimSpace(field), strings.TrimSpace(value)
		if !found || field == "" || value == "" {
			return nil, fmt.Errorf("%q is not a setting: write FIELD=VALUE, like spec.replicas=5", strict.Shorten(part))
		}
		settings = append(settings, Setting{field, value})
	}
	return settings, nil
}

// splitSettings splits at the commas that belong to no value.
func splitSettings(text string) []string {
	var parts []string
	depth, begin := 0, 0
	quote := rune(0)
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case r == '{' || r == '[':
			depth++
		case r == '}' || r == ']':
			depth--
		case r == ',' && depth == 0:
			parts = append(parts, text[begin:i])
			begin = i + 1
		}
	}
	return append(parts, text[begin:])
}

// with reads the settings of the options, each as a patch of every set, in their order. They are part of the digest: a
// run with a setting is another run.
func (l *loader) with() {
	for _, setting := range l.options.With {
		l.digest.Write([]byte("\nwith " + setting.String()))
		patch, problems := setting.patch(l.options.Limits)
		if len(problems) > 0 {
			l.others = append(l.others, problems...)
			continue
		}
		l.overrides = append(l.overrides, patch)
	}
}

// patch returns the setting as a merge patch, checked as a patch of a step is. Problems have no line, and the flag in
// the place of a file. It returns no patch if there are any.
func (s Setting) patch(limits strict.Limits) (*manifest.Patch, strict.Problems) {
	r := &strict.Reader{File: "--with " + strict.Shorten(s.Field), Limits: limits}
	steps := strings.Split(s.Field, ".")
	if steps[0] != "spec" || len(steps) == 1 {
		return nil, strict.Problems{{
			File: r.File, What: "this is not a field of a StatefulSet's spec", Want: "write the whole path, like spec.replicas",
		}}
	}
	value := s.value(r)
	var patch *manifest.Patch
	if value != nil && len(r.Problems) == 0 {
		if patch = manifest.ReadPatch(r, nest(steps, value), false); patch != nil {
			patch.CheckLimits(r)
			patch.Check(r)
		}
	}
	for i := range r.Problems {
		r.Problems[i].Line, r.Problems[i].Column = 0, 0
	}
	return patch, r.Problems
}

// value reads the value; nil if there is a problem. A null alone is an empty document to the parser of files.
func (s Setting) value(r *strict.Reader) *yaml.Node {
	if s.Value == "null" || s.Value == "~" {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: s.Value}
	}
	value, problems := strict.ParseOne(r.File, []byte(s.Value), r.Limits)
	r.Problems = problems
	return value
}

// nest wraps a value in mappings, one for each step of a path.
func nest(steps []string, value *yaml.Node) *yaml.Node {
	for i := len(steps) - 1; i >= 0; i-- {
		key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: steps[i]}
		value = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{key, value}}
	}
	return value
}
