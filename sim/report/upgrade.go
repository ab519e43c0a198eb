package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/page"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
)

// Upgrade is what two versions do differently with the sets of a cluster.
type Upgrade struct {
	From, To string
	// Gates are the feature gates that were set, under each of the versions.
	Gates [2]string
	// Groups are the sets that behave differently; those that are alike in all that matters are together.
	Groups []UpgradeGroup
	// Differing, Worse and Alike count sets: those that behave differently, those of them that come off worse, and the
	// others.
	Differing, Worse, Alike int
	// Ignored are the kinds of objects that play no part.
	Ignored []string
	// Show returns the command that shows the run of NAMESPACE/NAME:CASE.
	Show func(string) string
	// Interrupted says that not all sets were looked at.
	Interrupted bool
}

// UpgradeGroup are sets of one shape. What happens is told of the first.
type UpgradeGroup struct {
	Sets        []string
	Description string
	API         []string
	Rows        []UpgradeRow
}

// UpgradeRow is a case in which the sets behave differently.
type UpgradeRow struct {
	Case, Does string
	Parting    Parting
	// Endings say how either run ends.
	Endings [2]string
	Worse   bool
	Advice  string
}

// headline sums the report up.
func (u *Upgrade) headline() string {
	text := fmt.Sprintf("%d of %s differently on %s than on %s",
		u.Differing, behave(u.Differing+u.Alike), u.To, u.From)
	if u.Worse > 0 {
		text += fmt.Sprintf("; %d of them for the worse", u.Worse)
	}
	if u.Differing == 0 {
		text = fmt.Sprintf("all %s on %s as on %s", behave(u.Alike), u.To, u.From)
	}
	if u.Alike == 1 && u.Differing == 0 {
		text = fmt.Sprintf("the one set behaves on %s as on %s", u.To, u.From)
	}
	if u.Differing+u.Alike == 0 {
		text = "there is no StatefulSet in the input"
	}
	if u.Interrupted {
		text += " (interrupted: not all sets were looked at)"
	}
	return text
}

func behave(n int) string {
	if n == 1 {
		return "1 set behaves"
	}
	return fmt.Sprintf("%d sets behave", n)
}

func (u *Upgrade) notes() []string {
	var notes []string
	if u.Differing > 0 && u.Alike > 0 {
		notes = append(notes, fmt.Sprintf("%s alike on both", behave(u.Alike)))
	}
	if len(u.Ignored) > 0 {
		notes = append(notes, "objects of other kinds play no part: "+strings.Join(u.Ignored, ", "))
	}
	return notes
}

// UpgradeText writes the report for people.
func UpgradeText(w io.Writer, u *Upgrade, style page.Style) error {
	p := newSheet(w, style)
	t := page.Good
	if u.Differing > 0 {
		t = page.Bad
	}
	p.Hanging(0, "", u.headline(), t)
	p.gates(u)
	for i := range u.Groups {
		p.Blank()
		p.upgradeGroup(u, &u.Groups[i])
	}
	p.legend(u)
	if notes := u.notes(); len(notes) > 0 {
		p.Blank()
		for _, note := range notes {
			p.Hanging(0, "", note, page.Plain)
		}
	}
	return p.Flush()
}

// legend says what the causes are.
func (p sheet) legend(u *Upgrade) {
	for i, c := range u.causes() {
		if i == 0 {
			p.Blank()
			p.Text(0, "what these differences are:", page.Bold)
		}
		p.Hanging(2, "  - ", u.told(&c), page.Plain)
		for _, link := range c.Links {
			p.Verbatim(6, link, page.Dim)
		}
	}
}

func (p sheet) gates(u *Upgrade) {
	for i, version := range []string{u.From, u.To} {
		if u.Gates[i] != "" {
			p.Hanging(2, "  ", version+" with "+u.Gates[i], page.Dim)
		}
	}
}

// mostNames is how many sets of a group are named in one line.
const mostNames = 20

