package judge

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// End is how a run ends for one set.
type End struct {
	Set     model.Key
	Verdict timeline.Verdict
	// Gone is true if the set was deleted on the way. Stuck is what holds it up, nil for nothing.
	Gone  bool
	Stuck *timeline.Stuck
	// Takes is the time until the last change of the set. Provided is what must be true, and the state with which the run
	// began does not show, so that it gets there; "" for nothing.
	Takes    time.Duration
	Provided string
	// Doubted is true if the cluster is of a version that sim does not know.
	Doubted bool
}

// AtEnd says how a run leaves a set.
func AtEnd(end *End) *Judgement {
	j := Judgement{State: Stuck}
	of := []Object{{Kind: "StatefulSet", Group: "apps", Namespace: end.Set.Namespace, Name: end.Set.Name}}
	switch {
	case end.Verdict == timeline.Settled && !end.Gone && end.Provided != "":
		j.State, j.Until = Continues, Seconds(end.Takes)
	case end.Verdict == timeline.Settled && !end.Gone:
		j.State = AtRest
	case end.Stuck != nil:
		j.Blockers, j.Causes = of, []Cause{{Name: "waits", Sentence: end.Stuck.Why.Sentence()}}
	case end.Verdict == timeline.Livelock:
		j.Certain, j.Blockers = true, of
		j.Causes = []Cause{{Name: "hot-loop", Sentence: "the controller " + reasons.NeverConverges, Certain: true}}
	default:
		j.State = Unknown
	}
	j.Certain = j.Certain && !end.Doubted
	whole := j.whole()
	return &whole
}
