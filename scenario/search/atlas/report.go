package atlas

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Row is a trap with the results of playing it: the document of `sim atlas -o json`.
type Row struct {
	*Trap
	// Kubernetes are the versions that have the trap, the oldest first; none if no known version has it.
	Kubernetes []string `json:"kubernetes"`
	// PreReleases are those of them that are not out yet.
	PreReleases []report.PreRelease `json:"preReleases,omitempty"`
	// FewestServing are the fewest pods that served in the scenario on the newest of them, Of how many there should be.
	// They, and Verdict, are empty if no version has the trap.
	FewestServing int    `json:"fewestServing"`
	Of            int    `json:"of"`
	Verdict       string `json:"verdict"`
	// Text is the scenario that shows it.
	Text string `json:"scenario"`
}

// Rows plays traps, on all versions, and returns a row for each, in their order. If a version is named, only the traps
// that it has are among them. Each trap costs a run on each version. Once interrupted returns true, no other run is
// played, and the traps that were played on all versions are returned.
func Rows(traps []Trap, version string, interrupted func() bool) ([]Row, error) {
	rows := []Row{}
	for i := range traps {
		row, has, err := traps[i].row(version, interrupted)
		switch {
		case err != nil:
			return nil, err
		case interrupted():
			return rows, nil
		case has:
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// row plays the trap on all versions, and says whether the version that is named has it. After an interruption the row
// means nothing.
func (t *Trap) row(version string, interrupted func() bool) (row Row, has bool, err error) {
	if version != "" {
		if shown, err := t.On(version); err != nil || !shown.Has {
			return Row{}, false, err
		}
	}
	row = Row{Trap: t, Text: t.Scenario()}
	for _, version := range statefulset.Versions() {
		if interrupted() {
			return row, false, nil
		}
		shown, err := t.On(version)
		if err != nil {
			return Row{}, false, err
		}
		if shown.Has {
			row.Kubernetes = append(row.Kubernetes, version)
			if pre := statefulset.Unreleased(version); pre.PreRelease {
				row.PreReleases = append(row.PreReleases, report.PreRelease{Version: version, Proven: pre.Proven})
			}
			row.FewestServing, row.Of, row.Verdict = shown.Fewest, shown.Of, string(shown.Verdict)
		}
	}
	return row, true, nil
}

// where words the versions that have the trap. The only one is called a pre-release if it is one.
func (r *Row) where() string {
	if len(r.Kubernetes) == 1 {
		return statefulset.Title(r.Kubernetes[0])
	}
	return statefulset.Where(r.Kubernetes)
}

// preReleases says of each version among those of the traps that is not out yet that it is a pre-release.
func preReleases(rows []Row) []string {
	var list []string
	for i := range rows {
		for _, pre := range rows[i].PreReleases {
			if text := pre.String(); !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}

// worst words how many pods served and how the run ended.
func (r *Row) worst() string {
	return fmt.Sprintf("%d of %d pods serve; %s", r.FewestServing, r.Of, ends[r.Verdict])
}

// ends says how a run with a trap ends.
var ends = map[string]string{
	"settled": "the run settles all the same", "stuck": "the run ends stuck", "livelock": "the run ends in a livelock",
	"limit": "the run continues until its limit",
}

// Text writes traps for people: one line each, or all that is known if there is only one.
func Text(w io.Writer, rows []Row, style render.Style) error {
	p := render.New(w, style)
	for i := range rows {
		r := &rows[i]
		p.Wrapped("", r.Name+": "+r.Title, render.Bold)
		p.Wrapped("  versions   ", r.where(), render.Plain)
		if len(rows) > 1 {
			continue
		}
		p.Wrapped("  when       ", r.When, render.Plain)
		p.Wrapped("  worst      ", r.worst(), render.Plain)
		p.Wrapped("  way out    ", r.WayOut, render.Plain)
		if r.Promise != "" {
			p.Wrapped("  promise    ", r.Promise, render.Plain)
		}
		p.Wrapped("  confirmed  ", r.Confirmed, render.Plain)
		for _, link := range r.Links {
			p.Verbatim(2, "link       "+link, render.Plain)
		}
		p.Text(2, "scenario", render.Plain)
		p.Verbatim(4, strings.TrimSuffix(r.Text, "\n"), render.Dim)
	}
	for _, text := range preReleases(rows) {
		p.Wrapped("", text, render.Dim)
	}
	if len(rows) == 0 {
		p.Text(0, "this version has no trap of the atlas", render.Good)
	}
	return p.Flush()
}

// Markdown writes traps as a page of the documentation, docs/atlas.md, which a test compares.
func Markdown(w io.Writer, rows []Row) error {
	var b strings.Builder
	b.WriteString("# Atlas of traps\n\n```sh\nsim atlas hot-loop\n```\n\n")
	b.WriteString("This page is generated (`sim atlas -o markdown`). For each trap there is a " +
		"scenario that shows it; ")
	b.WriteString("a version has the trap if the scenario's expectations hold on it. In ranges, \"1.27.8+\" is that " +
		"patch and all later patches of 1.27, and \"to 1.34\" includes all patches of 1.34. [What a promise " +
		"is](explore.md#promises).\n\n")
	for _, text := range preReleases(rows) {
		fmt.Fprintf(&b, "%s\n\n", text)
	}
	for i := range rows {
		fmt.Fprintf(&b, "- [%s](#%s): %s\n", rows[i].Name, rows[i].Name, render.Markdown(rows[i].Title))
	}
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(&b, "\n## %s\n\n**%s**\n\n", r.Name, render.Markdown(r.Title))
		for _, row := range [][2]string{
			{"Versions", r.where()}, {"When", r.When}, {"At worst", r.worst()}, {"Way out", r.WayOut},
			{"Promise", r.Promise}, {"Confirmed by", r.Confirmed},
		} {
			if row[1] != "" {
				fmt.Fprintf(&b, "- %s: %s\n", row[0], render.Markdown(row[1]))
			}
		}
		for _, link := range r.Links {
			fmt.Fprintf(&b, "- <%s>\n", link)
		}
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSuffix(render.Block("yaml", r.Text), "\n"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
