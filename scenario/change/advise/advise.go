package advise

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/play/whatif"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Options say what is looked for.
type Options struct {
	// Plan has the version, the times, and what interrupts. Its Require and Quorum are not read.
	Plan stored.Options
	// Assumed says that nothing but the newest version that is known decides the version.
	Assumed bool
	// Keep is the number of pods that have to serve, -1 what budgets and a majority ask for; Said is how the user says it.
	Keep int
	Said string
	// Within is the longest that a rollout may take, 0 is no limit. Canary leaves only rollouts in stages.
	Within time.Duration
	Canary bool
	// Draws is the number of runs with drawn times for a setting.
	Draws int
	Gates []*gate.Gate
	Each  whatif.Each
}

// UsualDraws is Draws if nobody says otherwise.
const UsualDraws = 50

// Advice is the answer.
type Advice struct {
	Kubernetes release.Versions `json:"kubernetes"`
	// Set is the advice where there is one set; its fields stand at the top then. Sets has the advice for several, that
	// whose settings cost most first.
	*Set
	Sets []*Set `json:"sets,omitempty"`
	// Refused are sets for which there is none, with the reason.
	Refused []Refused `json:"refused"`
	// Interrupted says that not all was played. Unplayed are the sets for which there is no advice because of that.
	Interrupted bool     `json:"interrupted,omitempty"`
	Unplayed    []string `json:"unplayed,omitempty"`
}

// Refused is a set for which there is no advice.
type Refused struct {
	Set     string `json:"set"`
	Because string `json:"because"`
}

// Of looks for settings for each set of a change, or for each set that runs where nothing changes: then for a new image.
// An error is a mistake in the input.
func Of(in *pair.Input, o *Options) (*Advice, error) {
	profile := o.Plan.Profiles[0]
	frame := &stored.Frame{Options: &o.Plan, Input: in, Profile: profile}
	sets, err := frame.All()
	if err != nil {
		return nil, err
	}
	a := &Advice{Kubernetes: release.VersionsOf(profile, in.Shown().Versions()), Refused: []Refused{}}
	var list []*Set
	for _, set := range sets {
		subject, why := subjectOf(frame, set, in, o)
		if why != "" {
			a.Refused = append(a.Refused, Refused{set.Pair.Key.String(), why})
			continue
		}
		if one := subject.advise(o); one != nil {
			one.Notes = append(one.Notes, subject.notes(set, o)...)
			list = append(list, one)
		} else {
			a.Unplayed = append(a.Unplayed, set.Pair.Key.String())
		}
	}
	a.Interrupted = frame.Ends()
	switch {
	case len(list) == 0 && len(a.Refused) > 0 && !a.Interrupted:
		return nil, errors.New(a.Refused[0].Set + ": " + a.Refused[0].Because)
	case len(list) == 1:
		a.Set = list[0]
	default:
		slices.SortStableFunc(list, func(x, y *Set) int { return cmp.Compare(y.cost(), x.cost()) })
		a.Sets = list
	}
	return a, nil
}

// cost is what today's setting costs compared with the quickest of the front.
func (a *Set) cost() render.Seconds {
	var today, least render.Seconds
	for i, c := range a.Front {
		if c.Today {
			today = c.Duration.P95
		}
		if i == 0 {
			least = c.Duration.P95
		}
	}
	return today - least
}

// All returns the advice for each set.
func (a *Advice) All() []*Set {
	if a.Set != nil {
		return []*Set{a.Set}
	}
	return a.Sets
}

// FindsBetter reports whether something better than today's settings was found for any set.
func (a *Advice) FindsBetter() bool {
	return slices.ContainsFunc(a.All(), func(s *Set) bool { return s.Better })
}

// subjectOf returns the set of a search; why says why there is none.
func subjectOf(f *stored.Frame, set *stored.Set, in *pair.Input, o *Options) (s *subject, why string) {
	s = &subject{frame: f, key: set.Pair.Key, timings: set.Timings, shown: set.Timings}
	switch set.Fate {
	case stored.Refused, stored.Invalid:
		return nil, "the API server refuses it: " + set.Message
	}
	switch {
	case set.Bared:
		return nil, "none of its pods can be created"
	case set.Given == nil && set.Wanted == nil:
		return nil, "there is no such set"
	case set.Given == nil:
		// It does not run yet: what counts are the changes after its creation.
		s.given, s.wanted = set.Fresh, stored.Newer(set.Wanted)
	case set.Wanted == nil:
		s.given, s.wanted = set.Given, stored.Newer(set.Live)
	case !set.Rolls():
		// What counts are the rollouts after this change, which is none.
		s.given, s.wanted = cmp.Or(set.Fresh, set.Given), stored.Newer(set.Wanted)
	default:
		s.given, s.wanted = set.Given, set.Wanted
	}
	if s.wanted.Spec.Replicas == 0 {
		return nil, "it has no replicas: nothing rolls"
	}
	if s.wanted.Spec.Strategy.Type == model.RecreateStrategy {
		return nil, "with Recreate all pods are replaced together, whatever the other settings"
	}
	s.unprobed = alwaysReady(s.wanted)
	s.killed()
	s.usual = timesOf(s.timings)
	s.ignores = s.ignoring()
	s.alarms = append(s.alarms, s.doubts(set)...)
	s.keep = keepOf(s.wanted, run.Covering(in.Budgets, set))
	if o.Keep >= 0 {
		s.keep = keep{pods: o.Keep, why: o.Said, asked: true}
	}
	s.draws = s.drawn(o.Draws)
	return s, ""
}
