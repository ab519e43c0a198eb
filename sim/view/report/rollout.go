package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// RolloutStatus writes what `kubectl rollout status statefulset/NAME --watch` would have printed, in kubectl's own
// words (gate.KubectlRolloutStatus), as if it had been called after each step that changed a set, until it ended.
// Kubectl prints its line at every change of the set; here each line appears once, with the instant when it became
// true. A step during a wait does not start a second call.
func RolloutStatus(w io.Writer, run *Run) error {
	out := bufio.NewWriterSize(w, 1<<16)
	c := castOf(run.Events)
	for i, key := range c.sets {
		if i > 0 {
			fmt.Fprintln(out)
		}
		q := rolloutQuery{out: out, cast: c, key: key}
		for at := range run.Events {
			q.event(&run.Events[at])
		}
		if q.open {
			q.line(q.fold.T, "(kubectl still waits when the run ends)")
		}
	}
	return out.Flush()
}

// rolloutQuery is one set's calls of kubectl, one after the other.
type rolloutQuery struct {
	out  io.Writer
	cast *cast
	key  model.Key
	// fold is the state after the current event.
	fold timeline.Fold
	// open is true while a call waits; last is the last line that it printed, asked how many calls there were.
	open  bool
	last  string
	asked int
}

// event takes the next event. Kubectl looks again when the set changes: its status, or its spec by a step.
func (q *rolloutQuery) event(event *timeline.Event) {
	q.fold.Apply(event)
	switch {
	case event.Step != nil && q.changed(event.Step):
		q.ask(event.Step)
	case event.Step == nil && (event.Kind != timeline.KindStatus || event.Set != q.key):
		return
	}
	if q.open {
		q.print(event.T)
	}
}

// changed reports whether a step created or changed the set.
func (q *rolloutQuery) changed(step *timeline.Step) bool {
	for _, set := range step.Sets {
		if set.Key() == q.key {
			return true
		}
	}
	return false
}

// ask calls kubectl again, unless the previous call is not over.
func (q *rolloutQuery) ask(step *timeline.Step) {
	if q.open {
		return
	}
	if q.asked++; q.asked > 1 {
		fmt.Fprintln(q.out)
	}
	asked := shell.Kubectl("rollout", "status", "statefulset/"+q.key.Name)
	if q.cast.namespaces {
		asked = shell.In(q.key.Namespace, "rollout", "status", "statefulset/"+q.key.Name)
	}
	fmt.Fprintf(q.out, "# %s\n$ %s\n", render.Visible(stepTitle(step)), asked)
	q.open, q.last = true, ""
}

// print writes the line that kubectl prints for the state of the set, unless it is the same as before, and ends the
// call where kubectl ends.
func (q *rolloutQuery) print(now model.Time) {
	set := q.fold.Set(q.key)
	if set == nil {
		q.line(now, "error: object has been deleted")
		q.open = false
		return
	}
	verdict := gate.KubectlRolloutStatus.Read(set)
	if verdict.Words != q.last {
		q.line(now, verdict.Words)
	}
	q.last, q.open = verdict.Words, verdict.State == gate.InProgress
}

// line writes what kubectl prints, with the instant before it.
func (q *rolloutQuery) line(now model.Time, text string) {
	fmt.Fprintf(q.out, "%*s  %s\n", q.cast.timeWidth+1, render.Clock(now), render.Visible(text))
}
