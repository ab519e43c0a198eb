package judge

import (
	"slices"
	"sync"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
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
	known := VersionsOf(lab.Profile, d).Doubt() == ""
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
	known := VersionsOf(of, x.Dump).Doubt() == ""
	sets := map[model.Key]*Set{}
	for _, set := range x.State.Sets {
		sets[set.Key()] = &Set{Key: set.Key(), Doubted: !known, Judgement: Judgement{State: AtRest,
			Certain: known && !mayEnd(x.Dump, x.PodsOf(set))}.whole()}
	}
	return sets
}

// Versions are the version of Kubernetes that was simulated, and the real one.
type Versions struct {
	// Played is the version that was simulated. Found is the newest version of a kubelet, as its node has it; "" if the
	// dump does not show it.
	Played string `json:"played"`
	Found  string `json:"found"`
	// PreRelease is true if the simulated version is not out yet. Proven is the exact version that it was compared with
	// then, such as v1.38.0-beta.0.
	PreRelease bool   `json:"preRelease,omitempty"`
	Proven     string `json:"proven,omitempty"`
	// Known is false if no version that sim knows is the one that was found, or only a pre-release that was not asked for
	// is. Nothing is certain then. Otherwise it is left out.
	Known *bool `json:"known,omitempty"`
}

// VersionsOf returns the version that was simulated, and what a dump shows of the real one; there may be no dump.
func VersionsOf(played statefulset.Profile, d *dump.Dump) Versions {
	proven := played.PreRelease()
	v := Versions{Played: played.Version(), Proven: proven, PreRelease: proven != ""}
	if d == nil || d.Kubelet == "" {
		return v
	}
	v.Found = d.Kubelet
	found, err := statefulset.Lookup(v.Found)
	if err != nil || found.PreRelease() != "" && found.Version() != played.Version() {
		v.Known = new(bool)
	}
	return v
}

// Doubt says in sentences, which come first, that the version which was found is not the simulated one, and that
// nothing is certain therefore. It is "" if that version is known, or none was found.
func (v Versions) Doubt() string {
	if v.Known == nil {
		return ""
	}
	text := "NOTHING HERE IS CERTAIN: the newest kubelet is " + v.Found
	instead := ". Simulated was " + v.title() + " instead"
	if found, err := statefulset.Lookup(v.Found); err == nil {
		return text + ", which is known only as a pre-release (compared with " + found.PreRelease() + ")" + instead +
			": --kubernetes " + found.Version() + " chooses the pre-release."
	}
	return text + ", a version of Kubernetes that is unknown here" + instead + "."
}

// title names the version that was simulated.
func (v Versions) title() string { return model.VersionTitle(v.Played, v.Proven) }

// String says in a sentence which version was simulated, and what the dump shows of the real one.
func (v Versions) String() string {
	if v.Found == "" {
		return v.AssumedOf("the dump")
	}
	return "Simulated as Kubernetes " + v.title() + "; the newest kubelet in the dump is " + v.Found + "."
}

// AssumedOf says which version was simulated because what was read does not show the real one.
func (v Versions) AssumedOf(read string) string {
	return "Simulated as Kubernetes " + v.title() + "; " + read + " does not show the version of the cluster " +
		"(--kubernetes VERSION sets it)."
}

// ByKey returns the sets by their names.
func ByKey(sets []*Set) map[model.Key]*Set {
	of := make(map[model.Key]*Set, len(sets))
	for _, s := range sets {
		of[s.Key] = s
	}
	return of
}
