// Package stored lets an API server take the sets of a change: what it makes of each, and what it refuses.
package stored

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/play/whatif"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Options say how a change is to be predicted. They do not change while a plan is made, and several goroutines read
// them.
type Options struct {
	// Profiles are the versions of Kubernetes. The plan is for the first one; for the others it says what is different.
	Profiles []statefulset.Profile
	// Times are the times of the stages stop, start and ready; nil is not given.
	Times [recording.Stages]behaviour.Delay
	// Recordings hold the times that pods were seen to take.
	Recordings []*recording.Recording
	// Quorum is the number of serving pods that every set needs, 0 is none.
	Quorum int
	// Require are requirements on every set: "minReady >= 3".
	Require []string
	// Gates are the deploy tools that the plan plays: when they call the change done.
	Gates []*gate.Gate
	// GatesOfCases says that they are played in the failure cases too: only JSON tells of these.
	GatesOfCases bool
	// Runs is the number of times that the change is played if times are distributions, Seed the seed of the first run.
	Runs int
	Seed uint64
	// Limits are the limits of what a file may ask for, Sim the version of the simulator.
	Limits strict.Limits
	Sim    string
	// Interrupted, if set, is called now and then; true ends the plan at once. Several goroutines may call it.
	Interrupted func() bool
	// Each does the work on several sets, perhaps at once; nil does one after the other.
	Each whatif.Each
}

// Ends says whether the user wants no more.
func (o *Options) Ends() bool { return o.Interrupted != nil && o.Interrupted() }

// Frame is what the sets of a plan for one version have in common.
type Frame struct {
	*Options
	Input   *pair.Input
	Profile statefulset.Profile
	// Judged says how the sets of a dump stand before the change; nil without a dump.
	Judged map[model.Key]*judge.Set
}

// Config returns the configuration of a world without sets.
func (f *Frame) Config() sim.Config {
	return release.Config(f.Profile, sim.Config{
		MaxEvents: f.Limits.OrDefault().Events, Hasty: true,
		Interrupted: f.Interrupted, Header: timeline.Run{Sim: f.Sim, Scenario: "plan"},
		Kubelet: behaviour.Behaviour{Default: behaviour.Times{Schedule: behaviour.Constant(0)}},
	})
}

// Lab returns a laboratory without sets.
func (f *Frame) Lab() *play.Lab { return &play.Lab{Profile: f.Profile, World: f.Config()} }

// recreates is the feature gate of the strategy Recreate.
const recreates = "StatefulSetRecreateStrategy"

// Accepting returns the version as it was when it accepted the strategy of a set that it only holds now.
func (f *Frame) Accepting() statefulset.Profile {
	return f.Profile.WithKnown(map[string]bool{recreates: true})
}

// Earlier returns a laboratory without sets in which that strategy is accepted.
func (f *Frame) Earlier() *play.Lab { return &play.Lab{Profile: f.Accepting(), World: f.Config()} }

// invalid is the mistake in a set of either stream, with its place.
type invalid struct{ error }

// All finds out what the API server makes of each set. Wrong sets are invalid or, if all are, problems.
func (f *Frame) All() ([]*Set, error) {
	pairs := f.Input.Pairs
	sets, problems := make([]*Set, len(pairs)), make([]error, len(pairs))
	f.Each.Do(len(pairs), func(i int) { sets[i], problems[i] = f.store(pairs[i]) })
	others := slices.ContainsFunc(problems, func(err error) bool {
		_, is := err.(invalid)
		return !is
	})
	for i, err := range problems {
		if _, is := err.(invalid); is && others {
			sets[i], problems[i] = &Set{Pair: pairs[i], Fate: Invalid, Message: err.Error()}, nil
		}
	}
	return sets, errors.Join(problems...)
}

// store finds out what becomes of a set. An error of type invalid concerns it alone; any other ends the plan.
func (f *Frame) store(p *pair.Pair) (*Set, error) {
	if len(p.Wrong) > 0 {
		return nil, invalid{errors.New(strings.Join(p.Wrong, "; "))}
	}
	lab := f.Lab()
	now, err := f.running(lab, p)
	if err != nil {
		return nil, invalid{err}
	}
	switch {
	case now.Bared:
		lab.World = now.Part.Begin(lab.World)
	case now.Held:
		as := &dump.Dump{State: &sim.State{From: p.Old.File, Sets: []*model.StatefulSet{now.Live}}}
		lab.World = as.Begin(lab.World)
	}
	s, err := next(now, f, lab)
	if err != nil {
		return nil, invalid{err}
	}
	s.Part = among(s, f.Input.Crowd)
	s.Timings, err = times.Of(&times.Sources{
		Flags: f.Times, Recordings: f.Recordings, Annotated: p.Annotated, Dump: f.Input.State, Key: p.Key, Live: s.Live,
		Set: s.Newest(),
	})
	if s.Fate == Accepted && s.Part == nil {
		s.Staged = resumes(s)
	}
	return s, err
}

