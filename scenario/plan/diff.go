package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim/render"
)

// Change is a field that differs.
type Change struct {
	// Path is the path of the field in the object, like spec.replicas. Old and New are its values; the side that does
	// not have the field has none.
	Path string `json:"path"`
	Old  any    `json:"old,omitempty"`
	New  any    `json:"new,omitempty"`
	// Reordered says that it is a list whose items are in another order; Old and New are then their names, or the items
	// where they have none.
	Reordered bool `json:"reordered,omitempty"`
}

// String renders the change: spec.replicas: 3 → 5.
func (c Change) String() string {
	switch {
	case c.Old == nil:
		return fmt.Sprintf("%s: added, %s", c.Path, glance(c.New))
	case c.New == nil:
		return fmt.Sprintf("%s: removed, it was %s", c.Path, glance(c.Old))
	}
	was, is := apart(encoded(c.Old), encoded(c.New))
	if c.Reordered {
		return fmt.Sprintf("%s: in another order, %s → %s", c.Path, was, is)
	}
	return fmt.Sprintf("%s: %s → %s", c.Path, was, is)
}

// longest is the length up to which a value is shown in full; around is the length that is shown on both sides of a
// difference in a longer value.
const (
	longest = 80
	around  = 16
)

// encoded returns a value as JSON.
func encoded(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("plan: a decoded value cannot be encoded: %v", err))
	}
	return string(text)
}

// glance shortens a value to what a reader looks for: the names in a list, the image of a container.
func glance(value any) string {
	text := encoded(value)
	if utf8.RuneCountInString(text) <= longest {
		return text
	}
	switch value := value.(type) {
	case []any:
		if labels := labelsOf(value); labels != nil {
			return render.Shorten(render.Count(len(labels), "item")+": "+strings.Join(labels, ", "), longest)
		}
	case map[string]any:
		if image, rest := value["image"], maps.Clone(value); image != nil {
			delete(rest, "image")
			text = strings.TrimSuffix(encoded(map[string]any{"image": image}), "}") + "," + encoded(rest)[1:]
		}
	}
	return render.Shorten(text, longest)
}

// labelsOf returns the names of the items of a list, of containers with their images; nil if they have none.
func labelsOf(list []any) []string {
	for _, field := range naming {
		names, _ := namesOf(list, field)
		for i, name := range names {
			if image, is := at(list[i], []string{"image"}).(string); is {
				names[i] = name + " (" + image + ")"
			}
		}
		if names != nil {
			return names
		}
	}
	return nil
}

// apart shortens two values to the part in which they differ, if one of them is long. The same number of characters is
// cut from both.
func apart(was, is string) (string, string) {
	a, b := []rune(was), []rune(is)
	if max(len(a), len(b)) <= longest {
		return was, is
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	tail := 0
	for tail < min(len(a), len(b))-same && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return part(a, same, len(a)-tail), part(b, same, len(b)-tail)
}

// part returns a part of a text with a little of the text around it.
func part(text []rune, from, to int) string {
	begin, end := max(0, from-around), min(len(text), to+around)
	lead, trail := "", ""
	if begin > 0 {
		lead = "…"
	}
	if end > begin+longest {
		end = begin + longest
	}
	if end < len(text) {
		trail = "…"
	}
	return lead + string(text[begin:end]) + trail
}

// weights are patterns of paths, the most important for a decision first: how a path begins, or what it contains (with
// a dot in front; $ is its end). A path that matches none of them comes before labels and
// annotations.
var weights = []string{
	".image$", "spec.replicas", "spec.ordinals", "spec.updateStrategy", "spec.podManagementPolicy", "spec.minReadySeconds",
	"spec.volumeClaimTemplates", "spec.persistentVolumeClaimRetentionPolicy", "spec.serviceName", "spec.selector",
	".command", ".args", ".env",
}

// weight returns the place of a change in the order of what matters.
func (c *Change) weight() int {
	if c.inMeta() {
		return len(weights) + 1
	}
	for i, part := range weights {
		if strings.HasPrefix(c.Path, part) || part[0] == '.' && strings.Contains(c.Path+"$", part) {
			return i
		}
	}
	return len(weights)
}

// inMeta says whether the change is one of a label or an annotation.
func (c *Change) inMeta() bool {
	return strings.HasPrefix(c.Path, "metadata.") || strings.HasPrefix(c.Path, "spec.template.metadata.")
}

// byWeight sorts the changes, the most important first.
func byWeight(changes []Change) {
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(a.weight(), b.weight()) })
}

