package report

import (
	"fmt"
	"io"
	"strings"
)

// VersionTable is what is known of versions: which there are, in what they differ, and their feature gates.
type VersionTable struct {
	FormatVersion int `json:"formatVersion"`
	// Versions are the versions that behave differently, oldest first.
	Versions    []string        `json:"versions"`
	Differences []DifferenceRow `json:"differences"`
	Gates       []GateRow       `json:"featureGates"`
}

// DifferenceRow is a difference between versions, and which versions have it; Where is "" where only a gate brings it.
type DifferenceRow struct {
	Name     string   `json:"name"`
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
func VersionsText(w io.Writer, t *VersionTable, style Style) error {
	p := newPage(w, style)
	p.text(0, "versions", bold)
	last := len(t.Versions) - 1
	p.hanging(0, "  ", strings.Join(t.Versions[:last], ", ")+" and "+t.Versions[last]+" (the default)", plain)
	p.hanging(0, "  ", "MINOR is its newest patch; MINOR.PATCH is the first patch of its kind.", dim)
	p.blank()
	p.text(0, "differences", bold)
	for i := range t.Differences {
		d := &t.Differences[i]
		p.wrapped("  "+d.Name+"  ", d.where(), good)
		p.hanging(0, "      ", d.Sentence, plain)
	}
	p.blank()
	p.text(0, "feature gates", bold)
	for i := range t.Gates {
		p.text(2, t.Gates[i].Name, plain)
		p.hanging(0, "      ", t.Gates[i].states(), plain)
	}
	p.blank()
	p.text(0, "sim versions 1.36 1.37 says what changed between two versions, with links.", dim)
	return p.flush()
}

// VersionsMarkdown writes the same as tables, with links.
func VersionsMarkdown(w io.Writer, t *VersionTable) error {
	differences := grid{title: "differences", header: []string{"difference", "versions", "what is so there", "source"}}
	for i := range t.Differences {
		d := &t.Differences[i]
		differences.rows = append(differences.rows, []string{"`" + d.Name + "`", d.where(), d.Sentence, linkNames(d.Links)})
	}
	gates := grid{title: "feature gates", header: []string{"feature gate", "states"}}
	for i := range t.Gates {
		gates.rows = append(gates.rows, []string{"`" + t.Gates[i].Name + "`", t.Gates[i].states()})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The versions that behave differently are %s. "+
		"MINOR is its newest patch; MINOR.PATCH is the first patch\n"+
		"of its kind, so 1.35.2 behaves as 1.35.1 does.\n", strings.Join(t.Versions, ", "))
	for _, g := range []grid{differences, gates} {
		drawn, err := drawMarkdown(g)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", capital(g.title), drawn)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// VersionsJSON writes the table as one document.
func VersionsJSON(w io.Writer, t *VersionTable) error {
	t.FormatVersion = DocumentVersion
	return writeJSON(w, t)
}

// VersionChanges is what one version does otherwise than another.
type VersionChanges struct {
	FormatVersion int            `json:"formatVersion"`
	From          string         `json:"from"`
	To            string         `json:"to"`
	Differences   []VersionCause `json:"differences"`
	Gates         []GateChange   `json:"featureGates"`
	API           []string       `json:"api"`
}

// VersionCause is a difference that one of two versions has: the later one where On is true.
type VersionCause struct {
	Name     string   `json:"name"`
	On       bool     `json:"on"`
	Sentence string   `json:"sentence"`
	Links    []string `json:"links,omitempty"`
}

// GateChange is a gate whose state differs between two versions.
type GateChange struct {
	Name string `json:"name"`
	From string `json:"from"`
	To   string `json:"to"`
}

func (c *VersionCause) told() string {
	if c.On {
		return c.Sentence
	}
	return "No longer: " + c.Sentence
}

func (c *VersionChanges) none() bool { return len(c.Differences)+len(c.Gates)+len(c.API) == 0 }

// ChangesText writes what changed between two versions for people.
func ChangesText(w io.Writer, c *VersionChanges, style Style) error {
	p := newPage(w, style)
	if c.none() {
		p.text(0, fmt.Sprintf("%s and %s behave alike", c.From, c.To), plain)
		return p.flush()
	}
	p.text(0, fmt.Sprintf("from %s to %s: %s", c.From, c.To, count(len(c.Differences), "difference")), bold)
	for i := range c.Differences {
		d := &c.Differences[i]
		p.blank()
		p.text(2, d.Name, good)
		p.hanging(0, "      ", d.told(), plain)
		for _, link := range d.Links {
			p.verbatim(6, link, dim)
		}
	}
	if len(c.Gates) > 0 {
		p.blank()
		p.text(0, "feature gates", bold)
	}
	for _, g := range c.Gates {
		p.wrapped("  "+g.Name+"  ", g.From+" -> "+g.To, plain)
	}
	if len(c.API) > 0 {
		p.blank()
		p.text(0, "what the API server does with a StatefulSet", bold)
	}
	for _, change := range c.API {
		p.hanging(2, "  - ", change, plain)
	}
	return p.flush()
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
		fmt.Fprintf(&b, "- `%s`: %s%s\n", d.Name, escapeMarkdown(d.told()), markdownLinks(d.Links))
	}
	if len(c.Gates) > 0 {
		g := grid{title: "gates", header: []string{"feature gate", c.From, c.To}}
		for _, change := range c.Gates {
			g.rows = append(g.rows, []string{"`" + change.Name + "`", change.From, change.To})
		}
		drawn, err := drawMarkdown(g)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n%s\n", drawn)
	}
	if len(c.API) > 0 {
		b.WriteString("\nWhat the API server does with a StatefulSet:\n\n")
	}
	for _, change := range c.API {
		fmt.Fprintf(&b, "- %s\n", escapeMarkdown(change))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// ChangesJSON writes the same as one document.
func ChangesJSON(w io.Writer, c *VersionChanges) error {
	c.FormatVersion = DocumentVersion
	return writeJSON(w, c)
}
