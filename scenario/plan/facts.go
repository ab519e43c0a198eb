package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// What happens to a pod on the way.
const (
	replaced = "replaced"
	created  = "created"
	removed  = "removed"
)

// Move says what happens to one pod on the way. A pod that is replaced has one move, from its deletion to the next pod
// of its name being Ready.
type Move struct {
	// Pod is the name of the pod.
	Pod string `json:"pod"`
	// Does is replaced, created or removed.
	Does string `json:"does"`
	// Down is the time at which it begins to terminate, Gone when it is gone, and Back when a pod of its name is Ready
	// again, in seconds since the change; -1 means never.
	Down Seconds `json:"down"`
	Gone Seconds `json:"gone"`
	Back Seconds `json:"back"`

	untimed bool
	// going says that it was terminating before the change.
	going bool
}

// MarshalJSON leaves out times that were played with assumed values.
func (m Move) MarshalJSON() ([]byte, error) {
	type timed Move
	if m.untimed {
		return json.Marshal(struct {
			Pod  string `json:"pod"`
			Does string `json:"does"`
		}{m.Pod, m.Does})
	}
	return json.Marshal(timed(m))
}

// Seconds is a duration; JSON has it as a number of seconds.
type Seconds time.Duration

// MarshalJSON renders the seconds.
func (s Seconds) MarshalJSON() ([]byte, error) { return []byte(model.Time(s).Seconds()), nil }

// never is the time of what does not happen: -1 in JSON.
const never = Seconds(-time.Second)

// facts are what a run shows about one set, from a step on.
type facts struct {
	// begin is the instant of the step; end that of the last change of a pod or of the status of the set.
	begin, end model.Time
	// moves are in the order in which they begin, each pod once.
	moves []Move
	// replicas is spec.replicas at the end. serving is the number of pods that serve at the end, fewest the least
	// number on the way, and before the number when the step came.
	replicas, serving, fewest, before int
	// there is the number of pods when the step comes. behind says that some run an older template, and goesOn that
	// these are replaced.
	there          int
	behind, goesOn bool
	// verdict is that of the run for this set: a run that is stuck on another set has settled for this one. stuck is
	// what holds the set up, nil if nothing does.
	verdict timeline.Verdict
	stuck   *timeline.Stuck
	// comes is the pod that holds the set up and that was Ready in the last run of its container, "" if there is none;
	// then has the facts of the run in which it becomes Ready again, and crashes again.
	comes string
	then  *facts
	// when says when the pod of the dump that holds the set up comes up by itself, provided what must be true that the
	// dump does not show so that the set completes; "" is nothing.
	when, provided string
	// updated is the number of pods that serve at the end with the newest template.
	updated int
	// volumes are the claims that are deleted on the way, in their order.
	volumes []string
	// last is the set at the end; gone says that it is deleted on the way, so that last has no spec.
	last *timeline.Set
	gone bool
	// budgets are the budgets that select the set's pods, and what is left of them.
	budgets []*Budget
}

// gather looks at a run, from the step with that number on. A run that ended before that step is looked at from its
// beginning. O(events). The run must have a result. Of a set that is not in the run, last is nil.
func gather(events []timeline.Event, key model.Key, number int) *facts {
	f := &facts{fewest: -1}
	begin := max(0, play.StepAt(events, number))
	f.begin, f.end = events[begin].T, events[begin].T
	outdated := map[string]bool{}
	for fold := range timeline.Ticks(events) {
		set := fold.Set(key)
		if set == nil {
			continue
		}
		switch {
		case fold.Index < begin:
			f.before = set.Serving()
		case fold.Index == begin:
			f.find(set, outdated)
		case f.fewest < 0 || set.Serving() < f.fewest:
			f.fewest = set.Serving()
		}
		f.last, f.serving, f.replicas = set, set.Serving(), int(set.Spec.Spec.Replicas)
	}
	f.fewest = max(f.fewest, 0)
	for i := begin + 1; i < len(events); i++ {
		if e := &events[i]; e.Set == key {
			f.event(e)
		}
	}
	if f.gone = f.last != nil && f.last.Spec == nil; f.last != nil && !f.gone {
		f.updated = updated(f.last)
	}
	// A pod that was on its way out before, and still is at the end, has not been moved.
	f.moves = slices.DeleteFunc(f.moves, func(m Move) bool { return m.going && m.Gone == never })
	f.goesOn = slices.ContainsFunc(f.moves, func(m Move) bool { return m.Does == replaced && outdated[m.Pod] })
	result := events[len(events)-1].Result
	f.verdict = result.Verdict
	f.hold(result.Stuck, key)
	return f
}

