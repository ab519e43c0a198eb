// Package names reports object names that every API server rejects. A file with such a name was not printed by a
// cluster, or has been changed since: it is refused where it is read, so that the name reaches neither a command
// that people paste nor a sentence. It judges names alone; everything else is left to the API server.
package names

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Wrong is a name that every API server rejects. Path leads to it: the keys of mappings as text, the indexes of
// lists as numbers. It leads to the value of a key even if the key is what is wrong.
type Wrong struct {
	Path  []any
	Value string
	// Key is true if the name is the last key of the path.
	Key bool
	// Why is the rule that it breaks, in the words of Kubernetes.
	Why string
}

// String returns the path as the API server writes it.
func (w Wrong) String() string {
	var b strings.Builder
	for i, part := range w.Path {
		switch part := part.(type) {
		case int:
			b.WriteString("[" + strconv.Itoa(part) + "]")
		case string:
			if i == len(w.Path)-1 && w.Key {
				continue
			}
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(part)
		}
	}
	return b.String()
}

// Problem says what is wrong and what would be right.
func (w Wrong) Problem() (what, want string) {
	kind := "name"
	if w.Key {
		kind = "key"
	}
	return fmt.Sprintf("%s: no API server takes the %s %s", w, kind, strconv.QuoteToASCII(strict.Shorten(w.Value))), w.Why
}

// Of returns the wrong names of an object as JSON has it, in the order of the rules. Only texts are names.
func Of(kind string, object map[string]any) []Wrong {
	own := identity
	if kind == "Event" {
		// The name of an event is neither read nor printed.
		own = identity[1:]
	}
	var list []Wrong
	path := make([]any, 0, 16)
	for _, rules := range [][]rule{own, everywhere, of[kind]} {
		for _, r := range rules {
			r.find(object, r.at, path, &list)
		}
	}
	return list
}

// Identity returns what is wrong with the name and the namespace of an object whose kind has names like pods. Other
// kinds, such as RBAC kinds, may have names with colons and more.
func Identity(kind string, object map[string]any) []Wrong {
	if !slices.Contains(likePods, kind) {
		return nil
	}
	var list []Wrong
	for _, r := range identity {
		r.find(object, r.at, nil, &list)
	}
	return list
}

// find looks at the part of an object that the rest of a path leads to. path is the way to it, and the next part
// reuses its memory.
func (r rule) find(value any, rest string, path []any, list *[]Wrong) {
	if rest == "" {
		if text, is := value.(string); is && text != "" {
			r.judge(text, path, false, list)
		}
		return
	}
	step, rest, _ := strings.Cut(rest, ".")
	switch of := value.(type) {
	case []any:
		for i, item := range of {
			if step == "[]" {
				r.find(item, rest, append(path, i), list)
			}
		}
	case map[string]any:
		if step != "{}" {
			if next, has := of[step]; has {
				r.find(next, rest, append(path, step), list)
			}
			return
		}
		for _, key := range slices.Sorted(maps.Keys(of)) {
			at := append(path, key)
			rule{check: labelKey}.judge(key, at, true, list)
			r.find(of[key], rest, at, list)
		}
	}
}

// judge adds a name if it breaks the rule.
func (r rule) judge(name string, path []any, key bool, list *[]Wrong) {
	if simple(name) {
		return
	}
	if why := r.check(name); len(why) > 0 {
		*list = append(*list, Wrong{Path: slices.Clone(path), Value: name, Key: key, Why: strings.Join(why, ", ")})
	}
}

// simple reports whether a name fits each rule, which nearly all names do: it is short, and has lower case letters
// and digits, with dashes between them.
func simple(name string) bool {
	for i, c := range []byte(name) {
		between := 0 < i && i < len(name)-1
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' && between) {
			return false
		}
	}
	return len(name) <= 63
}
