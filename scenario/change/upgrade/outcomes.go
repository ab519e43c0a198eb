package upgrade

import (
	"fmt"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Outcome is the result of a case under one version. Outcomes are compared with ==: a field that differs makes a
// difference that the user sees.
type Outcome struct {
	// Ending says how it ends, in words.
	Ending string `json:"ending"`
	// FewestServing is the least number of serving pods on the way, Deleted the number of pods that are deleted, both
	// from the change on; Revisions and Claims say how many of these there are at the end.
	FewestServing int `json:"fewestServing"`
	Deleted       int `json:"deleted"`
	Revisions     int `json:"revisions"`
	Claims        int `json:"claims"`

	// verdict is that of the whole run, with all its sets.
	verdict timeline.Verdict
	// comes says that the set is stuck on a pod that crashes again and again, and continues while that is Ready.
	comes bool
}

// outcomeOf returns the result of a whole run of a case, for the set with that key. It costs O(events).
func outcomeOf(events []timeline.Event, key model.Key) Outcome {
	o := Outcome{Ending: Ending(events), verdict: events[len(events)-1].Result.Verdict}
	number := judgedFrom(events)
	begin := play.StepAt(events, number)
	if begin >= 0 {
		o.FewestServing, _ = play.Cost(events, key, number)
	}
	// Revisions and claims do not depend on the pods, so the fold is spared them.
	var fold timeline.Fold
	for i := range events {
		e := &events[i]
		if e.Kind != timeline.KindPod {
			fold.Apply(e)
		} else if begin >= 0 && i > begin && e.Set == key && e.State == timeline.Terminating {
			o.Deleted++
		}
	}
	if set := fold.Set(key); set != nil {
		o.Revisions = len(set.History())
	}
	o.Claims = len(fold.Claims())
	return o
}

// judgedFrom returns the number of the step from which on pods are counted: the change, or else the first step after
// the set was created. What happens before the change is the same under both versions.
func judgedFrom(events []timeline.Event) int {
	for i := range events {
		if step := events[i].Step; step != nil && step.Number > 1 && step.Verb == "setImage" {
			return step.Number
		}
	}
	return 2
}

// contrast says what of two outcomes is not the same, each side in words. A number is only named if it differs. Where
// one run is a livelock, the deleted pods are not compared: their number says only how long the run was watched.
func contrast(a, b Outcome, replicas int) (string, string) {
	texts := [2]string{a.Ending, b.Ending}
	for i, o := range []Outcome{a, b} {
		if a.FewestServing != b.FewestServing {
			texts[i] += ", " + render.Serve(o.FewestServing, replicas)
		}
		if a.Deleted != b.Deleted && a.verdict != timeline.Livelock && b.verdict != timeline.Livelock {
			texts[i] += ", " + render.Count(o.Deleted, "pod") + " deleted"
		}
		if a.Revisions != b.Revisions {
			texts[i] += ", " + render.Count(o.Revisions, "revision") + " left"
		}
		if a.Claims != b.Claims {
			texts[i] += ", " + render.Count(o.Claims, "claim") + " left"
		}
	}
	return texts[0], texts[1]
}

// Ending says how a whole run ended, in words that follow a subject: "settles after 23s".
func Ending(events []timeline.Event) string {
	last := events[len(events)-1]
	switch last.Result.Verdict {
	case timeline.Settled:
		return fmt.Sprintf("settles after %s", render.Clock(since(events, last.T)))
	case timeline.IsStuck:
		_, stuck := last.Result.Of(last.Result.Stuck[0].Set)
		return fmt.Sprintf("gets stuck: %s (%s)", stuck.Why.Sentence(), stuck.Why.Code)
	case timeline.Livelock:
		return reasons.NeverConverges + " (again and again: " +
			inWords.Replace(render.List(podWrites(last.Result.Repeats), 6)) + ")"
	}
	return fmt.Sprintf("ends as %s", last.Result.Verdict)
}

// since returns the time from the second step, the first after the set was created, to an instant; from the beginning
// if there is no such step.
func since(events []timeline.Event, t model.Time) time.Duration {
	if at := play.StepAt(events, 2); at >= 0 {
		return t.Sub(events[at].T)
	}
	return time.Duration(t)
}

// podWrites returns the writes, without their reasons, that are not status updates. The writes are those that a
// livelock repeats; a controller that never converges also writes the status each time, which explains nothing.
func podWrites(writes []string) []string {
	var pods []string
	for _, write := range writes {
		if !strings.HasPrefix(write, "status ") {
			write, _, _ = strings.Cut(write, ": ")
			pods = append(pods, write)
		}
	}
	return pods
}

// worse says whether the set is worse off under the later version: it settles under the earlier one only; or fewer of
// its pods serve on the way, and fewer than an update that takes down as many as it may leaves; or the upgrade alone
// deletes pods.
func (r *Row) worse() bool {
	a, b := &r.Outcomes[0], &r.Outcomes[1]
	switch {
	case a.verdict == timeline.Settled && b.verdict != timeline.Settled:
		return true
	case r.kind.Across:
		return b.Deleted > a.Deleted
	}
	return b.FewestServing < a.FewestServing && b.FewestServing < r.promised
}

// advice tries what is known to help a set that is worse off, and says it only if it does. The empty rollingUpdate
// block is played, under the same two versions; that minReadySeconds should change in a step of its own follows from
// the case itself, and is not played. It returns "" where nothing is known.
func (r *Row) advice(p *player) string {
	switch {
	case !r.IsWorse:
		return ""
	case r.Outcomes[1].verdict == timeline.Livelock && play.LacksBlock(p.set):
		written := *p.set
		written.Spec.Strategy.RollingUpdate = &model.RollingUpdate{}
		by, h := newPlayer(&written, p.options), &hop{from: r.From, to: r.To}
		events := by.whole(r.kind, h, r.To, by.wholeOf(r.kind, h, r.To))
		if events[len(events)-1].Result.Verdict == timeline.Settled {
			return "add rollingUpdate: {partition: 0} under updateStrategy: with it the StatefulSet settles"
		}
	case r.kind.Name == "young" || r.kind.Name == "together":
		return "let minReadySeconds pass before the image changes, and change minReadySeconds in a step of its own: a pod " +
			"that has been Ready for less counts as broken"
	}
	return ""
}
