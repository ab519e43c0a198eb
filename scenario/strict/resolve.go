package strict

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

// resolver replaces aliases by their nodes and writes out merge keys, in place. It is only used on trees that the
// guard has let through, so none contains itself. Nodes stay shared if aliases share them, so memory does not grow
// with the aliases.
type resolver struct {
	file string
	// done are the nodes with an anchor that are resolved, so that each is resolved once. No other is met twice.
	done     map[*yaml.Node]bool
	problems Problems
	// doubled notes doubled keys; nil makes problems of them.
	doubled *doubledKeys
}

// resolve returns the replacement of n, with everything below it resolved.
func (r *resolver) resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Anchor != "" {
		if r.done[n] {
			return n
		}
		r.done[n] = true
	}
	for i := range n.Content {
		n.Content[i] = r.resolve(n.Content[i])
	}
	if n.Kind == yaml.MappingNode {
		if n.Style&yaml.FlowStyle != 0 {
			r.rejoin(n)
		}
		r.mapping(n)
	}
	return n
}

// mapping looks for keys that are duplicates or not text, and writes out merge keys. A mapping's own key takes
// precedence over a merged one, and an earlier merged key over a later one.
func (r *resolver) mapping(n *yaml.Node) {
	// seen has the place in own of the key that counts. own takes the place of the content as that is read.
	seen, own := map[string]int{}, n.Content[:0]
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		place, doubled := seen[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode:
			r.problems.add(at(r.file, key, "a key is a "+kindName(key), "keys are text; quote this"))
		case isMerge(key):
			merged = append(merged, r.sources(value)...)
		case doubled:
			r.double(own[place:], key, value)
		default:
			seen[key.Value] = len(own)
			own = append(own, key, value)
			takeComment(key, value)
		}
	}
	for _, source := range merged {
		for i := 0; i+1 < len(source.Content); i += 2 {
			key := source.Content[i]
			if _, known := seen[key.Value]; !known {
				seen[key.Value] = len(own)
				own = append(own, key, source.Content[i+1])
			}
		}
	}
	n.Content = own
}

// double puts a duplicate key in place of the first one, which own starts with, or makes a problem of it.
func (r *resolver) double(own []*yaml.Node, key, value *yaml.Node) {
	what := fmt.Sprintf("duplicate key %q", Shorten(key.Value))
	if r.doubled == nil {
		mend := "keep one"
		if value.Kind == own[1].Kind && value.Kind != yaml.ScalarNode {
			mend = "put both into one"
		}
		r.problems.add(at(r.file, key, what, fmt.Sprintf("first used on line %d: %s", own[0].Line, mend)))
		return
	}
	r.doubled.note(r.file, what, own[0], key)
	own[0], own[1] = key, value
}

// takeComment moves a comment in the place of a value from the key, where the parser leaves it, to the value:
// perhaps it was meant as a value.
func takeComment(key, value *yaml.Node) {
	if isNull(value) && value.Value == "" && value.LineComment == "" {
		value.LineComment, key.LineComment = key.LineComment, ""
	}
}

// sources returns the mappings that a merge key names, in their order; anything else is a problem.
func (r *resolver) sources(value *yaml.Node) []*yaml.Node {
	list := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		list = value.Content
	}
	var mappings []*yaml.Node
	for _, source := range list {
		if source.Kind != yaml.MappingNode {
			r.problems.add(at(r.file, source, "the merge key << is given a "+kindName(source),
				"it takes an alias of a mapping, or a list of them"))
			continue
		}
		mappings = append(mappings, source)
	}
	return mappings
}

// isMerge reports whether a key is a merge key; a quoted "<<" with a tag of text is not.
func isMerge(key *yaml.Node) bool {
	return key.Value == "<<" && (key.Tag == "" || key.Tag == "!" || key.ShortTag() == "!!merge")
}

// kindName names the kind of a value in messages.
func kindName(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "mapping"
	case n.Kind == yaml.SequenceNode:
		return "list"
	case isNull(n):
		return "null"
	}
	return "single value"
}
