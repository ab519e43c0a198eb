package explore

import (
	"bytes"

	"gopkg.in/yaml.v3"
)

// Manifests returns the text of a scenario that applies one manifest and, once all is settled, each change of it.
func Manifests(streams ...[]byte) []byte {
	return written(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{plain("steps"), applied(streams)}})
}

// Live returns the text of a scenario that begins with the live sets of a dump, the file of that name, and applies each
// change.
func Live(dump string, changes ...[]byte) []byte {
	content := []*yaml.Node{plain("start"), plain(dump)}
	if len(changes) > 0 {
		content = append(content, plain("steps"), applied(changes))
	}
	return written(&yaml.Node{Kind: yaml.MappingNode, Content: content})
}

func applied(streams [][]byte) *yaml.Node {
	steps := &yaml.Node{Kind: yaml.SequenceNode}
	for _, data := range streams {
		inline := plain(string(data) + "\n")
		inline.Style = yaml.LiteralStyle
		steps.Content = append(steps.Content, &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{plain("apply"),
			inline}})
	}
	return steps
}

// IsDump says whether a stream of manifests is a dump of a live cluster: it has pods with a status.
func IsDump(data []byte) bool {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		if decoder.Decode(&doc) != nil {
			return false
		}
		if len(doc.Content) == 0 {
			continue
		}
		if isLivePod(doc.Content[0]) {
			return true
		}
		if items := value(doc.Content[0], "items"); items != nil {
			for _, item := range items.Content {
				if isLivePod(item) {
					return true
				}
			}
		}
	}
}

func isLivePod(object *yaml.Node) bool {
	kind := value(object, "kind")
	return kind != nil && kind.Value == "Pod" && value(object, "status") != nil
}
