package strict

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// rejoin finds values of a flow mapping that end at a comma of their own, as `{that: pods.all(p, p.ready)}` does,
// notes a problem for each, and gives them back what was cut off, so that what is read next is what was meant. It
// changes n.
func (r *resolver) rejoin(n *yaml.Node) {
	var kept []*yaml.Node
	joined := map[*yaml.Node]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		var before *yaml.Node
		if len(kept) > 0 {
			before = kept[len(kept)-1]
		}
		if before == nil || !isPlain(before) || !isPlain(key) || !isPlain(value) || !isOpen(before.Value) {
			kept = append(kept, key, value)
			continue
		}
		whole := *before
		whole.Tag = "!!str"
		whole.Value += ", " + key.Value
		if value.Value != "" {
			whole.Value += ": " + value.Value
		}
		delete(joined, before)
		joined[&whole] = true
		kept[len(kept)-1] = &whole
	}
	for _, value := range kept {
		if joined[value] {
			r.problems.add(at(r.file, value, "YAML ends this value at its comma: "+Shorten(head(value.Value)),
				"quote this: "+Quote(cut(value.Value, maxQuoted))))
		}
	}
	n.Content = kept
}

// maxQuoted is the length up to which a message repeats a text in quotes.
const maxQuoted = 200

// head returns the part of a value that YAML has kept, if it ended the value at a comma.
func head(text string) string {
	left, _, _ := strings.Cut(text, ", ")
	return left
}

// maxOpen is the length up to which a value is looked at: nobody writes a longer condition without quotes.
const maxOpen = 1000

// isOpen says whether a text has a bracket that it does not close. A very long text counts as closed.
func isOpen(text string) bool {
	return len(text) < maxOpen && strings.Count(text, "(") > strings.Count(text, ")")
}

// isPlain says whether a node is a single value without quotes.
func isPlain(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style&^yaml.TaggedStyle == 0 && n.Anchor == ""
}
