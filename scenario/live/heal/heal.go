// Package heal finds fixes for a StatefulSet that is stuck. It tries the commands that people use, and plays each
// exactly as it is printed, as if pasted into a shell in one go, from the very state in which the set is stuck.
//
// The way through the package is a row of functions over values: a Stuck is the question; a situation is what there is
// at the point where the set is stuck; families of attempts, a file each, are functions of the situation; tried plays
// an attempt and says what became of it, a Way; and better orders the ways.
//
// It never claims what was not played: a Way says whether its run ended with the set whole, or with more of its pods
// serving, what that cost in serving pods and deleted pods, and what nobody can know from the API (danger, needs),
// which then orders it below the fixes without. So the first way is the safest that works, and a list without a healing
// way means that none of the known ones works.
//
// It knows laboratories (package play) and timelines: what a dump shows beyond its objects comes in with Stuck. Packages
// explain and plan call it, and so does the command line for a run that ends stuck.
//
// Invariants: every Way was played, with the commands as they are printed; the timeline that a caller gives is not
// changed; and the same Stuck gives the same ways, as long as nobody interrupts.
package heal

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Stuck is a StatefulSet that does not continue by itself, whose deletion does not end, or for which a drain waits. The
// caller fills it in; All and Best complete State, and replace Lab if conditions are paid for (play.Lab.Paying). It is
// for one set, and its methods must not be called at the same time.
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
	// State are the objects of the cluster, which attempts name; nil takes those at the end of the run.
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
	// Shown is the dump that shows more of the set than its objects, On the pod that it waits for there; nil and "" for none.
	Shown *dump.Dump
	On    string
	// Wanted is true if the last change of the set is to stay: of fixes that need equally little, those that do not write
	// the set come first, even if fewer pods serve while the change then goes on.
	Wanted bool
	// Slack is how much longer than assumed each pod may take to stop.
	Slack time.Duration
	// Asleep is true if nothing happens to the set before the first command, so the command may act at once.
	Asleep bool

	// left is what the attempts may still cost; nil before the first one, and if nothing is counted.
	left *play.Allowance
}

// Way is a fix that was played, and the run with its commands as the last steps.
type Way struct {
	reasons.Way
	Events []timeline.Event
	// Acts are what its commands do.
	Acts play.Acts

	// attempt is what was played, where hopes is also true if a pod that crashes again and again has to be Ready on the
	// way. risk orders fixes by what must be certain before they are used, with the danger that the run has shown; place is
	// the position in the list of attempts, the mildest first.
	attempt
	risk, place int
	// reverted is true if an operator reverts it, unwanted if it writes a set whose last change is to stay.
	reverted, unwanted bool
}

// All plays all attempts. Fixes that heal the set come first, the safest at the top, and those that can do harm after
// all others; then those that relieve it. A fix is left out if it only does more than a better one, or if it is
// unlikely to be needed and another one heals the set. It costs a run for each attempt, some dozen.
func (s *Stuck) All() []Way {
	var list []Way
	x := s.look()
	attempts := attemptsFor(x)
	for i := range attempts {
		way := x.tried(&attempts[i], i)
		if s.left.Empty() || s.interrupted() {
			break
		}
		if (way.Relieves || !attempts[i].part) && !x.misses(&way) {
			list = append(list, way)
		}
	}
	return ordered(list)
}

// Wake plays the fix that makes the controller sync the set again, after the pods are deleted that hold what it waits
// for, and returns it whether it heals or not. State must be set.
func (s *Stuck) Wake(holders []model.Key) Way {
	x, a := s.situation(s.Lab), wake(s.Key)
	if len(holders) > 0 {
		a.what = "deleting " + names(holders) + ", and " + a.what
		a.script = append(deletePods(holders, false), a.script...)
		a.danger = "only if nobody needs " + names(holders)
	}
	return x.tried(&a, 0)
}

// Shorten plays the fix that leaves pods that are being deleted so long to stop, and returns it in any case, with State set.
func (s *Stuck) Shorten(pods []model.Key, grace time.Duration) Way {
	x := s.situation(s.Lab)
	a := attempt{
		what: fmt.Sprintf("leaving %s only %s to stop", names(pods), render.Brief(grace)),
		danger: fmt.Sprintf("only if nobody needs what %s still %s, such as a preStop hook that waits until the data is "+
			"elsewhere: the containers are killed after %s", names(pods), render.Agree(len(pods), "does", "do"),
			render.Brief(grace)),
	}
	for _, pod := range pods {
		a.script = append(a.script, play.DeleteWithin(pod, grace))
	}
	return x.tried(&a, 0)
}

