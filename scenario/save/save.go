// Package save writes what a scenario does as expectations of it, few enough to be read: in which order pods are
// deleted and created, the fewest that serve, and how it ends. So a run that is right today becomes a test that
// fails when a version, or a change of the file, does something else.
//
// Every expectation that it writes was judged on the run and held, and could have failed there.
//
// The command line calls it, for `sim run --save-as-test` and `sim init`. It plays nothing and writes no file: it is
// given the timeline, and returns text.
package save

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Test returns the text of a scenario with more expectations, each YAML of one or several lines, behind those that it
// has. Those that it has already are left out; added is how many were not. The rest of the text stays as it is, byte
// for byte: comments and order are their author's. It is an error if the text cannot be edited by lines, because it,
// or its list of expectations, is written in flow style.
func Test(text []byte, expectations []string) (test []byte, added int, err error) {
	root, at, err := rootOf(text)
	if err != nil {
		return nil, 0, err
	}
	if at < 0 {
		whole := append(bytes.TrimRight(slices.Clone(text), " \n"), "\nexpect:\n"...)
		return append(whole, items("  ", expectations)...), len(expectations), nil
	}
	return behind(text, root, at, expectations)
}

// rootOf returns the mapping that a scenario is, and the place of its key expect in it, -1 if it has none.
func rootOf(text []byte) (root *yaml.Node, at int, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, 0, err
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, 0, strict.Problem{What: "a scenario is not a mapping"}
	}
	root = doc.Content[0]
	if root.Style&yaml.FlowStyle != 0 {
		return nil, 0, fmt.Errorf("the scenario is written in flow style: write its keys in lines of their own")
	}
	return root, keyAt(root, "expect"), nil
}

// keyAt returns the place of a key in a mapping, -1 if it has none.
func keyAt(n *yaml.Node, key string) int {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// behind puts expectations behind those that stand under a key of the scenario; at is the place of that key in root. A
// list that is empty begins again as a block.
func behind(text []byte, root *yaml.Node, at int, expectations []string) ([]byte, int, error) {
	list := root.Content[at+1]
	fresh, err := others(expectations, list.Content)
	if err != nil {
		return nil, 0, err
	}
	var more []string
	for _, f := range fresh {
		more = append(more, f.text)
	}
	lines := strings.SplitAfter(string(text), "\n")
	end := len(lines)
	if at+2 < len(root.Content) {
		end = root.Content[at+2].Line - 1
	}
	for end > 0 && blank(lines[end-1]) {
		end--
	}
	if n := len(lines[end-1]); n == 0 || lines[end-1][n-1] != '\n' {
		lines[end-1] += "\n"
	}
	indent := "  "
	switch {
	case len(list.Content) == 0:
		// There is none, or an empty list: the key begins again.
		lines[root.Content[at].Line-1] = "expect:\n"
	case list.Style&yaml.FlowStyle != 0:
		return nil, 0, fmt.Errorf("line %d: the expectations are written in flow style: write each in a line of its own, "+
			"after a -", list.Line)
	default:
		indent = strings.Repeat(" ", list.Column-1)
	}
	whole := strings.Join(lines[:end], "") + items(indent, more) + strings.Join(lines[end:], "")
	return []byte(whole), len(more), nil
}

// blank says whether a line says nothing, or is a comment about what comes after it.
func blank(line string) bool {
	return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#")
}

// items returns the lines of a list; a text of several lines is indented below its dash.
func items(indent string, texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		b.WriteString(indent + "- " + strings.ReplaceAll(text, "\n", "\n"+indent+"  ") + "\n")
	}
	return b.String()
}

// flow renders a value on one line, with its keys sorted, so that two with one meaning are the same: without the fields
// that are recorded, which are not judged.
func flow(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		var parts []string
		for i := 0; i+1 < len(n.Content); i += 2 {
			if key := n.Content[i].Value; key != "recorded" {
				parts = append(parts, key+": "+flow(n.Content[i+1]))
			}
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case yaml.SequenceNode:
		var parts []string
		for _, item := range n.Content {
			parts = append(parts, flow(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return n.Value
}
