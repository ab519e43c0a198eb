package kubectl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// at is the annotation of a List that says when it was read.
const at = "statefulsim.dev/at"

// list is a List as kubectl prints it, with the time of a look.
type list struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Items json.RawMessage `json:"items"`
}

// Recorded returns a look as a line of a recording: what kubectl printed, and the time in the cluster.
func Recorded(data []byte, when time.Time) ([]byte, error) {
	var l list
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, fmt.Errorf("the list that kubectl printed: %w", err)
	}
	l.Metadata.Annotations = map[string]string{at: when.UTC().Format(time.RFC3339Nano)}
	line, err := json.Marshal(l)
	return append(line, '\n'), err
}

// Look is a look of a recording.
type Look struct {
	At     time.Time
	Source dump.Source
}

// Recording reads the looks of a recording, in their order. The error is strict.Problems. It costs O(bytes).
func Recording(name string, data []byte) ([]Look, error) {
	if err := strict.Session(name, data); err != nil {
		return nil, err
	}
	var looks []Look
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		var l list
		begin := d.InputOffset()
		begin += int64(len(data[begin:]) - len(bytes.TrimLeft(data[begin:], " \t\r\n")))
		above := bytes.Count(data[:begin], []byte("\n"))
		err := d.Decode(&l)
		if err == io.EOF && len(looks) > 0 {
			return looks, nil
		}
		when, wrong := time.Parse(time.RFC3339Nano, l.Metadata.Annotations[at])
		if err != nil || wrong != nil || len(looks) > 0 && when.Compare(looks[len(looks)-1].At) < 0 {
			return nil, strict.Problems{{File: name, Line: 1 + above, Column: 1,
				What: "this is no look of a recording", Want: "a recording is what sim follow --record writes"}}
		}
		// The lines before it keep the places of its problems.
		before := bytes.Repeat([]byte("\n"), above)
		looks = append(looks, Look{when, dump.Source{Name: name, Data: append(before, data[begin:d.InputOffset()]...)}})
	}
}

// IsRecording says whether a file begins as a recording does.
func IsRecording(data []byte) bool {
	return bytes.HasPrefix(data, []byte(`{"apiVersion":"v1","kind":"List","metadata":{"annotations":{"`+at+`"`))
}

// Whole returns a file without its last line if it is a recording and that line was not written to its end, since the
// process was killed meanwhile: torn is its number then, else 0.
func Whole(data []byte) (whole []byte, torn int) {
	end := bytes.LastIndexByte(data, '\n') + 1
	if end == 0 || !IsRecording(data) || end == len(data) || json.Valid(data[end:]) {
		return data, 0
	}
	return data[:end], 1 + bytes.Count(data[:end], []byte("\n"))
}
