package explore

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/promise"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// told is the largest number of events that a story lists for one instant.
const told = 8

// story describes a run up to the point where it breaks a promise: what people did and what happened to pods, with the
// number of serving pods, and what the controller did at the instant of the breach.
func story(events []timeline.Event, b *promise.Breach) []string {
	var lines []string
	var world timeline.Fold
	did, again := 0, false
	for i := range events {
		e := &events[i]
		if i > b.Event {
			break
		}
		switch {
		case e.Kind == timeline.KindStep:
			lines = append(lines, fmt.Sprintf("%s: %s%s", e.T.Clock(), e.Step.Does, serves(&world)))
		case e.T == b.At && e.Actor == timeline.Controller && (e.State == timeline.Terminating ||
			e.State == timeline.Pending):
			line := fmt.Sprintf("%s: the controller %s %s: %s", e.T.Clock(), doing(e.State), e.Pod, e.Why.Sentence())
			switch {
			case slices.Contains(lines, line):
				again = true
			case did < told:
				did++
				lines = append(lines, line)
			}
		}
		world.Apply(e)
	}
	if again {
		lines = append(lines, fmt.Sprintf("%s: the controller does the same again and again", b.At.Clock()))
	}
	return append(lines, fmt.Sprintf("%s: %s", b.At.Clock(), b.Says))
}

func doing(s timeline.State) string {
	if s == timeline.Terminating {
		return "deletes"
	}
	return "creates"
}

// serves says how many pods serve, "" if there is nothing yet.
func serves(world *timeline.Fold) string {
	said := ""
	for _, set := range world.Sets() {
		of := ""
		if len(world.Sets()) > 1 {
			of = " of " + set.Key.Name
		}
		said += fmt.Sprintf(" (%d of %d pods%s serve%s)", set.Serving(), set.Spec.Spec.Replicas, of, young(set, world.T))
	}
	return said
}

// young says how many pods serve, but are not available yet.
func young(set *timeline.Set, now model.Time) string {
	if n := set.Serving() - set.Available(now); n > 0 {
		return fmt.Sprintf(", %d of them not yet for minReadySeconds", n)
	}
	return ""
}
