package judge

import (
	"slices"
	"sync"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Set is a set of a dump, and how it stands.
type Set struct {
	Judgement
	// Key names the set, and Now is the set as the dump has it.
	Key model.Key
	Now *timeline.Set
	// Unseen is true if the dump does not show its pods, Going if the set is being deleted.
	Unseen, Going bool
	// StuckOn is the pod that it is stuck on; "" if it is none. Stuck is what it is stuck for in the run, first what
	// counts most; what only the evidence shows is not in it.
	StuckOn string
	Stuck   []timeline.Stuck
	// Waits is what the controller waits for at the instant of the dump, if the set continues.
	Waits []Wait
	// Next are the next changes of its pods and claims in the run, and Takes the time until the last of them.
	Next  Next
	Takes Seconds
	// Facts says in sentences what the dump shows of it, and what ends its causes, the most telling first.
	Facts []string
	// Why is what keeps it, as a sentence without a full stop; "" if it is at rest, or continues.
	Why string
	// Assumes is the assumption under which a stuck set is stuck, Provided what must be true so that one that continues
	// does, both as clauses; "" means none.
	Assumes, Provided string
	// Only says when a stuck set continues although nobody changes it; "" if it never does.
	Only string
	// Early says of which pod it is too early to say something, and why; nil if it is not too early.
	Early *Early
	// Back are the pods that crash again and again and are Ready between two crashes, if the set is stuck on them
	// alone. Whole says that it is complete while they are Ready.
	Back  []*dump.Pod
	Whole bool
	// Asleep is the claim that the controller waits for without being woken; "" for none.
	Asleep string
	// Doubted is true if the cluster is of a version that sim does not know.
	Doubted bool
	// Plays is true if the set is stuck in the run too, so that ways out can be tried there.
	Plays bool
}

// Wait is something that the controller waits for.
type Wait struct {
	Why   model.Why
	Since model.Time
}

// Next are the next changes of pods, as POD STATE, and of claims, as CLAIM PHASE, in order.
type Next struct{ Pods, Claims []string }

// Of judges all sets of a dump, in the order of their names. The laboratory is one whose worlds begin with the dump. It
// plays once what happens if nobody does anything, and returns that run too.
func Of(d *dump.Dump, lab *play.Lab) ([]*Set, *Run) {
	quiet := *lab
	quiet.World.Start = d.WithoutServices()
	run := RunOf(quiet.Run(nil), d.Index())
	seen, losses := d.TookAll(), lossesOf(d)
	still := sync.OnceValue(func() *Run { return still(quiet, run.Dump) })
	known := release.VersionsOf(lab.Profile, d.Versions()).Doubt() == ""
	var sets []*Set
	for _, set := range run.Begun.Sets() {
		e := &evidence{
			Index: run.Dump, lab: &quiet, run: run, seen: seen, losses: losses, key: set.Key, now: set, spec: set.Spec,
			stuck: run.StuckOf(set.Key), later: run.LaterOf(set.Key), still: still,
		}
		judged := judge(e)
		judged.Certain, judged.Doubted = judged.Certain && known, !known
		judged.Judgement, judged.Facts = judged.whole(), factsOf(e, judged)
		sets = append(sets, judged)
	}
	return sets, run
}

// Resting says whether a dump shows all of its sets at rest. Then there is nothing to be played.
func Resting(x *dump.Index) bool {
	return !slices.ContainsFunc(x.State.Sets, func(set *model.StatefulSet) bool { return !x.AtRest(set.Key()) })
}

// AtRestIn returns the judgement of the sets of a dump in which all are at rest, in a cluster of that version.
func AtRestIn(x *dump.Index, of statefulset.Profile) map[model.Key]*Set {
	known := release.VersionsOf(of, x.Versions()).Doubt() == ""
	sets := map[model.Key]*Set{}
	for _, set := range x.State.Sets {
		sets[set.Key()] = &Set{Key: set.Key(), Doubted: !known, Judgement: Judgement{State: AtRest,
			Certain: known && !mayEnd(x.Dump, x.PodsOf(set))}.whole()}
	}
	return sets
}

// ByKey returns the sets by their names.
func ByKey(sets []*Set) map[model.Key]*Set {
	of := make(map[model.Key]*Set, len(sets))
	for _, s := range sets {
		of[s.Key] = s
	}
	return of
}
