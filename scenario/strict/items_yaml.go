package strict

import "bytes"

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
