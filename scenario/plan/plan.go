package plan

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/judge"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/scenario/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/plan/facts"
	"github.com/statefulsim/statefulsim/scenario/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/plan/run"
	"github.com/statefulsim/statefulsim/scenario/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/plan/world"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/recording"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// The parts of a plan that other packages make, under the names by which they are known.
type (
	// Options say how a change is to be predicted.
	Options = stored.Options
	// Stream is a file of manifests, or a dump of a live cluster.
	Stream = pair.Stream
	// Input is a change: the StatefulSets of two streams.
	Input = pair.Input
	// Alarm is something about a change that people should look at before they make it.
	Alarm = alarm.Alarm
	// Budget compares what a PodDisruptionBudget asks for with what the rollout leaves.
	Budget = facts.Budget
	// Case is something that may go wrong during the change, and its simulated result.
	Case = run.Case
	// Fix heals a set that the change leaves stuck.
	Fix = run.Fix
)

// Read reads the sets of both streams.
func Read(before, after Stream, limits strict.Limits) (*Input, error) {
	return pair.Read(before, after, limits)
}

// Plan says what a change will do. As JSON it is the public form of a plan. Lists that JSON always has are never nil.
type Plan struct {
	// Versions are the versions of Kubernetes, that of the plan first.
	Versions []string `json:"versions"`
	// Kubernetes is the version of the plan, and what a dump shows of that of the cluster.
	Kubernetes judge.Versions `json:"kubernetes"`
	// Summary counts what changes; Alarms are the things that somebody has to look at, the worst first.
	Summary Summary       `json:"summary"`
	Alarms  []alarm.Alarm `json:"alarms"`
	// Held is true if all requirements hold. Settles is true if the API server accepts all changes, and all sets of the
	// new files complete if nothing goes wrong. It is false if that is not certain for one of them.
	Held    bool `json:"held"`
	Settles bool `json:"settles"`
	// TooEarly is true if all that keeps it from settling are pods of which it is too early to say whether they become
	// Ready.
	TooEarly bool `json:"tooEarly,omitempty"`
	// Interrupted is true if the user ended it before everything was played.
	Interrupted bool `json:"interrupted,omitempty"`
	// Sets are the sets that change, the worst first.
	Sets []*Set `json:"sets"`
	// Untrusted names the sets about which nothing is certain, because the dump does not show their pods, with the
	// reason. Assumed lists the other assumptions about the state with which the plan begins.
	Untrusted []string `json:"untrusted,omitempty"`
	Assumed   []string `json:"assumed,omitempty"`
	// NotAtRest are the unchanged sets that are not at rest in the dump, each with what will happen to it.
	NotAtRest []*Set `json:"notAtRest,omitempty"`
	// Unchanged are the sets that the change does not touch; Missing are those that are not in the new stream.
	Unchanged []string `json:"unchanged,omitempty"`
	Missing   []string `json:"missing,omitempty"`
	// Ignored names the kinds of objects that have no effect.
	Ignored []string `json:"ignored,omitempty"`
	// Warnings are mistakes in the files that make the whole plan doubtful. Notes are other remarks on the input.
	Warnings []string `json:"warnings,omitempty"`
	Notes    []string `json:"notes,omitempty"`
	// NotModelled lists what a plan does not know.
	NotModelled string `json:"notModelled"`

	// others says that objects of other kinds change; live that the plan begins with the state of a dump; empty that the
	// new stream has no set. leftOut is the number of sets that an interrupted plan knows nothing of.
	others, live, empty bool
	leftOut             int
	// world is the cluster in which it was played, for Show.
	world *world.World
}

// Of plays the change under each version. If the input cannot be played, the error says why. A plan that was
// interrupted has the sets that were done. There must be a profile. Only the plan for the first has durations that are
// drawn, alarms and requirements; of the others it keeps what is different. An error is a mistake in the input, such as
// a requirement that cannot be read.
func Of(in *Input, o *Options) (*Plan, error) {
	judged := judgedIn(in, o)
	var rounds []*round
	for i, profile := range o.Profiles {
		r, err := playOn(&stored.Frame{Options: o, Input: in, Profile: profile, Judged: judged}, i == 0)
		if err != nil {
			return nil, err
		}
		rounds = append(rounds, r)
	}
	first := rounds[0]
	sets, err := required(o, in.Pairs, compared(rounds))
	if err != nil {
		return nil, err
	}
	idle, err := required(o, in.Pairs, first.idle)
	if err != nil {
		return nil, err
	}
	all := len(sets)
	if o.Ends() {
		sets = slices.DeleteFunc(sets, func(s *Set) bool {
			return s.Headline == notPlayed || s.verdict == timeline.Interrupted
		})
	}
	plan := &Plan{
		Kubernetes: judge.Versions{Played: first.world.Profile.Version()}, Interrupted: o.Ends(), leftOut: all - len(sets),
		Summary: summed(sets, idle), Sets: urgent(sets), Untrusted: untrusted(sets, idle), Assumed: in.Assumptions(),
		NotAtRest: idle, Missing: first.missing, Ignored: in.Ignored, Warnings: in.Warnings, Notes: first.notes,
		NotModelled: notModelled(in, sets), others: len(in.Changed) > 0, live: in.State != nil, empty: !in.HasNew(),
		world: first.world,
	}
	for _, profile := range o.Profiles {
		plan.Versions = append(plan.Versions, profile.Version())
	}
	if in.State != nil {
		plan.Kubernetes.Found = in.State.Kubelet
	}
	plan.Unchanged = slices.DeleteFunc(first.unchanged, func(name string) bool {
		return slices.Contains(names(sets), name)
	})
	plan.Alarms = plan.Summary.Alarms
	plan.Held, plan.Settles, plan.TooEarly = outcome(slices.Concat(sets, idle), plan.leftOut+len(plan.Untrusted) == 0)
	return plan, nil
}