func (f *Frame) running(lab *play.Lab, p *pair.Pair) (*Set, error) {
	s := &Set{Pair: p, Fate: Gone, Shown: f.shown(p.Key)}
	if p.Old == nil {
		return s, nil
	}
	given, refusal := p.Running()
	if refusal == nil {
		s.Given = given
		s.Live, refusal = lab.Store(given)
		if refusal != nil && len(given.Spec.Template.Wrong) > 0 {
			if live := bare(lab, given); live != nil {
				s.Live, s.Shown, refusal = live, s.Shown.bared(p.Old.File, live), nil
			}
		}
		if refusal != nil && p.Live && f.Profile.KnowsRecreate && given.Spec.Strategy.Type == model.RecreateStrategy {
			s.Live, refusal = f.Earlier().Store(given)
			s.Held = refusal == nil
		}
	}
	if refusal != nil {
		return nil, fmt.Errorf("%s:%d: Kubernetes %s would not have accepted the set that runs now: %s",
			p.Old.File, p.Old.Node.Line, f.Profile.Version(), refusal.Message)
	}
	return s, nil
}

// shown is what the dump shows of a set; nothing if it does not have it, or hides its pods: then its status is all that
// is known.
func (f *Frame) shown(key model.Key) Shown {
	state := f.Input.State
	if state == nil || !state.Shows(key) {
		return Shown{}
	}
	shown := Shown{
		Part: f.Input.Given.Part(key), Resting: state.AtRest(key), Cured: f.Input.Brings(key), Judged: f.Judged[key],
	}
	if !shown.Resting {
		shown.Now = state.Now(key)
	}
	return shown
}

// bare takes a set that runs, and that the API server would not create today, as it is: it was created when the API
// server did not look at pod templates. None of its pods can be created, so that it has none. It has the defaults of
// the version all the same. It is nil if something else is wrong with the set.
func bare(lab *play.Lab, given *model.StatefulSet) *model.StatefulSet {
	right, template := *given, *given.Spec.Template
	template.Wrong, template.WrongBefore = nil, nil
	right.Name, right.Spec.ServiceName, right.Spec.Wrong, right.Spec.Template = "right", "", nil, &template
	stored, refusal := lab.Store(&right)
	if refusal != nil {
		return nil
	}
	live := *stored
	live.Name, live.Spec.ServiceName = given.Name, given.Spec.ServiceName
	live.Spec.Wrong, live.Spec.Template = given.Spec.Wrong, given.Spec.Template
	return &live
}

// bared is what is known of a set that could not be created today, from a file.
func (s Shown) bared(file string, live *model.StatefulSet) Shown {
	s.Bared = true
	if s.Part != nil {
		return s
	}
	s.Part = &dump.Dump{State: &sim.State{From: file, Sets: []*model.StatefulSet{live}}}
	s.Now = "none of its pods can be created: " + live.Spec.Template.Wrong[0]
	if more := len(live.Spec.Template.Wrong) - 1; more > 0 {
		s.Now += " (and " + render.Count(more, "more error") + ")"
	}
	return s
}

func next(now *Set, f *Frame, lab *play.Lab) (*Set, error) {
	s, p := *now, now.Pair
	switch {
	case p.New == nil:
		return &s, nil
	case s.Live != nil && !s.Bared && p.Same:
		s.Fate = Unchanged
		return &s, nil
	}
	wrong := func(refusal *model.APIError) error {
		if f.Profile.CheckClaims && len(p.Pods) > 0 {
			return p.Pods.Err()
		}
		return fmt.Errorf("%s:%d: %s", p.New.File, p.New.Node.Line, refusal.Message)
	}
	fresh, refusal := p.New.NewApplied(p.Key.Namespace)
	if refusal != nil {
		return nil, wrong(refusal)
	}
	s.Fate, s.Fresh = Accepted, fresh
	if s.Live != nil {
		if twice := duplicates(p.Pods); f.Profile.CheckClaims && len(twice) > 0 {
			return nil, twice.Err()
		}
		return applied(&s, f, lab)
	}
	if s.Wanted, refusal = lab.Store(fresh); refusal != nil {
		return nil, wrong(refusal)
	}
	return &s, nil
}

