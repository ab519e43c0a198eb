package explore

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Document is the report for a page and for a pull request: a part for each finding, with its story. command returns
// the line that plays a finding again; it is only asked about findings with a token.
func (r *Report) Document(command func(*Found) string) *doc.Document {
	var names []string
	note := func(file string) {
		if name := filepath.Base(file); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, part := range r.Parts {
		note(part.File)
	}
	for _, f := range r.Found {
		note(f.File)
	}
	d := &doc.Document{
		Title: doc.Of("Search of " + strings.Join(names, ", ")), Headline: doc.Of(r.Headline()), Tone: render.Good,
		First: doc.All(r.Refused()), Facts: doc.Lines(r.WaivedLines()...), Notes: doc.All(r.Extent()),
		Table: doc.Table{Header: []string{"Promise", "Kubernetes", "Deviations", "How it is broken"}},
	}
	for i, f := range r.Found {
		d.Tone = render.Bad
		part := f.part(command)
		part.Run = r.RunName(i)
		part.Title = doc.Of(part.Run + ": " + f.Says)
		d.Parts = append(d.Parts, part)
		cells := doc.All([]string{f.Promise, statefulset.Title(f.Kubernetes), strconv.Itoa(f.Deviations), f.Says})
		d.Table.Rows = append(d.Table.Rows, doc.Row{Tone: render.Bad, Cells: cells, Run: part.Run, Part: i + 1})
	}
	return d
}

// RunName names the run of a finding by its index: two findings may be of one promise on one version.
func (r *Report) RunName(i int) string {
	name := r.Found[i].Promise + " on " + statefulset.Title(r.Found[i].Kubernetes)
	if len(r.Found) > 1 {
		name = fmt.Sprintf("%d. %s", i+1, name)
	}
	return name
}

// part has the story of a finding, and what plays it again.
func (f *Found) part(command func(*Found) string) doc.Part {
	part := doc.Part{Tone: render.Bad}
	for i := range f.Lines {
		item := doc.Line(f.Lines[i].Sentence())
		if f.Lines[i].Breaks == f.Promise {
			item = item.Bad()
		}
		part.Items = append(part.Items, item)
	}
	if known := f.KnownAs(); known != "" {
		part.Items = append(part.Items, doc.Line("Known: "+known))
	}
	if f.Token != "" {
		again := doc.Line("Play it again")
		again.Commands = doc.All([]string{command(f)})
		part.Items = append(part.Items, again)
	}
	if f.Scenario != "" {
		as := doc.Line("As a scenario")
		as.Commands = doc.All(strings.Split(strings.TrimSuffix(f.Scenario, "\n"), "\n"))
		as.Language = "yaml"
		part.Items = append(part.Items, as)
	}
	return part
}

// Runs are the runs of a page: those that break a promise, in which the deviations are marked, and the plain run of
// each exploration. Each finding must be of one of the explorers. It plays each of them once more, and it is an error
// if one does not play again; after an interruption there may be no time for it.
func (r *Report) Runs(explorers []*Explorer) ([]*report.Run, error) {
	var runs []*report.Run
	for i, f := range r.Found {
		x := explorers[slices.IndexFunc(explorers, func(x *Explorer) bool {
			return f.File == x.Name() && f.Kubernetes == x.Kubernetes()
		})]
		events, breach, err := x.Marked(f.Tape, f.Class)
		if errors.Is(err, search.ErrCut) {
			continue
		}
		if err != nil {
			return nil, err
		}
		runs = append(runs, &report.Run{
			Name: r.RunName(i), File: x.Name(), Events: events,
			Description: render.Count(len(f.Tape), "deviation") + " from the plain run: " + breach.Says,
			Expectations: []report.Expectation{{
				Verdict: report.Failed, Text: f.Promise, Detail: breach.Says, Instants: []model.Time{breach.At},
			}},
		})
	}
	for _, x := range explorers {
		plain := &report.Run{Name: "plain run on " + statefulset.Title(x.Kubernetes()), File: x.Name(), Events: x.Plain()}
		runs = append(runs, plain)
	}
	return runs, nil
}
