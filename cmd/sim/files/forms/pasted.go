package forms

import (
	"bytes"
	"fmt"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

var (
	quotedObject = lazy.Regexp(`(?m)^>[> ]*(- )?(apiVersion: |kind: |\{|\[)`)
	fence        = lazy.Regexp("(?m)^ {0,3}(```|~~~)")
	objectKey    = lazy.Regexp(`(?m)^\s*(- )?["']?(kind|apiVersion)["']?:`)
	// prompt matches a shell prompt, and the command after it.
	prompt = lazy.Regexp(`^([^"'{}#]*)[$%#>❯]\s*(sudo )?(kubectl|kubectl\.exe|oc|k)\s+\S`)
	// logs are the lines that kubectl cluster-info dump prints around the logs of a container.
	logsStart = []byte("==== START logs for container ")
	logsEnd   = []byte("==== END logs for container ")
	warned    = lazy.Regexp(`^([WI]\d{4} \d\d:|Warning: \S)`)
	forbidden = []byte("Error from server (Forbidden): ")
)

// begin is the start of a text, which is enough to recognize its form: dumps are long.
func (t *text) begin() []byte { return t.data[:min(len(t.data), 64<<10)] }

// quoted takes the signs of a quotation from a text that was pasted from a mail or a chat, and what is not quoted.
func (t *text) quoted() {
	if !bytes.Contains(t.begin(), []byte(">")) || !quotedObject().Match(t.begin()) {
		return // To look for the sign first is far quicker in a long dump.
	}
	t.edit(func(number int, line []byte) []byte {
		sign := len(line) - len(bytes.TrimLeft(line, "> "))
		switch {
		case len(line) > 0 && line[0] == '>':
			return append(bytes.Repeat([]byte(" "), sign), line[sign:]...)
		case len(bytes.TrimSpace(line)) > 0:
			t.leaveOut(number, string(line))
		}
		return nil
	})
}

// fenced takes the blocks of code out of a text in Markdown. Each is a document of its own.
func (t *text) fenced() {
	if !bytes.Contains(t.begin(), []byte("```")) && !bytes.Contains(t.begin(), []byte("~~~")) {
		return // To look for the signs first is far quicker in a long dump.
	}
	first := fence().FindIndex(t.begin())
	if first == nil {
		return
	}
	if object := objectKey().FindIndex(t.begin()); object != nil && object[0] < first[0] {
		return // The fences are in a text of an object.
	}
	inside, mark := false, between(t.begin()[first[0]:])
	t.edit(func(number int, line []byte) []byte {
		switch is := fence().Match(line); {
		case is:
			if inside = !inside; inside {
				t.leaveOut(number, string(line))
				return nil
			}
			return mark
		case inside || len(bytes.TrimSpace(line)) == 0:
			return line
		}
		t.leaveOut(number, string(line))
		return nil
	})
}

// between is the separator of two documents: nothing in JSON.
func between(from []byte) []byte {
	if at := bytes.IndexAny(from, "{["); at >= 0 && !bytes.Contains(from[:at], []byte("apiVersion")) {
		return nil
	}
	return []byte("---")
}

// lines leaves out what a terminal shows between the objects: commands, warnings of the client, logs of containers. An
// object that the user may not read was not printed; all other errors end what kubectl prints, and stay.
func (t *text) lines() {
	mark, begun, logs := between(t.begin()), false, 0
	t.edit(func(number int, line []byte) []byte {
		switch {
		case logs > 0:
			if bytes.HasPrefix(line, logsEnd) {
				t.leaveOut(logs, fmt.Sprintf("the logs up to line %d", number))
				logs = 0
			}
			return nil
		case len(line) == 0 || bytes.IndexByte([]byte(" \t-{}[]\""), line[0]) >= 0:
			begun = begun || len(line) > 0
			return line
		case bytes.HasPrefix(line, logsStart):
			logs = number
			return nil
		case warned().Match(line) || bytes.HasPrefix(line, forbidden):
			t.leaveOut(number, string(line))
			return nil
		case isPrompt(line):
			t.leaveOut(number, string(line))
			if begun {
				return mark
			}
			return nil
		}
		begun = true
		return line
	})
	if logs > 0 {
		t.leaveOut(logs, "the logs up to the end")
	}
}

// isPrompt reports whether a line is a command of kubectl that was typed in a shell.
func isPrompt(line []byte) bool {
	m := prompt().FindSubmatch(line[:min(len(line), 400)])
	return m != nil && !bytes.Contains(m[1], []byte(": "))
}
