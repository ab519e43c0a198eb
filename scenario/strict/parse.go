package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// Parse reads the documents of a YAML file; empty documents are left out. In its result, aliases and merge keys
// (<<) are written out, so that a reader never meets them; the nodes may share parts and must not be changed. If
// the file cannot be used at all there are problems and no documents; duplicate keys, or keys that are not text,
// are problems in addition to the documents. A Helm template that cannot be read is a single problem.
func Parse(file string, data []byte, limits Limits) ([]*yaml.Node, Problems) {
	docs, problems := parse(file, data, limits, nil)
	if len(problems) > 0 {
		if p := unrendered(file, data); p != nil {
			return nil, Problems{*p}
		}
	}
	return docs, problems
}

// parse is Parse without the check for templates. It notes duplicate keys in doubled, and the last one counts; if
// doubled is nil they are problems.
func parse(file string, data []byte, limits Limits, doubled *doubledKeys) ([]*yaml.Node, Problems) {
	limits = limits.OrDefault()
	if p := checkText(file, data, limits); p != nil {
		return nil, Problems{*p}
	}
	data = withoutMarks(data)
	docs, p := documents(file, data, limits)
	if p != nil {
		return nil, Problems{*p}
	}
	guard := guard{file: file, limits: limits, faster: faster(data), sizes: map[*yaml.Node]extent{}}
	for _, doc := range docs {
		if p := guard.check(doc); p != nil {
			return nil, Problems{*p}
		}
	}
	resolver := resolver{file: file, done: map[*yaml.Node]bool{}, doubled: doubled}
	var content []*yaml.Node
	for _, doc := range docs {
		joined := doubled != nil && joinedAt(doc.Content[0]) != nil
		if joined {
			doubled.noteJoined(file, doc.Content[0])
		}
		root := resolver.resolve(doc.Content[0])
		if joined {
			doubled.forgetJoined(root)
		}
		if !isNull(root) {
			content = append(content, root)
		}
	}
	return content, resolver.problems
}

// byteOrderMark starts a text from some editors.
var byteOrderMark = []byte("\ufeff")

// markedDocument finds the byte order mark of a document that is not the first.
var markedDocument = lazy.Regexp(`(?m)^(---[ \t]*(?:#.*)?\r?\n)\x{feff}`)

// withoutMarks returns a text without the byte order marks of its documents. Concatenated files have one each.
// kubectl divides the text first, so it finds them at the start of each document.
func withoutMarks(data []byte) []byte {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if !bytes.Contains(data, byteOrderMark) {
		return data
	}
	return markedDocument().ReplaceAll(data, []byte("$1"))
}

// ParseOne reads a file that must hold exactly one document.
func ParseOne(file string, data []byte, limits Limits) (*yaml.Node, Problems) {
	docs, problems := Parse(file, data, limits)
	return One(file, docs, problems)
}

// One returns the only document from Parse; it is a problem if there are more, or none. problems are the problems
// from Parse, and are returned too.
func One(file string, docs []*yaml.Node, problems Problems) (*yaml.Node, Problems) {
	switch {
	case len(docs) == 0 && len(problems) == 0:
		return nil, Problems{{File: file, Line: 1, Column: 1, What: "the file is empty"}}
	case len(docs) > 1:
		return nil, append(problems, at(file, docs[1], "the file has more than one document", "write one file for each"))
	case len(docs) == 0:
		return nil, problems
	}
	return docs[0], problems
}

// Text returns what is wrong with a file as text, for callers that copy its content; nil if it can be parsed.
func Text(file string, data []byte, limits Limits) error {
	if p := checkText(file, data, limits.OrDefault()); p != nil {
		return *p
	}
	return nil
}

// checkText returns what is wrong with a text: its size, a table of kubectl's, bytes that are not UTF-8; nil if
// nothing is wrong.
func checkText(file string, data []byte, limits Limits) *Problem {
	if int64(len(data)) > limits.FileSize {
		return tooLarge(file, data, limits)
	}
	if p := forPeople(file, data); p != nil {
		return p
	}
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return &Problem{File: file, Line: 1, Column: 1, What: "this is compressed with gzip",
			Want: "unpack it first, or, if it is a Helm chart, pass what helm template prints for it"}
	}
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return &Problem{File: file, Line: 1, Column: 1, What: "this is UTF-16, as PowerShell 5 writes it",
			Want: "write it as UTF-8: | Out-File -Encoding utf8 FILE"}
	}
	for offset := 0; offset < len(data); {
		r, size := utf8.DecodeRune(data[offset:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			line := 1 + bytes.Count(data[:offset], []byte("\n"))
			column := offset - bytes.LastIndexByte(data[:offset], '\n')
			return &Problem{File: file, Line: line, Column: column,
				What: fmt.Sprintf("byte %#02x is not text", data[offset]), Want: "a file must be YAML in UTF-8"}
		}
		offset += size
	}
	return nil
}

// documents runs the YAML parser. The parser is not ours: an input that makes it panic is refused.
func documents(file string, data []byte, limits Limits) (docs []*yaml.Node, problem *Problem) {
	defer func() {
		if v := recover(); v != nil {
			what := fmt.Sprintf("the YAML parser fails: %v", v)
			docs, problem = nil, &Problem{File: file, Line: 1, Column: 1, What: what}
		}
	}()
	text := &watched{text: bytes.NewReader(data), limit: limits.Memory, nearly: nearlyFull}
	decoder := yaml.NewDecoder(text)
	for {
		doc := new(yaml.Node)
		err := decoder.Decode(doc)
		if text.full {
			return nil, text.problem(file, data)
		}
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			p := syntaxProblem(file, data, err)
			return nil, &p
		}
		if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 {
			continue
		}
		docs = append(docs, doc)
		if len(docs) > limits.Documents {
			p := at(file, doc, fmt.Sprintf("the file has more than %d documents", limits.Documents),
				"split it, or raise the limit with --max-documents")
			return nil, &p
		}
	}
}

// isNull reports whether a value is null, written or left out.
func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// ParseBlock reads the stream of manifests in a block of text that is the value of n, and adds its problems to r.
// Positions are positions in the file, except the column if the block's own indentation is not two more than its
// key's.
func ParseBlock(r *Reader, n *yaml.Node, text string) []*yaml.Node {
	if r.Doubled == nil {
		r.Doubled = map[*yaml.Node]Problem{}
	}
	stream := parseStream(r.File, []byte(text), r.Limits, &doubledKeys{r.Doubled, new(Problems), n.Line})
	r.Warnings = append(r.Warnings, stream.Joined...)
	for _, problem := range stream.Problems {
		problem.Line += n.Line
		r.Problems.add(problem)
	}
	shifted := map[*yaml.Node]bool{}
	for _, doc := range stream.Docs {
		shift(doc, n.Line, shifted)
	}
	return stream.Docs
}

// shift moves the nodes of a tree down by some lines, each once.
func shift(n *yaml.Node, lines int, shifted map[*yaml.Node]bool) {
	if shifted[n] {
		return
	}
	shifted[n] = true
	n.Line += lines
	for _, child := range n.Content {
		shift(child, lines, shifted)
	}
}
