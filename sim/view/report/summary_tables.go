package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// grids lays out the summary of a run: the steps, and the state of the sets and their pods.
func grids(sum *summary, c *cast) []render.Grid {
	all := []render.Grid{stepGrid(sum), setGrid(sum, c)}
	for _, set := range sum.Sets() {
		if len(set.Pods) > 0 {
			all = append(all, podGrid(set, c))
		}
	}
	return all
}

// stepGrid has a row for each step of the user.
func stepGrid(sum *summary) render.Grid {
	g := render.Grid{Title: "steps", Header: []string{"#", "step", "at", "effect", "last change after"}}
	for _, s := range sum.steps {
		does := s.step.Does
		if s.step.Name != "" {
			does = s.step.Name + ": " + does
		}
		g.Rows = append(g.Rows, []string{
			strconv.Itoa(s.step.Number), does, render.Clock(s.t), string(s.step.Effect), render.Clock(s.last.Sub(s.t)),
		})
	}
	return g
}

// setGrid has a row for each set that the run had.
func setGrid(sum *summary, c *cast) render.Grid {
	g := render.Grid{Title: "sets", Header: []string{"set", "serving", "fewest serving", "pods created", "pods deleted"}}
	for _, set := range sum.Sets() {
		fewest := "never all at once"
		if set.Complete {
			fewest = fmt.Sprintf("%d at %s", set.Fewest, render.Clock(set.FewestAt))
		}
		g.Rows = append(g.Rows, []string{
			c.set(set.Key), fmt.Sprintf("%d/%d", set.Serving(), set.Replicas), fewest,
			strconv.Itoa(set.Created()), strconv.Itoa(set.Deleted()),
		})
	}
	return g
}

// manyPods is the most pods of a set that are shown one by one; above that, equal neighbours share a row.
const manyPods = 40

// podGrid has a row for each pod of a set, including deleted ones. Without restarts that column is missing.
func podGrid(set *timeline.SetTally, c *cast) render.Grid {
	g := render.Grid{
		Title:  "pods of " + c.set(set.Key),
		Header: []string{"pod", "state", "template", "image", "lives", "first ready", "deleted"},
	}
	restarts := slices.ContainsFunc(set.Pods, func(p *timeline.PodTally) bool { return p.Restarts > 0 })
	if restarts {
		g.Header = append(g.Header, "restarts")
	}
	for i := 0; i < len(set.Pods); {
		n := 1
		for len(set.Pods) > manyPods && i+n < len(set.Pods) && alike(set.Pods[i], set.Pods[i+n]) {
			n++
		}
		row := podRow(set.Pods[i : i+n])
		if restarts {
			row = append(row, strconv.Itoa(set.Pods[i].Restarts))
		}
		g.Rows = append(g.Rows, row)
		i += n
	}
	return g
}

// alike reports whether two pods differ in nothing that a row shows, except their names and when they were first
// Ready.
func alike(a, b *timeline.PodTally) bool {
	return a.State == b.State && a.Template == b.Template && a.Image == b.Image && a.Lives == b.Lives &&
		a.Deletes == b.Deletes && a.WasReady == b.WasReady && reasonOf(a.Pod) == reasonOf(b.Pod) && a.Restarts == b.Restarts
}

// podRow returns the row of one pod, or of neighbours that are alike.
func podRow(pods []*timeline.PodTally) []string {
	first, last := pods[0], pods[len(pods)-1]
	name, ready := first.Name, "never"
	if len(pods) > 1 {
		name = fmt.Sprintf("%s to %s (%d)", first.Name, last.Name, len(pods))
	}
	if first.WasReady {
		from, to := first.FirstReady, first.FirstReady
		for _, pod := range pods {
			from, to = min(from, pod.FirstReady), max(to, pod.FirstReady)
		}
		ready = render.Clock(from)
		if from != to {
			ready += " to " + render.Clock(to)
		}
	}
	state := first.State.String()
	if why := reasonOf(first.Pod); why != "" {
		state += " (" + why + ")"
	}
	return []string{
		name, state, "@" + strconv.Itoa(first.Template), first.Image, strconv.Itoa(first.Lives), ready,
		strconv.Itoa(first.Deletes),
	}
}

// expectationGrid has a row for each expectation, in the order of the scenario.
func expectationGrid(all []Expectation) render.Grid {
	g := render.Grid{Title: "expectations", Header: []string{"verdict", "expectation", "where"}}
	for i := range all {
		e := &all[i]
		g.Rows = append(g.Rows, []string{verdictWords[e.Verdict], e.Text, e.Position})
	}
	return g
}

// facts returns the numbers of a run that belong to no row.
func facts(run *Run, sum *summary, c *cast) []string {
	var out []string
	if sum.longest != nil {
		w := sum.longest
		over := ""
		if w.open {
			over = ", and not over"
		}
		what := inSet(c, w.set, w.why)
		out = append(out, fmt.Sprintf("longest wait (%s from %s%s): %s", render.Clock(w.d), render.Clock(w.from), over, what))
	}
	if last := run.result(); last != nil {
		out = append(out, fmt.Sprintf("%s, %s, %s of virtual time", render.Count(last.Result.Events, "event"),
			render.Count(last.Result.Syncs, "sync"), render.Clock(time.Duration(last.T))))
	}
	return out
}

// inSet words a wait, with its set if the run has several.
func inSet(c *cast, set model.Key, why model.Why) string {
	if len(c.sets) > 1 {
		return c.set(set) + ": " + why.Sentence()
	}
	return why.Sentence()
}

// Table writes a summary of the run as tables: steps, sets and pods, and the revisions of sets that have more than
// one, and what else is not well at the end. Expectations come below them as in Text.
func Table(w io.Writer, run *Run, style render.Style) error {
	p := newSheet(w, style)
	p.heading(run)
	sum, c := summarize(run.Events), castOf(run.Events)
	all := append(grids(sum, c), historyGrids(run.Events, c, 1)...)
	for _, g := range append(all, thingGrids(run)...) {
		p.Blank()
		p.Text(0, g.Title, render.Bold)
		p.Table(g)
	}
	p.Blank()
	for _, fact := range facts(run, sum, c) {
		p.Text(0, fact, render.Plain)
	}
	p.verdict(run, sum, c)
	p.expectations(run)
	p.repeat(run)
	return p.Flush()
}
