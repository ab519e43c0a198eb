package mcp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// longestName is the most bytes of a request that an answer repeats.
const longestName = 1_000

// lines reads requests, one per line. The protocol's own reader ends at the first line that it cannot read; this
// one refuses such a line, and continues with the next.
type lines struct {
	from *bufio.Reader
	// refuse is told why a line is refused.
	refuse func(why string)
	// rest is the unread rest of the last line.
	rest []byte
}

// Read returns the next part of a good line.
func (l *lines) Read(into []byte) (int, error) {
	for len(l.rest) == 0 {
		line, whole, err := l.next()
		if err != nil {
			return 0, err
		}
		if !whole {
			l.refuse(fmt.Sprintf("the request is longer than %d bytes", longestLine))
		} else if why := wrong(line); why != "" {
			l.refuse(why)
		} else if len(line) > 0 {
			l.rest = append(line, '\n')
		}
	}
	n := copy(into, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// next reads a line without its end. One that is too long is read to its end, and is not whole.
func (l *lines) next() (line []byte, whole bool, err error) {
	whole = true
	for {
		part, more, err := l.from.ReadLine()
		if err != nil {
			return nil, false, err
		}
		if whole = whole && len(line)+len(part) < longestLine; whole {
			line = append(line, part...)
		}
		if !more {
			return line, whole, nil
		}
	}
}

// wrong says why a line is not a message, "" if it is one, or empty.
func wrong(line []byte) string {
	if len(line) == 0 {
		return ""
	}
	var message struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  *string         `json:"method"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	switch err := json.Unmarshal(line, &message); {
	case err != nil && line[0] == '[':
		return "batches are not taken: write a message a line"
	case errors.As(err, new(*json.UnmarshalTypeError)):
		return "the line is no message of JSON-RPC 2.0: " + err.Error()
	case err != nil:
		return "the line is no JSON: " + err.Error()
	case message.Version != "2.0":
		return `the line is no message of JSON-RPC 2.0: write "jsonrpc": "2.0"`
	case message.Method == nil && message.Result == nil && message.Error == nil:
		return "the line is no message of JSON-RPC 2.0: it has no method"
	case message.Method != nil && len(*message.Method) > longestName:
		return "there is no method of so long a name"
	case len(message.ID) > longestName:
		return "the id is too long"
	case len(message.ID) > 0 && (message.ID[0] == '{' || message.ID[0] == '['):
		return "the id must be a text or a number"
	}
	return ""
}

// locked lets one write at a time: a line stays whole.
type locked struct {
	lock sync.Mutex
	to   io.Writer
}

// Write writes.
func (l *locked) Write(p []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.to.Write(p)
}

// Close does nothing: the output stays open.
func (l *locked) Close() error { return nil }

// refuse answers a line that is not a request.
func (l *locked) refuse(why string) {
	answer, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil,
		"error": map[string]any{"code": -32700, "message": why}})
	// If the client does not read, the next answer fails.
	_, _ = l.Write(append(answer, '\n'))
}
