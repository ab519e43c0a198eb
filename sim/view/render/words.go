// Package render is the one place where text is drawn: for terminals (Page), for pull requests (Markdown, Code, Grid)
// and for programs (JSON). All commands wrap, cut, count, name times, shorten lists and quote in the same way,
// because they all do it here. It knows nothing of timelines, and of StatefulSets only their shape.
//
// Text from outside (names, images, messages, descriptions) never steers the reader's terminal and is never read as
// markup: Page, Markdown, Code and Grid make control characters visible themselves. The same input gives the same
// bytes everywhere: nothing depends on the locale or the environment.
package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// Clock renders an instant or a duration: 0s, 12.5s, 1m03s, 2h00m07.25s. Nothing is rounded; callers may.
func Clock[T model.Time | time.Duration](t T) string { return model.Time(t).Clock() }

// Brief renders a duration that was drawn or computed, rounded to a precision that matters.
func Brief(d time.Duration) string {
	switch {
	case d > time.Minute:
		d = d.Round(time.Second)
	case d > time.Second:
		d = d.Round(100 * time.Millisecond)
	case d > 100*time.Millisecond:
		d = d.Round(10 * time.Millisecond)
	case d > time.Millisecond:
		d = d.Round(time.Millisecond)
	}
	return Clock(d)
}

// Count renders a number of things: 1 pod, 2 pods. thing is in the singular, and its plural must be thing with an s.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Number(n) + " " + thing + "s"
}

// Number renders a number as people read it: 1,819,906. Four digits are read without a comma.
func Number(n int) string {
	text := strconv.Itoa(n)
	if -10_000 < n && n < 10_000 {
		return text
	}
	digits := strings.TrimLeft(text, "-")
	sign := text[:len(text)-len(digits)]
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Agree chooses the text that agrees with a number: one for 1, many for any other number.
func Agree(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Serve says how many of a set's pods serve at least.
func Serve(fewest, replicas int) string {
	switch {
	case fewest > replicas:
		return fmt.Sprintf("at least %d serve", fewest)
	case fewest == 0 && replicas == 1:
		return "for a time its only pod does not serve"
	case fewest == 0 && replicas > 0:
		return fmt.Sprintf("at times none of %d serves", replicas)
	}
	return fmt.Sprintf("at least %d of %d serve", fewest, replicas)
}

// And joins names as a sentence does: a; a and b; a, b and c.
func And(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// List joins names and shortens a long list to its first ones: "a, b" and "a, b and 3 more". most is the greatest
// number of names that it shows; a list that is longer by one only is shown whole, since the last name takes no
// more room than "and 1 more".
func List(names []string, most int) string {
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// Capital makes the first letter of a text a capital. It only knows ASCII; other texts stay as they are.
func Capital(text string) string {
	if text == "" || text[0] >= 0x80 {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// FormatVersion is the version of the JSON documents that sim prints, as their first field states it. It grows when
// a field is removed or changes its meaning; a new field does not change it. It is not the version of the
// timeline's format.
const FormatVersion = 1

// JSON writes a document for programs: the object that document encodes as, indented, with formatVersion as its first
// field. A document must not have a field of that name, and must encode as an object; if it does not, JSON panics.
func JSON(w io.Writer, document any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(document); err != nil {
		return fmt.Errorf("the report as JSON: %w", err)
	}
	fields, isObject := bytes.CutPrefix(b.Bytes(), []byte("{"))
	if !isObject {
		panic(fmt.Sprintf("page: a %T does not encode as an object", document))
	}
	head := fmt.Sprintf("{\n  \"formatVersion\": %d,", FormatVersion)
	if bytes.HasPrefix(fields, []byte("}")) {
		head = head[:len(head)-1] + "\n"
	}
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	_, err := w.Write(fields)
	return err
}