// diff lists the fields in which two values of JSON differ, by their paths. It lists none only if they are equal: a set
// without a change is not played.
func diff(path string, a, b any) []Change {
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

// diffMaps compares two mappings, field by field in the order of the names.
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
		changes = append(changes, diff(join(path, name), a[name], b[name])...)
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

// tree returns a set as JSON, without the annotation that kubectl apply keeps. Its template is not copied: trees of
// sets with one template share it.
func (t templates) tree(set *model.StatefulSet) map[string]any {
	bare := *set
	bare.Spec.Template = &model.Template{Data: "{}"}
	object := manifest.Object(&bare)
	delete(object.Annotations, manifest.LastApplied)
	if len(object.Annotations) == 0 {
		object.Annotations = nil
	}
	data, err := json.Marshal(object)
	if err != nil {
		panic(fmt.Sprintf("plan: a set cannot be encoded: %v", err))
	}
	value := decoded(string(data))
	delete(value, "status")
	of := t[set.Spec.Template.Data]
	if of == nil {
		of = decoded(set.Spec.Template.Data)
		t[set.Spec.Template.Data] = of
	}
	value["spec"].(map[string]any)["template"] = of
	return value
}

// templates are decoded templates by their JSON.
type templates map[string]map[string]any

// decoded returns an object of JSON that was made here, or by the API server: it panics if it is none.
func decoded(data string) (value map[string]any) {
	if err := json.Unmarshal([]byte(data), &value); err != nil {
		panic(fmt.Sprintf("plan: a set cannot be decoded: %v", err))
	}
	return value
}

// under keeps the changes whose path begins with one.
func under(changes []Change, path string) []Change {
	return slices.DeleteFunc(slices.Clone(changes), func(c Change) bool { return !strings.HasPrefix(c.Path, path) })
}

// applyNotes says what kubectl apply does to fields that are not in the new manifest: it removes fields that were in
// the last one, which then get their defaults, and it keeps fields that somebody else has set. Result is the wanted
// set, and fresh the same set if it were created anew, both as JSON.
func applyNotes(p *Pair, live, wanted *model.StatefulSet, result, fresh map[string]any) []string {
	var notes []string
	for _, path := range left(lastApplied(p), p.New.Given) {
		text := "nothing takes its place"
		if value := at(result, path); value != nil {
			text = "the default " + glance(value) + " takes its place"
		}
		field := strings.Join(path, ".")
		if field == "spec.replicas" && live.Spec.Replicas != wanted.Spec.Replicas {
			text += fmt.Sprintf(", so the set goes from %d to %s, even if an autoscaler has set another number",
				live.Spec.Replicas, render.Count(int(wanted.Spec.Replicas), "replica"))
		}
		notes = append(notes, fmt.Sprintf("%s is no longer in the file: apply removes it, and %s", field, text))
	}
	if was, wants := replicasOf(lastApplied(p)), replicasOf(p.New.Given); p.live && was == wants && wants >= 0 &&
		wants != int(live.Spec.Replicas) {
		notes = append(notes, fmt.Sprintf("spec.replicas is %d in the file as before, and somebody has scaled the set to %d "+
			"(an autoscaler?): apply reverts that", wants, live.Spec.Replicas))
	}
	for _, c := range diff("", fresh, result) {
		if strings.HasPrefix(c.Path, "spec.") && !strings.HasPrefix(c.Path, "spec.template.") && c.New != nil {
			notes = append(notes, fmt.Sprintf("%s stays %s: the file does not set it, and apply removes only fields that it "+
				"has applied before", c.Path, glance(c.New)))
		}
	}
	return notes
}

// replicasOf is spec.replicas of a manifest, -1 if it gives none.
func replicasOf(given map[string]any) int {
	switch n := at(given, []string{"spec", "replicas"}).(type) {
	case float64:
		return int(n)
	case int:
		return n
	case int64:
		return int(n)
	}
	return -1
}

// lastApplied returns the manifest of the last apply.
func lastApplied(p *Pair) map[string]any {
	if !p.live {
		return p.Old.Given
	}
	var given map[string]any
	// An annotation that cannot be parsed does not count.
	if json.Unmarshal([]byte(p.Old.Object.Annotations[manifest.LastApplied]), &given) != nil {
		return nil
	}
	return given
}

// left lists the fields of the spec, outside its template, that the first has and the second has not.
func left(a, b map[string]any) [][]string {
	before, _ := a["spec"].(map[string]any)
	after, _ := b["spec"].(map[string]any)
	var paths [][]string
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if !says(before[name]) {
			continue
		}
		if _, found := after[name]; !found && name != "template" {
			paths = append(paths, []string{"spec", name})
		} else if name == "updateStrategy" {
			old, _ := before[name].(map[string]any)
			now, _ := after[name].(map[string]any)
			for _, sub := range slices.Sorted(maps.Keys(old)) {
				if _, found := now[sub]; !found && now != nil && says(old[sub]) {
					paths = append(paths, []string{"spec", name, sub})
				}
			}
		}
	}
	return paths
}

// says says whether a value of a manifest is more than empty lists, mappings and texts: these are as good as none.
func says(value any) bool {
	switch v := value.(type) {
	case nil:
		return false
	case []any:
		return len(v) > 0
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), says)
	case string:
		return v != ""
	}
	return true
}

// at returns what stands at a path of names, nil if any of them is missing.
func at(value any, path []string) any {
	for _, name := range path {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value
}
