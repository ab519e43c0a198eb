// Package diff lists the fields in which two objects differ, in the order of what matters for a rollout.
package diff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Of lists the fields in which two values of JSON differ. It lists none only if they are equal.
func Of(path string, a, b any) []Change {
	if reflect.DeepEqual(a, b) {
		return nil
	}
	am, aIs := a.(map[string]any)
	bm, bIs := b.(map[string]any)
	if aIs && bIs {
		return diffMaps(path, am, bm)
	}
	al, aIs := a.([]any)
	bl, bIs := b.([]any)
	if aIs && bIs {
		return diffLists(path, al, bl)
	}
	return []Change{{Path: path, Old: a, New: b}}
}

func diffMaps(path string, a, b map[string]any) []Change {
	names := slices.Sorted(maps.Keys(a))
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if _, found := a[name]; !found {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var changes []Change
	for _, name := range names {
		changes = append(changes, Of(join(path, name), a[name], b[name])...)
	}
	return changes
}

// join adds a name to a path. The names of labels and annotations have dots and slashes of their own.
func join(path, name string) string {
	switch {
	case strings.ContainsAny(name, "./"):
		return path + "[" + name + "]"
	case path == "":
		return name
	}
	return path + "." + name
}

// diffLists compares two lists. It pairs their items by a field that names them, otherwise by what they say. Another
// order is a change of its own: init containers start in their order, and a variable may refer to those before it.
func diffLists(path string, a, b []any) []Change {
	for _, field := range naming {
		if changes, named := diffNamed(path, a, b, field); named {
			return changes
		}
	}
	return diffPlaces(path, a, b)
}

// diffNamed compares two lists whose items have names, in the order of their places.
func diffNamed(path string, a, b []any, field []string) (changes []Change, named bool) {
	before, was := namesOf(a, field)
	after, is := namesOf(b, field)
	if was == nil || is == nil {
		return nil, false
	}
	compare := func(name string, i, j int) {
		changes = append(changes, Of(path+"["+name+"]", itemAt(a, i), itemAt(b, j))...)
	}
	place := func(places map[string]int, name string) int {
		if at, has := places[name]; has {
			return at
		}
		return -1
	}
	for i := range max(len(a), len(b)) {
		if i < len(a) {
			compare(before[i], i, place(is, before[i]))
		}
		if i < len(b) && place(was, after[i]) < 0 {
			compare(after[i], -1, i)
		}
	}
	shared := func(names []string, places map[string]int) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return place(places, name) < 0 })
	}
	if old, now := shared(before, is), shared(after, was); !slices.Equal(old, now) {
		changes = append(changes, Change{Path: path, Old: old, New: now, Reordered: true})
	}
	return changes, true
}

func itemAt(list []any, i int) any {
	if i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

// diffPlaces compares two lists whose items have no names, such as arguments, by aligning them.
func diffPlaces(path string, a, b []any) []Change {
	before, after := encodedAll(a), encodedAll(b)
	if permuted(before, after) {
		return []Change{{Path: path, Old: a, New: b, Reordered: true}}
	}
	var changes []Change
	compare := func(place, i, j int) {
		changes = append(changes, Of(path+"["+strconv.Itoa(place)+"]", itemAt(a, i), itemAt(b, j))...)
	}
	for _, g := range gaps(before, after) {
		partner := g.partners(before, after)
		for i := g.a; i < g.aEnd; i++ {
			if !slices.Contains(partner, i) {
				compare(i, i, -1)
			}
		}
		for k, i := range partner {
			compare(g.b+k, i, g.b+k)
		}
	}
	return changes
}

// ByWeight sorts the changes, the most important first.
func ByWeight(changes []Change) {
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(a.weight(), b.weight()) })
}

// Under keeps the changes whose path begins with one.
func Under(changes []Change, path string) []Change {
	return slices.DeleteFunc(slices.Clone(changes), func(c Change) bool { return !strings.HasPrefix(c.Path, path) })
}

func encoded(value any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("diff: a decoded value cannot be encoded: %v", err))
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// At returns what stands at a path of names, nil if any of them is missing.
func At(value any, path []string) any {
	for _, name := range path {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value
}

// naming are the fields by which the items of a list may be told apart, the best first; metadata.name is that of claim
// templates. A mount has a path of its own even where a volume is mounted twice, and a port its number where only some
// ports have names.
var naming = [][]string{
	{"name"}, {"metadata", "name"}, {"mountPath"}, {"devicePath"}, {"containerPort"}, {"topologyKey"}, {"ip"},
}

// namesOf returns the names of the items and their places; nil if an item has none, or two have the same.
func namesOf(list []any, field []string) (names []string, places map[string]int) {
	places = map[string]int{}
	for i, item := range list {
		name := ""
		switch value := At(item, field).(type) {
		case string:
			name = value
		case float64:
			name = strconv.FormatFloat(value, 'f', -1, 64)
		}
		if _, twice := places[name]; twice || name == "" {
			return nil, nil
		}
		names, places[name] = append(names, name), i
	}
	return names, places
}

func encodedAll(list []any) []string {
	var texts []string
	for _, item := range list {
		texts = append(texts, encoded(item))
	}
	return texts
}

func permuted(a, b []string) bool {
	return !slices.Equal(a, b) && slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// gap is where two lists differ: the items from a to aEnd of the first have become those from b to bEnd of the second.
type gap struct{ a, aEnd, b, bEnd int }

// gaps aligns two lists, and returns what lies between the items that both have.
func gaps(a, b []string) []gap {
	var list []gap
	i, j := 0, 0
	for _, line := range report.Align(a, b) {
		if line.Mark == ' ' {
			i, j = i+1, j+1
			continue
		}
		n := len(list)
		if n == 0 || list[n-1].aEnd != i || list[n-1].bEnd != j {
			list = append(list, gap{i, i, j, j})
			n++
		}
		if line.Mark == '-' {
			i++
		} else {
			j++
		}
		list[n-1].aEnd, list[n-1].bEnd = i, j
	}
	return list
}

// partners returns, for each item of the second list in the gap, the place of the one in the first that it has come
// from; -1 if it is new. An option has come from the same option, anything else from what has its place.
func (g gap) partners(a, b []string) []int {
	partner := make([]int, g.bEnd-g.b)
	next := g.a
	for k := range partner {
		partner[k] = -1
		if name := option(b[g.b+k]); name != "" {
			at := slices.IndexFunc(a[g.a:g.aEnd], func(item string) bool { return option(item) == name })
			if at >= 0 && !slices.Contains(partner[:k], g.a+at) {
				partner[k] = g.a + at
			}
			continue
		}
		for next < g.aEnd && option(a[next]) != "" {
			next++
		}
		if next < g.aEnd {
			partner[k] = next
			next++
		}
	}
	return partner
}

// option returns the name of the option in an argument such as "--name=value", as JSON; "" if it is none.
func option(argument string) string {
	name, _, found := strings.Cut(argument, "=")
	if !found || !strings.HasPrefix(name, `"-`) {
		return ""
	}
	return name
}
