package scenario

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// shortVerbs are the verbs that may name their object alone, as with kubectl: crash: web-0, restart: statefulset/web.
// It is the one of the key given here.
var shortVerbs = map[string]string{
	"fail": "pod", "unready": "pod", "crash": "pod", "evict": "pod", "hang": "pod",
	"restart": "statefulset", "undo": "statefulset",
}

// kindNames are the other names by which kubectl knows the kinds of object that a step may name.
var kindNames = map[string]string{
	"po": "pod", "pods": "pod", "sts": "statefulset", "statefulsets": "statefulset", "statefulset.apps": "statefulset",
	"persistentvolumeclaim": "pvc", "persistentvolumeclaims": "pvc", "svc": "service", "services": "service",
	"no": "node", "nodes": "node", "pdb": "poddisruptionbudget", "poddisruptionbudgets": "poddisruptionbudget",
}

// kindAndName splits KIND/NAME, the kind by any of its names.
func kindAndName(text string) (kind, name string) {
	kind, name, _ = strings.Cut(text, "/")
	if known := kindNames[kind]; known != "" {
		kind = known
	}
	return kind, name
}

// writtenOut returns the value of a verb as the mapping that it is short for.
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
