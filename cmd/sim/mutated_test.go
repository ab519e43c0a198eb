package main

import (
	"encoding/json"
	"math/rand/v2"
	"strings"

	"gopkg.in/yaml.v3"
)

// mutator changes texts: as a tree where a text is YAML or JSON, and as bytes.
type mutator struct {
	*rand.Rand
	// pool has parts of other texts, which a tree may get in the place of its own.
	pool []*yaml.Node
}

// oddScalars are values that a reader may not expect, as YAML has them.
var oddScalars = []string{
	"0", "-1", "1", "2", "3", "2147483647", "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808",
	"1e309", "-0.0", ".nan", ".inf", "0x7f", "0o17", "1_000", "1.5", "3e0", "null", "~", "true", "no", `""`, "'0'", "=",
	"2026-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-13-45", "5s", "-5s", "1h", "876000h", "1ns",
	"9223372036s", "1e3s", "5", "never", "50%", "101%", "-1%", "%", "1Gi", "-1Gi", "1e30Gi", "1m", "1.36", "1.37", "1.99", "v1",
	"apps/v1", "StatefulSet", "Pod", "List", "web", "web-0", "web-1", "web-99999999999", "web/web-0", "default/web", "a/b/c",
	"*", "web-*", "[", "[0-", "../../etc/passwd", "/dev/null", "http://x/y", "a b", "-", "--help", "Web_0", "x.y.z",
	"[]", "{}", "[null]", "[[]]", "[{}]", "{a: {b: {c: [1, 2]}}}", "{uniform: [1s, 2s]}", "{normal: {mean: 1s, sd: -1s}}",
	"serving >= 2", "pods.all(p, p.ready)", "pods.all(p, pods.exists(q, q.name != p.name))", "1 / 0 == 1", "sets['x'].ready > 0",
	"pods[99].ready", "self.ready", "'a' + 1", "true", "now > 5.0", "p", "(((((((((((", "web-0@1 Ready", "OrderedReady", "Parallel",
	"RollingUpdate", "OnDelete", "Retain", "Delete", "Recreate", "IfHealthyBudget", "AlwaysAllow", "RunAsNonRoot",
	"!!binary aGFsbG8=", "!!int x", "!custom {a: b}", "<<", "sx1.13680dfc.AIAQ", "sx1.", "sx9.zz.",
}

// oddTexts are texts that try to get out of their places.
var oddTexts = []string{
	planted, "", " ", "\x1b[31m", "a\nb", "\u202e", "\u0000", "::error::x", strings.Repeat("x", 300), strings.Repeat("ab.", 90) + "c",
	"$(id)", "`id`", "';id;'", "\"", "<b>", "&amp;", "%s%d", "{{.}}", "\ufeff", "\u2028", "ü", "日本", "👩‍👩‍👧", "a\tb", "\r\n", "|", "]]>",
}

// text changes a text.
func (m *mutator) text(s sample) []byte {
	if m.IntN(7) > 0 && len(s.trees) > 0 {
		trees := make([]*yaml.Node, len(s.trees))
		for i, tree := range s.trees {
			trees[i] = copied(tree)
		}
		for range 1 + m.IntN(4)*m.IntN(2)*m.IntN(2) {
			m.tree(trees)
		}
		if text := printed(trees, s.json); text != nil {
			if m.IntN(16) == 0 {
				return m.bytes(text)
			}
			return text
		}
	}
	return m.bytes(s.text)
}

// copied copies a tree. Aliases still point to what they pointed to.
func copied(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = copied(child)
	}
	return &c
}

// tree changes one place of one tree.
func (m *mutator) tree(trees []*yaml.Node) {
	at := m.IntN(len(trees))
	var all []*yaml.Node
	collect(trees[at], m.IntN(8) == 0, &all)
	n := all[m.IntN(len(all))]
	switch m.IntN(10) {
	case 0, 1:
		*n = *parsed(oddScalars[m.IntN(len(oddScalars))])
	case 2:
		*n = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: oddTexts[m.IntN(len(oddTexts))]}
	case 3, 4:
		*n = *copied(m.pool[m.IntN(len(m.pool))])
	case 5:
		*n = *copied(all[m.IntN(len(all))])
	case 6:
		m.children(n)
	case 7:
		*n = yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{copied(n)}}
	case 8:
		*n = yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{parsed("a"), copied(n)}}
	case 9:
		m.documents(trees, at)
	}
}

