package strict

import (
	"errors"

	"gopkg.in/yaml.v3"
)

// Find returns the node to which a path leads, or the nearest one above it.
func Find(n *yaml.Node, path []any, key bool) *yaml.Node {
	for i, part := range path {
		var next *yaml.Node
		for n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		switch part := part.(type) {
		case int:
			if n.Kind == yaml.SequenceNode && part < len(n.Content) {
				next = n.Content[part]
			}
		case string:
			for at := 0; at+1 < len(n.Content) && n.Kind == yaml.MappingNode; at += 2 {
				if n.Content[at].Value == part {
					next = n.Content[at+1]
					if key && i == len(path)-1 {
						next = n.Content[at]
					}
				}
			}
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// Wrong is what is wrong in one of several JSON documents that were decoded. Document is its index. Path leads to the
// place: the keys of objects as text, the indexes of arrays as numbers. What and Want are as of a Problem.
type Wrong struct {
	Document   int
	Path       []any
	What, Want string
}

// Error is what is wrong, without its place.
func (w *Wrong) Error() string {
	if w.Want == "" {
		return w.What
	}
	return w.What + ": " + w.Want
}

// In returns it with its place in the text of the document.
func (w *Wrong) In(file string, data []byte) Problem {
	p := Problem{File: file, Line: 1, Column: 1, What: oneLine(w.What), Want: oneLine(w.Want)}
	if docs, _ := documents(file, data, DefaultLimits()); len(docs) > 0 {
		at := Find(docs[0].Content[0], w.Path, false)
		p.Line, p.Column = at.Line, at.Column
	}
	return p
}

// Document is a JSON document, and its file.
type Document struct {
	Name string
	Data []byte
}

// Merge decodes documents, and merges them. An error of merge that is Wrong gets its place in the documents.
func Merge[T any](documents []Document, merge func([]*T) (*T, error)) (*T, error) {
	var all []*T
	for _, d := range documents {
		value := new(T)
		if err := JSON(d.Name, d.Data, value); err != nil {
			return nil, err
		}
		all = append(all, value)
	}
	merged, err := merge(all)
	if wrong := (*Wrong)(nil); errors.As(err, &wrong) {
		return nil, wrong.In(documents[wrong.Document].Name, documents[wrong.Document].Data)
	}
	return merged, err
}
