package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/sim/timeline/versus"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Parting is the point where one run diverges from another, and why.
type Parting struct {
	// Names are the names of the two runs, the earlier or first one first; the same order as versus.Parting.Sides.
	Names [2]string
	// The place where they diverge; nil if they are alike. Only a Parting that has it may be asked for words.
	*versus.Parting
	// Causes are the differences between the versions that make the second one diverge. They may be unknown, and
	// then empty; the causes of what is left at the end (Left) come last.
	Causes []Cause
}

// Cause is a difference between two versions.
type Cause struct {
	Name, Sentence string
	// On is true if the second version has the difference; otherwise the first one has it. Links lead to its pull
	// requests, issues and enhancement proposals.
	On    bool
	Links []string
	// Left is true if it causes what is left at the end, not the point where the runs diverge.
	Left bool
}

// Heading says where the runs part: "1.36 and 1.37 diverge at 13s, 1s after step 2 (…)".
func (d *Parting) Heading() string {
	what := ""
	switch d.Level {
	case versus.Objects:
		return fmt.Sprintf("%s and %s differ only in what is left at the end", d.Names[0], d.Names[1])
	case versus.Status:
		what = ", only in the status"
	case versus.Words:
		what = ", only in the words of a refusal"
	}
	return fmt.Sprintf("%s and %s diverge at %s%s%s", d.Names[0], d.Names[1], render.Clock(d.T), d.afterStep(), what)
}

// afterStep says how long after the last step the runs diverge, "" if there was no step before.
func (d *Parting) afterStep() string {
	if d.Step == nil {
		return ""
	}
	step := fmt.Sprintf("step %d (%s)", d.Step.Number, d.Step.Does)
	if d.StepT == d.T {
		return ", at " + step
	}
	return fmt.Sprintf(", %s after %s", render.Clock(d.T.Sub(d.StepT)), step)
}

// Sentence describes a cause, and which of the versions has it.
func (d *Parting) Sentence(c *Cause) string {
	has, other := d.Names[1], d.Names[0]
	if !c.On {
		has, other = other, has
	}
	text := fmt.Sprintf("%s, in %s and not in %s: %s", c.Name, has, other, c.Sentence)
	if c.Left {
		return "what is left differs by " + text
	}
	return text
}

// parting writes where two runs diverge, what each does there, and which difference causes it. An idle side has no
// line.
func (p sheet) parting(indent int, d *Parting) {
	p.Text(indent, d.Heading()+":", render.Bold)
	lead := strings.Repeat(" ", indent+2)
	width := max(render.Width(d.Names[0]), render.Width(d.Names[1]))
	if len(d.Causes) > 0 {
		width = max(width, len("cause"))
	}
	does := d.Does()
	for i := range does {
		if does[i] != "" {
			p.Wrapped(fmt.Sprintf("%s%-*s  ", lead, width, d.Names[i]), does[i], render.Plain)
		}
	}
	for _, sentence := range d.further() {
		p.Hanging(indent+2, lead, sentence, render.Plain)
	}
	p.causes(lead, width, d)
}

// further says in what else the two runs differ, after the first difference.
func (d *Parting) further() []string {
	var list []string
	if len(d.Later) > 0 {
		list = append(list, "later they differ in "+render.And(d.Later)+", too")
	}
	if d.Left[0] != d.Left[1] {
		list = append(list, fmt.Sprintf("at the end %s has %s; %s has %s", d.Names[0], d.Left[0], d.Names[1], d.Left[1]))
	}
	return list
}

// causes writes the causes below each other: "cause" before the first, "and" before the others.
func (p sheet) causes(lead string, width int, d *Parting) {
	label := "cause"
	for i := range d.Causes {
		c := &d.Causes[i]
		if c.Left {
			label = ""
		}
		p.Wrapped(fmt.Sprintf("%s%-*s  ", lead, width, label), d.Sentence(c), render.Plain)
		for _, link := range c.Links {
			p.Verbatim(len(lead)+width+4, link, render.Dim)
		}
		label = "and"
	}
}

// markdown writes the same as a list.
func (d *Parting) markdown(w *strings.Builder, indent string) {
	for i, does := range d.Does() {
		if does != "" {
			fmt.Fprintf(w, "%s- **%s** %s\n", indent, render.Markdown(d.Names[i]), render.Markdown(does))
		}
	}
	for _, sentence := range d.further() {
		fmt.Fprintf(w, "%s- %s\n", indent, render.Markdown(sentence))
	}
	for i := range d.Causes {
		c := &d.Causes[i]
		label := "Cause: "
		if c.Left {
			label = ""
		}
		fmt.Fprintf(w, "%s- %s%s%s\n", indent, label, render.Markdown(d.Sentence(c)), MarkdownLinks(c.Links))
	}
}

// MarkdownLinks renders links in brackets, after their subject.
func MarkdownLinks(links []string) string {
	if len(links) == 0 {
		return ""
	}
	return " (" + linkNames(links) + ")"
}

// linkNames renders links to pull requests and enhancement proposals by their numbers.
func linkNames(links []string) string {
	var list []string
	for _, link := range links {
		list = append(list, fmt.Sprintf("[%s](%s)", linkName(link), link))
	}
	return strings.Join(list, ", ")
}

// linkName returns the name of a link by the number at its end: PR 137666, KEP 961, issue 134773.
func linkName(link string) string {
	number := link[strings.LastIndexByte(link, '/')+1:]
	if strings.Contains(link, "/enhancements/") {
		return "KEP " + number
	}
	if strings.Contains(link, "/issues/") {
		return "issue " + number
	}
	return "PR " + number
}

// partingJSON is a Parting for programs.
type partingJSON struct {
	Between [2]string `json:"between"`
	// T is in virtual seconds, Level is pods, status, words or objects.
	T      jsonSeconds `json:"t"`
	Level  string      `json:"level"`
	Step   int         `json:"step,omitempty"`
	Does   [2]string   `json:"does"`
	Causes []causeJSON `json:"causes"`
	// Further are sentences about what else differs.
	Further []string `json:"further,omitempty"`
}

// causeJSON is a Cause for programs. In is the name of the run whose version has the difference.
type causeJSON struct {
	Name     string   `json:"name"`
	Sentence string   `json:"sentence"`
	In       string   `json:"in"`
	Links    []string `json:"links,omitempty"`
	Left     bool     `json:"left,omitempty"`
}

// levelNames are the levels in the words of the JSON.
var levelNames = [...]string{
	versus.Pods: "pods", versus.Status: "status", versus.Words: "words", versus.Objects: "objects",
}

// MarshalJSON renders the parting as reports have it.
func (d Parting) MarshalJSON() ([]byte, error) { return json.Marshal(d.json()) }

// json returns the parting for programs. There must be a place where the runs diverge.
func (d *Parting) json() partingJSON {
	as := partingJSON{
		Further: d.further(),
		Between: d.Names, T: jsonSeconds(d.T), Level: levelNames[d.Level], Does: d.Does(), Causes: []causeJSON{},
	}
	if d.Step != nil {
		as.Step = d.Step.Number
	}
	for i := range d.Causes {
		c := &d.Causes[i]
		in := d.Names[1]
		if !c.On {
			in = d.Names[0]
		}
		as.Causes = append(as.Causes, causeJSON{
			Name: c.Name, Sentence: c.Sentence, In: in, Links: c.Links, Left: c.Left,
		})
	}
	return as
}