// children drops, doubles, swaps or renames children.
func (m *mutator) children(n *yaml.Node) {
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	if len(n.Content) < step || n.Kind == yaml.DocumentNode {
		return
	}
	i := m.IntN(len(n.Content)/step) * step
	part := n.Content[i : i+step]
	switch m.IntN(4) {
	case 0:
		n.Content = append(n.Content[:i:i], n.Content[i+step:]...)
	case 1:
		for range 1 + m.IntN(3) {
			n.Content = append(n.Content, copied(part[0]), copied(part[step-1]))[:len(n.Content)+step]
		}
	case 2:
		j := m.IntN(len(n.Content)/step) * step
		n.Content[i+step-1], n.Content[j+step-1] = n.Content[j+step-1], n.Content[i+step-1]
	case 3:
		part[0].Value += "x"
	}
}

// documents puts the content of another document into this one.
func (m *mutator) documents(trees []*yaml.Node, at int) {
	other := trees[m.IntN(len(trees))]
	trees[at] = copied(other)
}

// collect lists all nodes below a document, with or without those that are keys.
func collect(n *yaml.Node, keys bool, to *[]*yaml.Node) {
	if n.Kind != yaml.DocumentNode {
		*to = append(*to, n)
	}
	for i, child := range n.Content {
		if keys || n.Kind != yaml.MappingNode || i%2 == 1 {
			collect(child, keys, to)
		}
	}
	if len(*to) == 0 {
		*to = append(*to, n)
	}
}

// parsed returns the node of a short text.
func parsed(text string) *yaml.Node {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(text), &doc) != nil || len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	}
	return doc.Content[0]
}

// printed returns trees as a text; nil if the library cannot print one.
func printed(trees []*yaml.Node, asJSON bool) (text []byte) {
	defer func() {
		if recover() != nil {
			text = nil
		}
	}()
	for _, tree := range trees {
		if asJSON {
			text = append(appendJSON(text, tree), '\n')
			continue
		}
		one, err := yaml.Marshal(tree)
		if err != nil {
			return nil
		}
		text = append(append(text, "---\n"...), one...)
	}
	return text
}

// appendJSON prints a tree as JSON, as far as it can be.
func appendJSON(to []byte, n *yaml.Node) []byte {
	switch n.Kind {
	case yaml.DocumentNode:
		return appendJSON(to, n.Content[0])
	case yaml.MappingNode, yaml.SequenceNode:
		ends := map[yaml.Kind]string{yaml.MappingNode: "{}", yaml.SequenceNode: "[]"}[n.Kind]
		to = append(to, ends[0])
		for i, child := range n.Content {
			key := n.Kind == yaml.MappingNode && i%2 == 0
			switch {
			case i > 0 && n.Kind == yaml.MappingNode && !key:
				to = append(to, ':')
			case i > 0:
				to = append(to, ',')
			}
			if key {
				child = &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: child.Value}
			}
			to = appendJSON(to, child)
		}
		return append(to, ends[1])
	}
	var value any
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 && json.Unmarshal([]byte(n.Value), &value) == nil {
		return append(to, n.Value...)
	}
	quoted, _ := json.Marshal(n.Value)
	return append(to, quoted...)
}

// bytes changes some bytes of a text.
func (m *mutator) bytes(text []byte) []byte {
	text = append([]byte(nil), text...)
	odd := []string{"\x00", "\xff", "\t", "\r", "\n", ":", "- ", "{", "}", "[", "\"", "'", "&a ", "*a", "!!", "#", "---\n", "\x1b[2J", "\xe2\x80",
		"\u202e", "|\n", ">", "%", "<<: ", "::error::\n", "? ", "0", "9", "-", ",", "\ufeff", "\n...\n"}
	for range 1 + m.IntN(3) {
		i, j := m.IntN(len(text)+1), m.IntN(len(text)+1)
		i, j = min(i, j), max(i, j)
		switch m.IntN(5) {
		case 0:
			text = text[:max(i, 1)%(len(text)+1)]
		case 1:
			j = min(j, i+1+m.IntN(40))
			text = append(text[:i:i], text[j:]...)
		case 2:
			text = append(append(text[:i:i], odd[m.IntN(len(odd))]...), text[i:]...)
		case 3:
			j = min(j, i+200)
			text = append(append(text[:j:j], text[i:j]...), text[j:]...)
		case 4:
			if i < len(text) {
				text[i] ^= 1 << m.IntN(8)
			}
		}
	}
	return text
}
