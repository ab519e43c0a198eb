package managed_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/merge"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/statefulsim/statefulsim/scenario/serve/managed"
	"github.com/statefulsim/statefulsim/scenario/serve/schema"
)

// all is a type with fields of every kind.
const all = `{"type":"object","properties":{
	"a":{"type":"string"},"n":{"type":"integer"},"t":{"type":"boolean"},
	"struct":{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"string"}}},
	"whole":{"type":"object","x-kubernetes-map-type":"atomic","properties":{"x":{"type":"string"},"y":{"type":"string"}}},
	"labels":{"type":"object","additionalProperties":{"type":"string"}},
	"keyed":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"$ref":"#/definitions/Item"}},
	"ports":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n","p"],"items":{"type":"object",
		"properties":{"n":{"type":"integer"},"p":{"type":"string","default":"TCP"},"x":{"type":"string"}}}},
	"set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
	"list":{"type":"array","items":{"type":"string"}},
	"any":{}}}`

const item = `{"type":"object","properties":{"name":{"type":"string"},"v":{"type":"string"},"w":{"$ref":"#/definitions/Object"}}}`

func theType(t *testing.T) managed.Type {
	types := schema.Types{"Object": {}, "Item": {}}
	object, one := types["Object"], types["Item"]
	require.NoError(t, json.Unmarshal([]byte(all), &object))
	require.NoError(t, json.Unmarshal([]byte(item), &one))
	name := "Object"
	return managed.Type{Schema: types.Merging(), Ref: smd.TypeRef{NamedType: &name}}
}

// some returns a random object of the type.
func some(r *rand.Rand, depth int) map[string]any {
	words := []string{"a", "b", "c"}
	word := func() any { return words[r.IntN(3)] }
	pick := func(n int) []string {
		r.Shuffle(3, func(i, j int) { words[i], words[j] = words[j], words[i] })
		return append([]string{}, words[:n]...)
	}
	texts := func() map[string]any {
		m := map[string]any{}
		for _, w := range pick(r.IntN(3)) {
			m[map[string]string{"a": "x", "b": "y"}[w]+w[:0]] = word()
		}
		delete(m, "")
		return m
	}
	list := func() []any {
		l := []any{}
		for _, w := range pick(r.IntN(4)) {
			l = append(l, w)
		}
		return l
	}
	keyed := func(name string) []any {
		l := []any{}
		for i, w := range pick(r.IntN(4)) {
			one := map[string]any{"name": w}
			if name == "n" {
				one = map[string]any{"n": int64(i / 2), "p": w, "x": word()}
				if r.IntN(3) == 0 && i == 2 {
					delete(one, "p")
				}
			} else {
				if r.IntN(2) == 0 {
					one["v"] = word()
				}
				if depth > 0 && r.IntN(2) == 0 {
					one["w"] = some(r, depth-1)
				}
			}
			l = append(l, one)
		}
		return l
	}
	fields := map[string]func() any{
		"a": word, "n": func() any { return int64(r.IntN(3)) }, "t": func() any { return r.IntN(2) == 0 },
		"struct": func() any { return texts() }, "whole": func() any { return texts() },
		"labels": func() any { return texts() }, "keyed": func() any { return keyed("name") },
		"ports": func() any { return keyed("n") }, "set": func() any { return list() }, "list": func() any { return list() },
		"any": func() any {
			return []any{word(), int64(r.IntN(2)), texts(), list(), map[string]any{"deep": texts()}, nil}[r.IntN(6)]
		},
	}
	o := map[string]any{}
	for _, name := range []string{"a", "n", "t", "struct", "whole", "labels", "keyed", "ports", "set", "list", "any"} {
		if v := fields[name](); r.IntN(2) == 0 {
			o[name] = v
		}
	}
	return o
}

// same converts nothing: there is one version.
type same struct{}

func (same) Convert(o *typed.TypedValue, _ fieldpath.APIVersion) (*typed.TypedValue, error) {
	return o, nil
}
func (same) IsMissingVersionError(error) bool { return false }

// upstream does what this package does by structured-merge-diff alone.
type upstream struct {
	of      managed.Type
	live    map[string]any
	managed fieldpath.ManagedFields
}