func (g *UpgradeGroup) names() string {
	if len(g.Sets) <= mostNames {
		return strings.Join(g.Sets, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(g.Sets[:mostNames], ", "), len(g.Sets)-mostNames)
}

func (p sheet) upgradeGroup(u *Upgrade, g *UpgradeGroup) {
	p.Hanging(0, "", g.names(), page.Bold)
	p.Hanging(0, "  ", g.Description, page.Plain)
	for _, change := range g.API {
		p.Hanging(2, "  - ", change, page.Warn)
	}
	for i := range g.Rows {
		row := &g.Rows[i]
		t := page.Warn
		if row.Worse {
			t = page.Bad
		}
		p.Hanging(2, "  - ", row.Does+" ("+row.Case+"): "+row.contrast(u), t)
		p.Hanging(2, "      ", row.Parting.heading()+":", page.Plain)
		width := max(len(u.From), len(u.To))
		for side, does := range row.Parting.Does() {
			p.Wrapped(fmt.Sprintf("        %-*s  ", width, row.Parting.Names[side]), does, page.Plain)
		}
		if len(row.Parting.Causes) > 0 {
			p.Hanging(2, "      ", "by "+row.causeNames(), page.Plain)
		}
		if row.Advice != "" {
			p.Hanging(2, "      ", row.Advice, page.Good)
		}
	}
	if len(g.Rows) > 0 {
		p.Verbatim(2, u.showCommand(g, &g.Rows[0]), page.Dim)
	}
}

// contrast says how the two runs end.
func (r *UpgradeRow) contrast(u *Upgrade) string {
	if r.Endings[0] == r.Endings[1] {
		return fmt.Sprintf("it %s on both, but not in the same way", r.Endings[0])
	}
	return fmt.Sprintf("%s %s; %s %s", u.From, r.Endings[0], u.To, r.Endings[1])
}

// causeNames are the names of the causes; what they are is told once, at the end.
func (r *UpgradeRow) causeNames() string {
	var list []string
	for i := range r.Parting.Causes {
		list = append(list, r.Parting.Causes[i].Name)
	}
	return strings.Join(list, " and ")
}

// causes are all causes that are named, each once, in their order.
func (u *Upgrade) causes() []Cause {
	var all []Cause
	for _, g := range u.Groups {
		for _, row := range g.Rows {
			for _, c := range row.Parting.Causes {
				if !slices.ContainsFunc(all, func(known Cause) bool { return known.Name == c.Name }) {
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// told says what a cause is, and which of the versions has it.
func (u *Upgrade) told(c *Cause) string {
	d := Parting{Names: [2]string{u.From, u.To}}
	return d.sentence(c)
}

func (u *Upgrade) showCommand(g *UpgradeGroup, row *UpgradeRow) string {
	return u.Show(g.Sets[0] + ":" + row.Case)
}

// UpgradeMarkdown writes the report for a pull request or a page.
func UpgradeMarkdown(w io.Writer, u *Upgrade) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Kubernetes %s to %s\n\n**%s**\n", u.From, u.To, page.Markdown(page.Capital(u.headline())))
	for i := range u.Groups {
		g := &u.Groups[i]
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", page.Markdown(g.names()), page.Markdown(g.Description))
		for _, change := range g.API {
			fmt.Fprintf(&b, "- %s\n", page.Markdown(change))
		}
		for j := range g.Rows {
			row := &g.Rows[j]
			fmt.Fprintf(&b, "- **%s** (`%s`): %s\n", page.Markdown(row.Does), row.Case, page.Markdown(row.contrast(u)))
			fmt.Fprintf(&b, "  - %s:\n", page.Markdown(row.Parting.heading()))
			row.markdown(&b)
			if row.Advice != "" {
				fmt.Fprintf(&b, "  - %s\n", page.Markdown(row.Advice))
			}
		}
		if len(g.Rows) > 0 {
			b.WriteString("\n" + page.Block("console", "$ "+u.showCommand(g, &g.Rows[0])))
		}
	}
	for i, c := range u.causes() {
		if i == 0 {
			b.WriteString("\n## What these differences are\n\n")
		}
		fmt.Fprintf(&b, "- %s%s\n", page.Markdown(u.told(&c)), markdownLinks(c.Links))
	}
	for _, note := range u.notes() {
		fmt.Fprintf(&b, "\n%s.\n", page.Markdown(page.Capital(note)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown writes what each version does where the runs part, and by which differences.
func (r *UpgradeRow) markdown(b *strings.Builder) {
	for side, does := range r.Parting.Does() {
		fmt.Fprintf(b, "    - **%s** %s\n", page.Markdown(r.Parting.Names[side]), page.Markdown(does))
	}
	if len(r.Parting.Causes) > 0 {
		fmt.Fprintf(b, "    - by %s\n", page.Markdown(r.causeNames()))
	}
}

type upgradeJSON struct {
	From        string      `json:"from"`
	To          string      `json:"to"`
	FromGates   string      `json:"fromFeatureGates,omitempty"`
	ToGates     string      `json:"toFeatureGates,omitempty"`
	Differing   int         `json:"differing"`
	Worse       int         `json:"worse"`
	Alike       int         `json:"alike"`
	Groups      []groupJSON `json:"groups"`
	Ignored     []string    `json:"ignored,omitempty"`
	Interrupted bool        `json:"interrupted,omitempty"`
}

type groupJSON struct {
	Sets        []string  `json:"sets"`
	Description string    `json:"description"`
	API         []string  `json:"api"`
	Cases       []rowJSON `json:"cases"`
}

type rowJSON struct {
	Case    string      `json:"case"`
	Does    string      `json:"does"`
	Worse   bool        `json:"worse"`
	Endings [2]string   `json:"endings"`
	Parting partingJSON `json:"parting"`
	Advice  string      `json:"advice,omitempty"`
	Show    string      `json:"show"`
}

// UpgradeJSON writes the report as one document.
func UpgradeJSON(w io.Writer, u *Upgrade) error {
	doc := upgradeJSON{
		From: u.From, To: u.To, FromGates: u.Gates[0], ToGates: u.Gates[1],
		Differing: u.Differing, Worse: u.Worse, Alike: u.Alike,
		Groups: []groupJSON{}, Ignored: u.Ignored, Interrupted: u.Interrupted,
	}
	for i := range u.Groups {
		g := &u.Groups[i]
		as := groupJSON{Sets: g.Sets, Description: g.Description, API: append([]string{}, g.API...), Cases: []rowJSON{}}
		for j := range g.Rows {
			row := &g.Rows[j]
			as.Cases = append(as.Cases, rowJSON{
				Case: row.Case, Does: row.Does, Worse: row.Worse, Endings: row.Endings,
				Parting: row.Parting.json(), Advice: row.Advice, Show: u.showCommand(g, row),
			})
		}
		doc.Groups = append(doc.Groups, as)
	}
	return page.JSON(w, doc)
}

// Shown is one case of one set, under both versions.
type Shown struct {
	Set, Case, Does string
	Columns         [2]Column
	Endings         [2]string
	// API says what the API servers do differently with the set's fields.
	API []string
	// Parting is nil where both behave alike.
	Parting *Parting
	Advice  string
}

// ShowText writes a case as two timelines side by side.
func ShowText(w io.Writer, s *Shown, style page.Style) error {
	p := newSheet(w, style)
	p.Hanging(0, "", s.Set+": "+s.Does+" ("+s.Case+")", page.Bold)
	width := max(len(s.Columns[0].Name), len(s.Columns[1].Name))
	for i := range s.Columns {
		p.Wrapped(fmt.Sprintf("%-*s  ", width, s.Columns[i].Name), s.Endings[i], page.Plain)
	}
	for _, change := range s.API {
		p.Hanging(2, "- ", change, page.Warn)
	}
	p.Blank()
	if s.Parting == nil {
		p.Text(0, "both behave alike", page.Good)
		return p.Flush()
	}
	p.parting(0, s.Parting)
	if s.Advice != "" {
		p.Hanging(0, "", s.Advice, page.Good)
	}
	if s.Parting.Level == versus.Pods {
		p.columns(s.Columns[:])
	}
	return p.Flush()
}
