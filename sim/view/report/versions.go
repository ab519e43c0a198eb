package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// VersionTable lists the versions, their differences, and their feature gates. `sim versions -o json` prints it.
type VersionTable struct {
	// Versions are the versions that behave differently, oldest first. There are at least two.
	Versions []string `json:"versions"`
	// Default is the newest version that is out. PreReleases are those after it.
	Default     string          `json:"default"`
	PreReleases []PreRelease    `json:"preReleases,omitempty"`
	Differences []DifferenceRow `json:"differences"`
	Gates       []GateRow       `json:"featureGates"`
}

// PreRelease is a version that is not out yet. Proven is the exact version that sim was compared with.
type PreRelease struct {
	Version string `json:"version"`
	Proven  string `json:"proven"`
}

// String describes a pre-release in a sentence.
func (p PreRelease) String() string {
	return fmt.Sprintf("%s is a pre-release, known as it is in %s: what it does may change until it is out.", p.Version, p.Proven)
}

// DifferenceRow is a difference between versions, and which versions have it; Where is "" if only a gate enables
// it. Of is the part of the control plane that behaves differently: controller, API server or both.
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

// states describes the history of the gate, without the versions that do not know it.
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

// released lists the versions that are out, for a sentence.
func (t *VersionTable) released() string {
	last := len(t.Versions) - 1 - len(t.PreReleases)
	return strings.Join(t.Versions[:last], ", ") + " and " + t.Versions[last]
}

// VersionsText writes the table as a list for people, also on narrow terminals.
func VersionsText(w io.Writer, t *VersionTable, style render.Style) error {
	p := newSheet(w, style)
	p.Text(0, "versions", render.Bold)
	p.Hanging(0, "  ", t.released()+" (the default)", render.Plain)
	for _, next := range t.PreReleases {
		p.Hanging(0, "  ", next.String(), render.Plain)
	}
	p.Hanging(0, "  ", "1.34 means the newest patch of 1.34. Of several patches that behave alike, the list has the "+
		"first: 1.34.1 behaves like 1.34.0.", render.Dim)
	p.Blank()
	p.Text(0, "differences", render.Bold)
	for i := range t.Differences {
		d := &t.Differences[i]
		p.Wrapped("  "+d.Name+"  ", d.where(), render.Good)
		p.Hanging(0, "      ", d.Sentence, render.Plain)
	}
	p.Blank()
	p.Text(0, "feature gates", render.Bold)
	for i := range t.Gates {
		p.Text(2, t.Gates[i].Name, render.Plain)
		p.Hanging(0, "      ", t.Gates[i].states(), render.Plain)
	}
	p.Blank()
	p.Text(0, "sim versions 1.36 1.37 says what changed between two versions, with links.", render.Dim)
	return p.Flush()
}

// VersionsMarkdown writes the same as tables, with links.
func VersionsMarkdown(w io.Writer, t *VersionTable) error {
	var differences, gates [][]string
	for i := range t.Differences {
		d := &t.Differences[i]
		differences = append(differences, []string{
			render.Code(d.Name), d.Of, render.Markdown(d.where()), render.Markdown(d.Sentence), linkNames(d.Links),
		})
	}
	for i := range t.Gates {
		gates = append(gates, []string{render.Code(t.Gates[i].Name), render.Markdown(t.Gates[i].states())})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The versions that behave differently are %s.\n\n"+
		"Here 1.35 means the newest patch of 1.35. Of several patches that behave alike, the list has the first:\n"+
		"1.35.2 behaves like 1.35.1.\n", t.released())
	for _, next := range t.PreReleases {
		fmt.Fprintf(&b, "\n%s\n", render.Markdown(next.String()))
	}
	fmt.Fprintf(&b, "\n## Differences\n\n%s",
		render.MarkdownTable([]string{"difference", "part", "versions", "what these versions do", "source"}, differences))
	fmt.Fprintf(&b, "\n## Feature gates\n\n%s", render.MarkdownTable([]string{"feature gate", "states"}, gates))
	_, err := io.WriteString(w, b.String())
	return err
}

// VersionChanges lists what changes from one version to another.
type VersionChanges struct {
	From        string         `json:"from"`
	To          string         `json:"to"`
	PreReleases []PreRelease   `json:"preReleases,omitempty"`
	Differences []VersionCause `json:"differences"`
	Gates       []GateChange   `json:"featureGates"`
	// API are sentences about what the API server does differently with a StatefulSet.
	API []string `json:"api"`
}

// VersionCause is a difference that one of two versions has: the later one if On is true. Sentence describes the
// later one, and then the state before.
type VersionCause struct {
	Name     string   `json:"name"`
	On       bool     `json:"on"`
	Sentence string   `json:"sentence"`
	Links    []string `json:"links,omitempty"`
}

// GateChange is a gate whose state differs between two versions; the states come from GateState.
type GateChange struct {
	Name string `json:"name"`
	From string `json:"from"`
	To   string `json:"to"`
}

// none reports whether nothing changed.
func (c *VersionChanges) none() bool { return len(c.Differences)+len(c.Gates)+len(c.API) == 0 }

// ChangesText writes what changed between two versions for people.
func ChangesText(w io.Writer, c *VersionChanges, style render.Style) error {
	p := newSheet(w, style)
	if c.none() {
		p.Text(0, fmt.Sprintf("%s and %s behave alike", c.From, c.To), render.Plain)
		return p.Flush()
	}
	p.Text(0, fmt.Sprintf("from %s to %s: %s", c.From, c.To, render.Count(len(c.Differences), "difference")), render.Bold)
	for _, next := range c.PreReleases {
		p.Hanging(0, "", next.String(), render.Plain)
	}
	for i := range c.Differences {
		d := &c.Differences[i]
		p.Blank()
		p.Text(2, d.Name, render.Good)
		p.Hanging(0, "      ", d.Sentence, render.Plain)
		for _, link := range d.Links {
			p.Verbatim(6, link, render.Dim)
		}
	}
	if len(c.Gates) > 0 {
		p.Blank()
		p.Text(0, "feature gates", render.Bold)
	}
	for _, g := range c.Gates {
		p.Wrapped("  "+g.Name+"  ", g.From+" -> "+g.To, render.Plain)
	}
	if len(c.API) > 0 {
		p.Blank()
		p.Text(0, "what the API server does with a StatefulSet", render.Bold)
	}
	for _, change := range c.API {
		p.Hanging(2, "  - ", change, render.Plain)
	}
	return p.Flush()
}

// ChangesMarkdown writes the same for a page.
func ChangesMarkdown(w io.Writer, c *VersionChanges) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Kubernetes %s to %s\n", c.From, c.To)
	for _, next := range c.PreReleases {
		fmt.Fprintf(&b, "\n%s\n", render.Markdown(next.String()))
	}
	if c.none() {
		b.WriteString("\nBoth behave alike.\n")
	}
	for i := range c.Differences {
		d := &c.Differences[i]
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "- `%s`: %s%s\n", d.Name, render.Markdown(d.Sentence), MarkdownLinks(d.Links))
	}
	if len(c.Gates) > 0 {
		var rows [][]string
		for _, change := range c.Gates {
			rows = append(rows, []string{render.Code(change.Name), change.From, change.To})
		}
		b.WriteString("\n" + render.MarkdownTable([]string{"feature gate", c.From, c.To}, rows))
	}
	if len(c.API) > 0 {
		b.WriteString("\nWhat the API server does with a StatefulSet:\n\n")
	}
	for _, change := range c.API {
		fmt.Fprintf(&b, "- %s\n", render.Markdown(change))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
