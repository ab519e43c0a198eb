package scenario

import (
	"bytes"
	"cmp"
	"io/fs"
	"maps"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// Expand returns a scenario with its short forms and the manifests that it names by path written out as real
// manifests. It plays as the scenario itself does (a test compares the timelines), except for the digest and the
// lines of messages. dir may be nil if the scenario names no files. The error is strict.Problems, as for Parse.
func Expand(name string, data []byte, dir fs.FS, o Options) ([]byte, error) {
	l := newLoader(name, dir, o)
	root, err := l.parse(data)
	if err != nil {
		return nil, err
	}
	m := l.r.Map(root, "a scenario")
	inBlocks(root)
	for _, list := range []string{"steps", "faults"} {
		if n := m.Value(list); n != nil {
			l.writeOut(n)
		}
	}
	spellOut(root, map[*yaml.Node]bool{})
	quoteCommands(root)
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// commandLike is the text of a command to a GitHub workflow, at the start of a line.
var commandLike = lazy.Regexp(`(?m)^\s*::|##\[`)

// quoteCommands quotes each text that has such a line. So the line is not at the start of an output line, where it
// would be broken up to keep the log of a workflow from obeying it.
func quoteCommands(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && commandLike().MatchString(n.Value) {
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, child := range n.Content {
		quoteCommands(child)
	}
}

// writeOut writes out a list of steps or of faults: each value with manifests from the loader.
func (l *loader) writeOut(list *yaml.Node) {
	inBlocks(list)
	for _, step := range list.Content {
		inBlocks(step)
		for i := 1; i < len(step.Content); i += 2 {
			step.Content[i] = l.written(step.Content[i])
		}
	}
}

// inBlocks gives nodes the style of blocks: manifests may have comments, and these have no place in a flow.
func inBlocks(nodes ...*yaml.Node) {
	for _, n := range nodes {
		n.Style &^= yaml.FlowStyle
	}
}

// written returns what to write in the place of a value: manifests for a path, for a block of text or for a short
// form, or the value itself. A list of items may become longer, because a path may stand for several manifests.
func (l *loader) written(n *yaml.Node) *yaml.Node {
	if manifests, found := l.expanded[n]; found {
		if len(manifests) == 1 {
			return manifests[0]
		}
		return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: manifests}
	}
	if n.Kind != yaml.SequenceNode {
		return n
	}
	list := *n
	list.Content = nil
	inBlocks(&list)
	for _, item := range n.Content {
		if manifests, found := l.expanded[item]; found {
			list.Content = append(list.Content, manifests...)
		} else {
			list.Content = append(list.Content, item)
		}
	}
	return &list
}

// spellOut removes the anchors of a tree, since what an alias stood for has been written out, and writes null where a
// value was left out: the encoder would make an empty text of it. An alias makes a node occur several times; done has
// those that were seen.
func spellOut(n *yaml.Node, done map[*yaml.Node]bool) {
	if done[n] {
		return
	}
	done[n] = true
	n.Anchor = ""
	if n.Kind == yaml.ScalarNode && n.Value == "" && n.ShortTag() == "!!null" {
		n.Value, n.Style = "null", 0
	}
	for _, child := range n.Content {
		spellOut(child, done)
	}
}

// customary is the usual order of the fields of a manifest; other fields follow by name.
var customary = []string{
	"apiVersion", "kind", "name", "namespace", "metadata", "labels", "annotations", "image", "serviceName", "replicas",
	"podManagementPolicy", "updateStrategy", "minReadySeconds", "ordinals", "revisionHistoryLimit", "selector", "spec",
	"template", "containers",
}

// node renders a decoded JSON value as YAML, with the fields in their usual order. It panics for a value that JSON
// cannot have.
func node(value any) *yaml.Node {
	switch value := value.(type) {
	case map[string]any:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		keys := slices.SortedFunc(maps.Keys(value), func(a, b string) int {
			return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
		})
		for _, key := range keys {
			n.Content = append(n.Content, node(key), node(value[key]))
		}
		return n
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		for _, item := range value {
			n.Content = append(n.Content, node(item))
		}
		return n
	case int64:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatInt(value, 10)}
	}
	n := new(yaml.Node)
	if err := n.Encode(value); err != nil {
		panic("scenario: a value of a manifest cannot be written: " + err.Error())
	}
	return n
}

// rank returns the place of a field in customary; those that are not in it come last.
func rank(key string) int {
	if i := slices.Index(customary, key); i >= 0 {
		return i
	}
	return len(customary)
}
