// Package plan says what a change of StatefulSets will do to a cluster: what the API server refuses, which pods go and
// come, how long that takes, how many serve meanwhile, and what happens if something goes wrong.
//
// A plan is a row of values, each made once and not changed afterwards:
//
//	pair.Input → stored.Set → run.World → run.Facts → run.Run → alarm.Alarm → Plan
//
// A package knows only those to its left, and the leaves diff (what changes) and times (how long stages take).
// scenario/live/judge says how a set stands before and after the change.
package plan

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Read reads the sets of both streams.
func Read(before, after Stream, limits strict.Limits) (*Input, error) {
	return pair.Read(before, after, limits)
}

// Of plays the change under each version. If the input cannot be played, the error says why. A plan that was
// interrupted has the sets that were done. There must be a profile. Only the plan for the first has durations that are
// drawn; of the others it keeps what is different, with their alarms, and the requirements that fail there. An error is
// a mistake in the input, such as a requirement that cannot be read.
func Of(in *Input, o *Options) (*Plan, error) {
	judged := judgedIn(in, o)
	var rounds []*round
	others := *o
	others.Gates = nil
	for i, profile := range o.Profiles {
		options := o
		if i > 0 {
			options = &others
		}
		r, err := playOn(&stored.Frame{Options: options, Input: in, Profile: profile, Judged: judged}, i == 0)
		if err != nil {
			return nil, err
		}
		rounds = append(rounds, r)
	}
	first := rounds[0]
	sets, err := required(o, compared(rounds))
	if err != nil {
		return nil, err
	}
	sets, settles, err := judgedElsewhere(o, rounds[1:], sets)
	if err != nil {
		return nil, err
	}
	idle, err := required(o, first.idle)
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
		Kubernetes: release.VersionsOf(first.world.Profile, in.Shown().Versions()), Interrupted: o.Ends(), leftOut: all - len(sets),
		Summary: summed(sets, idle), Sets: urgent(sets), Untrusted: untrusted(sets, idle), Assumed: in.Assumptions(),
		NotAtRest: idle, Missing: first.missing, Ignored: in.Ignored, Warnings: in.Warnings, Notes: first.notes,
		NotModelled: notModelled(in, sets), others: len(in.Changed) > 0, live: in.State != nil, empty: !in.HasNew(),
		world: first.world,
	}
	for _, profile := range o.Profiles {
		plan.Versions = append(plan.Versions, profile.Version())
	}
	changed := names(sets)
	plan.Unchanged = slices.DeleteFunc(first.unchanged, func(name string) bool { return slices.Contains(changed, name) })
	plan.Alarms = plan.Summary.Alarms
	plan.Held, plan.Settles, plan.TooEarly = outcome(slices.Concat(sets, idle), plan.leftOut+len(plan.Untrusted) == 0)
	plan.Settles = plan.Settles && settles
	return plan, nil
}

// judgedIn says how the sets of a dump stand before the change, in the very world in which sim explain looks at them:
// one state has one judgement. It is nil without a dump. Nothing is played if all sets are at rest.
func judgedIn(in *Input, o *Options) map[model.Key]*judge.Set {
	switch {
	case in.State == nil:
		return nil
	case judge.Resting(in.State):
		return judge.AtRestIn(in.State, o.Profiles[0])
	}
	profile := o.Profiles[0]
	given := behaviour.Times{
		Stop: o.Times[recording.Stop], Start: o.Times[recording.Start], Ready: o.Times[recording.Ready],
	}
	config := in.State.Begin(release.Config(profile, sim.Config{
		MaxEvents:   o.Limits.OrDefault().Events,
		Interrupted: o.Interrupted, Kubelet: behaviour.Behaviour{Default: given},
		Header: timeline.Run{Sim: o.Sim, Scenario: in.State.State.From},
	}))
	sets, _ := judge.Of(in.State.Dump, &play.Lab{Profile: profile, World: recording.Observed(config, o.Recordings, given)})
	return judge.ByKey(sets)
}

// playOn plays the change under one version. first is true for the version that the plan is for: only that is sampled,
// and only that says what happens to sets that do not change.
func playOn(f *stored.Frame, first bool) (*round, error) {
	all, err := f.All()
	if err != nil {
		return nil, err
	}
	refusals := make([]*Refusal, len(all))
	f.Each.Do(len(all), func(i int) {
		if all[i].Fate == stored.Refused {
			refusals[i] = run.AroundOf(f, all[i])
		}
	})
	w := &run.World{Frame: f}
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
			changed[i] = document(f, s, played[s], refusals[i], traps)
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

func kept(sets []*Set) []*Set {
	return slices.DeleteFunc(sets, func(s *Set) bool { return s == nil })
}

func roundNotes(in *Input, w *run.World, all []*stored.Set, played map[*stored.Set]*run.Run) []string {
	list := slices.Concat(in.Notes, beside(in, all, w.Profile.Version()))
	var wanted []*model.StatefulSet
	for _, s := range all {
		if note := s.Leaves(); s.Fate == stored.Unchanged && note != "" {
			list = append(list, s.Key().String()+": "+note)
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
