package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// document is the JSON document without its events, which are written one by one: a timeline may be large, and is
// never held a second time as text.
type document struct {
	Name         string            `json:"name"`
	Description  string            `json:"description,omitempty"`
	File         string            `json:"file,omitempty"`
	Expectations []expectationJSON `json:"expectations"`
	// Figures are left out of a timeline that is cut off.
	Figures *figuresJSON `json:"figures,omitempty"`
	// WaysOut are the fixes of the sets that are stuck at the end; Explain is the command that looks for the reason.
	// Untried says why no fix was looked for, or not for all sets.
	WaysOut   []wayOutJSON `json:"waysOut,omitempty"`
	Explain   string       `json:"explain,omitempty"`
	Untried   string       `json:"untried,omitempty"`
	Complaint string       `json:"complaint,omitempty"`
	// Gates is what deploy tools that wait say of the steps.
	Gates  []any  `json:"gates,omitempty"`
	Repeat string `json:"repeat,omitempty"`
}

// expectationJSON is an Expectation for programs; the lines around are left out, since the events are in the document.
type expectationJSON struct {
	Expect   string   `json:"expect"`
	Verdict  string   `json:"verdict"`
	Position string   `json:"position,omitempty"`
	Wanted   string   `json:"wanted,omitempty"`
	Detail   string   `json:"detail,omitempty"`
	Expected []string `json:"expected,omitempty"`
	Got      []string `json:"got,omitempty"`
	// Instants are in virtual seconds, as decimal numbers.
	Instants []json.Number `json:"instants,omitempty"`
}

// JSON writes the run as one document: formatVersion, name, expectations, then the timeline's header, its result
// and all events between, which have the fields of the JSON lines format. A result without a digest gets the
// timeline's. Once it is enough, the remaining events are left out and counted, and figures and a digest that were
// not computed are left out too. docs/json.md has the fields.
func JSON(w io.Writer, run *Run) error {
	doc := document{
		Name: run.Name, Description: run.Description, File: run.File,
		Expectations: expectationsJSON(run.Expectations), Complaint: run.Complaint, Repeat: run.Repeat,
		WaysOut: waysOutJSON(run.Cures), Explain: run.Explain,
		Untried: run.Untried,
	}
	for _, g := range run.Gates {
		doc.Gates = append(doc.Gates, g.Fields)
	}
	if run.result() != nil && !run.enough(0) {
		doc.Figures = figuresOf(run)
	}
	var head bytes.Buffer
	if err := render.JSON(&head, doc); err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	out.Write(bytes.TrimSuffix(head.Bytes(), []byte("\n}\n")))
	events := run.Events
	if len(events) > 0 && events[0].Run != nil {
		out.WriteString(",\n  \"header\": ")
		out.Write(timeline.AppendJSON(nil, &events[0]))
		events = events[1:]
	}
	if result := run.result(); result != nil {
		if result.Result.Digest == "" {
			result = result.WithDigest(run.digest())
		}
		out.WriteString(",\n  \"result\": ")
		out.Write(timeline.AppendJSON(nil, result))
		events = events[:len(events)-1]
	}
	left := run.writeEvents(out, events)
	if left > 0 {
		fmt.Fprintf(out, ",\n  \"leftOut\": %d", left)
	}
	out.WriteString("\n}\n")
	return out.Flush()
}

// digest returns the digest of the timeline, "" if it is enough before that.
func (r *Run) digest() string {
	sum := timeline.NewDigester()
	var line []byte
	for i := range r.Events[:len(r.Events)-1] {
		if r.enough(i) {
			return ""
		}
		line = append(timeline.AppendJSON(line[:0], &r.Events[i]), '\n')
		sum.Add(line)
	}
	return sum.String()
}

// writeEvents writes a list of events, one a line, for line tools. It returns how many it has left out.
func (r *Run) writeEvents(out *bufio.Writer, events []timeline.Event) (left int) {
	out.WriteString(",\n  \"events\": [")
	var line []byte
	for i := range events {
		if r.enough(i) {
			events, left = events[:i], len(events)-i
			break
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n    ")
		line = timeline.AppendJSON(line[:0], &events[i])
		out.Write(line)
	}
	if len(events) > 0 {
		out.WriteString("\n  ")
	}
	out.WriteByte(']')
	return left
}

// expectationsJSON returns the expectations in their order; an empty list, and never null, without any.
func expectationsJSON(all []Expectation) []expectationJSON {
	out := make([]expectationJSON, 0, len(all))
	for i := range all {
		e := &all[i]
		as := expectationJSON{
			Expect: e.Text, Verdict: e.Verdict.String(), Position: e.Position,
			Wanted: e.Want, Detail: e.Detail, Expected: e.Expected, Got: e.Got,
		}
		for _, t := range e.Instants {
			as.Instants = append(as.Instants, json.Number(t.Seconds()))
		}
		out = append(out, as)
	}
	return out
}
