package strict

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"
)

// joinedAt returns the keys at which further objects begin in what YAML takes for one mapping: a document in which ---
// is missing. An object begins at the first key that the one before it has already, and has apiVersion and kind.
func joinedAt(root *yaml.Node) []*yaml.Node {
	if root.Kind != yaml.MappingNode || root.Style&yaml.FlowStyle != 0 {
		return nil
	}
	var begins []*yaml.Node
	var keys []string
	isObject := func() bool { return slices.Contains(keys, "apiVersion") && slices.Contains(keys, "kind") }
	for i := 0; i+1 < len(root.Content); i += 2 {
		key := root.Content[i]
		if slices.Contains(keys, key.Value) {
			if !isObject() {
				// A key is doubled, and no more.
				return nil
			}
			begins, keys = append(begins, key), nil
		}
		keys = append(keys, key.Value)
	}
	if !isObject() {
		return nil
	}
	return begins
}

// noteJoined notes the objects of a document that are joined, before the document is resolved.
func (d *doubledKeys) noteJoined(file string, root *yaml.Node) {
	for _, key := range joinedAt(root) {
		p := at(file, key, "", "kubectl takes the objects before and after it as one, in which the last value of each key "+
			"counts")
		p.Line += d.lines
		p.What = fmt.Sprintf("`---` is missing before line %d", p.Line)
		d.joined.add(p)
	}
}

// forgetJoined drops the doubled keys of a document that is several objects: that says it all.
func (d *doubledKeys) forgetJoined(root *yaml.Node) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		delete(d.keys, root.Content[i])
	}
}
