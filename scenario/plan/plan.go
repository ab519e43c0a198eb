package plan

import (
	"errors"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Options say how a change is to be foreseen.
type Options struct {
	// Profiles are the versions of Kubernetes. The plan is that of the first one; of the others it says what is different.
	Profiles []statefulset.Profile
	// Times are the times of the stages stop, start and ready; nil is not given.
	Times [stages]behaviour.Delay
	// Recordings are what pods were seen to take.
	Recordings []*Recording
	// Quorum is the number of serving pods that every set needs, 0 is none.
	Quorum int
	// Require are requirements on every set: "minReady >= 3".
	Require []string
	// Runs is how often the change is played where times are distributions, Seed the first run's.
	Runs int
	Seed uint64
	// Limits are the limits of what a file may ask for, Sim the version of the simulator.
	Limits strict.Limits
	Sim    string
	// Interrupted, where it is given, is asked now and then whether to end at once; Progress is told how many of all sets,
	// and then of all runs, are done.
	Interrupted func() bool
	Progress    func(done, all int)
}

// Plan is what a change will do.
type Plan struct {
	// Versions are the versions of Kubernetes, that of the plan first.
	Versions []string
	// Sets are those that change, in the order of their keys.
	Sets []*Set
	// Unchanged are the sets that the change leaves as they are; Missing those that are not in the new stream.
	Unchanged, Missing []string
	// Ignored names the kinds of objects that play no part.
	Ignored []string
	// Notes are what else is to be said of the input.
	Notes []string
	// Interrupted is true where the user ended it before all was played.
	Interrupted bool

	events []timeline.Event
}

// Set is what a change does to one set.
type Set struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Does is one of the words below; Headline says it in a sentence.
	Does     string `json:"does"`
	Headline string `json:"headline"`
	// Changes are the fields that change, Notes what else is to be said of them.
	Changes []Change `json:"changes"`
	Notes   []string `json:"notes,omitempty"`
	// Refusal is given where the API server does not take the change; then there is nothing else.
	Refusal *Refusal `json:"refusal,omitempty"`
	// Order says in which order pods go and come, Moves says it pod by pod.
	Order []string `json:"order"`
	Moves []Move   `json:"moves"`
	// Completes says whether the change completes where nothing goes wrong; Ends says how it ends.
	Completes    bool           `json:"completes"`
	Ends         string         `json:"ends"`
	Duration     *Duration      `json:"duration,omitempty"`
	Serving      *Serving       `json:"serving,omitempty"`
	Budgets      []*Budget      `json:"budgets,omitempty"`
	Requirements []*Requirement `json:"requirements,omitempty"`
	Cases        []*Case        `json:"cases,omitempty"`
	// Differences are what is otherwise on the other versions.
	Differences []Difference `json:"differences,omitempty"`

	key model.Key
}

// What a change does to a set.
const (
	Rolls   = "rolls"
	Scales  = "scales"
	Policy  = "policy"
	Labels  = "labels"
	Creates = "creates"
	Refused = "refused"
)

// Serving is how many pods are Ready and not Terminating.
type Serving struct {
	// Before is when the change comes, Fewest the least on the way, After at its end, of Replicas.
	Before   int `json:"before"`
	Fewest   int `json:"fewest"`
	After    int `json:"after"`
	Replicas int `json:"replicas"`
}

