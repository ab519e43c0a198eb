package schema

import (
	"maps"
	"slices"
	"strings"
)

// Kind is a kind whose schema is published.
type Kind struct {
	// Name is the name of its schema.
	Name                 string
	Group, Version, Kind string
}

// describe is how a kind is named in a document.
func (k Kind) describe() Object {
	return Object{"group": k.Group, "version": k.Version, "kind": k.Kind}
}

// info returns the head of a document.
func info() Object { return Object{"title": "Kubernetes", "version": "simulated"} }

// V2 returns the document of OpenAPI 2 with the schemas of all kinds.
func (t Types) V2(kinds []Kind) Object {
	return Object{"swagger": "2.0", "info": info(), "paths": Object{}, "definitions": t.published(kinds, version2)}
}

// V3 returns the document of OpenAPI 3 with the schemas of the kinds of one group and version, and its paths.
func (t Types) V3(kinds []Kind, paths Object) Object {
	return Object{"openapi": "3.0.0", "info": info(), "paths": paths,
		"components": Object{"schemas": t.published(kinds, version3)}}
}

// published returns the schemas that kinds need, in the form of a version.
func (t Types) published(kinds []Kind, form func(Object) Object) Object {
	all := Object{}
	for _, k := range kinds {
		t.reach(k.Name, all, form)
		one, _ := all[k.Name].(Object)
		if one == nil {
			continue
		}
		list, _ := one["x-kubernetes-group-version-kind"].([]any)
		one["x-kubernetes-group-version-kind"] = append(list, k.describe())
	}
	return all
}

// reach adds a schema and those that it refers to.
func (t Types) reach(name string, into Object, form func(Object) Object) {
	s := t[name]
	if s == nil || into[name] != nil {
		return
	}
	into[name] = Object{}
	into[name] = formed(s, form, func(ref string) { t.reach(ref, into, form) })
}

// formed returns a schema, and everything in it, in another form, and calls refers for each schema that it refers
// to.
func formed(s Object, form func(Object) Object, refers func(string)) Object {
	out := maps.Clone(s)
	if name, is := s["$ref"].(string); is {
		refers(strings.TrimPrefix(name, refs))
	}
	if at, is := s[textOf].(string); is {
		delete(out, textOf)
		if text := texts()[at]; text != "" {
			out["description"] = text
		}
	}
	for _, part := range []string{"items", "additionalProperties"} {
		if inner, is := s[part].(Object); is {
			out[part] = formed(inner, form, refers)
		}
	}
	if properties, is := s["properties"].(Object); is {
		fields := Object{}
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if field, is := properties[name].(Object); is {
				fields[name] = formed(field, form, refers)
			}
		}
		out["properties"] = fields
	}
	return form(out)
}

// version2 is the form of OpenAPI 2.
func version2(s Object) Object {
	delete(s, "x-kubernetes-int-or-string")
	return s
}

// version3 is the form of OpenAPI 3: a reference is alone, and what may be a number or a text is one of both.
func version3(s Object) Object {
	if name, is := s["$ref"].(string); is {
		ref := Object{"$ref": "#/components/schemas/" + strings.TrimPrefix(name, refs)}
		if delete(s, "$ref"); len(s) == 0 {
			return ref
		}
		s["allOf"] = []any{ref}
		return s
	}
	if _, is := s["x-kubernetes-int-or-string"]; is && s["type"] != nil {
		number := "number"
		if s["format"] != nil {
			number = "integer"
		}
		delete(s, "x-kubernetes-int-or-string")
		delete(s, "type")
		s["oneOf"] = []any{Object{"type": number}, Object{"type": "string"}}
	}
	return s
}
