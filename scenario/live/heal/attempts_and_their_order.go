package heal

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// attempt is a fix before it is played. A zero lab means that of the situation. One with an empty script does not
// apply, and is dropped by attemptsFor.
type attempt struct {
	// what is What of the way, danger and needs are its Danger and Needs as far as they are known before it is played.
	what          string
	script        play.Script
	danger, needs string
	// later says what remains to be done behind it.
	later string
	lab   *play.Lab
	// frees is true if it lets go of what the pods need: a node, or the volume that another pod has.
	frees bool
	// last is true if it is unlikely to be what is needed, whatever the simulation shows.
	last bool
	// hopes is true if it rests on why a pod is not Ready, which nothing shows.
	hopes bool
	// apart is true if it is for another cause than what it does besides: it is kept though it does more than a better one.
	apart bool
	// beyond is What of the milder attempt that makes this one needless if it heals; "" for none.
	beyond string
	// part is true if it does not make the set whole, and is only worth naming if it relieves it.
	part bool
}

// families are the attempts for a set that is neither being deleted nor waited for by a drain, in their order: of those
// with equally many commands the first is the mildest.
var families = []func(*situation) []attempt{
	wakeUp, publishNames, rebind, freeClaims, clearTheWay, readmitToNodes, freeNodes, moveElsewhere, deletePlaced, deleteDown,
	replaceMisfits, doWithout, when(alike, admitPods), takeBack, repairTemplate, lowerPartition, moveOrdinalsBack,
	when(func(x *situation) bool { return !alike(x) }, admitPods), createMissing, scaleAndBack, findPeers, startOthers, forceOut,
}

// when returns the attempts of a family if something holds.
func when(is func(*situation) bool, family func(*situation) []attempt) func(*situation) []attempt {
	return func(x *situation) []attempt {
		if is(x) {
			return family(x)
		}
		return nil
	}
}

// attemptsFor lists the attempts, the mildest first: those with fewer commands. There are none if the set does not
// exist, or if its run cannot be continued.
func attemptsFor(x *situation) []attempt {
	if x.set == nil {
		return nil
	}
	var list []attempt
	switch {
	case x.set.Terminating():
		list = endDeletion(x)
	case x.drained() != nil:
		list = letDrain(x)
	case !symptom.InTerminatingNamespace.In(x.refusal):
		for _, family := range families {
			list = append(list, family(x)...)
		}
	}
	list = slices.DeleteFunc(list, func(a attempt) bool { return len(a.script) == 0 })
	for i := range list {
		if list[i].needs == "" && x.unresolved() {
			list[i].needs = "the new pod finds its name in the DNS"
		}
	}
	slices.SortStableFunc(list, func(a, b attempt) int {
		return cmp.Compare(len(a.script.Commands()), len(b.script.Commands()))
	})
	return list
}

func deleteDown(x *situation) []attempt {
	a := attempt{what: "deleting " + names(x.down), script: deletePods(x.down, false), last: x.untimely()}
	if placed := placedDown(x); len(placed) > 0 && len(placed) < len(x.down) {
		a.beyond = "deleting " + names(placed)
	}
	return []attempt{a}
}

// behind returns an attempt that does something else before. If there is nothing to do in the attempt, it stays so.
func (a attempt) behind(what string, before play.Script) attempt {
	if len(a.script) > 0 {
		a.what, a.script = what+a.what, before.Then(a.script...)
	}
	return a
}

// deleting returns the attempt that deletes pods too, in the world of the cluster.
func (a attempt) deleting(pods []model.Key) attempt {
	a.what, a.script, a.lab = a.what+" and deleting "+names(pods), a.script.Then(deletePods(pods, false)...), nil
	return a
}

// needsToo returns what an attempt needs, and what it needs too; "" is nothing.
func (a *attempt) needsToo(too string) string {
	if a.needs != "" && too != "" {
		too += ", and that "
	}
	return too + a.needs
}

// releaseHeld returns the attempt that removes the finalizers of the pods that have some.
func releaseHeld(x *situation) []attempt {
	a := attempt{what: "removing the finalizers of " + names(x.held),
		danger: reasons.FinalizerDanger(names(x.held), x.finalizers)}
	for _, pod := range x.held {
		a.script = append(a.script, play.FreePod(pod))
	}
	return []attempt{a}
}

// deletePods returns one command that deletes all pods; nil if there are none.
func deletePods(pods []model.Key, force bool) play.Script {
	if len(pods) == 0 {
		return nil
	}
	return play.Script{play.DeletePods(pods, force)}
}

func names(pods []model.Key) string { return strings.Join(play.NamesOf(pods), ", ") }

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

// ordered returns the ways in their order, without those that only do more than a better one, and those that are
// unlikely to be needed if another one heals that keeps the data.
func ordered(list []Way) []Way {
	slices.SortFunc(list, better)
	likely := slices.ContainsFunc(list, func(w Way) bool { return w.Heals && w.risk < unlikely && len(w.Loses) == 0 })
	var kept []Way
	for _, way := range list {
		if likely && way.Heals && way.risk == unlikely || slices.ContainsFunc(kept, way.doesMore) {
			continue
		}
		kept = append(kept, way)
	}
	return kept
}

// better orders fixes. Those that heal the set come first, then those that relieve it; among these, those that keep the
// data: those that assume nothing, then those that assume something, then those that can do harm. Among these come
// those that relieve more pods, those that hope for nothing, those that no operator reverts, those that take back no change
// that is wanted, those with more serving pods on the way, then the milder ones, by their places: the order is total.
func better(a, b Way) int {
	return cmp.Or(-compare(a.Heals, b.Heals), -compare(a.Relieves, b.Relieves),
		compare(len(a.Loses) > 0, len(b.Loses) > 0), cmp.Compare(a.risk, b.risk),
		compare(a.Danger != "", b.Danger != ""), cmp.Compare(b.ServesAfter, a.ServesAfter),
		compare(a.hopes, b.hopes), compare(a.reverted, b.reverted), compare(a.unwanted, b.unwanted),
		cmp.Compare(b.Fewest, a.Fewest), cmp.Compare(a.place, b.place))
}

// compare orders false before true.
func compare(a, b bool) int { return strings.Compare(strconv.FormatBool(a), strconv.FormatBool(b)) }

// doesMore says whether a fix does everything that another one does, which brings back as many pods, and something else
// too. What it does more may be that it does not have to wait for a pod that crashes.
func (w *Way) doesMore(other Way) bool {
	noLess := other.Heals && (w.Heals || w.Relieves) ||
		other.Relieves && !w.Heals && w.Relieves && other.ServesAfter >= w.ServesAfter
	if w.beyond != "" && w.beyond == other.What && (other.Heals || noLess) {
		return true
	}
	if noLess && !w.Heals && !other.Heals && other.Needs == "" && len(other.Commands) < len(w.Commands) {
		// It brings back no more pods, with more commands.
		return true
	}
	return noLess && !w.apart && other.hopes == w.hopes && len(w.Commands) >= len(other.Commands) &&
		!slices.ContainsFunc(other.Commands, func(c string) bool { return !slices.Contains(w.Commands, c) })
}
