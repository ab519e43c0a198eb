package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// RolloutStatus writes what `kubectl rollout status statefulset/NAME --watch` would have printed, in kubectl's own
// words (StatefulSetStatusViewer of k8s.io/kubectl, which has not changed them since 1.9), as if somebody had asked
// after each step that changed a set and had waited for the command to end. Kubectl prints its line at every change of
// the set; here a line stands once, with the instant at which it became true. A step during a wait starts no second
// call.
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

// changed says whether a step created or changed the set.
func (q *rolloutQuery) changed(step *timeline.Step) bool {
	for _, set := range step.Sets {
		if set.Key() == q.key {
			return true
		}
	}
	return false
}

// ask calls kubectl anew, unless the call before has not ended.
func (q *rolloutQuery) ask(step *timeline.Step) {
	if q.open {
		return
	}
	if q.asked++; q.asked > 1 {
		fmt.Fprintln(q.out)
	}
	asked := command.Kubectl("rollout", "status", "statefulset/"+q.key.Name)
	if q.cast.namespaces {
		asked = command.In(q.key.Namespace, "rollout", "status", "statefulset/"+q.key.Name)
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
	text, done := rolloutStatus(set.Spec, &set.Status)
	if text != q.last {
		q.line(now, text)
	}
	q.last, q.open = text, !done
}

// line writes what kubectl prints, with the instant before it.
func (q *rolloutQuery) line(now model.Time, text string) {
	fmt.Fprintf(q.out, "%*s  %s\n", q.cast.timeWidth+1, render.Clock(now), render.Visible(text))
}

// rolloutStatus words the state of a set's rollout as kubectl does, and says whether kubectl would end there. Readiness
// comes before the number of updated pods, and minReadySeconds is not asked for.
func rolloutStatus(set *model.StatefulSet, status *model.Status) (text string, done bool) {
	switch replicas := set.Spec.Replicas; {
	case set.Spec.Strategy.Type != model.RollingUpdateStrategy:
		return "error: rollout status is only available for RollingUpdate strategy type", true
	case status.ObservedGeneration == 0 || set.Generation > status.ObservedGeneration:
		return "Waiting for statefulset spec update to be observed...", false
	case status.Ready < replicas:
		return fmt.Sprintf("Waiting for %d pods to be ready...", replicas-status.Ready), false
	case set.Spec.Strategy.RollingUpdate != nil:
		if want := replicas - set.Spec.Strategy.RollingUpdate.Partition; status.Updated < want {
			return fmt.Sprintf("Waiting for partitioned roll out to finish: %d out of %d new pods have been updated...",
				status.Updated, want), false
		}
		return fmt.Sprintf("partitioned roll out complete: %d new pods have been updated...", status.Updated), true
	case status.UpdateRevision != status.CurrentRevision:
		return fmt.Sprintf("waiting for statefulset rolling update to complete %d pods at revision %s...",
			status.Updated, status.UpdateRevision), false
	}
	return fmt.Sprintf("statefulset rolling update complete %d pods at revision %s...", status.Current,
		status.CurrentRevision), true
}