// Best returns the first of All, nil if none heals the set, and the others that were tried, in no order. It plays no
// more than it has to: the attempts of one risk after those of a lower one, and within a risk the mildest first. It
// ends as soon as one heals without fewer pods serving than now, and with the first risk at which one heals at all. One
// whose run has shown that it deletes a volume counts as of a higher risk.
func (s *Stuck) Best() (best *Way, others []Way) {
	x := s.look()
	list := attemptsFor(x)
	for risk := range risks {
		for i := range list {
			if list[i].part || list[i].risk(list[i].danger) != risk {
				continue
			}
			way := x.tried(&list[i], i)
			switch {
			case s.left.Empty() || s.interrupted():
				return best, others
			case x.misses(&way):
				continue
			case !way.Heals || best != nil && better(way, *best) >= 0:
				others = append(others, way)
			case best != nil:
				others = append(others, *best)
				fallthrough
			default:
				best = &way
			}
			if best != nil && best.risk <= risk && best.Fewest >= x.serving && !best.unwanted {
				return best, others
			}
		}
		if best != nil && best.risk <= risk {
			return best, others
		}
	}
	return best, others
}

// Released returns the first of the attempts that confirm that a node which does not answer is off, and that heals the
// set; nil if none does. Unlike Best it tries no other.
func (s *Stuck) Released() *Way {
	x := s.look()
	if attemptsFor(x) == nil {
		return nil
	}
	list := confirmOff(x)
	for i := range list {
		if way := x.tried(&list[i], i); way.Heals {
			return &way
		}
	}
	return nil
}

// look returns the situation, and plays what leads to it once. If State is not set, it is set to the objects of the
// cluster there. Of a run that cannot be continued, and if nothing may be spent, the situation has no set.
func (s *Stuck) look() *situation {
	// With a Begun, the caller has played that laboratory's worlds already.
	if s.left == nil && s.Begun == nil {
		s.Lab, s.left = s.Lab.Paying(mostSpent)
	}
	if !goesOn(s.Events) {
		return &situation{}
	}
	lab := s.Begun
	if s.Asleep {
		lab = s.Lab.Opened()
	} else {
		if lab == nil {
			lab = s.Lab.Begun(s.Before)
		}
		s.State = cmp.Or(s.State, lab.Reached())
	}
	if s.left.Empty() {
		return &situation{}
	}
	if s.State == nil {
		s.State = s.Lab.State(s.Before)
	}
	return s.situation(lab)
}

// goesOn says whether a run has ended in a way that lets it continue: not by a limit or an interruption.
func goesOn(events []timeline.Event) bool {
	verdict := events[len(events)-1].Result.Verdict
	return verdict == timeline.Settled || verdict == timeline.IsStuck
}

// interrupted reports whether the user wants no more. Even then a world begins, which may take long: it is asked before.
func (s *Stuck) interrupted() bool {
	return s.Lab.World.Interrupted != nil && s.Lab.World.Interrupted()
}

// Whole says whether a set matches its spec at the end of a run: it waits for nothing, and all its replicas serve.
func Whole(events []timeline.Event, key model.Key) bool {
	return whole(events, timeline.EndOf(events), key)
}

// whole is Whole for a run with that End, but ignores that the set is stuck for the given reasons.
func whole(events []timeline.Event, end *timeline.Fold, key model.Key, but ...model.Code) bool {
	if !goesOn(events) || slices.ContainsFunc(events[len(events)-1].Result.Stuck, func(stuck timeline.Stuck) bool {
		return stuck.Set == key && !slices.Contains(but, stuck.Why.Code)
	}) {
		return false
	}
	set := end.Set(key)
	return set != nil && set.Serving() == int(set.Spec.Spec.Replicas) && set.Pods.Len() == set.Serving()
}

// misses reports whether a way heals in the simulation, while the cluster shows that it does not help the pod that the
// set waits for; or whether chance decides, since the scheduler may choose a node of another platform for the new pod.
func (x *situation) misses(way *Way) bool {
	d, edits := x.shown(), way.Acts.Any(play.EditsTemplate)
	untemplated := slices.ContainsFunc(x.unready(), func(p *dump.Pod) bool {
		claim, owned := d.Unfound(p)
		return claim != "" && !owned
	})
	p := d.Pod(model.Key{Namespace: x.given.Key.Namespace, Name: x.given.On})
	if p == nil {
		return way.Heals && untemplated && edits
	}
	f := d.Facts[p.Key()]
	if f.NoImage().OfNode && !way.Heals && !way.Relieves && !edits && way.Deleted > 0 {
		return true
	}
	untemplated = untemplated || d.Full(p.Key()) || d.Ungrown(p) || d.Unmounted(p) || d.Unbegun(p) ||
		d.Outside(p) || f.Imposed()
	return way.Heals && (d.Attached(p.Key()) && !way.frees || untemplated && edits)
}
