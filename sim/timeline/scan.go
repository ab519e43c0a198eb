package timeline

import (
	"bytes"
	"encoding/json"
)

// scanner finds the fields of objects in a line. Objects are entered one within the other; fields are the fields of
// the open object, or the elements of a list. A line that is not JSON is detected late: requested values are
// checked by their readers, and all others when their object is left.
type scanner struct {
	frame
	outer []frame
	// memory holds the fields of all frames. known are texts that were read lately, so that the name of a pod is not
	// allocated for each of its events.
	memory []field
	known  *[256]string
	// broken is true once something was met that is no JSON.
	broken bool
}

// frame is an object or a list, with the name of the field that holds it.
type frame struct {
	name   string
	fields []field
	// at is where the next field is expected, since fields are asked for in the order in which they are written.
	at int
}

// field is a field of an object as it is in the line, the name with its quotes, or an element of a list.
type field struct {
	name, value []byte
	used        bool
}

// path is the path of the open object: sets.spec.
func (s *scanner) path() (path string) {
	for _, f := range append(s.outer, s.frame) {
		if f.name != "" {
			path += f.name + "."
		}
	}
	return path
}

// push enters an object or a list, whose text has no white space around it.
func (s *scanner) push(name string, text []byte) {
	s.outer = append(s.outer, s.frame)
	from := len(s.memory)
	for at := 1; at < len(text); at++ {
		var f field
		f.value, at = value(text, at)
		if at < len(text) && text[at] == ':' {
			f.name = f.value
			f.value, at = value(text, at+1)
		}
		last := at >= len(text) || text[at] != ','
		if last && len(f.value) == 0 && f.name == nil && len(s.memory) == from {
			s.broken = s.broken || at != len(text)-1
			break
		}
		if text[0] == '{' && (len(f.name) < 2 || f.name[0] != '"') || text[0] == '[' && f.name != nil {
			s.broken = true
		}
		s.broken = s.broken || len(f.value) == 0 || last && at != len(text)-1
		s.memory = append(s.memory, f)
	}
	s.broken = s.broken || text[len(text)-1] != text[0]+2
	s.frame = frame{name: name, fields: s.memory[from:]}
}

// value returns the value at a place, without surrounding white space, and the place of the character that ends it.
func value(text []byte, from int) ([]byte, int) {
	depth, at := 0, from
scan:
	for ; at < len(text); at++ {
		switch text[at] {
		case '"':
			at = quoteEnd(text, at)
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				break scan
			}
			depth--
		case ',', ':':
			if depth == 0 {
				break scan
			}
		}
	}
	at = min(at, len(text))
	found := text[from:at]
	if n := len(found); n > 0 && (found[0] <= ' ' || found[n-1] <= ' ') {
		found = bytes.Trim(found, " \t\r\n")
	}
	return found, at
}

// quoteEnd returns the place of the quote that ends a text, or the end of the line.
func quoteEnd(text []byte, at int) int {
	for {
		end := bytes.IndexByte(text[at+1:], '"')
		if end < 0 {
			return len(text)
		}
		from := at + 1
		at = from + end
		escapes := 0
		for i := at - 1; i >= from && text[i] == '\\'; i-- {
			escapes++
		}
		if escapes%2 == 0 {
			return at
		}
	}
}

// pop leaves the open object or list. Values that were not requested must still be JSON.
func (s *scanner) pop() {
	for _, f := range s.fields {
		if !f.used && (!json.Valid(f.value) || f.name != nil && !json.Valid(f.name)) {
			s.broken = true
		}
	}
	s.memory = s.memory[:len(s.memory)-len(s.fields)]
	last := len(s.outer) - 1
	s.frame, s.outer = s.outer[last], s.outer[:last]
}

// find returns the value of a field of the open object, nil if there is none or it is null.
func (s *scanner) find(name string) []byte {
	for range s.fields {
		if s.at >= len(s.fields) {
			s.at = 0
		}
		f := &s.fields[s.at]
		if s.at++; len(f.name) == len(name)+2 && f.name[1] == name[0] && string(f.name[1:len(f.name)-1]) == name {
			return s.take(s.at - 1)
		}
	}
	return nil
}

// take returns the value of a field by its number, nil if it is null.
func (s *scanner) take(i int) []byte {
	f := &s.fields[i]
	if f.used = len(f.value) > 0; !f.used || string(f.value) == "null" {
		return nil
	}
	return f.value
}

// unquote returns a text, and shares its memory with an equal one that was read lately.
func (s *scanner) unquote(value []byte) string {
	if len(value) < 2 || value[len(value)-1] != '"' {
		s.broken = true
		return ""
	}
	text := value[1 : len(value)-1]
	for _, b := range text {
		if b-' ' >= 0x80-' ' || b == '\\' {
			var slow string
			s.broken = json.Unmarshal(value, &slow) != nil || s.broken
			return slow
		}
	}
	if s.broken = s.broken || bytes.IndexByte(text, '"') >= 0; len(text) == 0 {
		return ""
	}
	if s.known == nil {
		s.known = new([256]string)
	}
	last := len(text) - 1
	slot := &s.known[(uint(text[last])+uint(text[last/2])*7+uint(len(text))*31)%uint(len(s.known))]
	if *slot != string(text) {
		*slot = string(text)
	}
	return *slot
}

// isNumber reports whether digits that strconv reads are a number in JSON too.
func isNumber(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("-"))
	if len(text) == 0 || text[0] == '+' || text[len(text)-1] == '.' {
		return false
	}
	return text[0] != '0' || len(text) == 1 || text[1] == '.'
}
