package dump

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Source is the content of a file or of standard input, with a name for messages.
type Source struct {
	Name string
	Data []byte
}

// object is one object of a dump as it was printed, and where: its first line in a file.
type object struct {
	kind, version string
	fields        map[string]any
	file          string
	line          int
}

// problem says what is wrong with an object.
func (o *object) problem(what, want string) strict.Problem {
	return strict.Problem{File: o.file, Line: o.line, Column: 1, What: what, Want: want}
}

// eachObject hands on the objects of a source, one by one, so that not all are held: those of its documents and of the
// Lists in them. JSON is read as such, since it is much faster; everything else is YAML.
func eachObject(source Source, limits strict.Limits, take func(*object)) error {
	s := splitter{file: source.Name, take: take}
	data := bytes.TrimLeft(bytes.TrimPrefix(source.Data, []byte("\ufeff")), " \t\r\n")
	if len(data) > 0 && (data[0] == '{' || data[0] == '[') && json.Valid(firstOf(data)) {
		lines := bytes.Count(source.Data[:len(source.Data)-len(data)], []byte("\n"))
		return s.json(data, 1+lines)
	}
	return s.yaml(source, limits)
}

// firstOf returns the first JSON value of some text, nil if it does not begin with one.
func firstOf(data []byte) []byte {
	var raw json.RawMessage
	if json.NewDecoder(bytes.NewReader(data)).Decode(&raw) != nil {
		return nil
	}
	return raw
}

// splitter splits sources into objects, which take takes.
type splitter struct {
	file string
	take func(*object)
}

// yaml adds the objects of YAML documents.
func (s *splitter) yaml(source Source, limits strict.Limits) error {
	docs, problems := strict.Parse(source.Name, source.Data, limits)
	if docs == nil && len(problems) > 0 {
		return problems.Err()
	}
	for _, doc := range docs {
		s.node(doc)
	}
	return nil
}

// node adds an object, or the items of a List.
func (s *splitter) node(n *yaml.Node) {
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			s.node(item)
		}
		return
	}
	var items *yaml.Node
	kind := ""
	for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		switch n.Content[i].Value {
		case "items":
			items = n.Content[i+1]
		case "kind":
			kind = n.Content[i+1].Value
		}
	}
	if items != nil && strings.HasSuffix(kind, "List") {
		s.node(items)
		return
	}
	if fields, ok := plain(n).(map[string]any); ok {
		s.add(fields, n.Line)
	}
}

// json adds JSON documents that follow each other.
func (s *splitter) json(data []byte, line int) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	for {
		next := bytes.TrimLeft(data[decoder.InputOffset():], " \t\r\n")
		at := line + bytes.Count(data[:len(data)-len(next)], []byte("\n"))
		var document any
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return strict.Problems{{File: s.file, Line: at, Column: 1, What: "this is not JSON: " + err.Error(),
				Want: "a dump is what kubectl get -o yaml or -o json prints"}}
		}
		s.value(document, at)
	}
}

// value adds an object, or the items of a List or an array.
func (s *splitter) value(v any, line int) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			s.value(item, line)
		}
	case map[string]any:
		kind, _ := v["kind"].(string)
		if items, isList := v["items"].([]any); isList && strings.HasSuffix(kind, "List") {
			s.value(items, line)
			return
		}
		s.add(v, line)
	}
}

// add adds an object that says what it is; anything else is skipped.
func (s *splitter) add(fields map[string]any, line int) {
	o := &object{fields: fields, file: s.file, line: line}
	o.kind, _ = fields["kind"].(string)
	o.version, _ = fields["apiVersion"].(string)
	if o.kind != "" && o.version != "" {
		s.take(o)
	}
}

// plain converts a YAML node into the value that JSON would have. Of a duplicate key the last value counts.
func plain(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		fields := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			fields[n.Content[i].Value] = plain(n.Content[i+1])
		}
		return fields
	case yaml.SequenceNode:
		items := make([]any, len(n.Content))
		for i, item := range n.Content {
			items[i] = plain(item)
		}
		return items
	case yaml.AliasNode:
		return plain(n.Alias)
	}
	if n.ShortTag() == "!!str" || n.ShortTag() == "!!timestamp" {
		return n.Value
	}
	var v any
	if n.Decode(&v) != nil {
		return n.Value
	}
	return v
}

// into decodes the object into a value of one of the API's types. Fields that the type does not have are ignored.
func (o *object) into(value any) error {
	data, err := json.Marshal(o.fields)
	if err == nil {
		err = json.Unmarshal(data, value)
	}
	if err != nil {
		what := fmt.Sprintf("the %s %s cannot be decoded: %s", o.kind, o.name(), strings.TrimPrefix(err.Error(), "json: "))
		return strict.Problems{o.problem(what, "a dump is what kubectl get -o yaml or -o json prints")}
	}
	return nil
}

func (o *object) name() string {
	metadata, _ := o.fields["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	return name
}

// Looks says whether some text looks like a dump, or a manifest, and not like a scenario. It does not parse, so it
// works for text with mistakes and for large dumps.
func Looks(data []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	if len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		return bytes.Contains(text, []byte(`"kind"`)) && !bytes.Contains(text, []byte(`"steps"`))
	}
	kind := false
	for line := range bytes.Lines(data) {
		if bytes.HasPrefix(line, []byte("steps:")) || bytes.HasPrefix(line, []byte("start:")) {
			return false
		}
		kind = kind || bytes.HasPrefix(line, []byte("kind:"))
	}
	return kind
}
