package plan

import (
	"errors"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/judge"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/scenario/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/recording"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/scenario/whatif"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
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

// Plan says what a change will do. As JSON it is the public form of a plan. Lists that JSON always has are never nil.
type Plan struct {
	// Versions are the versions of Kubernetes, that of the plan first.
	Versions []string `json:"versions"`
	// Kubernetes is the version of the plan, and what a dump shows of that of the cluster.
	Kubernetes judge.Versions `json:"kubernetes"`
	// Summary counts what changes; Alarms are the things that somebody has to look at, the worst first.
	Summary Summary `json:"summary"`
	Alarms  []Alarm `json:"alarms"`
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

	// others says that objects of other kinds change; live that the plan begins with the state of a dump; nodes that
	// the dump has nodes; empty that the new stream has no set. world is the configuration in which it was played, for
	// Show.
	others bool
	live   bool
	nodes  bool
	empty  bool
	// leftOut is the number of sets that an interrupted plan knows nothing of.
	leftOut int
	world   *world
}

// Set says what a change does to one set.
type Set struct {
	// Namespace and Name are those of the StatefulSet.
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Does is rolls, scales, moves, policy, labels, creates, refused, removes or stays; Headline
	// says it in a sentence.
	Does     string `json:"does"`
	Headline string `json:"headline"`
	// Now says how it stands in a dump before the change, Then how the change leaves it; they are left out where no
	// dump shows its pods. Shows is the state in which the dump shows it, in words; "" if it is at rest or no dump
	// shows it.
	Now   *judge.Judgement `json:"now,omitempty"`
	Then  *judge.Judgement `json:"then,omitempty"`
	Shows string           `json:"shows,omitempty"`
	// Changes are the fields that change, Notes are remarks on them.
	Changes []diff.Change `json:"changes"`
	Notes   []string      `json:"notes,omitempty"`
	// Refusal is set if the API server does not accept the change; then only the ways around it were played.
	Refusal *Refusal `json:"refusal,omitempty"`
	// Order is the order in which pods are deleted and created, in words; Moves is the same pod by pod.
	Order []string `json:"order"`
	Moves []Move   `json:"moves"`
	// Completes says whether the change completes if nothing goes wrong; Ends says how it ends.
	Completes bool   `json:"completes"`
	Ends      string `json:"ends"`
	// Fix heals a change that does not complete from the state of a dump; it is left out if none is needed or known.
	// Duration says how long the change takes.
	Fix      *Fix      `json:"fix,omitempty"`
	Duration *Duration `json:"duration,omitempty"`
	// Serving counts the serving pods. It is left out if nothing was played, and so is Duration.
	Serving *Serving `json:"serving,omitempty"`
	// Volumes are the claims that the change deletes, with their volumes. Budgets are the PodDisruptionBudgets of its
	// pods, Requirements what --require and the annotation ask for, and Cases what happens if something goes wrong.
	Volumes      []string       `json:"volumes,omitempty"`
	Budgets      []*Budget      `json:"budgets,omitempty"`
	Requirements []*Requirement `json:"requirements,omitempty"`
	Cases        []*Case        `json:"cases,omitempty"`
	// Differences say what is different on the other versions.
	Differences []Difference `json:"differences,omitempty"`

	key model.Key
	// over are the budgets over the set's pods.
	over    []*model.Budget
	alarms  []Alarm
	verdict timeline.Verdict
	// scales says that the number of replicas changes, onDelete that the strategy of the new set is OnDelete, between
	// that its rollout starts only between two crashes of a pod.
	scales, onDelete, between bool
	// young is true if it is stuck only on pods of which it is too early to say that they do not become Ready.
	young bool
	// doubt says why nothing about it is certain; "" if it can be trusted. provided is what must be true, and a dump
	// does not show, so that it completes.
	doubt, provided string
}

// Fix heals a set that the change leaves stuck; it was played.
type Fix struct {
	// Commands are the commands, one a line, to be pasted in one go.
	Commands []string `json:"commands"`
	// Danger is the condition under which the commands lose nothing; "" if they can lose nothing.
	Danger string `json:"danger,omitempty"`
	// Needs is what else they assume; "" if they assume nothing.
	Needs string `json:"needs,omitempty"`
	// Reverts says that they revert the template, so that the change is undone.
	Reverts bool `json:"reverts,omitempty"`

	// lead are the lines above the commands: what they do, what that costs, and what must be true first.
	lead []string
}

// What a change does to a set.
const (
	Rolls  = "rolls"
	Scales = "scales"
	// Renumbers: ordinals.start changes, so that pods go for good and others come.
	Renumbers = "moves"
	Policy    = "policy"
	Labels    = "labels"
	Creates   = "creates"
	Refused   = "refused"
	// Removes: the set is not in the new files.
	Removes = "removes"
	// Stays: nothing changes in the set, which is not at rest.
	Stays = "stays"
)

// Serving counts the pods that are Ready and not Terminating.
type Serving struct {
	// Before is the number when the change comes, Fewest the least on the way, After the number at its end, of
	// Replicas.
	Before   int `json:"before"`
	Fewest   int `json:"fewest"`
	After    int `json:"after"`
	Replicas int `json:"replicas"`
}

// Plan plays the change under each version. If the input cannot be played, the error says why. A plan that was
// interrupted has the sets that were done. There must be a profile. Only the plan for the first has durations that are
// drawn, alarms and requirements; of the others it keeps what is different. An error is a mistake in the input, such as
// a requirement that cannot be read.
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
	pairs := map[model.Key]*Pair{}
	for _, p := range in.Pairs {
		pairs[p.Key] = p
	}
	for _, set := range slices.Concat(plan.Sets, plan.NotAtRest) {
		if err := set.judge(o, pairs[set.key]); err != nil {
			return nil, err
		}
	}
	if plan.Interrupted = o.interrupted(); plan.Interrupted {
		plan.leaveOut()
	}
	plan.conclude()
	return plan, nil
}