func (u *upstream) typed(v map[string]any, o ...typed.ValidationOptions) (*typed.TypedValue, error) {
	return typed.AsTyped(value.NewValueInterface(v), u.of.Schema, u.of.Ref, o...)
}

func (u *upstream) write(next map[string]any, manager string, apply, force bool) error {
	//lint:ignore SA1019 Upstream's own API server sets it in the same way.
	updater := merge.Updater{Converter: same{}}
	live, err := u.typed(u.live, typed.AllowDuplicates)
	if err != nil {
		return err
	}
	new, err := u.typed(next)
	if err != nil {
		return err
	}
	if !apply {
		u.live = next
		_, u.managed, err = updater.Update(live, new, "v1", u.managed, manager)
		return err
	}
	kept := u.managed.Copy()
	merged, fields, err := updater.Apply(live, new, "v1", u.managed, manager, force)
	if err != nil {
		u.managed = kept
		return err
	}
	u.managed = fields
	if merged != nil {
		u.live, _ = merged.AsValue().Unstructured().(map[string]any)
	}
	return nil
}

func (u *upstream) String() string {
	text := ""
	for _, manager := range []string{"edit", "control", "kubectl", "helm"} {
		if set := u.managed[manager]; set != nil && !set.Set().Empty() {
			data, _ := set.Set().ToJSON()
			text += fmt.Sprintf("%s %v %s\n", manager, set.Applied(), data)
		}
	}
	return text
}

// TestLikeUpstream: managers write and apply random objects, and what becomes of the object and its managers, and which
// conflicts there are, is what structured-merge-diff says.
func TestLikeUpstream(t *testing.T) {
	of := theType(t)
	conflicts, applied := 0, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 7))
		u := &upstream{of: of, live: map[string]any{}, managed: fieldpath.ManagedFields{}}
		live, owners := map[string]any{}, managed.Owners(nil)
		for step := range 6 {
			manager := []string{"edit", "control", "kubectl", "helm"}[r.IntN(4)]
			apply := manager == "kubectl" || manager == "helm"
			force := r.IntN(2) == 0
			if step == 0 && apply {
				manager, apply = "edit", false
			}
			next := some(r, 1)
			by := managed.Writer{Manager: manager, APIVersion: "v1"}
			where := fmt.Sprintf("seed %d step %d %s %v", seed, step, manager, next)
			err := u.write(next, manager, apply, force)
			if !apply {
				require.NoError(t, err, where)
				owners, live = of.Update(live, next, owners, by), next
			} else {
				merged, after, mine := of.Apply(live, next, owners, by, force)
				if err != nil {
					require.Error(t, mine, where)
					theirs, is := err.(merge.Conflicts)
					_, conflict := mine.(managed.Conflicts)
					require.Equal(t, is, conflict, "%s: %v %v", where, err, mine)
					if is {
						conflicts++
						require.Contains(t, mine.Error(), fmt.Sprintf("with %d conflict", len(theirs)))
					}
					continue
				}
				applied++
				require.NoError(t, mine, where)
				if merged == nil {
					merged = map[string]any{}
				}
				owners, live = after, merged
			}
			if u.live == nil {
				u.live = map[string]any{}
			}
			require.Equal(t, u.live, live, where)
			require.Equal(t, u.String(), worded(owners), where)
		}
	}
	require.Greater(t, conflicts, 50)
	require.Greater(t, applied, 200)
}

// worded writes owners as upstream's are written, and checks that they survive their encoding.
func worded(owners managed.Owners) string {
	list := owners.Encode()
	again, err := managed.Decode(list)
	if err != nil || fmt.Sprint(again.Encode()) != fmt.Sprint(list) {
		return fmt.Sprintf("%v: %v", list, err)
	}
	text := ""
	for _, manager := range []string{"edit", "control", "kubectl", "helm"} {
		for _, v := range list {
			if entry := v.(map[string]any); entry["manager"] == manager {
				set := fieldpath.NewSet()
				data, _ := json.Marshal(entry["fieldsV1"])
				set.FromJSON(bytes.NewReader(data))
				data, _ = set.ToJSON()
				text += fmt.Sprintf("%s %v %s\n", manager, entry["operation"] == "Apply", data)
			}
		}
	}
	return text
}
