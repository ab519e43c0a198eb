package scenario

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// shortVerbs are the verbs whose value may be the name of their object alone, as with kubectl (crash: web-0, restart:
// statefulset/web), each with the key that the name stands for.
var shortVerbs = map[string]string{
	"fail": "pod", "unready": "pod", "crash": "pod", "evict": "pod", "hang": "pod",
	"restart": "statefulset", "undo": "statefulset",
}

// kindNames are the other names by which kubectl knows the kinds of object that a step may name, with those that steps
// use.
var kindNames = map[string]string{
	"po": "pod", "pods": "pod", "sts": "statefulset", "statefulsets": "statefulset", "statefulset.apps": "statefulset",
	"persistentvolumeclaim": "pvc", "persistentvolumeclaims": "pvc", "svc": "service", "services": "service",
	"no": "node", "nodes": "node", "pdb": "poddisruptionbudget", "poddisruptionbudgets": "poddisruptionbudget",
}

// kindAndName splits KIND/NAME, the kind by any of its names. Without a slash all of it is the kind and name is "".
func kindAndName(text string) (kind, name string) {
	kind, name, _ = strings.Cut(text, "/")
	if known := kindNames[kind]; known != "" {
		kind = known
	}
	return kind, name
}

// writtenOut returns the value of a verb as the mapping that it is short for, at the same place of the file; any other
// value is returned as it is.
func writtenOut(verb string, n *yaml.Node) *yaml.Node {
	key := shortVerbs[verb]
	if key == "" || n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		return n
	}
	name := *n
	if kind, rest := kindAndName(n.Value); kind == key && rest != "" {
		name.Value = rest
	}
	mapping := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: n.Line, Column: n.Column}
	mapping.Content = []*yaml.Node{
		{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: n.Line, Column: n.Column}, &name,
	}
	return mapping
}
