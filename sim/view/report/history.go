package report

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// History writes the revisions of each set when the run ends: the two columns of `kubectl rollout history`, and
// also which pods have which revision, and which revision the status calls current or update. A set that does not
// exist at the end is left out.
func History(w io.Writer, run *Run) error {
	p := newSheet(w, render.Style{})
	c := castOf(run.Events)
	for i, g := range historyGrids(run.Events, c, 0) {
		if i > 0 {
			p.Blank()
		}
		p.Text(0, g.Title, render.Plain)
		if len(g.Rows) == 0 {
			p.Text(0, "No rollout history found.", render.Plain)
			continue
		}
		p.Table(g)
	}
	return p.Flush()
}

// historyGrids lays out the history of each set that exists at the end and has more than so many revisions; 0 is all
// of them, also those without any.
func historyGrids(events []timeline.Event, c *cast, more int) []render.Grid {
	fold := timeline.EndOf(events)
	var all []render.Grid
	for _, key := range c.sets {
		if set := fold.Set(key); set != nil && (more == 0 || len(set.History()) > more) {
			all = append(all, historyGrid(set, c))
		}
	}
	return all
}

// historyGrid has a row for each revision, the oldest number first. The image comes from the revision's template,
// "" if the timeline does not have it.
func historyGrid(set *timeline.Set, c *cast) render.Grid {
	g := render.Grid{Title: "revisions of " + c.set(set.Key), Header: []string{
		"revision", "change-cause", "template", "image", "created at", "pods", "status"}}
	for _, r := range set.History() {
		g.Rows = append(g.Rows, []string{
			strconv.FormatInt(r.Number, 10), cmp.Or(r.Cause, "<none>"), "@" + strconv.Itoa(r.Template),
			set.Template(r.Template).Image(), render.Clock(r.Made), podsOf(set, r.Template), marks(&set.Status, r.Name),
		})
	}
	return g
}

// podsOf names the pods of a template, more than five by the first and the last.
func podsOf(set *timeline.Set, template int) string {
	var names []string
	for pod := range set.Pods.All {
		if pod.Template == template {
			names = append(names, pod.Name)
		}
	}
	if n := len(names); n > 5 {
		return fmt.Sprintf("%s … %s (%d)", names[0], names[n-1], n)
	}
	return strings.Join(names, ", ")
}

// marks says which of the status' revisions this one is.
func marks(status *model.Status, name string) string {
	switch current, update := status.CurrentRevision == name, status.UpdateRevision == name; {
	case current && update:
		return "current, update"
	case current:
		return "current"
	case update:
		return "update"
	}
	return ""
}
