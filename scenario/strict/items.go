package strict

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Span is a part of a text: the bytes from From up to To, To itself not among them.
type Span struct{ From, To int }

// FirstJSON returns the first JSON document of a text that begins with one, nil if it does not.
func FirstJSON(data []byte) []byte {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if decoder.Decode(&skipped{}) != nil {
		return nil
	}
	return data[:decoder.InputOffset()]
}

// JSONList is a List in JSON: where its items are in the text, in their order, how many bytes it has, and what it says
// it is.
type JSONList struct {
	Items         []Span
	Size          int
	Kind, Version string
}

// FirstList returns the List with which a text begins. It is nil for JSON that is no List, and for text that is not
// JSON. The items can then be decoded one by one: all of a large List at once, decoded, take ten times the room of its
// text. The text is read once.
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

// itemsAt returns where the elements of the array are that a decoder is just before, false if there is no array.
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

// skipped is a JSON value of which nothing is kept.
type skipped struct{}

// UnmarshalJSON keeps nothing.
func (*skipped) UnmarshalJSON([]byte) error { return nil }

// YAMLItems returns where the items are in a List as kubectl prints it in YAML: its other fields are apiVersion, kind
// and metadata, and each field begins in the first column, as each item does with its dash. It is nil for any other
// text. An item can be parsed alone once a space takes the place of its dash, unless it has an alias from elsewhere. If
// a value in quotes goes on in the first column, which kubectl never prints, the text may be divided within it: then a
// part of it cannot be parsed. O(bytes).
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

// yamlList is a List of which the lines before at have been read.
type yamlList struct {
	items []Span
	at    int
	// field is the field of the List to which the line belongs.
	field  string
	isList bool
}

// line reads a line, and says whether a List may have it there.
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

// ends ends the last item where the line begins, if it has no end yet.
func (l *yamlList) ends() {
	if n := len(l.items); n > 0 && l.items[n-1].To == 0 {
		l.items[n-1].To = l.at
	}
}
