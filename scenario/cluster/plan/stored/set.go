package stored

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/judge"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/times"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Fate is what the API server makes of a set.
type Fate int

// The fates. Unchanged: nothing changes. Accepted: it changes, or is created. Refused: the API server does not accept
// the change. Invalid: something is wrong with the set itself. Gone: the new files do not have it.
const (
	Unchanged Fate = iota
	Accepted
	Refused
	Invalid
	Gone
)

// Set is a set of the change, and the result of its change in the API server. Copies stand for the same set under
// another role (Still, Stands).
type Set struct {
	// Pair is the set in both streams. At least one of its sides is given, or it is wrong.
	Pair *pair.Pair
	Fate Fate
	// Message is what the API server says about a change that it refuses, or what is wrong with an invalid set.
	Message string
	// Given is the running set as it would be if it were created again, Live the same set as it is stored; both are nil
	// if there is none. Live has the defaults of the version.
	Given, Live *model.StatefulSet
	// Wanted is the new set as stored after the change, Fresh the same set if it were created from nothing; Wanted is
	// nil if nothing changes. If the change is refused, Wanted is what was asked for.
	Wanted, Fresh *model.StatefulSet
	// Changes are the fields that change, the most important first. Fixed are those of them that nobody can change, and
	// for which the change is refused.
	Changes, Fixed []diff.Change
	// Applied says what kubectl apply does to fields that the new manifest does not have.
	Applied []string
	// Timings are the times of the set's pods by stage.
	Timings times.Timings
	// Staged is the rollout that the set has begun and not ended, nil if it has none, or if the dump shows it.
	Staged *Staged
	// Kept are the fields that the new manifest does not have, and that an apply which changes nothing leaves.
	Kept []string
	Shown
	// Alias is the name under which the set is played; nil means its own name.
	Alias *model.Key

	// shownAs is the change of the set as the dump has it, nil if that is the change of Live.
	shownAs *shownAs
}

// Shown is what a dump shows of a set.
type Shown struct {
	// Part is the dump of the set and of what concerns it; nil if the set is assumed to be at rest.
	Part *dump.Dump
	// Judged says how the set stands in the dump; nil if no dump shows its pods.
	Judged *judge.Set
	// Cured says what NEW brings that its pods lack, as a clause; "" for nothing.
	Cured string
	// Resting is true if the dump shows the set at rest; Now is its state otherwise.
	Resting bool
	Now     string
	// Bared is true if the set could not be created today and has no pods.
	Bared bool
}

// Key returns the name under which the set is played.
func (s *Set) Key() model.Key {
	if s.Alias != nil {
		return *s.Alias
	}
	return s.Pair.Key
}

// Answered says whether the change has something to be said about: it changes the set, or is refused.
func (s *Set) Answered() bool { return s.Fate == Accepted || s.Fate == Refused || s.Fate == Invalid }

// Rolls says whether the template changes. It needs Wanted, if the set runs.
func (s *Set) Rolls() bool {
	return s.Live != nil && s.Live.Spec.Template.Data != s.Wanted.Spec.Template.Data
}

// Scales says whether the number of replicas changes.
func (s *Set) Scales() bool { return s.Live != nil && s.Live.Spec.Replicas != s.Wanted.Spec.Replicas }

// Renumbers says whether ordinals.start changes. Each pod has its name, and its claims, by its ordinal: a pod whose
// ordinal goes is never replaced.
func (s *Set) Renumbers() bool { return s.Live != nil && s.Live.Start() != s.Wanted.Start() }

// OnDelete says whether the new set has the strategy OnDelete.
func (s *Set) OnDelete() bool {
	return s.Wanted != nil && s.Wanted.Spec.Strategy.Type == model.OnDeleteStrategy
}

// Newest returns the set whose template says how long its pods take: the new one, or else the one that runs.
func (s *Set) Newest() *model.StatefulSet {
	if s.Wanted != nil {
		return s.Wanted
	}
	return s.Live
}

// Made says whether the set must be created before the change, because it runs now and no dump shows it.
func (s *Set) Made() bool { return s.Given != nil && s.Part == nil }

// About says how well a time is known that was played with the times of the set.
func (s *Set) About() string {
	return s.Timings.About(s.Live != nil && times.Regraced(s.Live, s.Newest()))
}

// Still returns a set that runs and does not change.
func (s *Set) Still() *Set {
	as := *s
	as.Wanted, as.Fate = nil, Unchanged
	return &as
}

// Stands returns the set under the name of a stand-in.
func (s *Set) Stands(alias model.Key) *Set {
	named := func(set *model.StatefulSet) *model.StatefulSet {
		if set == nil {
			return nil
		}
		as := *set
		as.Namespace, as.Name = alias.Namespace, alias.Name
		return &as
	}
	as := *s
	as.Alias = &alias
	as.Given, as.Live, as.Wanted, as.Fresh = named(s.Given), named(s.Live), named(s.Wanted), named(s.Fresh)
	return &as
}

// Early says that it is too early to say whether the set is stuck; "" if it is not.
func (s *Set) Early() string {
	if s.Judged == nil || s.Judged.State != judge.TooEarly {
		return ""
	}
	return "it is too early to say whether it is stuck: " + strings.TrimSuffix(s.Judged.Early.Again, ".")
}

// Young says whether what a run is stuck on is a pod of which it is too early to say that it does not become Ready.
func (s *Set) Young(stuck *timeline.Stuck) bool {
	return s.Early() != "" && stuck != nil && slices.ContainsFunc(s.Judged.Early.Pods, func(p *dump.Pod) bool {
		return p.Name == stuck.Why.Object
	})
}

// Doubt says why what is played of the set cannot be trusted: a dump without its pods, whose status says that it is not
// at rest. "" if there is no such reason.
func (s *Set) Doubt() string {
	status := s.Pair.Status
	unheld := s.Live != nil && s.Live.Spec.Strategy.Type == model.RollingUpdateStrategy && s.Live.Partition() == 0
	switch {
	case s.Part != nil || s.Pair.Old == nil:
		return ""
	case s.Pair.Deleting:
		return "it is being deleted"
	case status.Unready() != "":
		return status.Unready() + " in the dump"
	case status.Behind() > 0 && s.Staged == nil && unheld:
		return fmt.Sprintf("%d of %d pods ran an older template in the dump", status.Behind(), status.Replicas)
	case status != nil && status.Unseen:
		return "the controller had not seen its newest spec in the dump"
	}
	return ""
}

// Leaves says of a set that does not change what its manifest does not have, and why that stays; "" if that is nothing.
func (s *Set) Leaves() string {
	if len(s.Kept) == 0 {
		return ""
	}
	n := len(s.Kept)
	return fmt.Sprintf("%s: %s %s, though the new manifest does not have %s: the live object was not created with "+
		"kubectl apply, and a first apply removes nothing from it; kubectl replace does, or the tool that has created it",
		s.Pair.Key, render.List(s.Kept, 3), render.Agree(n, "stays", "stay"), render.Agree(n, "it", "them"))
}

// Staged is a rollout that the running set has begun and not ended: some pods still run an older template.
type Staged struct {
	// Why says how that is known, or that it is assumed.
	Why string
	// Updated is the number of pods that somebody has deleted, from the top, under OnDelete.
	Updated int
}