// judgedIn says how the sets of a dump stand before the change, in the very world in which sim explain looks at them:
// one state has one judgement. It is nil without a dump. Nothing is played if all sets are at rest.
func judgedIn(in *Input, o *Options) map[model.Key]*judge.Set {
	switch {
	case in.State == nil:
		return nil
	case judge.Resting(in.State):
		return judge.AtRestIn(in.State)
	}
	profile := o.Profiles[0]
	given := behaviour.Times{
		Stop: o.Times[recording.Stop], Start: o.Times[recording.Start], Ready: o.Times[recording.Ready],
	}
	config := in.State.Begin(sim.Config{
		Controller: statefulset.New(profile), API: profile.API(), MaxEvents: o.Limits.OrDefault().Events,
		Interrupted: o.Interrupted, Kubelet: behaviour.Behaviour{Default: given},
		Header: timeline.Run{Sim: o.Sim, Scenario: in.State.State.From},
	})
	sets, _ := judge.Of(in.State.Dump, &play.Lab{Profile: profile, World: recording.Observed(config, o.Recordings, given)})
	return judge.ByKey(sets)
}

// round is the change under one version.
type round struct {
	world *world.World
	// sets are the documents of the sets that change or leave the files, idle of those that do not change and are not at
	// rest. The others are missing in the new files, or unchanged.
	sets, idle         []*Set
	missing, unchanged []string
	notes              []string
}

// playOn plays the change under one version. first is true for the version that the plan is for: only that is sampled,
// and only that says what happens to sets that do not change.
func playOn(f *stored.Frame, first bool) (*round, error) {
	all, err := f.All()
	if err != nil {
		return nil, err
	}
	around := make([]*run.Around, len(all))
	f.Each.Do(len(all), func(i int) {
		if all[i].Fate == stored.Refused && !f.Ends() {
			around[i] = run.AroundOf(f, all[i])
		}
	})
	w := &world.World{Frame: f}
	for _, s := range all {
		if s.Fate != stored.Refused && s.Fate != stored.Invalid {
			w.Sets = append(w.Sets, s)
		}
	}
	played := map[*stored.Set]*run.Run{}
	for i, r := range run.All(w, f.Input.Budgets, first) {
		played[w.Sets[i]] = r
	}
	traps := alarm.TrapsOf(all, f.Profile.Version())
	changed, idle := make([]*Set, len(all)), make([]*Set, len(all))
	f.Each.Do(len(all), func(i int) {
		switch s := all[i]; {
		case s.Answered():
			changed[i] = document(f, s, played[s], around[i], traps)
		case s.Fate == stored.Unchanged && first && !f.Ends():
			idle[i] = resting(w, s)
		}
	})
	r := &round{world: w, sets: kept(changed), idle: kept(idle), notes: roundNotes(f.Input, w, all, played)}
	for _, s := range all {
		switch s.Fate {
		case stored.Gone:
			r.missing = append(r.missing, s.Pair.Key.String())
			r.sets = append(r.sets, kept([]*Set{removed(w, s)})...)
		case stored.Unchanged:
			r.unchanged = append(r.unchanged, s.Pair.Key.String())
		}
	}
	return r, nil
}

// kept returns the documents that there are.
func kept(sets []*Set) []*Set {
	return slices.DeleteFunc(sets, func(s *Set) bool { return s == nil })
}

// roundNotes are the remarks on the change as a whole.
func roundNotes(in *Input, w *world.World, all []*stored.Set, played map[*stored.Set]*run.Run) []string {
	list := slices.Clone(in.Notes)
	var wanted []*model.StatefulSet
	for _, s := range all {
		if note := s.Leaves(); s.Fate == stored.Unchanged && note != "" {
			list = append(list, note)
		}
		if s.Fate == stored.Accepted {
			wanted = append(wanted, s.Wanted)
		}
	}
	list = append(list, assumedClaims(in, w.Sets)...)
	if in.State == nil {
		list = append(list, placement.Undecided(&sim.Cluster{}, wanted)...)
	}
	for _, s := range all {
		list = append(list, mounted(in, s, played[s])...)
	}
	return list
}

// outcome says whether all requirements on some sets hold, whether all of them complete, and whether it is too early to
// say that. known is false if something is not certain anyway.
func outcome(sets []*Set, known bool) (held, settles, early bool) {
	held = !slices.ContainsFunc(sets, func(s *Set) bool { return !s.held() })
	known = known && !slices.ContainsFunc(sets, func(s *Set) bool { return s.Refusal != nil || !s.Completes && !s.young })
	young := slices.ContainsFunc(sets, func(s *Set) bool { return s.young })
	return held, known && !young, known && young
}

// untrusted names the sets about which nothing certain can be said, with the reason.
func untrusted(lists ...[]*Set) []string {
	var names []string
	for _, s := range slices.Concat(lists...) {
		if s.doubt != "" {
			names = append(names, s.key.String()+" ("+s.doubt+")")
		}
	}
	return names
}

// Invalid says whether something is wrong with one of the sets that NEW has, which no version of Kubernetes takes: the
// input is wrong then, although the other sets were planned.
func (plan *Plan) Invalid() bool {
	return slices.ContainsFunc(plan.Sets, func(s *Set) bool { return s.Refusal != nil && s.Refusal.unreadable })
}
