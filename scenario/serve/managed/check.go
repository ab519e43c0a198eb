package managed

import (
	"fmt"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

// check returns what is wrong with an object that a client applies: fields that its type does not have, values of
// another type, duplicate items.
func (t Type) check(v any) error {
	var wrong []string
	t.root().check(v, func(n node, what string) { wrong = append(wrong, n.path.String()+": "+what) })
	switch len(wrong) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("%s", wrong[0])
	}
	return fmt.Errorf("errors:\n  %s", strings.Join(wrong, "\n  "))
}

func (n node) check(v any, tell func(node, string)) {
	f := n.form(v)
	m, isMap := v.(map[string]any)
	list, isList := v.([]any)
	switch {
	case v == nil:
	case f.fields != nil && isMap:
		n.checkFields(f, m, tell)
	case f.items != nil && isList:
		n.checkItems(f, list, tell)
	case f.fields != nil:
		tell(n, fmt.Sprintf("expected map, got %v", v))
	case f.items != nil:
		tell(n, fmt.Sprintf("expected list, got %v", v))
	default:
		atom, _ := n.schema.Resolve(n.ref)
		if what := scalarWrong(*atom.Scalar, v); what != "" {
			tell(n, what)
		}
	}
}

// scalarWrong says why a value is not a scalar of a type; "" if it is one.
func scalarWrong(t schema.Scalar, v any) string {
	_, isText := v.(string)
	_, isTruth := v.(bool)
	_, isInt := v.(int64)
	_, isFloat := v.(float64)
	switch {
	case t == schema.Numeric && !isInt && !isFloat:
		return fmt.Sprintf("expected numeric (int or float), got %T", v)
	case t == schema.String && !isText:
		return fmt.Sprintf("expected string, got &value.valueUnstructured{Value:%#v}", v)
	case t == schema.Boolean && !isTruth:
		return fmt.Sprintf("expected boolean, got &value.valueUnstructured{Value:%#v}", v)
	case !isText && !isTruth && !isInt && !isFloat:
		return fmt.Sprintf("expected any scalar, got &value.valueUnstructured{Value:%#v}", v)
	}
	return ""
}

func (n node) checkFields(f form, m map[string]any, tell func(node, string)) {
	for _, name := range names(m) {
		part := n.field(f.fields, name)
		if part.ref == (schema.TypeRef{}) {
			tell(part, "field not declared in schema")
			continue
		}
		part.check(m[name], tell)
	}
}

func (n node) checkItems(f form, list []any, tell func(node, string)) {
	seen := map[string]bool{}
	for i, v := range list {
		pe := fieldpath.PathElement{Index: &i}
		if f.items.ElementRelationship == schema.Associative {
			var err error
			if pe, err = n.element(f.items, v); err != nil {
				tell(n, fmt.Sprintf("element %d: %v", i, err))
				return
			}
			if key := pe.String(); seen[key] {
				tell(n, "duplicate entries for key "+key)
			} else {
				seen[key] = true
			}
		}
		n.at(pe, f.items.ElementType).check(v, tell)
	}
}
