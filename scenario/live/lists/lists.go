// Package lists reads the objects of what kubectl prints: YAML or JSON, Lists of kinds or of one, several documents one
// after the other. It does not ask what the objects are.
package lists

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Source is the content of a file or of standard input, with a name for messages.
type Source struct {
	Name string
	Data []byte
}

// Object is one object of a dump as it was printed, and where: its first line in a file. Fields is the whole object as
// JSON has it; Kind is never "", and Version is its apiVersion.
type Object struct {
	Kind, Version string
	Fields        map[string]any
	File          string
	Line          int
	// Place finds the line and column of a part of the object. It may only be called while the object is taken.
	Place func(path []any, key bool) (line, column int)
}

// Problem says what is wrong with an object.
func (o *Object) Problem(what, want string) strict.Problem {
	return strict.Problem{File: o.File, Line: o.Line, Column: 1, What: what, Want: want}
}

// Each hands on the objects of a source, one by one, so that not all are held: those of its documents and of the
// Lists in them. JSON is read as such, since it is much faster; everything else is YAML.
func Each(source Source, limits strict.Limits, take func(*Object)) error {
	s := splitter{file: source.Name, take: take, limits: limits}
	data := bytes.TrimLeft(bytes.TrimPrefix(source.Data, []byte("\ufeff")), " \t\r\n")
	if len(data) > 0 && (data[0] == '{' || data[0] == '[') {
		if p := strict.TooMany(source.Name, data, limits); p != nil {
			return strict.Problems{*p}
		}
		lines := bytes.Count(source.Data[:len(source.Data)-len(data)], []byte("\n"))
		if list, size := firstOf(data); size > 0 {
			return s.json(data, list, size, 1+lines)
		}
	}
	return s.yaml(source)
}

// splitter splits sources into objects, which take takes.
type splitter struct {
	file string
	take func(*Object)
	// limits are those of the file; unseen is the number of bytes read since the memory was last looked at.
	limits strict.Limits
	unseen int
	// kind and version are what the items of a list of one kind are: they need not say it.
	kind, version string
	// done is the number of lines whose objects have been added already.
	done int
}

// yaml adds the objects of YAML documents. The items of a List are parsed one by one, as far as they can be: as nodes,
// all of a large dump at once take thirty times the room of its text.
func (s *splitter) yaml(source Source) error {
	if s.items(source) {
		return nil
	}
	docs, problems := strict.Parse(source.Name, source.Data, s.limits)
	if len(problems) > 0 {
		return problems.Err()
	}
	for _, doc := range docs {
		s.node(doc, 0)
	}
	return nil
}

// items adds the items of a List that kubectl has printed, up to some that cannot be parsed apart from the rest. It
// says whether that was all; if not, the whole is to be parsed, which finds out what is wrong, and done has the lines
// that were added.
func (s *splitter) items(source Source) bool {
	limits := s.limits.OrDefault()
	items := strict.YAMLItems(source.Data)
	if items == nil || int64(len(source.Data)) > limits.FileSize {
		return false
	}
	lines, seen, nodes := 0, 0, int64(0)
	for _, some := range together(items) {
		lines += bytes.Count(source.Data[seen:some.From], []byte("\n"))
		seen = some.From
		if s.exhausted(source.Data, some) != nil {
			return false
		}
		text := source.Data[some.From:some.To]
		docs, problems := strict.Parse(source.Name, text, limits)
		if len(problems) > 0 || len(docs) > 1 {
			return false
		}
		for _, doc := range docs {
			if nodes += size(doc); nodes > limits.Nodes {
				return false
			}
			s.node(doc, lines)
		}
		s.done = lines + bytes.Count(text, []byte("\n"))
	}
	return true
}

// atOnce is the number of bytes of items that are parsed at once: a parser for each costs half as much as parsing.
const atOnce = 16 << 10

// together joins items that follow each other up to atOnce.
func together(items []strict.Span) []strict.Span {
	var list []strict.Span
	for _, item := range items {
		if n := len(list); n > 0 && item.To-list[n-1].From <= atOnce {
			list[n-1].To = item.To
		} else {
			list = append(list, item)
		}
	}
	return list
}

