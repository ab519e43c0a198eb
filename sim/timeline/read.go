package timeline

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// MaxLine is the longest line that Read accepts, in bytes.
const MaxLine = 16 << 20

// ErrNotTimeline is the error of a file that does not begin as a timeline does.
var ErrNotTimeline = errors.New("this is not a timeline: its first line is not a JSON object with event: run; " +
	"`sim run -o jsonl` records one")

var errNotJSON = errors.New("this is not a JSON object")

// LineError says in which line of a timeline an error is.
type LineError struct {
	// Line counts from 1.
	Line int
	Err  error
}

// Error gives the line and what is wrong in it.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns what is wrong.
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
	var simple plain
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
		e, err := simple.parse(text)
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

// follows says whether the event may come after those before it. The error says what would be right.
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

// parse reads one event: quickly if the line is plain, else with encoding/json. Both give the same entry. An event of
// a kind that is not known has the zero kind.
func (p *plain) parse(text []byte) (Entry, error) {
	var l line
	if p.read(text, &l) {
		return l.decode()
	}
	return parseLine(text)
}

// parseLine is parse for any line.
func parseLine(text []byte) (Entry, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		if text[0] != '{' || !json.Valid(text) {
			return Entry{}, errNotJSON
		}
		return Entry{}, fieldError(err)
	}
	return l.decode()
}

// fieldError words an error of encoding/json for people: by the field of the line, without Go's names.
func fieldError(err error) error {
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		// Go names the structs that a line is composed of as if they were fields.
		ours := func(name string) bool { return strings.HasSuffix(name, "Line") }
		path := slices.DeleteFunc(strings.Split(wrong.Field, "."), ours)
		return fmt.Errorf("%s: %s does not belong here", strings.Join(path, "."), kindOf(wrong.Value))
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// kindOf words what encoding/json says that it has found: "string", "number 1.5".
func kindOf(value string) string {
	word, _, _ := strings.Cut(value, " ")
	if words := map[string]string{"array": "a list", "object": "an object", "bool": "true or false"}; words[word] != "" {
		return words[word]
	}
	return "a " + value
}

// parseSeconds reads a decimal number of seconds with at most nine places. It does not go through a float, so each
// instant that was written is read as the same number of nanoseconds.
func parseSeconds(text string) (model.Time, error) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, frac, _ := strings.Cut(digits, ".")
	n, err := strconv.ParseUint(whole+(frac + "000000000")[:max(9, len(frac))], 10, 63)
	if err != nil || len(frac) > 9 || whole == "" {
		return 0, fmt.Errorf("%s is not a decimal number of seconds with at most nine places", text)
	}
	if negative {
		return -model.Time(n), nil
	}
	return model.Time(n), nil
}

// seconds is an instant or a duration in a line.
type seconds model.Time

// UnmarshalJSON reads the number without going through a float.
func (s *seconds) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	t, err := parseSeconds(string(text))
	*s = seconds(t)
	return err
}

// time returns it as an instant, duration as a length of time.
func (s seconds) time() model.Time        { return model.Time(s) }
func (s seconds) duration() time.Duration { return time.Duration(s) }

// nameOf returns the index of a name in a list of names of constants, 0 if it is not in it; the name at 0 is "".
func nameOf(names []string, name string) int { return max(0, slices.Index(names, name)) }

// parseUID reads what model.UID.String writes.
func parseUID(text string) (model.UID, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "uid-"), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("uid: %q is not of the form uid-7", text)
	}
	return model.UID(n), nil
}

// parseKey reads what model.Key.String writes.
func parseKey(text string) (model.Key, error) {
	namespace, name, found := strings.Cut(text, "/")
	if !found {
		return model.Key{}, fmt.Errorf("%q is not of the form NAMESPACE/NAME", text)
	}
	return model.Key{Namespace: namespace, Name: name}, nil
}
