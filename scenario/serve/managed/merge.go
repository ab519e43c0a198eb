package managed

import (
	"maps"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// merge returns a value with another one merged onto it.
func (n node) merge(l, r side) (side, error) {
	f := n.form(r.value)
	if !r.has {
		f = n.form(l.value)
	}
	switch {
	case f.atomic() || l.empty() && r.empty() || l.has && r.has && l.value != nil && n.form(l.value) != f:
		if r.has {
			return r, nil
		}
		return l, nil
	case f.fields != nil:
		return n.mergeFields(f, l, r)
	}
	return n.mergeItems(f, l, r)
}

func (n node) mergeFields(f form, l, r side) (side, error) {
	lm, _ := l.value.(map[string]any)
	rm, _ := r.value.(map[string]any)
	out := map[string]any{}
	for _, name := range names(lm, rm) {
		lv, lhas := lm[name]
		rv, rhas := rm[name]
		part, err := n.field(f.fields, name).merge(side{lv, lhas}, side{rv, rhas})
		if err != nil {
			return side{}, err
		}
		if part.has {
			out[name] = part.value
		}
	}
	return side{out, len(out) > 0}, nil
}

// mergeItems merges lists whose items have keys. The result has the order of the second list; items that only the
// first one has stay between the same neighbours.
func (n node) mergeItems(f form, l, r side) (side, error) {
	ls, err := n.items(f.items, l.value)
	if err != nil {
		return side{}, err
	}
	rs, err := n.items(f.items, r.value)
	if err != nil {
		return side{}, err
	}
	left, right := indexed(ls), indexed(rs)
	var out []any
	take := func(i item, l, r side) error {
		part, err := n.at(i.pe, f.items.ElementType).merge(l, r)
		if err == nil && part.has {
			out = append(out, part.value)
		}
		return err
	}
	merged := map[string]bool{}
	// shared is where the next item is that both lists have.
	for li, ri, shared := 0, 0, 0; (li < len(ls) || ri < len(rs)) && err == nil; {
		for shared = max(shared, ri); shared < len(rs) && !left[rs[shared].key].has; {
			shared++
		}
		switch {
		case li < len(ls) && !right[ls[li].key].has:
			err = take(ls[li], side{ls[li].value, true}, side{})
			li++
		case li < len(ls) && (merged[ls[li].key] || shared == len(rs) || ls[li].key != rs[shared].key):
			li++
		default:
			i := rs[ri]
			err = take(i, left[i.key], side{i.value, true})
			merged[i.key] = true
			ri++
		}
	}
	return side{out, len(out) > 0}, err
}

// without returns a value without the fields and items of a set.
func (n node) without(v any, set *fieldpath.Set) any {
	f := n.form(v)
	switch {
	case f.fields == nil && f.items == nil:
		return v
	case f.atomic() || (side{v, true}).empty():
		return nil
	case f.fields != nil:
		out := maps.Clone(v.(map[string]any))
		for _, name := range names(out) {
			part := n.field(f.fields, name)
			pe := part.path[len(part.path)-1]
			if set.Has(fieldpath.Path{pe}) {
				delete(out, name)
			} else if inner := set.WithPrefix(pe); !inner.Empty() {
				out[name] = part.without(out[name], inner)
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	}
	return n.withoutItems(f, v, set)
}

func (n node) withoutItems(f form, v any, set *fieldpath.Set) any {
	items, _ := n.items(f.items, v)
	var out []any
	for _, i := range items {
		if set.Has(fieldpath.Path{i.pe}) {
			continue
		}
		if inner := set.WithPrefix(i.pe); !inner.Empty() {
			i.value = n.at(i.pe, f.items.ElementType).without(i.value, inner)
		}
		out = append(out, i.value)
	}
	if out == nil {
		return nil
	}
	return out
}
