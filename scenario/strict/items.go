package strict

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Span is a part of a text: the bytes from From up to To, To itself not among them.
type Span struct{ From, To int }

// FirstJSON returns the first JSON document of a text that starts with one, nil if it does not.
func FirstJSON(data []byte) []byte {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if decoder.Decode(&skipped{}) != nil {
		return nil
	}
	return data[:decoder.InputOffset()]
}

// JSONList is a List in JSON: the places of its items in the text, in their order, its size in bytes, and its
// declared kind.
type JSONList struct {
	Items         []Span
	Size          int
	Kind, Version string
}

// FirstList returns the List at the start of a text. It is nil for JSON that is not a List, and for text that is
// not JSON. The items can then be decoded one by one: a large List takes ten times the memory of its text if it is
// decoded at once. The text is read once.
func FirstList(data []byte) *JSONList {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil
	}
	list, found := &JSONList{}, false
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil
		}
		switch key {
		case "kind":
			err = decoder.Decode(&list.Kind)
		case "apiVersion":
			err = decoder.Decode(&list.Version)
		case "items":
			list.Items, found = itemsAt(decoder, data)
		default:
			err = decoder.Decode(&skipped{})
		}
		if err != nil {
			return nil
		}
	}
	if _, err := decoder.Token(); err != nil || !found || !strings.HasSuffix(list.Kind, "List") {
		return nil
	}
	list.Size = int(decoder.InputOffset())
	return list
}

// itemsAt returns the places of the elements of the array right after a decoder's position, false if there is no
// array.
func itemsAt(decoder *json.Decoder, data []byte) ([]Span, bool) {
	if token, err := decoder.Token(); err != nil || token != json.Delim('[') {
		return nil, false
	}
	var items []Span
	for decoder.More() {
		from := int(decoder.InputOffset())
		if decoder.Decode(&skipped{}) != nil {
			return nil, false
		}
		to := int(decoder.InputOffset())
		from = to - len(bytes.TrimLeft(data[from:to], " \t\r\n,"))
		items = append(items, Span{from, to})
	}
	_, err := decoder.Token()
	return items, err == nil
}

// skipped is a JSON value that is read and dropped.
type skipped struct{}

// UnmarshalJSON keeps nothing.
func (*skipped) UnmarshalJSON([]byte) error { return nil }

// YAMLItems returns the places of the items in a List as kubectl prints it in YAML: its other fields are
// apiVersion, kind and metadata, and each field starts in the first column, as does the dash of each item. It is
// nil for any other text. An item can be parsed alone once a space replaces its dash, unless it has an alias from
// elsewhere. If a quoted value continues in the first column, which kubectl never prints, the text may be divided
// within it: then a part cannot be parsed. O(bytes).
func YAMLItems(data []byte) []Span {
	var list yamlList
	for line := range bytes.Lines(data) {
		if !list.line(line) {
			return nil
		}
		list.at += len(line)
	}
	if !list.isList {
		return nil
	}
	list.ends()
	return list.items
}

// yamlList is a List, read up to the line at.
type yamlList struct {
	items []Span
	at    int
	// field is the List's field that the line belongs to.
	field  string
	isList bool
}

// line reads a line, and reports whether a List may have it there.
func (l *yamlList) line(line []byte) bool {
	switch text := string(bytes.TrimRight(line, " \r\n")); {
	case text == "":
		return true
	case line[0] == ' ':
		return l.field == "metadata:" || l.field == "items:" && len(l.items) > 0
	case text[0] == '-' && len(text) > 1 && text[1] == ' ' && l.field == "items:":
		l.ends()
		l.items = append(l.items, Span{From: l.at})
		return true
	case text == "---":
		return l.field == ""
	case text == "items:":
		l.field = text
		return l.items == nil
	case text == "apiVersion: v1", text == "kind: List", text == "metadata:":
		l.ends()
		l.field, l.isList = text, l.isList || text == "kind: List"
		return true
	}
	return false
}

// ends ends the last item at the start of the line, if it has no end yet.
func (l *yamlList) ends() {
	if n := len(l.items); n > 0 && l.items[n-1].To == 0 {
		l.items[n-1].To = l.at
	}
}
