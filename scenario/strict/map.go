package strict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Map is a mapping whose keys have been checked. A nil Map has no keys. Its getters note problems in the reader that
// made it, under the name of the key.
type Map struct {
	// Node is the mapping.
	Node *yaml.Node
	// reader notes problems, which call the mapping what: "the scenario". Making the Map checks only the keys; each
	// value is checked by the getter that reads it, and not at all if it is never read.
	reader *Reader
	what   string
	// at is the index of each key in the content of the node: the first of its name, if a key is there twice.
	at map[string]int
}

// Map reads a mapping. Keys that are not among the known ones are problems; without any known ones all keys are
// allowed. It returns nil for a nil node and for null, and if the value is not a mapping, which is a problem. A key
// that a manifest has twice becomes a warning when its mapping is read, so mappings that are never read have none.
func (r *Reader) Map(n *yaml.Node, what string, known ...string) *Map {
	if n == nil || isNull(n) {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		want := "write a mapping, key: value"
		if len(known) > 0 {
			want += ", of " + strings.Join(known, ", ")
		}
		r.Problem(n, what+" is "+Describe(n), want)
		return nil
	}
	m := &Map{Node: n, reader: r, what: what, at: make(map[string]int, len(n.Content)/2)}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if warning, doubled := r.Doubled[key]; doubled {
			r.Warnings.add(warning)
		}
		if _, doubled := m.at[key.Value]; !doubled {
			m.at[key.Value] = i
		}
		if len(known) > 0 && !slices.Contains(known, key.Value) {
			m.UnknownKey(key, known)
		}
	}
	return m
}

// mostKeys is the number of keys that are listed after the most likely one.
const mostKeys = 10

// Open returns the last key before another one that has no value: what follows it was most likely to be indented below
// it. It is "" if there is none, and where no indent counts.
func (m *Map) Open(key *yaml.Node) string {
	if m.Node.Style&yaml.FlowStyle != 0 {
		return ""
	}
	for i := slices.Index(m.Node.Content, key) - 2; i >= 0; i -= 2 {
		if value := m.Node.Content[i+1]; isNull(value) && value.Value == "" {
			return m.Node.Content[i].Value
		}
	}
	return ""
}

// UnknownKey notes that the mapping must not have one of its keys, with the key that was most likely meant.
func (m *Map) UnknownKey(key *yaml.Node, known []string) {
	r, what := m.reader, m.what
	if r.Problems.full() {
		return
	}
	if above := m.Open(key); slices.Contains(known, above) {
		r.Problem(key, fmt.Sprintf("%q is no key of %s", Shorten(key.Value), what),
			fmt.Sprintf("if it belongs to %s, which has no value, indent it below %s", above, above))
		return
	}
	want := "the keys of " + what + " are " + strings.Join(known, ", ")
	if near := meant(key.Value, known); near != "" {
		// A reader who is told the key needs no list of thirty others.
		if more := len(known) - mostKeys; more > 1 {
			want = fmt.Sprintf("the keys of %s are %s and %d more", what, strings.Join(known[:mostKeys], ", "), more)
		}
		want = "did you mean " + near + "? " + strings.ToUpper(want[:1]) + want[1:]
	}
	r.Problem(key, fmt.Sprintf("unknown key %q", Shorten(key.Value)), want)
}

// Key returns the node of the key itself, or nil.
func (m *Map) Key(key string) *yaml.Node {
	if m == nil {
		return nil
	}
	if i, found := m.at[key]; found {
		return m.Node.Content[i]
	}
	return nil
}

// Value returns the node of the key's value, or nil.
func (m *Map) Value(key string) *yaml.Node {
	if m == nil {
		return nil
	}
	if i, found := m.at[key]; found {
		return m.Node.Content[i+1]
	}
	return nil
}

// Keys returns the keys in the order of the file, unknown ones too.
func (m *Map) Keys() []string {
	if m == nil {
		return nil
	}
	var keys []string
	for i := 0; i+1 < len(m.Node.Content); i += 2 {
		keys = append(keys, m.Node.Content[i].Value)
	}
	return keys
}

// Has reports whether the key is there, whatever its value.
func (m *Map) Has(key string) bool { return m.Value(key) != nil }

// Need notes a problem if the key is absent, and reports whether it is there. On a nil Map it is silent: that the
// mapping is missing has its own problem.
func (m *Map) Need(key string) bool {
	if m == nil {
		return false
	}
	if !m.Has(key) {
		m.reader.Problem(m.Node, fmt.Sprintf("%s lacks the key %q", m.what, key), "")
		return false
	}
	return true
}

// String returns the text of the key.
func (m *Map) String(key string) string {
	if n := m.Value(key); n != nil {
		s, _ := m.reader.String(n, key)
		return s
	}
	return ""
}

// Int returns the number of the key, or 0.
func (m *Map) Int(key string, within Range) int64 {
	if n := m.Value(key); n != nil {
		v, _ := m.reader.Int(n, key, within)
		return v
	}
	return 0
}

// Uint returns the number of the key, or 0.
func (m *Map) Uint(key string) uint64 {
	if n := m.Value(key); n != nil {
		v, _ := m.reader.Uint(n, key)
		return v
	}
	return 0
}

// Bool returns the truth of the key, or false.
func (m *Map) Bool(key string) bool {
	if n := m.Value(key); n != nil {
		v, _ := m.reader.Bool(n, key)
		return v
	}
	return false
}

// Duration returns the duration of the key, or 0.
func (m *Map) Duration(key string) time.Duration {
	if n := m.Value(key); n != nil {
		d, _ := m.reader.Duration(n, key)
		return d
	}
	return 0
}

// OneOf returns the word of the key, or "".
func (m *Map) OneOf(key string, allowed ...string) string {
	if n := m.Value(key); n != nil {
		s, _ := m.reader.OneOf(n, key, allowed...)
		return s
	}
	return ""
}

// List returns the items of the key's list.
func (m *Map) List(key string) []*yaml.Node {
	if n := m.Value(key); n != nil {
		return m.reader.List(n, key)
	}
	return nil
}

// Map returns the mapping of the key, or nil.
func (m *Map) Map(key string, known ...string) *Map {
	if m == nil {
		return nil
	}
	return m.reader.Map(m.Value(key), key, known...)
}