// notPlayed is the headline of a set whose run ended before the change came.
const notPlayed = "was not played"

// leaveOut removes the sets of which an interrupted plan knows nothing: they were not played, or not to the end.
func (plan *Plan) leaveOut() {
	all := len(plan.Sets)
	plan.Sets = slices.DeleteFunc(plan.Sets, func(s *Set) bool {
		return s.Headline == notPlayed || s.verdict == timeline.Interrupted
	})
	plan.leftOut = all - len(plan.Sets)
}

// under plays the change under one version. first is true for the version that the plan is for: only that is sampled.
func (in *Input) under(o *Options, profile statefulset.Profile, first bool) (*Plan, error) {
	plan := &Plan{
		Versions: []string{profile.Version()}, Ignored: in.Ignored, Notes: slices.Clone(in.Notes), others: in.changedOthers(),
		Warnings: in.Warnings, Assumed: in.assumptions(), live: in.state != nil,
		nodes: in.state != nil && !in.state.Nodeless, empty: in.empty((*Pair).after),
	}
	w := &world{Options: o, profile: profile, state: in.begins()}
	plan.Kubernetes.Played = profile.Version()
	if in.state != nil {
		plan.Kubernetes.Found = in.state.Kubelet
		w.judged = in.judgements(o, profile)
	}
	plan.world = w
	edits, err := in.looked(w)
	if err != nil {
		return nil, err
	}
	for _, e := range edits {
		plan.add(e)
		if e.set == nil || e.set.Refusal == nil {
			w.edits = append(w.edits, e)
		}
	}
	plan.Notes = append(plan.Notes, in.assumedClaims(w.edits)...)
	if !plan.live {
		plan.Notes = append(plan.Notes, placement.Undecided(&sim.Cluster{}, wantedOf(w.edits))...)
	}
	in.play(w, first)
	in.judge(plan, w, edits)
	in.removals(plan, w)
	return plan, nil
}

