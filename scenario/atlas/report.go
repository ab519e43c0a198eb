package atlas

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// Row is a trap with the results of playing it: the document of `sim atlas -o json`.
type Row struct {
	*Trap
	// Kubernetes are the versions that have the trap, the oldest first; none if no version that the simulator knows has
	// it.
	Kubernetes []string `json:"kubernetes"`
	// FewestServing are the fewest pods that served in the scenario on the newest of them, Of how many there should be.
	// They, and Verdict, are empty if no version has the trap.
	FewestServing int    `json:"fewestServing"`
	Of            int    `json:"of"`
	Verdict       string `json:"verdict"`
	// Text is the scenario that shows it.
	Text string `json:"scenario"`
}

// Rows plays traps, on all versions, and returns a row for each, in their order. If a version is named, only the traps
// that it has are among them. Each trap costs a run on each version.
func Rows(traps []Trap, version string) ([]Row, error) {
	rows := []Row{}
	for i := range traps {
		t := &traps[i]
		if version != "" {
			if shown, err := t.On(version); err != nil || !shown.Has {
				if err != nil {
					return nil, err
				}
				continue
			}
		}
		versions, err := t.Versions()
		if err != nil {
			return nil, err
		}
		row := Row{Trap: t, Kubernetes: versions, Text: t.Scenario()}
		if len(versions) > 0 {
			shown, err := t.On(versions[len(versions)-1])
			if err != nil {
				return nil, err
			}
			row.FewestServing, row.Of, row.Verdict = shown.Fewest, shown.Of, string(shown.Verdict)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// spans words versions as ranges: those that follow each other are from the first to the last. They must be sorted.
func spans(versions []string) string {
	all := statefulset.Versions()
	var said []string
	for i := 0; i < len(versions); {
		j := i
		for j+1 < len(versions) && slices.Index(all, versions[j+1]) == slices.Index(all, versions[j])+1 {
			j++
		}
		said = append(said, span(versions[i], versions[j], all))
		i = j + 1
	}
	return render.And(said)
}

// span words the range from one version to another; one that ends with the newest version is open.
func span(first, last string, all []string) string {
	switch {
	case first == last:
		return first
	case last == all[len(all)-1]:
		return "from " + first + " on"
	}
	return first + " to " + last
}

// worst words how many pods served and how the run ended.
func (r *Row) worst() string {
	return fmt.Sprintf("%d of %d pods serve; the run ends %s", r.FewestServing, r.Of, r.Verdict)
}

// Text writes traps for people: one line each, or all that is known if there is only one.
func Text(w io.Writer, rows []Row, style render.Style) error {
	p := render.New(w, style)
	for i := range rows {
		r := &rows[i]
		p.Wrapped("", r.Name+": "+r.Title, render.Bold)
		p.Wrapped("  versions   ", spans(r.Kubernetes), render.Plain)
		if len(rows) > 1 {
			continue
		}
		p.Wrapped("  when       ", r.When, render.Plain)
		p.Wrapped("  worst      ", r.worst(), render.Plain)
		p.Wrapped("  way out    ", r.WayOut, render.Plain)
		p.Wrapped("  promise    ", r.Promise, render.Plain)
		p.Wrapped("  confirmed  ", r.Confirmed, render.Plain)
		for _, link := range r.Links {
			p.Verbatim(2, "link       "+link, render.Plain)
		}
		p.Text(2, "scenario", render.Plain)
		p.Verbatim(4, strings.TrimSuffix(r.Text, "\n"), render.Dim)
	}
	if len(rows) == 0 {
		p.Text(0, "this version has no trap of the atlas", render.Good)
	}
	return p.Flush()
}

// Markdown writes traps as a page of the documentation, docs/atlas.md, which a test compares.
func Markdown(w io.Writer, rows []Row) error {
	var b strings.Builder
	b.WriteString("# Atlas of traps\n\nThis page is generated (`sim atlas -o markdown`). Each trap is a scenario " +
		"that shows it; ")
	b.WriteString("a version has the trap if the scenario's expectations hold on it.\n\n")
	for i := range rows {
		fmt.Fprintf(&b, "- [%s](#%s)\n", rows[i].Name, rows[i].Name)
	}
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(&b, "\n## %s\n\n**%s**\n\n", r.Name, render.Markdown(r.Title))
		for _, row := range [][2]string{
			{"Versions", spans(r.Kubernetes)}, {"When", r.When}, {"At worst", r.worst()}, {"Way out", r.WayOut},
			{"Promise", r.Promise}, {"Confirmed by", r.Confirmed},
		} {
			fmt.Fprintf(&b, "- %s: %s\n", row[0], render.Markdown(row[1]))
		}
		for _, link := range r.Links {
			fmt.Fprintf(&b, "- <%s>\n", link)
		}
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSuffix(render.Block("yaml", r.Text), "\n"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
