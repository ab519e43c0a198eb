// Package forms converts the forms in which people keep the state of a cluster into the text that kubectl prints:
// packed files, UTF-16, text pasted from a terminal or a chat, and the output of other tools. It maps values to
// values: it opens and writes nothing. The lines of a text stay where they are, so that errors name the right ones.
package forms

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// File is a text and its name in messages.
type File struct {
	Name string
	Data []byte
}

// Plain returns a file as kubectl prints it, and notes for people about what was left out. The error is about a
// form that has no state of a cluster, and then names the command that prints it, or about a text that is longer
// than limit.
func Plain(file File, limit int64) (File, []string, error) {
	data, err := fromUTF16(file.Data)
	if err != nil {
		return file, nil, strict.Problems{{File: file.Name, Line: 1, Column: 1, What: err.Error()}}
	}
	if int64(len(data)) > limit {
		return file, nil, strict.Problems{strict.TooLarge(file.Name, limit)}
	}
	file.Data = data
	if problem := named(file); problem != nil {
		return file, nil, strict.Problems{*problem}
	}
	t := text{data: file.Data}
	t.quoted()
	t.fenced()
	t.lines()
	file.Data = t.data
	for _, form := range []func(File) []byte{fromTroubleshoot, fromWatch} {
		file.Data = form(file)
	}
	return file, t.notes(file.Name), nil
}

// text is a text, and which lines were left out of it.
type text struct {
	data []byte
	out  []leftOut
}

// leftOut is a line that was left out, or the first of several that have one reason.
type leftOut struct {
	line int
	what string
}

// mostNotes is how many lines that are left out are named.
const mostNotes = 5

// notes describes the lines that were left out.
func (t *text) notes(name string) []string {
	var notes []string
	for i, out := range t.out {
		if i == mostNotes {
			return append(notes, fmt.Sprintf("%s: and %d more", name, len(t.out)-i))
		}
		notes = append(notes, fmt.Sprintf("%s:%d: left out: %s", name, out.line, out.what))
	}
	return notes
}

// edit passes each line, without its end, to change, with its number from 1 on, and replaces it by the result. The
// text is copied only if a line changes.
func (t *text) edit(change func(number int, line []byte) []byte) {
	var made []byte
	edited, copied, at := false, 0, 0
	for number := 1; at < len(t.data); number++ {
		end := bytes.IndexByte(t.data[at:], '\n')
		if end < 0 {
			end = len(t.data) - at
		}
		line := bytes.TrimSuffix(t.data[at:at+end], []byte("\r"))
		if changed := change(number, line); !same(changed, line) {
			made = append(append(made, t.data[copied:at]...), changed...)
			edited, copied = true, at+len(line)
		}
		at += end + 1
	}
	if edited {
		t.data = append(made, t.data[copied:]...)
	}
}

// same reports whether two lines are one and the same place in memory, which is faster than to compare them.
func same(a, b []byte) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// leaveOut notes a line that is left out.
func (t *text) leaveOut(number int, what string) {
	t.out = append(t.out, leftOut{number, strict.Shorten(strings.TrimSpace(what))})
}