// wantedOf returns the sets that edits create or change.
func wantedOf(edits []*edit) []*model.StatefulSet {
	var sets []*model.StatefulSet
	for _, e := range edits {
		if e.set != nil && e.wanted != nil {
			sets = append(sets, e.wanted)
		}
	}
	return sets
}

// looked finds out what the change does to each set as the API server stores it, and the ways around refusals. The
// edits are in the order of the pairs.
func (in *Input) looked(w *world) ([]*edit, error) {
	edits, problems := make([]*edit, len(in.Pairs)), make([]error, len(in.Pairs))
	w.Each.Do(len(in.Pairs), func(i int) {
		e, err := in.look(w, in.Pairs[i])
		if err == nil && e.set != nil && e.set.Refusal != nil && !w.interrupted() {
			e.around(w)
		}
		edits[i], problems[i] = e, err
	})
	return edits, refused(edits, problems)
}

// refused notes the sets that are wrong as refused, and returns the other problems. If all are wrong there is nothing
// to plan, and all are problems.
func refused(edits []*edit, problems []error) error {
	others := 0
	for _, err := range problems {
		if _, is := err.(invalid); !is {
			others++
		}
	}
	for i, err := range problems {
		if wrong, is := err.(invalid); is && others > 0 {
			edits[i].refuse(wrong)
			problems[i] = nil
		}
	}
	return errors.Join(problems...)
}

// add notes a set of the change, or that it does not change.
func (plan *Plan) add(e *edit) {
	switch {
	case e.set != nil:
		plan.Sets = append(plan.Sets, e.set)
	case e.pair.New == nil:
		plan.Missing = append(plan.Missing, e.pair.Key.String())
	default:
		plan.Unchanged = append(plan.Unchanged, e.pair.Key.String())
		if note := e.leaves(); note != "" {
			plan.Notes = append(plan.Notes, note)
		}
	}
}

// judge adds the alarms of each set, and finds what happens to the sets that do not change. All changes must have been
// played.
func (in *Input) judge(plan *Plan, w *world, edits []*edit) {
	traps := trapsOf(edits, w.profile.Version())
	idle := make([]*Set, len(edits))
	w.Each.Do(len(edits), func(i int) {
		if e := edits[i]; e.set != nil {
			e.set.Notes = append(e.set.Notes, in.redrawn(e)...)
			e.warn(traps)
			in.warnOfLeftData(e)
			in.warnOfScalers(e)
			if in.empty((*Pair).before) {
				e.set.alarm(TrapFirst, "OLD has no StatefulSet, so this plans a first installation. If the set exists, check the "+
					"context and the namespace of kubectl")
			}
		} else if e.pair.New != nil && !w.interrupted() {
			idle[i] = e.stays(w)
		}
	})
	for i, e := range edits {
		plan.Notes = append(plan.Notes, in.mounted(e)...)
		if idle[i] != nil {
			plan.NotAtRest = append(plan.NotAtRest, idle[i])
		}
	}
}

// job is a world to be played for one set, or for a stand-in of several that are alike. answers is nil until it was
// played, and stays so if the run ended before the change.
type job struct {
	world   *world
	edit    *edit
	budgets []*model.Budget
	answers *answers
}

