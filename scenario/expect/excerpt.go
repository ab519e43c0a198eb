package expect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// nearby is how many lines are shown before and after a failure, maxPlaces the number of failures.
const nearby, maxPlaces = 4, 3

// around renders the timeline around some events, the first maxPlaces of them, which are marked with >. A line of
// dots replaces omitted events. The answers of the DNS are only shown if they are what failed.
func (r *run) around(places []int) []string {
	places = places[:min(len(places), maxPlaces)]
	names := slices.ContainsFunc(places, func(i int) bool { return r.events[i].Kind == timeline.KindDNS })
	worthTelling := func(e *timeline.Event) bool {
		return worthTelling(e) && (names || e.Kind != timeline.KindDNS)
	}
	var shown []int
	for _, at := range places {
		shown = append(shown, at)
		for _, by := range []int{-1, 1} {
			shown = append(shown, r.near(at, by, worthTelling)...)
		}
	}
	slices.Sort(shown)
	shown = slices.Compact(shown)
	var lines []string
	for n, i := range shown {
		if n > 0 && slices.ContainsFunc(r.events[shown[n-1]+1:i], func(e timeline.Event) bool { return worthTelling(&e) }) {
			lines = append(lines, "  …")
		}
		mark := "  "
		if slices.Contains(places, i) {
			mark = "> "
		}
		lines = append(lines, mark+r.line(i))
	}
	return lines
}

// near returns the next events that are worth a line, in one direction: by is -1 or 1.
func (r *run) near(at, by int, worth func(*timeline.Event) bool) []int {
	var found []int
	for i := at + by; i >= 0 && i < len(r.events) && len(found) < nearby; i += by {
		if worth(&r.events[i]) {
			found = append(found, i)
		}
	}
	return found
}

// worthTelling reports whether an event is worth a line: changes of pods, steps, faults, waits, names and the end.
// Status, syncs and the like follow from these.
func worthTelling(e *timeline.Event) bool {
	switch e.Kind {
	case timeline.KindPod, timeline.KindStep, timeline.KindFault, timeline.KindResult:
		return true
	case timeline.KindDNS:
		return e.Pod != ""
	case timeline.KindWait:
		return !e.Wait.Ended
	}
	return false
}

// lastTold returns the event that most likely made the state at a fixed point what it is: of the last instant before
// the given event the last change of a pod; otherwise the last step or fault, the last change of a name, the last wait,
// or the very last event. before must be at least 1.
func (r *run) lastTold(before int) int {
	best, rank := before-1, 0
	for i := before - 1; i >= 0 && r.events[i].T == r.events[before-1].T; i-- {
		if at := weight(&r.events[i]); at > rank {
			best, rank = i, at
		}
	}
	return best
}

// weight is how likely a failed condition is about an event; 0 for an event that is not worth a line.
func weight(e *timeline.Event) int {
	switch {
	case !worthTelling(e):
		return 0
	case e.Kind == timeline.KindPod:
		return 4
	case e.Kind == timeline.KindDNS:
		return 2
	case e.Kind == timeline.KindWait:
		return 1
	}
	return 3
}

// line renders an event on one line.
func (r *run) line(i int) string {
	e := &r.events[i]
	text := fmt.Sprintf("%-8s ", clock(e.T))
	switch {
	case e.Kind == timeline.KindPod:
		text += r.inNamespace(e.Set, e.Brief()) + " by " + e.Actor.String()
	case e.Step != nil:
		text += fmt.Sprintf("step %d: %s", e.Step.Number, cmp.Or(e.Step.Does, e.Step.Verb))
	case e.Fault != nil:
		text += fmt.Sprintf("fault %d: %s", e.Fault.Number, cmp.Or(e.Fault.Does, e.Fault.Verb))
	case e.Wait != nil && e.Wait.Ended:
		text += r.inNamespace(e.Set, e.Set.Name) + " no longer waits"
	case e.Wait != nil:
		text += r.inNamespace(e.Set, e.Set.Name) + " waits"
	case e.DNS != nil:
		text += published(e)
	case e.Kind == timeline.KindContainer:
		text += r.inNamespace(e.Set, e.Pod)
	case e.Result != nil:
		return text + "the end: " + string(e.Result.Verdict)
	default:
		text += e.Kind.String()
		if e.Claim != nil {
			text += " " + claimChange(e.Claim)
		}
		if e.Set.Name != "" {
			text += " of " + r.inNamespace(e.Set, e.Set.Name)
		}
	}
	if e.Why.Code != "" {
		why := e.Why.Sentence()
		if e.Kind == timeline.KindWait {
			// The wait and its object are enough here; the rule is in the story of the run.
			why, _, _ = strings.Cut(why, "; ")
		}
		return text + ": " + coded(why, e.Why.Code)
	}
	if reason := cmp.Or(e.Reason, e.Message); reason != "" {
		text += ": " + reason
	}
	return text
}

// coded is a sentence with the code that a scenario has for it, in the order of every output.
func coded(sentence string, code model.Code) string { return sentence + " (" + string(code) + ")" }

// published words a change in the answers of the DNS.
func published(e *timeline.Event) string {
	name := e.DNS.Names(e.Set.Namespace)
	text := name[len(name)-1]
	switch {
	case e.Pod == "":
		return "the Service " + e.DNS.Service
	case e.DNS.Type == model.Deleted:
		return text + " no longer leads to " + e.Pod
	}
	return text + " leads to " + e.Pod
}

// inNamespace puts the namespace before a name if the run has sets in more than one.
func (r *run) inNamespace(set model.Key, name string) string {
	for _, key := range r.sets {
		if key.Namespace != r.sets[0].Namespace {
			return set.Namespace + "/" + name
		}
	}
	return name
}

// claimChange describes a change of a claim.
func claimChange(c *timeline.Claim) string {
	if c.Type == model.Deleted {
		return c.Name + " " + timeline.Gone.String()
	}
	return c.Name + " " + c.Phase
}
