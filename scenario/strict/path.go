package strict

import (
	"errors"
	"time"

	"gopkg.in/yaml.v3"
)

// Find returns the node that a path leads to, or the nearest one above it.
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

// Wrong is a mistake in one of several JSON documents that were decoded. Document is its index. Path leads to the
// place: the keys of objects as text, the indexes of arrays as numbers. What and Want are the same as in a Problem.
type Wrong struct {
	Document   int
	Path       []any
	What, Want string
}

// Error returns the mistake, without its place.
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

// Limits keep a typing error, or an attack, from exhausting the machine. Each is named in its message together with
// the flag that raises it. A 0 means the default, see OrDefault; no value means "no limit".
type Limits struct {
	// FileSize is the greatest size of a file in bytes (--max-file-size).
	FileSize int64
	// Depth is the greatest nesting of a file (--max-depth).
	Depth int
	// Nodes is the greatest number of values in a file, aliases written out (--max-nodes). A million of them, or a
	// tenth if that is more, may be there only because of aliases.
	Nodes int64
	// Documents is the greatest number of documents in a file (--max-documents).
	Documents int
	// Replicas is the greatest number of replicas of one set, and of all sets together (--max-replicas).
	Replicas int32
	// Duration is the greatest virtual time that a file may name (--max-duration).
	Duration time.Duration
	// Events is the greatest number of events in the timeline (--max-events).
	Events int
	// Memory is the memory that a run, or a YAML file that is read, may hold, in bytes (--max-memory).
	Memory int64
	// Cost is the total cost that the conditions of a run may have (--max-cost). A unit is about one field that is read
	// or one comparison.
	Cost int64
}

// DefaultLimits returns the limits that hold if no flag raises them: far above what people write, and low enough for a
// laptop. A dump of 2,000 sets with three pods each has up to 130 MB and 6,000,000 values.
func DefaultLimits() Limits {
	return Limits{
		FileSize:  256 << 20,
		Depth:     100,
		Nodes:     10_000_000,
		Documents: 100_000,
		Replicas:  100_000,
		Duration:  10 * 365 * 24 * time.Hour,
		Events:    3_000_000,
		Memory:    1 << 30,
		Cost:      200_000_000,
	}
}

// copies returns the greatest number of values that a file may have by its aliases: a small one can have very many.
func (l *Limits) copies() int64 { return max(1_000_000, l.Nodes/10) }

// OrDefault returns the limits with the defaults in place of zeros.
func (l Limits) OrDefault() Limits {
	all := DefaultLimits()
	fill(&l.FileSize, all.FileSize)
	fill(&l.Depth, all.Depth)
	fill(&l.Nodes, all.Nodes)
	fill(&l.Documents, all.Documents)
	fill(&l.Replicas, all.Replicas)
	fill(&l.Duration, all.Duration)
	fill(&l.Events, all.Events)
	fill(&l.Memory, all.Memory)
	fill(&l.Cost, all.Cost)
	return l
}

// fill sets a value that is zero.
func fill[T comparable](value *T, fallback T) {
	var zero T
	if *value == zero {
		*value = fallback
	}
}