// applied lets the API server take the change of an existing set. A refusal is no error: Wanted is what was asked.
func applied(now *Set, f *Frame, lab *play.Lab) (*Set, error) {
	s := *now
	asked, _, refusal := s.Pair.New.Apply(s.Live)
	if refusal != nil {
		return nil, fmt.Errorf("%s:%d: %s", s.Pair.New.File, s.Pair.New.Node.Line, refusal.Message)
	}
	_, stored, refusal := lab.Change(s.Given, func(live *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
		next := *live
		next.Spec, next.Labels, next.Annotations = asked.Spec, asked.Labels, asked.Annotations
		return &next, nil
	})
	s.Wanted = stored
	if refusal != nil {
		s.Wanted, s.Fate, s.Message = asked, Refused, refusal.Message
	}
	known := templates{}
	before, after := known.tree(s.Live), known.tree(s.Wanted)
	s.Changes = asGiven(diff.Of("", before, after), s.Pair.New.Given)
	diff.ByWeight(s.Changes)
	fresh, unfit := (*model.StatefulSet)(nil), (*model.APIError)(nil)
	if !s.Bared || len(s.Changes) == 0 || s.Fate == Refused {
		if s.Held {
			lab = f.Earlier()
		}
		fresh, unfit = lab.Store(s.Fresh)
	}
	var anew map[string]any
	if s.Fate != Refused && unfit == nil && fresh != nil {
		anew = known.tree(fresh)
		s.Kept = kept(&s, anew, after)
	}
	switch {
	case s.Fate == Refused:
		s.Fixed = fixed(s.Changes, f.Profile)
	case len(s.Changes) == 0:
		s.Fate, s.Wanted = Unchanged, nil
	case anew != nil:
		s.Applied = applyNotes(s.Pair, s.Live, s.Wanted, after, anew)
	}
	s.shownAs = shows(&s)
	return &s, nil
}

// duplicates are the names that a manifest has twice: an apply merges what has one name, so that the API server never sees
// the mistake.
func duplicates(problems strict.Problems) strict.Problems {
	return slices.DeleteFunc(slices.Clone(problems), func(p strict.Problem) bool {
		return !strings.Contains(p.What, "Duplicate value")
	})
}

// asGiven returns the changes without the partition that the API server fills in where NEW adds rollingUpdate without
// one: a reader looks for it in NEW.
func asGiven(changes []diff.Change, given map[string]any) []diff.Change {
	block := []string{"spec", "updateStrategy", "rollingUpdate"}
	for i, c := range changes {
		added, isBlock := c.New.(map[string]any)
		if c.Path != strings.Join(block, ".") || c.Old != nil || !isBlock || len(added) < 2 ||
			diff.At(given, append(block, "partition")) != nil {
			continue
		}
		as := maps.Clone(added)
		delete(as, "partition")
		changes[i].New = as
	}
	return changes
}

// kept lists what an apply leaves of a live set although the new manifest does not have it: no apply gave it.
func kept(s *Set, fresh, after map[string]any) []string {
	if !s.Pair.Live || s.Live.Annotations[manifest.LastApplied] != "" {
		return nil
	}
	var paths []string
	for _, c := range diff.Of("", fresh, after) {
		if strings.HasPrefix(c.Path, "spec.") && c.New != nil && c.Old == nil {
			paths = append(paths, c.Path)
		}
	}
	return paths
}

// mutable are the fields of the spec that every version lets change; the API server refuses a change of any other.
var mutable = []string{
	"spec.replicas", "spec.ordinals", "spec.template", "spec.updateStrategy", "spec.minReadySeconds",
	"spec.persistentVolumeClaimRetentionPolicy",
}

func fixed(changes []diff.Change, profile statefulset.Profile) []diff.Change {
	return slices.DeleteFunc(diff.Under(changes, "spec."), func(c diff.Change) bool {
		may := func(field string) bool { return c.Path == field || strings.HasPrefix(c.Path, field+".") }
		return slices.ContainsFunc(mutable, may) || profile.MutableHistoryLimit && may("spec.revisionHistoryLimit")
	})
}

// among leaves out nodes of the dump on which no pod of the set ever is: each run costs something for each node.
func among(s *Set, crowd *placement.Crowd) *dump.Dump {
	if s.Part == nil || s.Bared || crowd == nil {
		return s.Part
	}
	state, pods := s.Part.State, len(s.Part.State.Pods)
	var templates []*model.Template
	for i := range state.Pods {
		templates = append(templates, state.Pods[i].Template)
	}
	for _, revision := range state.Revisions {
		templates = append(templates, revision.Template)
	}
	for _, set := range []*model.StatefulSet{s.Live, s.Wanted} {
		if set != nil {
			templates, pods = append(templates, set.Spec.Template), max(pods, int(set.Spec.Replicas))
		}
	}
	return s.Part.WithNodes(crowd.Few(state, templates, pods))
}
