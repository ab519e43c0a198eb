package explore

import (
	"bytes"

	"gopkg.in/yaml.v3"
)

// Manifests returns the text of a scenario that applies one manifest and, once all is settled, each change of it. The
// streams stand in the text as they are, so an error names a line of the scenario and not of the manifest's file.
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

// applied returns steps that apply the streams, in their order. Each stands in the text as a literal block, which
// needs a line break at its end.
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

// IsDump says whether a stream of manifests is a dump of a live cluster: it has pods with a status, by themselves or
// in a List as kubectl prints it. It looks at each document until one cannot be parsed; what is wrong there is
// reported by whoever reads the stream.
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

// isLivePod says whether an object is a pod with a status, which no manifest of a chart has.
func isLivePod(object *yaml.Node) bool {
	kind := value(object, "kind")
	return kind != nil && kind.Value == "Pod" && value(object, "status") != nil
}
