package timeline

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// MaxLine is the longest line that Read accepts, in bytes.
const MaxLine = 16 << 20

// ErrNotTimeline is the error for a file that does not start like a timeline.
var ErrNotTimeline = errors.New("this is not a timeline: its first line is not a JSON object with event: run; " +
	"`sim run -o jsonl` records one")

var errNotJSON = errors.New("this is not a JSON object")

// LineError is an error with the line of the timeline that it is in.
type LineError struct {
	// Line counts from 1.
	Line int
	Err  error
}

// Error gives the line and what is wrong in it.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the error without its line.
func (e *LineError) Unwrap() error { return e.Err }

// Read reads a timeline in the JSON lines format. Fields and kinds of event that it does not know are skipped, since
// timelines of later versions may have them; empty lines too. It requires what the package promises: the header
// first, times that never fall, nothing after the result. Errors of the content are LineErrors. The whole timeline is
// held in memory.
//
// Of a set it reads what the format holds: a template comes with its data, its id, its labels and its containers.
func Read(r io.Reader) ([]Event, error) {
	var events []Event
	var packer Packer
	line := codec{reads: true}
	var last Like
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), MaxLine)
	number := 0
	for lines.Scan() {
		number++
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		e, err := line.parse(text)
		switch {
		case err == nil:
			err = follows(events, &e)
		case errors.Is(err, errNotJSON) && len(events) == 0:
			err = ErrNotTimeline
		}
		if err != nil {
			return nil, &LineError{number, err}
		}
		if e.Kind != 0 {
			events = append(events, packer.Pack(&e, last))
			last = events[len(events)-1].Like()
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, &LineError{number + 1, fmt.Errorf("the line is longer than %d MiB", MaxLine>>20)}
	case err != nil:
		return nil, err
	case len(events) == 0:
		return nil, &LineError{1, ErrNotTimeline}
	}
	return events, nil
}

// follows returns nil if the event may come after the ones before it, else an error that says what would be right.
func follows(before []Event, e *Entry) error {
	switch n := len(before); {
	case n == 0 && e.Kind != KindRun:
		return ErrNotTimeline
	case n == 0:
		if e.Run.Format > FormatVersion {
			return fmt.Errorf("the timeline is of format %d, and this sim reads up to %d", e.Run.Format, FormatVersion)
		}
	case e.Kind == KindRun:
		return errors.New("event: run is for the first line: one file holds one run")
	case before[n-1].Kind == KindResult:
		return errors.New("nothing may follow the result")
	case e.Kind != 0 && e.T < before[n-1].T:
		return fmt.Errorf("t: time goes back from %s to %s", before[n-1].T.Seconds(), e.T.Seconds())
	}
	return nil
}

// parse reads one event. An event of a kind that is not known has the zero kind.
func (c *codec) parse(text []byte) (e Entry, err error) {
	c.outer, c.memory, c.broken, c.err = c.outer[:0], c.memory[:0], false, nil
	if text[0] == '{' {
		c.push("", text)
		c.event(&e)
		c.pop()
	}
	if (c.err != nil || c.broken || text[0] != '{') && (text[0] != '{' || !json.Valid(text)) {
		return Entry{}, errNotJSON
	}
	return e, c.err
}

// nameOf returns the index of a name in a list of names of constants, 0 if it is not in it; the name at 0 is "".
func nameOf(names []string, name string) int { return max(0, slices.Index(names, name)) }
