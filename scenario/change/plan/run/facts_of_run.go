package run

import (
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Facts are what a run shows about one set, from a step on.
type Facts struct {
	// Begin is the instant of the step; End that of the last change of a pod or of the status of the set.
	Begin, End model.Time
	Moves      Moves
	// Replicas is spec.replicas at the end. Serving is the number of pods that serve at the end, Fewest the least
	// number on the way, and Before the number when the step came.
	Replicas, Serving, Fewest, Before int
	// There is the number of pods when the step comes. Behind says that some run an older template, and GoesOn that
	// these are replaced.
	There          int
	Behind, GoesOn bool
	// Verdict is that of the run for this set: a run that is stuck on another set has settled for this one. Stuck is
	// what holds the set up, nil if nothing does.
	Verdict timeline.Verdict
	Stuck   *timeline.Stuck
	// Updated is the number of pods that serve at the end with the newest template.
	Updated int
	// Volumes are the claims that are deleted on the way, in their order.
	Volumes []string
	// Unplaced says why no node takes the pod that holds the set up, in the scheduler's words; "" if that is not so.
	Unplaced string
	// Last is the set at the end; Gone says that it is deleted on the way, so that Last has no spec.
	Last *timeline.Set
	Gone bool
	// Doubts is what the run assumes and the dump does not show.
	Doubts
}

// Doubts is what a run of a set of a dump assumes, and what comes of it if that is not so.
type Doubts struct {
	// Comes is the pod that holds the set up and that was Ready in the last run of its container, "" if there is none;
	// Then has the facts of the run in which it becomes Ready again, and crashes again.
	Comes string
	Then  *Facts
	// When says when the pod of the dump that holds the set up comes up by itself, Provided what must be true that the
	// dump does not show so that the set completes; "" is nothing.
	When, Provided string
}

// Gather looks at a run, from the step with that number on. A run that ended before that step is looked at from its
// beginning. O(events). The run must have a result. Of a set that is not in the run, Last is nil.
func Gather(events []timeline.Event, key model.Key, number int) *Facts {
	begin := max(0, play.StepAt(events, number))
	f := &Facts{Begin: events[begin].T, Fewest: -1}
	outdated := map[string]bool{}
	var going Moves
	for fold := range timeline.Ticks(events) {
		set := fold.Set(key)
		if set == nil {
			continue
		}
		switch {
		case fold.Index < begin:
			f.Before = set.Serving()
		case fold.Index == begin:
			f.Before, f.There = set.Serving(), set.Pods.Len()
			going, outdated = found(set)
		case f.Fewest < 0 || set.Serving() < f.Fewest:
			f.Fewest = set.Serving()
		}
		f.Last, f.Serving, f.Replicas = set, set.Serving(), int(set.Spec.Spec.Replicas)
	}
	f.Fewest, f.Behind = max(f.Fewest, 0), len(outdated) > 0
	f.Moves, f.Volumes, f.End = follow(events[begin:], key, going)
	if f.Gone = f.Last != nil && f.Last.Spec == nil; f.Last != nil && !f.Gone {
		f.Updated = updated(f.Last)
	}
	f.GoesOn = slices.ContainsFunc(f.Moves, func(m Move) bool { return m.Does == Replaced && outdated[m.Pod] })
	f.Verdict, f.Stuck = events[len(events)-1].Result.Of(key)
	if f.Stuck != nil {
		f.Unplaced = unplaced(f.Last, f.Stuck.Why.Object)
	}
	return f
}

// found returns the pods that are on their way out when the step comes, and those that have an older template.
func found(set *timeline.Set) (going Moves, outdated map[string]bool) {
	outdated = map[string]bool{}
	for pod := range set.Pods.All {
		if pod.Template != set.Spec.Spec.Template.ID {
			outdated[pod.Name] = true
		}
		if pod.Terminating {
			going = append(going, Move{Pod: pod.Name, Does: Removed, Gone: Never, Back: Never, going: true})
		}
	}
	return going, outdated
}

func updated(set *timeline.Set) int {
	n := 0
	for pod := range set.Pods.All {
		if pod.Serving() && pod.Template == set.Spec.Spec.Template.ID {
			n++
		}
	}
	return n
}

// unplaced says why no node takes a pod, in the scheduler's words without preemption; "" if that is not so.
func unplaced(set *timeline.Set, name string) string {
	for p := range set.Pods.All {
		message, is := strings.CutPrefix(p.Warning, timeline.ReasonFailedScheduling+": ")
		if p.Name == name && is && p.Node == "" {
			if message, _, _ = strings.Cut(message, ". "); strings.Contains(message, "unbound immediate") {
				// Whether the class gives volumes at once or to pods with a node, the scheduler of a cluster may say otherwise.
				message = "one of its PVCs has no volume"
			}
			return ". No node takes " + name + ": " + strings.TrimSuffix(message, ".")
		}
	}
	return ""
}

// follow follows the moves of the pods and the deletion of claims in the events behind the first. moves are those that
// have begun. end is the instant of the last change.
func follow(events []timeline.Event, key model.Key, moves Moves) (_ Moves, volumes []string, end model.Time) {
	begin := events[0].T
	end = begin
	for i := 1; i < len(events); i++ {
		e := &events[i]
		switch {
		case e.Set != key:
		case e.Kind == timeline.KindPod:
			end, moves = e.T, moved(moves, e, Seconds(e.T.Sub(begin)))
		case e.Kind == timeline.KindStatus:
			end = e.T
		case e.Kind == timeline.KindClaim && !slices.Contains(volumes, e.Claim.Name) &&
			(e.Claim.Phase == timeline.PhaseTerminating || e.Claim.Type == model.Deleted):
			volumes = append(volumes, e.Claim.Name)
		}
	}
	// A pod that was on its way out before, and still is at the end, has not been moved.
	return slices.DeleteFunc(moves, func(m Move) bool { return m.going && m.Gone == Never }), volumes, end
}

func moved(moves Moves, e *timeline.Event, since Seconds) Moves {
	at := slices.IndexFunc(moves, func(m Move) bool { return m.Pod == e.Pod })
	switch {
	case e.State == timeline.Terminating && at < 0:
		return append(moves, Move{Pod: e.Pod, Does: Removed, Down: since, Gone: Never, Back: Never})
	case e.State == timeline.Pending && at < 0:
		return append(moves, Move{Pod: e.Pod, Does: Created, Down: Never, Gone: Never, Back: Never})
	case at < 0:
	case e.State == timeline.Terminating:
		moves[at].Back = Never
	case e.State == timeline.Gone:
		moves[at].Gone = since
	case e.State == timeline.Pending && moves[at].Does == Removed:
		moves[at].Does = Replaced
	case e.State == timeline.Ready && moves[at].Back == Never:
		moves[at].Back = since
	}
	return moves
}

// Slim returns the facts without the pods at the end, which take most of the memory.
func (f *Facts) Slim() *Facts {
	as := *f
	as.Last = nil
	if f.Then != nil {
		as.Then = f.Then.Slim()
	}
	return &as
}

// Takes is the time from the step to the last change.
func (f *Facts) Takes() time.Duration { return f.End.Sub(f.Begin) }

// Completes says whether the set gets where the change wants it.
func (f *Facts) Completes() bool { return f.Verdict == timeline.Settled && !f.Gone }

// StartsBetween says whether pods are replaced only while a pod that crashes is Ready.
func (f *Facts) StartsBetween() bool { return f.Comes != "" && len(f.Then.Moves.Of(Replaced)) > 0 }

// Renamed returns the facts under the name of another set.
func (f *Facts) Renamed(r *strings.Replacer, key model.Key) *Facts {
	as := *f
	as.Moves = slices.Clone(f.Moves)
	for i := range as.Moves {
		as.Moves[i].Pod = r.Replace(as.Moves[i].Pod)
	}
	as.Volumes = changed(f.Volumes, r.Replace)
	if f.Stuck != nil {
		stuck := *f.Stuck
		stuck.Set, stuck.Error = key, r.Replace(stuck.Error)
		stuck.Why.Object = r.Replace(stuck.Why.Object)
		as.Stuck = &stuck
	}
	return &as
}

// LongestMessage is the length up to which a message of the API server is shown.
const LongestMessage = 320

// Message is a message of the API server. A long one loses its middle, a value most of the time: what is wrong with the
// value comes last.
func Message(text string) string {
	letters := []rune(text)
	if len(letters) <= LongestMessage {
		return text
	}
	return string(letters[:LongestMessage/2]) + " … " + string(letters[len(letters)-LongestMessage/3:])
}

// Serve says how many pods serve at least.
func (f *Facts) Serve() string { return render.Serve(f.Fewest, f.Replicas) }

// Ending says how the run ends for the set.
func (f *Facts) Ending() string {
	if f.Gone {
		return "the set is gone: somebody has deleted it"
	}
	switch f.Verdict {
	case timeline.Settled:
		return "the change completes" + f.Proviso()
	case timeline.IsStuck:
		return "the change gets stuck: " + f.Holds()
	case timeline.Livelock:
		return "the controller " + reasons.NeverConverges
	case timeline.WasRefused:
		return "it is refused"
	}
	return "the change does not end within the limits of a run"
}

// Proviso ends a sentence about a set that completes.
func (f *Facts) Proviso() string {
	if f.Provided == "" {
		return ""
	}
	return ", " + f.Provided
}

// Holds says what holds up a set that is stuck, and when it continues after all.
func (f *Facts) Holds() string {
	text := f.Stuck.Why.Sentence()
	if f.Stuck.Error != "" {
		text += ": " + render.Shorten(f.Stuck.Error, LongestMessage)
	}
	return text + f.Unplaced + f.only()
}

// only says when a set that is stuck on a pod continues after all, "" if it never does.
func (f *Facts) only() string {
	switch {
	case f.When != "":
		return "; it continues " + f.When
	case f.Comes == "":
		return ""
	case f.Then.Completes():
		return "; it continues " + dump.BetweenTwo(f.Comes) + ", and may then complete"
	}
	return "; it continues " + dump.BetweenTwo(f.Comes)
}