// play plays the change of each set, and what may go wrong with it. Sets that share a budget are played in one world;
// sets that are alike are played once. The world must have its edits. Each job is played by one goroutine and touches
// no other; the answers are taken when all are there, in the order of the edits.
func (in *Input) play(w *world, first bool) {
	var jobs []*job
	of := make([]*job, len(w.edits))
	known := map[string]*job{}
	for i, e := range w.edits {
		if !e.changes() {
			continue
		}
		e.set.over = e.budgets(in.budgets)
		together := w.sharing(e, e.set.over)
		shape := ""
		if len(together) == 1 {
			shape = e.shape()
		}
		switch {
		case shape == "":
			of[i] = &job{world: w.of(together...), edit: e, budgets: e.set.over}
			jobs = append(jobs, of[i])
		case known[shape] == nil:
			stand := e.stands()
			known[shape] = &job{world: w.of(stand), edit: stand}
			jobs = append(jobs, known[shape])
			fallthrough
		default:
			of[i] = known[shape]
		}
	}
	w.Each.Do(len(jobs), func(i int) {
		j := jobs[i]
		if !w.interrupted() {
			j.answers = j.world.answers(j.edit, j.budgets, first)
		}
		// The facts of a run hold all of its pods, so that those of one set alone are not kept until the last set is
		// done.
		if j.edit.alias == nil {
			j.edit.take(j.answers)
			j.answers = nil
		}
	})
	for i, e := range w.edits {
		if j := of[i]; j != nil && j.edit != e {
			e.take(j.answers.under(e.pair.Key))
			e.weigh(e.set.over)
		}
	}
}

// answers plays the change of one of the sets of a world, and what may go wrong with it; nil if the run ended before
// the change. The world and the edit do not change, so several may be played at once.
func (w *world) answers(e *edit, budgets []*model.Budget, first bool) *answers {
	w = w.begins()
	script, _ := w.script(w.change())
	change := len(script)
	events := w.lab().Run(script)
	if play.StepAt(events, change) < 0 {
		return nil
	}
	a := &answers{main: gather(events, e.key(), change)}
	a.main.between(w, e, script, change)
	a.main.heals(e)
	a.main.budgets = hold(budgets, events, a.main.begin, play.StepAt(events, change))
	a.duration = w.duration(script, e, a.main)
	if e.live != nil && !a.main.gone && !w.interrupted() {
		a.cases = w.ask(e, a.main, budgets)
	}
	if e.part != nil && (a.main.verdict == timeline.IsStuck || a.main.gone) && !e.young(a.main) {
		a.fix = w.fix(e, script, events)
	}
	if first {
		w.sample(script, e, a)
	}
	return a
}

// take fills in what was played; nil says that the run ended too early.
func (e *edit) take(a *answers) {
	if a == nil {
		e.set.Headline, e.set.Ends = notPlayed, "the run was ended before the change came: raise --max-events"
		return
	}
	e.set.describe(e, a.main)
	e.set.Duration, e.set.Cases, e.set.Budgets, e.set.Fix = &a.duration, a.cases, a.main.budgets, a.fix
	for i := range e.set.Moves {
		e.set.Moves[i].untimed = !a.duration.Known
	}
	if e.live == nil {
		e.set.Budgets = nil
	}
}

// interrupted says whether the user wants no more.
func (o *Options) interrupted() bool { return o.Interrupted != nil && o.Interrupted() }

// Shown is a run behind an answer. Name says which question it answers, and of which set if it is about one.
type Shown struct {
	Name   string
	Events []timeline.Event
}

// Show plays the runs behind an answer once more, for each of the sets that have it. The run of Rollout is one for all
// sets. It is nil for an unknown name, and for one that the plan does not have (Shows).
func (plan *Plan) Show(name string) []Shown {
	w := plan.world
	switch name {
	case Instead:
		return plan.instead()
	case Rollout:
		if !slices.ContainsFunc(w.edits, (*edit).changes) {
			return nil
		}
		w = w.of(w.edits...)
		script, _ := w.script(w.change())
		return []Shown{{Name: "the change", Events: w.lab().Run(script)}}
	}
	var list []Shown
	for _, s := range plan.Sets {
		for _, c := range s.Cases {
			if c.Name == name {
				list = append(list, Shown{Name: s.key.String() + ": " + c.Asks, Events: plan.replay(s, c)})
			}
		}
	}
	return list
}

// instead returns the runs of the ways around refusals.
func (plan *Plan) instead() []Shown {
	var list []Shown
	for _, s := range plan.Sets {
		if s.Refusal != nil && s.Refusal.events != nil {
			list = append(list, Shown{Name: s.key.String() + ": the way around the refusal", Events: s.Refusal.events})
		}
	}
	return list
}