// find looks at the set when the step comes: which pods there are, which of them have an older template, and which
// are on their way out already.
func (f *facts) find(set *timeline.Set, outdated map[string]bool) {
	f.before, f.there = set.Serving(), set.Pods.Len()
	for pod := range set.Pods.All {
		outdated[pod.Name] = pod.Template != set.Spec.Spec.Template.ID
		f.behind = f.behind || outdated[pod.Name]
		if pod.Terminating {
			f.moves = append(f.moves, Move{Pod: pod.Name, Does: removed, Gone: never, Back: never, going: true})
		}
	}
}

// updated returns the number of serving pods of a set with its newest template.
func updated(set *timeline.Set) int {
	n := 0
	for pod := range set.Pods.All {
		if pod.Serving() && pod.Template == set.Spec.Spec.Template.ID {
			n++
		}
	}
	return n
}

// hold finds what holds the set up: rather a rule that holds something back than one that holds nothing.
func (f *facts) hold(stuck []timeline.Stuck, key model.Key) {
	for i := range stuck {
		if stuck[i].Set == key && (f.stuck == nil || f.stuck.Why.Rule == model.RuleParallel) {
			f.stuck = &stuck[i]
		}
	}
	if f.verdict == timeline.IsStuck && f.stuck == nil {
		f.verdict = timeline.Settled
	}
}

// event follows the moves of the pods, and the deletion of claims.
func (f *facts) event(e *timeline.Event) {
	if e.Kind == timeline.KindPod || e.Kind == timeline.KindStatus {
		f.end = e.T
	}
	if e.Kind == timeline.KindClaim && (e.Claim.Phase == timeline.PhaseTerminating || e.Claim.Type == model.Deleted) &&
		!slices.Contains(f.volumes, e.Claim.Name) {
		f.volumes = append(f.volumes, e.Claim.Name)
	}
	if e.Kind != timeline.KindPod {
		return
	}
	at := slices.IndexFunc(f.moves, func(m Move) bool { return m.Pod == e.Pod })
	since := Seconds(e.T.Sub(f.begin))
	switch {
	case e.State == timeline.Terminating && at < 0:
		f.moves = append(f.moves, Move{Pod: e.Pod, Does: removed, Down: since, Gone: never, Back: never})
	case e.State == timeline.Terminating:
		f.moves[at].Back = never
	case e.State == timeline.Gone && at >= 0:
		f.moves[at].Gone = since
	case e.State == timeline.Pending && at < 0:
		f.moves = append(f.moves, Move{Pod: e.Pod, Does: created, Down: never, Gone: never, Back: never})
	case e.State == timeline.Pending && f.moves[at].Does == removed:
		f.moves[at].Does = replaced
	case e.State == timeline.Ready && at >= 0 && f.moves[at].Back == never:
		f.moves[at].Back = since
	}
}

// of returns the moves of one kind. The list is the caller's.
func (f *facts) of(does string) []Move {
	return slices.DeleteFunc(slices.Clone(f.moves), func(m Move) bool { return m.Does != does })
}

// together returns the most pods that are down at once. O(n²) in the moves.
func together(moves []Move) int {
	most := 0
	for i := range moves {
		down := 0
		for j := range moves {
			end := moves[j].Back
			if moves[j].Does == removed {
				end = moves[j].Gone
			}
			if moves[j].Down <= moves[i].Down && (end == never || end > moves[i].Down) {
				down++
			}
		}
		most = max(most, down)
	}
	return most
}

