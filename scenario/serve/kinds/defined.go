package kinds

import (
	"slices"
	"strconv"
	"strings"
)

// Scaled are where a kind has its replicas, those that it has seen, and their selector as a text.
type Scaled struct{ Spec, Status, Selector []string }

// Defined returns the kind that a CustomResourceDefinition defines, in the version that it stores.
func Defined(crd Fields) *Kind {
	names := crd.Map("spec", "names")
	k := &Kind{Group: crd.Text("spec", "group"), Kind: names.Text("kind"), Resource: names.Text("plural"),
		Singular: names.Text("singular"), Short: names.Words("shortNames"), Plain: true,
		Namespaced: crd.Text("spec", "scope") == "Namespaced", All: slices.Contains(names.Words("categories"), "all")}
	if k.Singular == "" {
		k.Singular = strings.ToLower(k.Kind)
	}
	for _, version := range crd.List("spec", "versions") {
		if !version.Is("storage") {
			continue
		}
		k.Version, k.Schema = version.Text("name"), version.Map("schema", "openAPIV3Schema")
		if k.Schema == nil {
			k.Schema = Fields{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
		}
		if version.Map("subresources", "status") != nil {
			k.Subresources = append(k.Subresources, "status")
		}
		if scale := version.Map("subresources", "scale"); scale != nil {
			s := &Scaled{path(scale.Text("specReplicasPath")), path(scale.Text("statusReplicasPath")),
				path(scale.Text("labelSelectorPath"))}
			if len(s.Spec) > 1 && s.Spec[0] == "spec" && len(s.Status) > 1 && s.Status[0] == "status" {
				k.Subresources, k.Scaled = append(k.Subresources, "scale"), s
			}
		}
		for _, field := range version.List("selectableFields") {
			k.Selectable = append(k.Selectable, strings.TrimPrefix(field.Text("jsonPath"), "."))
		}
		k.columns = printed(version.List("additionalPrinterColumns"))
	}
	return k
}

// path returns the fields of a path like .spec.replicas.
func path(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '.' })
}

// printed returns the columns that a definition gives to its kind; nil for none.
func printed(list []Fields) func() []Column {
	if len(list) == 0 {
		return nil
	}
	var columns []Column
	for _, c := range list {
		way := c.Text("jsonPath")
		form := c.Text("type")
		columns = append(columns, Column{Name: c.Text("name"), Wide: c.Number("priority") > 0, Type: form,
			Format: c.Text("format"), since: form == "date", cell: func(f Fields) any { return f.cell(way, form) }})
	}
	return func() []Column { return columns }
}

// cell returns the value at a jsonPath as a cell of a type; nil if there is no value.
func (f Fields) cell(way, form string) any {
	text := f.follow(way)
	switch form {
	case "integer":
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	case "number":
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return n
		}
	case "boolean":
		if is, err := strconv.ParseBool(text); err == nil {
			return is
		}
	default:
		return text
	}
	return nil
}

// follow returns the text at a path of jsonPath, as far as definitions use it: fields, an index, and the item of a list
// with a field of a value, as in .status.conditions[?(@.type=="Ready")].status.
func (f Fields) follow(way string) string {
	before, rest, filtered := strings.Cut(way, "[")
	if !filtered {
		return f.Text(path(way)...)
	}
	inside, after, _ := strings.Cut(rest, "]")
	field, value, compares := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(inside, "?(@."), ")"), "==")
	for i, item := range f.List(path(before)...) {
		if compares && item.Text(strings.TrimSpace(field)) == strings.Trim(value, `"' `) || !compares && inside == itoa(i) {
			return item.follow(after)
		}
	}
	return ""
}
