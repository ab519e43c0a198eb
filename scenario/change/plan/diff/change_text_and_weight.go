package diff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/statefulsim/statefulsim/sim/view/render"
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
		return fmt.Sprintf("%s: added, %s", c.Path, Glance(c.New))
	case c.New == nil:
		return fmt.Sprintf("%s: removed, it was %s", c.Path, Glance(c.Old))
	}
	was, is := apart(encoded(c.Old), encoded(c.New))
	if c.Reordered {
		return fmt.Sprintf("%s: in another order, %s → %s", c.Path, was, is)
	}
	return fmt.Sprintf("%s: %s → %s", c.Path, was, is)
}

// Retagged says of an image that only gets another tag what it is called, and both tags; "" for any other change.
func Retagged(c Change) string {
	was, _ := c.Old.(string)
	is, _ := c.New.(string)
	cut := strings.LastIndexByte(was, ':')
	if !strings.HasSuffix(c.Path, ".image") || cut <= strings.LastIndexByte(was, '/') || strings.Contains(was+is, "@") ||
		!strings.HasPrefix(is, was[:cut+1]) {
		return ""
	}
	name := was[strings.LastIndexByte(was[:cut], '/')+1 : cut]
	return name + " " + was[cut+1:] + " → " + is[cut+1:]
}

// longest is the length up to which a value is shown in full; around is the length that is shown on both sides of a
// difference in a longer value.
const (
	longest = 80
	around  = 16
)

// Glance shortens a value to what a reader looks for: the names in a list, the image of a container.
func Glance(value any) string {
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

func labelsOf(list []any) []string {
	for _, field := range naming {
		names, _ := namesOf(list, field)
		for i, name := range names {
			if image, is := At(list[i], []string{"image"}).(string); is {
				names[i] = name + " (" + image + ")"
			}
		}
		if names != nil {
			return names
		}
	}
	return nil
}

// apart shortens two values to the part in which they differ, the same on both sides, if one of them is long.
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

func (c *Change) inMeta() bool {
	return strings.HasPrefix(c.Path, "metadata.") || strings.HasPrefix(c.Path, "spec.template.metadata.")
}

// Names returns the names of the labels or annotations that the change is about.
func (c *Change) Names() []string {
	if all, whole := cmp.Or(c.New, c.Old).(map[string]any); whole {
		return slices.Sorted(maps.Keys(all))
	}
	if _, name, found := strings.Cut(c.Path, "["); found {
		return []string{strings.TrimSuffix(name, "]")}
	}
	return []string{c.Path[strings.LastIndexByte(c.Path, '.')+1:]}
}

// MostLines is the number of changed fields that are listed.
const MostLines = 12

// Lines returns the changes as lines. Changes of labels and annotations are folded into one line if there are other
// changes. Of those for which there is no line of their own the fields are named.
func Lines(changes []Change) []string {
	var list, more, meta []string
	folded := map[string]int{}
	fields := 0
	for i := range changes {
		c := &changes[i]
		switch {
		case c.inMeta() && len(changes) > 2:
			for _, name := range c.Names() {
				fields++
				if folded[name]++; folded[name] == 1 {
					meta = append(meta, name)
				}
			}
		case len(list) < MostLines:
			list = append(list, c.String())
		default:
			more = append(more, strings.TrimPrefix(c.Path, "spec.template.spec."))
		}
	}
	for i, name := range meta {
		switch n := folded[name]; {
		case n == 2:
			meta[i] = name + " (twice)"
		case n > 2:
			meta[i] = fmt.Sprintf("%s (%d times)", name, n)
		}
	}
	if len(more) > 0 {
		list = append(list, fmt.Sprintf("… and %d more: %s", len(more), render.List(more, MostLines)))
	}
	if len(meta) > 0 {
		list = append(list, fmt.Sprintf("labels and annotations (%s): %s", render.Count(fields, "field"),
			render.List(meta, 6)))
	}
	return list
}
