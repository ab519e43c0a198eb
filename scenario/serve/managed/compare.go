package managed

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// fieldsOf returns the fields that a value has.
func (n node) fieldsOf(v any, into *fieldpath.Set) {
	f := n.form(v)
	switch {
	case f.atomic():
		into.Insert(n.path)
	case f.fields != nil:
		m, _ := v.(map[string]any)
		for _, name := range names(m) {
			part := n.field(f.fields, name)
			part.fieldsOf(m[name], into)
			_, declared := f.fields.FindField(name)
			if inner, is := m[name].(map[string]any); !declared || m[name] == nil || is && len(inner) == 0 {
				into.Insert(part.path)
			}
		}
	default:
		items, _ := n.items(f.items, v)
		for _, i := range inOrder(items) {
			part := n.at(i.pe, f.items.ElementType)
			part.fieldsOf(i.value, into)
			into.Insert(part.path)
		}
	}
}

// comparison is how two values differ.
type comparison struct{ removed, changed *fieldpath.Set }

// compare returns how a value differs from an earlier one.
func (t Type) compare(old, new any) comparison {
	c := comparison{fieldpath.NewSet(), fieldpath.NewSet()}
	c.visit(t.root(), side{old, true}, side{new, true})
	return c
}

func (c comparison) visit(n node, l, r side) {
	lf, rf := n.form(l.value), n.form(r.value)
	whole := false
	switch {
	case !r.has:
		whole = c.parts(n, lf, l, r)
	default:
		if l.has && lf != rf {
			c.parts(n, lf, l, r)
		}
		whole = c.parts(n, rf, l, r)
	}
	switch {
	case whole:
	case !l.has:
		c.changed.Insert(n.path)
	case !r.has:
		c.removed.Insert(n.path)
	}
}

// parts compares the parts of two values, or, if they are compared as a whole, that: then it returns true.
func (c comparison) parts(n node, f form, l, r side) (whole bool) {
	if f.atomic() || l.empty() && r.empty() {
		switch {
		case !l.has:
			c.changed.Insert(n.path)
		case !r.has:
			c.removed.Insert(n.path)
		case !equal(l.value, r.value):
			c.changed.Insert(n.path)
		}
		return true
	}
	if f.fields != nil {
		lm, _ := l.value.(map[string]any)
		rm, _ := r.value.(map[string]any)
		for _, name := range names(lm, rm) {
			lv, lhas := lm[name]
			rv, rhas := rm[name]
			c.visit(n.field(f.fields, name), side{lv, lhas}, side{rv, rhas})
		}
		return false
	}
	ls, _ := n.items(f.items, l.value)
	rs, _ := n.items(f.items, r.value)
	left, right := indexed(ls), indexed(rs)
	for _, i := range inOrder(ls) {
		c.visit(n.at(i.pe, f.items.ElementType), side{i.value, true}, right[i.key])
	}
	for _, i := range inOrder(rs) {
		if !left[i.key].has {
			c.visit(n.at(i.pe, f.items.ElementType), side{}, side{i.value, true})
		}
	}
	return false
}
