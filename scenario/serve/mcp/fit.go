package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	protocol "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/statefulsim/statefulsim/sim/view/work"
)

// mostBytes is the most bytes of an answer; it has its document twice, for programs and as text for older clients.
const mostBytes = 64_000

// overhead is the size of an answer apart from its document.
const overhead = 1_000

// omission is a part that was left out. From is the index of the first element that was left out of a list, Of how many
// elements it has.
type omission struct {
	Part  string `json:"part"`
	Bytes int    `json:"bytes"`
	From  int    `json:"from,omitempty"`
	Of    int    `json:"of,omitempty"`
}

// fitted returns an answer with a document, or the wanted part of it, of at most mostBytes. Its field omitted lists
// what was left out.
func fitted(document []byte, wanted part, notes string) (*protocol.CallToolResult, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, document); err != nil {
		return nil, fmt.Errorf("the answer is no JSON: %w", err)
	}
	answer := json.RawMessage(compact.Bytes())
	notes = notes[:min(len(notes), overhead)]
	if room := mostBytes - overhead - 2*len(notes); wanted != (part{}) || sizeInAnswer(answer) > room {
		var err error
		if answer, err = partOf(answer, wanted, room); err != nil {
			return nil, err
		}
	}
	result := &protocol.CallToolResult{StructuredContent: answer,
		Content: []protocol.Content{&protocol.TextContent{Text: string(answer)}}}
	if notes != "" {
		result.Content = append(result.Content, &protocol.TextContent{Text: notes})
	}
	return result, nil
}

// sizeInAnswer is how many bytes a document takes in an answer: as it is, and as the text of it.
func sizeInAnswer(document []byte) int {
	text, _ := json.Marshal(string(document))
	return len(document) + len(text)
}

// partOf returns the part of a document that is wanted, cut so that it takes at most room in an answer.
func partOf(document []byte, wanted part, room int) ([]byte, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("the answer is no JSON: %w", err)
	}
	value, err := at(value, wanted.Part)
	if err != nil {
		return nil, err
	}
	if list, is := value.([]any); is && wanted.From > 0 {
		value = list[min(wanted.From, len(list)):]
	}
	for budget := room / 2; ; budget = budget * 9 / 10 {
		c := cutter{from: wanted.From, top: wanted.Part}
		answer, err := json.Marshal(c.document(value, wanted, budget))
		if err != nil || sizeInAnswer(answer) <= room {
			return answer, err
		}
	}
}

// at returns the value that a JSON pointer leads to (RFC 6901).
func at(value any, pointer string) (any, error) {
	if pointer == "" {
		return value, nil
	}
	if !strings.HasPrefix(pointer, "/") {
		return nil, work.Usagef("part %q: write a JSON pointer, such as /sets/0", pointer)
	}
	for word := range strings.SplitSeq(pointer[1:], "/") {
		word = strings.NewReplacer("~1", "/", "~0", "~").Replace(word)
		var found bool
		switch v := value.(type) {
		case map[string]any:
			value, found = v[word]
		case []any:
			if i, err := strconv.Atoi(word); err == nil && i >= 0 && i < len(v) {
				value, found = v[i], true
			}
		}
		if !found {
			return nil, work.Usagef("part %q: the answer has no %q there", pointer, word)
		}
	}
	return value, nil
}

// cutter cuts values to a size, and notes what it leaves out.
type cutter struct {
	omitted []omission
	// top is the pointer of the part that is cut; for a list, together with the index where the cut starts.
	top  string
	from int
}

// document is the answer: the whole document, or the part of it.
func (c *cutter) document(value any, wanted part, budget int) map[string]any {
	cut := c.cut(value, wanted.Part, budget)
	whole, is := cut.(map[string]any)
	if wanted != (part{}) || !is {
		whole = map[string]any{"part": wanted.Part, "value": cut}
	}
	if len(c.omitted) > 0 {
		whole["omitted"] = c.omitted
	}
	return whole
}

// leastShare is the fewest bytes that a value is cut to; a smaller value is left out.
const leastShare = 200

// cut returns a value of at most so many bytes, about. pointer is where it is.
func (c *cutter) cut(value any, pointer string, budget int) any {
	size := sizeOf(value)
	if size <= budget {
		return value
	}
	switch v := value.(type) {
	case map[string]any:
		return c.object(v, pointer, budget)
	case []any:
		return c.list(v, pointer, budget)
	case string:
		c.omitted = append(c.omitted, omission{Part: pointer, Bytes: size})
		return v[:max(0, min(len(v), budget-leastShare))] + "..."
	}
	return value
}

// object cuts the largest members of an object: those that are small stay whole.
func (c *cutter) object(of map[string]any, pointer string, budget int) any {
	type member struct {
		name string
		size int
	}
	var members []member
	for _, name := range slices.Sorted(maps.Keys(of)) {
		members = append(members, member{name, sizeOf(of[name]) + len(name) + 4})
	}
	slices.SortStableFunc(members, func(a, b member) int { return a.size - b.size })
	cut := map[string]any{}
	for i, m := range members {
		share := budget / (len(members) - i)
		at := pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(m.name)
		if m.size > share && share < leastShare {
			c.omitted = append(c.omitted, omission{Part: at, Bytes: m.size})
			continue
		}
		cut[m.name] = c.cut(of[m.name], at, share)
		budget -= min(m.size, share)
	}
	return cut
}

// list keeps the first elements of a list.
func (c *cutter) list(of []any, pointer string, budget int) any {
	kept := []any{}
	for i, value := range of {
		size, at := sizeOf(value)+1, i
		if pointer == c.top {
			at += c.from
		}
		if size > budget && (i > 0 || budget < leastShare) {
			c.omitted = append(c.omitted, omission{Part: pointer, Bytes: sizeOf(of[i:]), From: at, Of: len(of) + at - i})
			break
		}
		kept = append(kept, c.cut(value, fmt.Sprintf("%s/%d", pointer, at), budget))
		budget -= size
	}
	return kept
}

// sizeOf is how many bytes a value takes as JSON.
func sizeOf(value any) int {
	text, err := json.Marshal(value)
	work.Must(err)
	return len(text)
}