// Plan plays the change. Where the input cannot be played the error says why.
func (in *Input) Plan(o *Options) (*Plan, error) {
	var plans []*Plan
	for i, profile := range o.Profiles {
		p, err := in.under(o, profile, i == 0)
		if err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	plan := plans[0]
	for i, other := range plans[1:] {
		plan.Versions = append(plan.Versions, other.Versions[0])
		plan.differ(other, o.Profiles[i+1].Version())
	}
	for _, set := range plan.Sets {
		if err := set.judge(o, in); err != nil {
			return nil, err
		}
	}
	plan.Interrupted = o.interrupted()
	return plan, nil
}

// under plays the change under one version.
func (in *Input) under(o *Options, profile statefulset.Profile, first bool) (*Plan, error) {
	plan := &Plan{Versions: []string{profile.Version()}, Ignored: in.Ignored, Notes: in.Notes}
	w := &world{Options: o, profile: profile, timings: map[model.Key][stages]*Timing{},
		unfinished: map[model.Key]*staged{}}
	var edits []*edit
	var problems []error
	for _, p := range in.Pairs {
		e, err := in.look(plan, w, p)
		problems = append(problems, err)
		if err != nil {
			continue
		}
		if e != nil {
			plan.Sets = append(plan.Sets, e.set)
		}
		if e != nil && e.set.Refusal != nil {
			continue
		}
		w.pairs = append(w.pairs, p)
		if e != nil {
			w.unfinished[p.Key] = e.resumes()
			edits = append(edits, e)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	if len(edits) > 0 {
		plan.roll(w, edits, in.budgets, first)
	}
	return plan, nil
}

// roll plays all changes in one world, and then what may go wrong with each.
func (plan *Plan) roll(w *world, edits []*edit, budgets []*model.Budget, first bool) {
	var changed []*Pair
	var sets []*Set
	for _, e := range edits {
		changed = append(changed, e.pair)
		sets = append(sets, e.set)
	}
	var script script
	script.before(w.pairs, w.unfinished)
	w.change = script.change(changed)
	plan.events = w.play(script.steps)
	begin := indexOf(plan.events, w.change)
	if begin < 0 {
		for _, s := range sets {
			s.Headline, s.Ends = "was not played", "the run was ended before the change came: raise --max-events"
		}
		return
	}
	nudged := w.nudged(script.steps)
	for i, e := range edits {
		if w.Progress != nil && len(edits) > 1 {
			w.Progress(i, len(edits))
		}
		f := gather(plan.events, e.pair.Key, w.change)
		e.set.describe(e, f, w.unfinished[e.pair.Key])
		e.set.Duration = w.duration(plan.events, nudged, e.pair.Key)
		for i := range e.set.Moves {
			e.set.Moves[i].untimed = !e.set.Duration.Known
		}
		if e.live == nil {
			continue
		}
		e.set.Budgets = hold(e.budgets(budgets), plan.events, f.begin, begin)
		if !w.interrupted() {
			e.ask(w, f, budgets)
		}
	}
	if first {
		w.sample(script.steps, sets)
	}
}

// ask plays what may go wrong with the change of a set.
func (e *edit) ask(w *world, f *facts, budgets []*model.Budget) {
	s := &subject{
		world: w, edit: e, main: f, last: f.last.Spec, replaces: e.renews(w) && len(f.of("replaced")) > 0,
		budgets: e.budgets(budgets),
	}
	for i := range questions {
		if q := &questions[i]; q.fits(s) && !w.interrupted() {
			e.set.Cases = append(e.set.Cases, s.answers(q))
		}
	}
}

func (o *Options) interrupted() bool { return o.Interrupted != nil && o.Interrupted() }

// Settles says whether the API server takes all changes, and all complete where nothing goes wrong.
func (plan *Plan) Settles() bool {
	return !slices.ContainsFunc(plan.Sets, func(s *Set) bool { return s.Refusal != nil || !s.Completes })
}

// Held says whether all requirements hold.
func (plan *Plan) Held() bool {
	return !slices.ContainsFunc(plan.Sets, func(s *Set) bool {
		return slices.ContainsFunc(s.Requirements, func(r *Requirement) bool { return !r.Held })
	})
}

// Show returns the runs behind an answer, by the names of the sets, as they are to be shown. The run of Rollout is one
// for all sets.
func (plan *Plan) Show(name string) []Shown {
	if name == Instead {
		return plan.instead()
	}
	if name == Rollout {
		if plan.events == nil {
			return nil
		}
		return []Shown{{Name: "the change", Events: plan.events}}
	}
	var list []Shown
	for _, s := range plan.Sets {
		for _, c := range s.Cases {
			if c.Name == name {
				list = append(list, Shown{Name: s.key.String() + ": " + c.Asks, Events: c.Events})
			}
		}
	}
	return list
}

// instead are the runs of the ways around refusals.
func (plan *Plan) instead() []Shown {
	var list []Shown
	for _, s := range plan.Sets {
		if s.Refusal != nil && s.Refusal.events != nil {
			list = append(list, Shown{Name: s.key.String() + ": the way around the refusal", Events: s.Refusal.events})
		}
	}
	return list
}

// Shown is a run behind an answer.
type Shown struct {
	Name   string
	Events []timeline.Event
}
