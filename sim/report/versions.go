package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/sim/page"
)

// VersionTable lists the versions, their differences, and their feature gates. As JSON it is what `sim versions -o
// json` prints.
type VersionTable struct {
	// Versions are the versions that behave differently, oldest first; the last is the default. There are at least two.
	Versions    []string        `json:"versions"`
	Differences []DifferenceRow `json:"differences"`
	Gates       []GateRow       `json:"featureGates"`
}

// DifferenceRow is a difference between versions, and which versions have it; Where is "" where only a gate brings it.
// Of is the part of the control plane whose behaviour it is: controller, API server or both.
type DifferenceRow struct {
	Name     string   `json:"name"`
	Of       string   `json:"of"`
	Sentence string   `json:"sentence"`
	Where    string   `json:"versions"`
	Links    []string `json:"links,omitempty"`
}

// GateRow is a feature gate and what becomes of it.
type GateRow struct {
	Name   string      `json:"name"`
	States []GateState `json:"states"`
}

// GateState is the state of a gate in some versions: on, off, locked on, locked off or unknown.
type GateState struct {
	Versions string `json:"versions"`
	State    string `json:"state"`
}

// where says which versions have the difference.
func (d *DifferenceRow) where() string {
	if d.Where == "" {
		return "by its feature gate only"
	}
	return d.Where
}

// states says what becomes of the gate, without the versions that do not know it.
func (g *GateRow) states() string {
	var list []string
	for _, s := range g.States {
		if s.State != GateUnknown {
			list = append(list, s.State+" "+s.Versions)
		}
	}
	return strings.Join(list, "; ")
}

// GateUnknown is the state of a gate in a version that does not know it.
const GateUnknown = "unknown"

// VersionsText writes the table as a list for people, also on narrow terminals.
func VersionsText(w io.Writer, t *VersionTable, style page.Style) error {
	p := newSheet(w, style)
	p.Text(0, "versions", page.Bold)
	last := len(t.Versions) - 1
	p.Hanging(0, "  ", strings.Join(t.Versions[:last], ", ")+" and "+t.Versions[last]+" (the default)", page.Plain)
	p.Hanging(0, "  ", "MINOR is its newest patch; MINOR.PATCH is the first patch of its kind.", page.Dim)
	p.Blank()
	p.Text(0, "differences", page.Bold)
	for i := range t.Differences {
		d := &t.Differences[i]
		p.Wrapped("  "+d.Name+"  ", d.where(), page.Good)
		p.Hanging(0, "      ", d.Sentence, page.Plain)
	}
	p.Blank()
	p.Text(0, "feature gates", page.Bold)
	for i := range t.Gates {
		p.Text(2, t.Gates[i].Name, page.Plain)
		p.Hanging(0, "      ", t.Gates[i].states(), page.Plain)
	}
	p.Blank()
	p.Text(0, "sim versions 1.36 1.37 says what changed between two versions, with links.", page.Dim)
	return p.Flush()
}

// VersionsMarkdown writes the same as tables, with links.
func VersionsMarkdown(w io.Writer, t *VersionTable) error {
	var differences, gates [][]string
	for i := range t.Differences {
		d := &t.Differences[i]
		differences = append(differences, []string{
			page.Code(d.Name), d.Of, page.Markdown(d.where()), page.Markdown(d.Sentence), linkNames(d.Links),
		})
	}
	for i := range t.Gates {
		gates = append(gates, []string{page.Code(t.Gates[i].Name), page.Markdown(t.Gates[i].states())})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The versions that behave differently are %s. "+
		"MINOR is its newest patch; MINOR.PATCH is the first patch\n"+
		"of its kind, so 1.35.2 behaves as 1.35.1 does.\n", strings.Join(t.Versions, ", "))
	fmt.Fprintf(&b, "\n## Differences\n\n%s",
		page.MarkdownTable([]string{"difference", "of", "versions", "what these versions do", "source"}, differences))
	fmt.Fprintf(&b, "\n## Feature gates\n\n%s", page.MarkdownTable([]string{"feature gate", "states"}, gates))
	_, err := io.WriteString(w, b.String())
	return err
}

// VersionsJSON writes the table as one document.
func VersionsJSON(w io.Writer, t *VersionTable) error {
	return page.JSON(w, t)
}

// VersionChanges lists what changes from one version to another.
type VersionChanges struct {
	From        string         `json:"from"`
	To          string         `json:"to"`
	Differences []VersionCause `json:"differences"`
	Gates       []GateChange   `json:"featureGates"`
	// API are sentences about what the API server does differently with a StatefulSet.
	API []string `json:"api"`
}

// VersionCause is a difference that one of two versions has: the later one where On is true. Sentence says what is so
// in the later one, and what was before.
type VersionCause struct {
	Name     string   `json:"name"`
	On       bool     `json:"on"`
	Sentence string   `json:"sentence"`
	Links    []string `json:"links,omitempty"`
}

// GateChange is a gate whose state differs between two versions; the states are those of GateState.
type GateChange struct {
	Name string `json:"name"`
	From string `json:"from"`
	To   string `json:"to"`
}

// none says whether nothing changed.
func (c *VersionChanges) none() bool { return len(c.Differences)+len(c.Gates)+len(c.API) == 0 }

// ChangesText writes what changed between two versions for people.
func ChangesText(w io.Writer, c *VersionChanges, style page.Style) error {
	p := newSheet(w, style)
	if c.none() {
		p.Text(0, fmt.Sprintf("%s and %s behave alike", c.From, c.To), page.Plain)
		return p.Flush()
	}
	p.Text(0, fmt.Sprintf("from %s to %s: %s", c.From, c.To, page.Count(len(c.Differences), "difference")), page.Bold)
	for i := range c.Differences {
		d := &c.Differences[i]
		p.Blank()
		p.Text(2, d.Name, page.Good)
		p.Hanging(0, "      ", d.Sentence, page.Plain)
		for _, link := range d.Links {
			p.Verbatim(6, link, page.Dim)
		}
	}
	if len(c.Gates) > 0 {
		p.Blank()
		p.Text(0, "feature gates", page.Bold)
	}
	for _, g := range c.Gates {
		p.Wrapped("  "+g.Name+"  ", g.From+" -> "+g.To, page.Plain)
	}
	if len(c.API) > 0 {
		p.Blank()
		p.Text(0, "what the API server does with a StatefulSet", page.Bold)
	}
	for _, change := range c.API {
		p.Hanging(2, "  - ", change, page.Plain)
	}
	return p.Flush()
}

// ChangesMarkdown writes the same for a page.
func ChangesMarkdown(w io.Writer, c *VersionChanges) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Kubernetes %s to %s\n", c.From, c.To)
	if c.none() {
		b.WriteString("\nBoth behave alike.\n")
	}
	for i := range c.Differences {
		d := &c.Differences[i]
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "- `%s`: %s%s\n", d.Name, page.Markdown(d.Sentence), MarkdownLinks(d.Links))
	}
	if len(c.Gates) > 0 {
		var rows [][]string
		for _, change := range c.Gates {
			rows = append(rows, []string{page.Code(change.Name), change.From, change.To})
		}
		b.WriteString("\n" + page.MarkdownTable([]string{"feature gate", c.From, c.To}, rows))
	}
	if len(c.API) > 0 {
		b.WriteString("\nWhat the API server does with a StatefulSet:\n\n")
	}
	for _, change := range c.API {
		fmt.Fprintf(&b, "- %s\n", page.Markdown(change))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// ChangesJSON writes the same as one document.
func ChangesJSON(w io.Writer, c *VersionChanges) error {
	return page.JSON(w, c)
}
