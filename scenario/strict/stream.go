package strict

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// Stream is a file of manifests as kubectl and Helm take it: if a key is doubled the last value counts, and JSON
// documents may come one after the other.
type Stream struct {
	// Docs are the documents, as of Parse. None is a list.
	Docs []*yaml.Node
	// Doubled are the keys that stood in their mappings before, by the node of the key that counts.
	Doubled map[*yaml.Node]Problem
	// Joined are the places where one object ends and another starts without --- between them. kubectl takes them
	// as one object, and the fields that the last one lacks remain from the first.
	Joined Problems
	// Problems are as of Parse.
	Problems Problems
}

// ParseStream reads a file of manifests. It differs from Parse only in accepting what kubectl and Helm accept.
func ParseStream(file string, data []byte, limits Limits) *Stream {
	return parseStream(file, data, limits, &doubledKeys{keys: map[*yaml.Node]Problem{}, joined: new(Problems)})
}

// parseStream reads the parts of a stream one by one, and counts their lines from the start of the whole.
func parseStream(file string, data []byte, limits Limits, doubled *doubledKeys) *Stream {
	s := &Stream{Doubled: doubled.keys}
	if p := badSeparator(file, data); p != nil {
		s.Problems, s.Joined = Problems{*p}, *doubled.joined
		return s
	}
	if IsSession(data) {
		s.Problems, s.Joined = Problems{*session(file)}, *doubled.joined
		return s
	}
	if int64(len(data)) <= limits.OrDefault().FileSize {
		data = skim(data)
	}
	for _, part := range jsonDocuments(data) {
		docs, problems := parse(file, part.text, limits, doubled.below(part.lines))
		for _, problem := range problems {
			if problem.Line > 0 {
				problem.Line += part.lines
			}
			s.Problems.add(problem)
		}
		shifted := map[*yaml.Node]bool{}
		for _, doc := range docs {
			if part.lines > 0 {
				shift(doc, part.lines, shifted)
			}
			if doc.Kind == yaml.SequenceNode {
				s.Problems.add(at(file, doc, "the document is a list, and kubectl takes only objects",
					"put its items into the items of a List, or write --- between them"))
				continue
			}
			s.Docs = append(s.Docs, doc)
		}
	}
	s.Joined = *doubled.joined
	if most := limits.OrDefault().Documents; len(s.Docs) > most {
		p := at(file, s.Docs[most], fmt.Sprintf("the file has more than %d documents", most),
			"split it, or raise the limit with --max-documents")
		return &Stream{Problems: Problems{p}}
	}
	if len(s.Problems) > 0 {
		if p := unrendered(file, data); p != nil {
			s.Docs, s.Problems = nil, Problems{*p}
		}
	}
	return s
}

// doubledKeys notes the duplicate keys, and the joined objects, in a text that starts so many lines after the start
// of its file.
type doubledKeys struct {
	keys   map[*yaml.Node]Problem
	joined *Problems
	lines  int
}

// below returns the same notes for a text that starts further down.
func (d *doubledKeys) below(lines int) *doubledKeys {
	return &doubledKeys{d.keys, d.joined, d.lines + lines}
}

// note notes that a key takes the place of the first one of its name.
func (d *doubledKeys) note(file, what string, first, key *yaml.Node) {
	problem := at(file, key, what, fmt.Sprintf("this one is used, and not that of line %d", first.Line+d.lines))
	problem.Line += d.lines
	d.keys[key] = problem
}

// Reader returns a reader of the documents, with the problems and the doubled keys of the stream.
func (s *Stream) Reader(file string, limits Limits) *Reader {
	return &Reader{
		File: file, Limits: limits, Problems: s.Problems, Doubled: s.Doubled, Warnings: slices.Clone(s.Joined),
	}
}

// part is one document of several, and the number of lines before it.
type part struct {
	text  []byte
	lines int
}

// jsonDocuments divides consecutive JSON documents, as jq and jsonnet write them: YAML has no such form. Anything
// else is one part, including JSON with a mistake, which the YAML parser locates.
func jsonDocuments(data []byte) []part {
	whole := []part{{text: data}}
	if text := bytes.TrimSpace(data); len(text) == 0 || text[0] != '{' {
		return whole
	}
	var parts []part
	for lines := 0; len(bytes.TrimLeft(data, " \t\r\n")) > 0; {
		document := FirstJSON(data)
		if document == nil {
			return whole
		}
		parts = append(parts, part{document, lines})
		lines += bytes.Count(document, []byte("\n"))
		data = data[len(document):]
	}
	return parts
}

// action matches an action of a Helm template that fills in a value.
var action = lazy.Regexp(`\{\{-?\s*[.\w("$/]`)

// unrendered returns the problem of a file that is a template of Helm, nil if it does not look like one. It is only
// asked about files that are not YAML, since valid YAML may have such braces in its texts.
func unrendered(file string, data []byte) *Problem {
	line := 0
	for text := range strings.Lines(string(data)) {
		line++
		if strings.HasPrefix(strings.TrimSpace(text), "#") {
			continue
		}
		if found := action().FindStringIndex(text); found != nil {
			return &Problem{File: file, Line: line, Column: found[0] + 1, What: "this is a Helm template",
				Want: "render it with helm template"}
		}
	}
	return nil
}