// pods lists pods, those in the middle of a long list left out.
func pods(moves []Move) string {
	const most = 8
	var list []string
	for _, m := range moves {
		list = append(list, m.Pod)
	}
	if len(list) > most {
		list = append(append(list[:most-2:most-2], "…"), list[len(list)-1])
	}
	return strings.Join(list, ", ")
}

// order returns the order in which pods are deleted and created, a line for each kind of change, as it was played. How
// many pods are replaced at a time is left out where a headline says that.
func (f *facts) order(paced bool) []string {
	var lines []string
	for begin := 0; begin < len(f.moves); {
		end := begin
		for end < len(f.moves) && f.moves[end].Does == f.moves[begin].Does {
			end++
		}
		moves := f.moves[begin:end]
		begin = end
		line := moves[0].Does + ": " + pods(moves)
		all := len(moves) == len(f.of(replaced))
		if moves[0].Does == removed && len(moves) > 1 || moves[0].Does == replaced && len(moves) > 1 && (paced || !all) {
			line += ": " + pace(moves)
		}
		lines = append(lines, line)
		if back := byReturn(moves); moves[0].Does == replaced && len(back) > 0 && pods(back) != pods(moves) {
			lines = append(lines, "come back in this order: "+pods(back))
		}
	}
	return lines
}

// pace words how many pods are down at once.
func pace(moves []Move) string {
	if most := together(moves); most > 1 {
		return fmt.Sprintf("up to %d at a time", most)
	}
	return "one at a time"
}

// byReturn returns the moves of the pods that come back, in that order.
func byReturn(moves []Move) []Move {
	back := slices.DeleteFunc(slices.Clone(moves), func(m Move) bool { return m.Back == never })
	slices.SortStableFunc(back, func(a, b Move) int { return cmp.Compare(a.Back, b.Back) })
	return back
}

// serve says how many pods serve at least.
func (f *facts) serve() string { return serve(f.fewest, f.replicas) }

// serve says how many of a set's pods serve at least.
func serve(fewest, replicas int) string {
	switch {
	case fewest > replicas:
		return fmt.Sprintf("at least %d serve", fewest)
	case fewest == 0 && replicas == 1:
		return "for a time its only pod does not serve"
	case fewest == 0 && replicas > 0:
		return fmt.Sprintf("at times none of %d serves", replicas)
	}
	return fmt.Sprintf("at least %d of %d serve", fewest, replicas)
}

// completes says whether the set gets where the change wants it.
func (f *facts) completes() bool { return f.verdict == timeline.Settled && !f.gone }

// ending says how the run ends for the set.
func (f *facts) ending() string {
	if f.gone {
		return "the set is gone: somebody has deleted it"
	}
	switch f.verdict {
	case timeline.Settled:
		return "the change completes" + f.proviso()
	case timeline.IsStuck:
		return "the change gets stuck: " + f.holds() + f.only()
	case timeline.Livelock:
		return "the controller " + reasons.NeverConverges
	case timeline.WasRefused:
		return "it is refused"
	}
	return "the change does not end within the limits of a run"
}

// proviso ends a sentence about a set that completes.
func (f *facts) proviso() string {
	if f.provided == "" {
		return ""
	}
	return ", " + f.provided
}

// holds says what holds up a set that is stuck.
func (f *facts) holds() string {
	text := f.stuck.Why.Sentence()
	if f.stuck.Error != "" {
		text += ": " + render.Shorten(f.stuck.Error, longestMessage)
	}
	return text + f.unplaced(f.stuck.Why.Object)
}

// unplaced says why no node takes a pod, in the scheduler's words; "" if the pod has a node, or nothing keeps it from
// one. What the scheduler says about preemption, after the first sentence, is left out.
func (f *facts) unplaced(name string) string {
	for p := range f.last.Pods.All {
		message, is := strings.CutPrefix(p.Warning, timeline.ReasonFailedScheduling+": ")
		if p.Name == name && is && p.Node == "" {
			message, _, _ = strings.Cut(message, ". ")
			return ". No node takes " + name + ": " + strings.TrimSuffix(message, ".")
		}
	}
	return ""
}
