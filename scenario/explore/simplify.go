package explore

import (
	"bytes"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"
)

// most is the number of plain scenarios that are played to simplify one.
const most = 200

// Simpler simplifies a plain scenario that breaks a promise, as long as the class of the breach stays the same: fewer
// steps, fewer replicas, fewer fields. The same text gives the same result.
func (x *Explorer) Simpler(text []byte, class string) []byte {
	for tries, again := 0, true; again; {
		again = false
		for next := range variants(text) {
			if tries++; tries > most {
				return text
			}
			if breach, _ := x.breaks(next, class); breach != nil {
				text, again = next, true
				break
			}
		}
	}
	return text
}

// variants yields the texts that are simpler by one edit; edits that remove more come first.
func variants(text []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for i := 0; ; i++ {
			var doc yaml.Node
			if yaml.Unmarshal(text, &doc) != nil {
				return
			}
			e := &editor{at: i}
			e.scenario(doc.Content[0])
			if e.at >= 0 {
				return
			}
			if next := written(&doc); !bytes.Equal(next, text) && !yield(next) {
				return
			}
		}
	}
}

// editor makes one of the possible edits of a text: the one with the number at. It counts at down to -1.
type editor struct{ at int }

// may makes the edit if it is the chosen one.
func (e *editor) may(edit func()) {
	if e.at == 0 {
		edit()
	}
	if e.at >= 0 {
		e.at--
	}
}

func (e *editor) scenario(root *yaml.Node) {
	steps := value(root, "steps")
	for i := len(steps.Content) - 1; i > 0; i-- {
		e.may(func() { steps.Content = slices.Delete(steps.Content, i, i+1) })
	}
	for i := 0; i < len(root.Content); i += 2 {
		key := root.Content[i].Value
		if key != "steps" && key != "kubernetes" {
			e.may(func() { remove(root, key) })
		}
	}
	for _, step := range steps.Content {
		if create := value(step, "create"); create != nil && create.Kind == yaml.MappingNode {
			e.set(create)
		}
		if namespace := value(step, "namespace"); namespace != nil && namespace.Value == "default" {
			e.may(func() { remove(step, "namespace") })
		}
	}
}

// kept are the fields of a set that are never removed.
var kept = []string{"name", "replicas", "image", "namespace"}

func (e *editor) set(create *yaml.Node) {
	for i := 0; i < len(create.Content); i += 2 {
		key := create.Content[i].Value
		if !slices.Contains(kept, key) {
			e.may(func() { remove(create, key) })
		}
	}
	replicas := value(create, "replicas")
	if replicas == nil {
		return
	}
	if n, err := strconv.Atoi(replicas.Value); err == nil && n > 1 {
		e.may(func() { replicas.Value = strconv.Itoa(n / 2) })
		e.may(func() { replicas.Value = strconv.Itoa(n - 1) })
	}
}
