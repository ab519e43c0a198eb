package strict

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/sim/behaviour/glob"
)

// Glob returns nil if a pattern is well formed and uses only our dialect, else an error with what would be right.
// No name has the characters of other dialects, so a pattern with them would silently match nothing.
func Glob(pattern string) error {
	if err := glob.Check(pattern); err != nil {
		return err
	}
	switch {
	case strings.Contains(pattern, "[!"), strings.Contains(pattern, "[^"):
		return errors.New("patterns have no negation: write a set as [abc] or [0-9]")
	case strings.ContainsAny(pattern, "{}"):
		return errors.New("patterns have no braces: write a set as [abc] or [0-9]")
	}
	return nil
}

// Value converts a YAML node into the value that JSON would have. The last value of a duplicate key counts. It
// costs O(nodes); Decode of yaml.v3 compares each key of a mapping with each other one, and large objects have
// many.
func Value(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		fields := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			fields[n.Content[i].Value] = Value(n.Content[i+1])
		}
		return fields
	case yaml.SequenceNode:
		items := make([]any, len(n.Content))
		for i, item := range n.Content {
			items[i] = Value(item)
		}
		return items
	case yaml.AliasNode:
		return Value(n.Alias)
	}
	if n.ShortTag() == "!!str" || n.ShortTag() == "!!timestamp" {
		return n.Value
	}
	var v any
	if n.Decode(&v) != nil {
		return n.Value
	}
	return v
}

// badSeparator returns the problem of a line that makes kubectl stop reading: it starts with --- and continues with
// anything but a comment. YAML takes that for a document, or for the start of a text.
func badSeparator(file string, data []byte) *Problem {
	if !bytes.Contains(data, []byte("\n---")) {
		return nil
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		rest, separates := bytes.CutPrefix(line, []byte("---"))
		if rest = bytes.TrimSpace(rest); separates && len(rest) > 0 && rest[0] != '#' {
			return noSeparator(file, number, string(line))
		}
	}
	return nil
}

// onlyDashes reports whether a line is meant to separate documents, and does not.
func onlyDashes(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 1 && line != "---" && strings.Trim(line, "-") == ""
}

// noSeparator is the problem of a line that separates no documents.
func noSeparator(file string, number int, line string) *Problem {
	return &Problem{File: file, Line: number, Column: 1,
		What: "`" + Shorten(strings.TrimSpace(line)) + "` does not separate documents",
		Want: "kubectl takes only `---` on a line of its own"}
}

// joinedAt returns the keys where further objects start in what YAML takes for one mapping: a document with a
// missing ---. An object starts at the first key that the previous one has already, and has apiVersion and kind.
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