// lookEvery is the number of bytes after which the memory is looked at.
const lookEvery = 1 << 20

// exhausted returns the problem of a file that takes too much memory, before an item of it is read.
func (s *splitter) exhausted(data []byte, item strict.Span) *strict.Problem {
	if s.unseen += item.To - item.From; s.unseen < lookEvery {
		return nil
	}
	s.unseen = 0
	return strict.Exhausted(s.file, data, s.limits)
}

// size returns the number of nodes of a tree.
func size(n *yaml.Node) int64 {
	sum := int64(1)
	for _, child := range n.Content {
		sum += size(child)
	}
	return sum
}

// node adds an object, or the items of a List, of a text before which the source has so many lines.
func (s *splitter) node(n *yaml.Node, before int) {
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			s.node(item, before)
		}
		return
	}
	kind, version := manifest.Field(n, "kind"), manifest.Field(n, "apiVersion")
	if items := manifest.Field(n, "items"); items != nil && kind != nil && strings.HasSuffix(kind.Value, "List") {
		defer s.within(kind.Value, cmp.Or(version, &yaml.Node{}).Value)()
		s.node(items, before)
		return
	}
	if fields, ok := strict.Value(n).(map[string]any); ok && n.Line+before > s.done {
		s.add(fields, n.Line+before, func(path []any, key bool) (int, int) {
			at := strict.Find(n, path, key)
			return at.Line + before, at.Column
		})
	}
}

// firstOf returns the JSON document with which a text begins, as a List if it is one, and its size; 0 if there is none.
func firstOf(data []byte) (*strict.JSONList, int) {
	if list := strict.FirstList(data); list != nil {
		return list, list.Size
	}
	return nil, len(strict.FirstJSON(data))
}

// json adds the JSON documents of a text, which begins in a line of the source. The first one has been found.
func (s *splitter) json(data []byte, list *strict.JSONList, size, line int) error {
	whole, first := data, line
	for {
		if err := s.document(data[:size], list, line); err != nil {
			return err
		}
		next := bytes.TrimLeft(data[size:], " \t\r\n")
		line += bytes.Count(data[:len(data)-len(next)], []byte("\n"))
		if data = next; len(data) == 0 {
			return nil
		}
		if list, size = firstOf(data); size == 0 {
			return s.notJSON(json.Unmarshal(data, new(any)), whole, len(whole)-len(data), first)
		}
	}
}

// notJSON is the error of JSON that cannot be decoded, from an offset of a text on that begins in a line.
func (s *splitter) notJSON(err error, data []byte, from, line int) error {
	p := strict.JSONProblem(s.file, data, int64(from), err)
	p.Line += line - 1
	p.Want = cmp.Or(p.Want, "a dump is what kubectl get -o yaml or -o json prints")
	return strict.Problems{p}
}

// document adds the objects of a JSON document. The items of a List are decoded one by one.
func (s *splitter) document(data []byte, list *strict.JSONList, line int) error {
	items := []strict.Span{{To: len(data)}}
	if list != nil {
		items = list.Items
		defer s.within(list.Kind, list.Version)()
	}
	// begins is where the line of an item begins.
	seen, begins, first := 0, 0, line
	for _, item := range items {
		line += bytes.Count(data[seen:item.From], []byte("\n"))
		if at := bytes.LastIndexByte(data[seen:item.From], '\n'); at >= 0 {
			begins = seen + at + 1
		}
		seen = item.From
		if p := s.exhausted(data, item); p != nil {
			return strict.Problems{*p}
		}
		var v any
		if err := json.Unmarshal(data[item.From:item.To], &v); err != nil {
			return s.notJSON(err, data, item.From, first)
		}
		s.value(v, jsonText{data[item.From:item.To], line, item.From - begins + 1}, nil)
	}
	return nil
}

