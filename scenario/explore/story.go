package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/promise"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// told is the largest number of events that a story lists for one instant.
const told = 8

// story describes a run up to the point where it breaks a promise: what people did and what happened to pods, with the
// number of serving pods before it; which pods the controller deleted and created after the first change, and which
// claims were deleted; and why the controller did what it did at the instant of the breach.
func story(events []timeline.Event, b *promise.Breach) []string {
	var t teller
	var world timeline.Fold
	steps := 0
	for i := range events {
		e := &events[i]
		if i > b.Event {
			break
		}
		acts := e.Actor == timeline.Controller && (e.State == timeline.Terminating || e.State == timeline.Pending)
		switch {
		case e.Kind == timeline.KindStep:
			steps++
			t.add(fmt.Sprintf("%s: %s%s", e.T.Clock(), e.Step.Does, serves(&world)))
		case acts && e.T == b.At:
			t.reason(fmt.Sprintf("%s: the controller %s %s: %s", e.T.Clock(), doing(e.State), e.Pod, e.Why.Sentence()))
		case acts && steps > 1:
			t.aside(fmt.Sprintf("%s: the controller %s ", e.T.Clock(), doing(e.State)), e.Pod)
		case e.Kind == timeline.KindClaim && e.Claim.Type == model.Deleted && steps > 1:
			t.aside(e.T.Clock()+": PVC deleted: ", e.Claim.Name)
		}
		world.Apply(e)
	}
	if t.again {
		t.add(fmt.Sprintf("%s: the controller does the same again and again", b.At.Clock()))
	}
	t.add(fmt.Sprintf("%s: %s", b.At.Clock(), b.Says))
	return t.all()
}

// teller collects the lines of a story.
type teller struct {
	lines []line
	// reasons counts the lines with a reason; again says that one would have come twice.
	reasons int
	again   bool
}

// line is a line of a story. An aside is one that a long story leaves out.
type line struct {
	text  string
	aside bool
}

func (t *teller) add(text string) { t.lines = append(t.lines, line{text: text}) }

func (t *teller) reason(text string) {
	switch {
	case slices.Contains(t.lines, line{text: text}):
		t.again = true
	case t.reasons < told:
		t.reasons++
		t.add(text)
	}
}

// aside adds a name to the line that begins so, if it is the last one; otherwise it adds a line.
func (t *teller) aside(begins, name string) {
	if n := len(t.lines); n > 0 && t.lines[n-1].aside && strings.HasPrefix(t.lines[n-1].text, begins) {
		t.lines[n-1].text += ", " + name
		return
	}
	t.lines = append(t.lines, line{begins + name, true})
}

// all returns the lines, without the earliest asides of a long story.
func (t *teller) all() []string {
	asides := 0
	for _, l := range t.lines {
		if l.aside {
			asides++
		}
	}
	var lines []string
	for _, l := range t.lines {
		if l.aside {
			if asides--; asides >= told {
				continue
			}
		}
		lines = append(lines, l.text)
	}
	return lines
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
		said += fmt.Sprintf(" (before: %d of %d pods%s serve%s)", set.Serving(), set.Spec.Spec.Replicas, of,
			young(set, world.T))
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
