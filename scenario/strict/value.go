package strict

import "gopkg.in/yaml.v3"

// Value converts a YAML node into the value that JSON would have. Of a duplicate key the last value counts. It costs
// O(nodes); Decode of yaml.v3 compares each key of a mapping with each other one, and large objects have many.
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