// value adds an object, or the items of a List or an array, which a path leads to in its text.
func (s *splitter) value(v any, from jsonText, path []any) {
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			s.value(item, from, append(slices.Clone(path), i))
		}
	case map[string]any:
		kind := Text(v["kind"])
		if items, isList := v["items"].([]any); isList && strings.HasSuffix(kind, "List") {
			defer s.within(kind, Text(v["apiVersion"]))()
			s.value(items, from, append(slices.Clone(path), "items"))
			return
		}
		s.add(v, from.line, func(rest []any, key bool) (int, int) { return from.place(slices.Concat(path, rest), key) })
	}
}

// jsonText is the text of JSON, and where it begins in its file.
type jsonText struct {
	text         []byte
	line, column int
}

// place finds a part of the text, which is YAML too. It costs as much as reading the text once more.
func (t jsonText) place(path []any, key bool) (line, column int) {
	var root yaml.Node
	if yaml.Unmarshal(t.text, &root) != nil || len(root.Content) == 0 {
		return t.line, t.column
	}
	at := strict.Find(root.Content[0], path, key)
	if at.Line == 1 {
		return t.line, t.column + at.Column - 1
	}
	return t.line + at.Line - 1, at.Column
}

// within gives the kind of a list to what is added without a kind of its own, until leave is called.
func (s *splitter) within(kind, version string) (leave func()) {
	was, as := s.kind, s.version
	s.kind, s.version = strings.TrimSuffix(kind, "List"), version
	return func() { s.kind, s.version = was, as }
}

// add adds an object that says what it is; anything else is skipped.
func (s *splitter) add(fields map[string]any, line int, place func([]any, bool) (int, int)) {
	o := &Object{Fields: fields, File: s.file, Line: line, Place: place}
	o.Kind, o.Version = cmp.Or(Text(fields["kind"]), s.kind), cmp.Or(Text(fields["apiVersion"]), s.version)
	if o.Kind != "" && o.Version != "" {
		s.take(o)
	}
}

// Into decodes the object into a value of one of the API's types. Fields that the type does not have are ignored.
func (o *Object) Into(value any) error {
	if err := kube.Decode(o.Fields, value); err != nil {
		what, want := strict.Misfit(err)
		metadata, _ := o.Fields["metadata"].(map[string]any)
		named := strings.TrimSpace(o.Kind + " " + Text(metadata["name"]))
		return strict.Problems{o.Problem(fmt.Sprintf("the %s cannot be decoded: %s", named, what),
			cmp.Or(want, "a dump is what kubectl get -o yaml or -o json prints"))}
	}
	return nil
}

// Looks says whether some text looks like a dump, or a manifest, and not like a scenario. It does not parse, so it
// works for text with mistakes and for large dumps.
func Looks(data []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	if len(text) > 0 && (text[0] == '{' || text[0] == '[') && bytes.Contains(text, []byte(`"kind"`)) {
		return !bytes.Contains(text, []byte(`"steps"`))
	}
	kind, indent := IsCut(data), indentOf(data[:len(data)-len(text)])
	for line := range bytes.Lines(data) {
		if line = bytes.TrimPrefix(line, indent); len(line) == 0 {
			continue
		}
		if bytes.HasPrefix(line, []byte("steps:")) || bytes.HasPrefix(line, []byte("start:")) {
			return false
		}
		kind = kind || bytes.HasPrefix(line, []byte("kind:")) ||
			line[0] == '{' && bytes.Contains(line, []byte("kind:")) && !bytes.Contains(line, []byte("steps:"))
	}
	return kind
}

// indentOf returns the spaces at the end of a text, with which all lines of YAML begin that is indented as a whole.
func indentOf(before []byte) []byte { return before[len(bytes.TrimRight(before, " ")):] }

// IsCut reports whether a text is a List of kubectl whose end is missing: its kind comes after its items, and is PodList
// where a list of one kind was printed.
func IsCut(data []byte) bool {
	return bytes.HasPrefix(data, []byte("apiVersion: v1\nitems:\n")) && !bytes.Contains(data, []byte("\nkind: "))
}

// Text returns a text of an object, "" for anything else.
func Text(v any) string {
	s, _ := v.(string)
	return s
}
