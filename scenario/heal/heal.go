// Package heal finds fixes for a StatefulSet that is stuck. It tries the commands that people use, and plays each
// exactly as it is printed, as if pasted into a shell in one go, from the very state in which the set is stuck.
//
// It never claims what was not played: a Way says whether its run ended with the set whole, what that cost in serving
// pods and deleted pods, and what nobody can know from the API (danger, needs), which then orders it below the fixes
// without. So the first way is the safest that works, and a list without a healing way means that none of the known
// ones works.
//
// It knows laboratories (package play) and timelines, and no dump: what a dump shows beyond its objects comes in with
// Stuck. Packages explain and plan call it, and so does the command line for a run that ends stuck.
//
// Invariants: every Way was played, with the commands as they are printed; the timeline that a caller gives is not
// changed; and the same Stuck gives the same ways, as long as nobody interrupts.
package heal

import (
	"cmp"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Stuck is a StatefulSet that does not continue by itself, whose deletion does not end, or for which a drain waits. The
// caller fills it in; All and Best complete State, and replace Lab if conditions are paid for (save). It is for one
// set, and its methods must not be called at the same time.
type Stuck struct {
	Key model.Key
	// Lab plays worlds that begin with the state of a cluster, or with the steps of a scenario. Before is the script from
	// there to the point where the set is stuck.
	Lab    *play.Lab
	Before play.Script
	// Begun is Lab.Begun(Before), if the caller has it; nil plays Before once more.
	Begun *play.Lab
	// Events is the run without any fix, to its result, which must be there. It is the run of Before in Lab.
	Events []timeline.Event
	// State are the objects of the cluster; nil takes those at the end of the run. Attempts name its pods, nodes and
	// budgets.
	State *sim.State
	// Quorum, if set, plays worlds in which a pod is Ready as soon as another pod of its set runs. It is used if nothing
	// else explains why a pod is not Ready.
	Quorum *play.Lab
	// Between, if set, plays worlds in which the pods that crash again and again are Ready between two crashes, as the
	// dump shows that they were. It is used for what then goes on.
	Between *play.Lab
	// Again, if set, creates a set again that is being deleted, as soon as it is gone.
	Again play.Script
	// Reverted says of a set that an operator writes that it reverts a change of the set, and what to change instead; ""
	// if nobody writes the set but its users.
	Reverted string
	// Wanted is true if the last change of the set is to stay: of fixes that need equally little, those that do not write
	// the set come first, even if fewer pods serve while the change then goes on.
	Wanted bool
	// Asleep is true if nothing happens to the set before the first command, so the command may act at once.
	Asleep bool

	// purse is what the attempts may still cost; nil before the first one, and if nothing is counted.
	purse *purse
}

// Way is a fix that was played, and the run with its commands as the last steps.
type Way struct {
	reasons.Way
	Events []timeline.Event

	// risk orders fixes by what must be certain before they are used, with the danger that the run has shown; place is
	// the position in the list of attempts, the mildest first.
	risk, place int
	// awaits is true if a pod that crashes again and again has to be Ready on the way, reverted if an operator reverts it,
	// unwanted if it writes a set whose last change is to stay.
	awaits, reverted, unwanted bool
}

// attempt is a fix before it is played. A zero lab means that of the set. One with an empty script does not apply, and
// is dropped by attempts.
type attempt struct {
	// what is What of the way, danger and needs are its Danger and Needs as far as they are known before it is played.
	what          string
	script        play.Script
	danger, needs string
	// later says what remains to be done behind it.
	later string
	lab   *play.Lab
	// last is true if it is unlikely to be what is needed, whatever the simulation shows.
	last bool
}

// The risks by which fixes are ordered: what must be certain before they are used.
const (
	riskless = iota
	// assuming is what a person can find out.
	assuming
	// harmful is what can do harm otherwise.
	harmful
	// unlikely is what is unlikely to be the cause at all.
	unlikely
	risks
)

// risk is the risk of an attempt with this danger. danger is that of the attempt and of its run together.
func (a *attempt) risk(danger string) int {
	switch {
	case a.last:
		return unlikely
	case danger != "":
		return harmful
	case a.needs != "":
		return assuming
	}
	return riskless
}

// All plays all attempts. Fixes that heal the set come first, the safest at the top, and those that can do harm after
// all others. A fix is left out if it only does more than a better one, or if it is unlikely to be needed and another
// one heals the set. It costs a run for each attempt, some dozen.
func (s *Stuck) All() []Way {
	var list []Way
	lab := s.begun()
	attempts := s.attempts()
	for i := range attempts {
		way := s.try(lab, &attempts[i], i)
		if s.purse.empty() || s.interrupted() {
			break
		}
		list = append(list, way)
	}
	slices.SortFunc(list, better)
	likely := len(list) > 0 && list[0].Heals && list[0].risk < unlikely
	var kept []Way
	for _, way := range list {
		if likely && way.Heals && way.risk == unlikely || slices.ContainsFunc(kept, way.doesMore) {
			continue
		}
		kept = append(kept, way)
	}
	return kept
}

// Wake plays the fix that makes the controller sync the set again, and returns it whether it heals or not. State must
// be set.
func (s *Stuck) Wake() Way {
	a := wake(s.Key)
	return s.try(s.Lab, &a, 0)
}

// begun returns the laboratory at the point where the set is stuck, so that what leads there is played once. If State
// is not set, it is set to the objects of the cluster there.
func (s *Stuck) begun() *play.Lab {
	s.save()
	if s.Asleep || !s.goesOn() {
		return s.Lab
	}
	begun := s.Begun
	if begun == nil {
		begun = s.Lab.Begun(s.Before)
	}
	s.State = cmp.Or(s.State, begun.Reached())
	return begun
}

// goesOn says whether the run has ended in a way that lets it continue: not by a limit or an interruption.
func (s *Stuck) goesOn() bool {
	verdict := s.Events[len(s.Events)-1].Result.Verdict
	return verdict == timeline.Settled || verdict == timeline.IsStuck
}

// Best returns the first of All, nil if none heals the set, and the others that were tried, in no order. It plays no
// more than it has to: the attempts of one risk after those of a lower one, and within a risk the mildest first. It
// ends as soon as one heals without fewer pods serving than now, and with the first risk at which one heals at all. One
// whose run has shown that it deletes a volume counts as of a higher risk.
func (s *Stuck) Best() (best *Way, others []Way) {
	serving := 0
	if set := End(s.Events).Set(s.Key); set != nil {
		serving = set.Serving()
	}
	lab := s.begun()
	list := s.attempts()
	for risk := range risks {
		for i := range list {
			if list[i].risk(list[i].danger) != risk {
				continue
			}
			way := s.try(lab, &list[i], i)
			switch {
			case s.purse.empty() || s.interrupted():
				return best, others
			case !way.Heals || best != nil && better(way, *best) >= 0:
				others = append(others, way)
			case best != nil:
				others = append(others, *best)
				fallthrough
			default:
				best = &way
			}
			if best != nil && best.risk <= risk && best.Fewest >= serving && !best.unwanted {
				return best, others
			}
		}
		if best != nil && best.risk <= risk {
			return best, others
		}
	}
	return best, others
}

// interrupted says whether the user wants no more. A world begins even then, which takes long if it is large, so it is
// asked between two attempts.
func (s *Stuck) interrupted() bool {
	return s.Lab.World.Interrupted != nil && s.Lab.World.Interrupted()
}

// Released returns the first of the attempts that confirm that a node which does not answer is off, and that heals the
// set; nil if none does. Unlike Best it tries no other.
func (s *Stuck) Released() *Way {
	lab := s.begun()
	if s.attempts() == nil {
		return nil
	}
	list := ofLost(s.sick())
	for i := range list {
		if way := s.try(lab, &list[i], i); way.Heals {
			return &way
		}
	}
	return nil
}

// better orders fixes. Those that heal the set come first: those that assume nothing, then those that assume something,
// then those that can do harm; among these, those that no operator reverts, those that take back no change that is
// wanted, those that wait for no crash loop, those with more serving pods, then the milder ones. The order is total,
// because no two have one place.
func better(a, b Way) int {
	return cmp.Or(-compare(a.Heals, b.Heals), cmp.Compare(a.risk, b.risk), compare(a.Danger != "", b.Danger != ""),
		compare(a.reverted, b.reverted), compare(a.unwanted, b.unwanted),
		compare(a.awaits, b.awaits), cmp.Compare(b.Fewest, a.Fewest), cmp.Compare(a.place, b.place))
}

// compare orders false before true.
func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// doesMore says whether a fix does everything that another one does, and something else too. What it does more may be
// that it does not have to wait for a pod that crashes.
func (w *Way) doesMore(other Way) bool {
	return other.Heals && w.Heals && other.awaits == w.awaits && len(w.Commands) >= len(other.Commands) &&
		!slices.ContainsFunc(other.Commands, func(c string) bool { return !slices.Contains(w.Commands, c) })
}

// try plays an attempt, which must have a deed. If something still happens in the cluster, the attempt begins when
// that is over. Its steps are named by their commands.
func (s *Stuck) try(lab *play.Lab, a *attempt, place int) Way {
	script := slices.Clone(a.script)
	for i := range script {
		if script[i].Kubectl != "" {
			script[i].Does = ""
		}
	}
	switch {
	case s.Asleep:
		script[0].When = sim.When{Trigger: sim.At}
	case a.lab != nil:
		// In another world the set would not wait for the commands.
		script[0].When = sim.When{Trigger: sim.After}
	}
	pasted := cmp.Or(a.lab, lab).Paste(s.Before, script)
	lost := s.lost(pasted)
	danger := a.dangerWith(lost)
	played, heals := *a, pasted.Hangs == "" && s.healed(pasted.Events)
	awaits := ""
	if heals {
		awaits = s.awaits(pasted)
		played.needs = a.needsToo(awaits)
	}
	way := Way{Events: pasted.Events, risk: played.risk(danger), place: place, awaits: awaits != "", Way: reasons.Way{
		What: a.what, Commands: pasted.Commands, Danger: danger, Needs: played.needs, Later: a.later, Loses: lost,
		Heals:    heals,
		Deleted:  play.Deleted(pasted.Events, s.Key, pasted.First),
		Replicas: int(s.set().Spec.Replicas),
		Reverts:  slices.ContainsFunc(a.script, func(d play.Deed) bool { return d.Verb == "undo" }),
	}}
	if way.reverted = s.Reverted != "" && writesSet(way.Commands); way.reverted {
		// What is reverted in Git does not reach the set but by the operator.
		way.Later, way.Reverts = s.Reverted, false
	}
	way.unwanted = s.Wanted && writesSet(way.Commands)
	way.Unblocks = !way.Heals && pasted.Hangs == "" && s.drained() != nil && s.emptied(pasted.Events)
	way.Fewest, way.Takes = play.Cost(pasted.Events, s.Key, pasted.First)
	return way
}

// setWrites are in the commands that change the spec of a set, or make it anew.
var setWrites = []string{" set image statefulset/", " edit statefulset/", " rollout undo statefulset/",
	" patch statefulset ", " scale statefulset/", "kubectl replace --force "}

// writesSet says whether one of some commands changes the spec of a set.
func writesSet(commands []string) bool {
	return slices.ContainsFunc(commands, func(command string) bool {
		return slices.ContainsFunc(setWrites, func(write string) bool { return strings.Contains(command, write) })
	})
}

// healed says whether the set is whole at the end of a run or, if it is being deleted, gone; or, if a drain waits,
// that its pod has left the node.
func (s *Stuck) healed(events []timeline.Event) bool {
	switch {
	case s.set().Terminating() && len(s.Again) == 0:
		return End(events).Set(s.Key) == nil
	case s.drained() != nil:
		return s.emptied(events) && whole(events, s.Key, model.DrainBlocked)
	}
	return Whole(events, s.Key)
}

// emptied says whether the pod that a drain waits for is on another node at the end of a run. It does not look at the
// drain itself: kubectl asks for the pod by name, and may ask for ever for a pod that is on another node. A drain must
// wait.
func (s *Stuck) emptied(events []timeline.Event) bool {
	name := s.drained().Why.Object
	at := slices.IndexFunc(s.State.Pods, func(p sim.PodState) bool {
		return p.Name == name && p.Namespace == s.Key.Namespace
	})
	pod := End(events).Pod(s.Key, name)
	return at >= 0 && (pod == nil || pod.Node != s.State.Pods[at].Node)
}

// set returns the set as the cluster has it, nil if there is none; it is State's own. State must be set. O(sets).
func (s *Stuck) set() *model.StatefulSet {
	at := slices.IndexFunc(s.State.Sets, func(set *model.StatefulSet) bool { return set.Key() == s.Key })
	if at < 0 {
		return nil
	}
	return s.State.Sets[at]
}

// Whole says whether a set matches its spec at the end of a run: it waits for nothing, and all its replicas serve.
func Whole(events []timeline.Event, key model.Key) bool { return whole(events, key) }

// whole is Whole, but ignores that the set is stuck for the given reasons.
func whole(events []timeline.Event, key model.Key, but ...model.Code) bool {
	result := events[len(events)-1].Result
	if result.Verdict != timeline.Settled && result.Verdict != timeline.IsStuck {
		return false
	}
	if slices.ContainsFunc(result.Stuck, func(stuck timeline.Stuck) bool {
		return stuck.Set == key && !slices.Contains(but, stuck.Why.Code)
	}) {
		return false
	}
	set := End(events).Set(key)
	return set != nil && set.Serving() == int(set.Spec.Spec.Replicas) && set.Pods.Len() == set.Serving()
}

// End returns the world at the end of a run. O(events).
func End(events []timeline.Event) *timeline.Fold {
	var fold timeline.Fold
	for i := range events {
		fold.Apply(&events[i])
	}
	return &fold
}

// isStuckFor says whether a set is stuck at the end of a run for one of these reasons.
func isStuckFor(events []timeline.Event, key model.Key, codes ...model.Code) bool {
	return slices.ContainsFunc(events[len(events)-1].Result.Stuck, func(stuck timeline.Stuck) bool {
		return stuck.Set == key && slices.Contains(codes, stuck.Why.Code)
	})
}
