package advise

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Set is the advice for a set.
type Set struct {
	// Set is NAMESPACE/NAME, Replicas how many pods it has.
	Set      string `json:"set"`
	Replicas int    `json:"replicas"`
	// Keep is the number of pods that have to serve, and Why who asks for it.
	Keep int    `json:"keep"`
	Why  string `json:"why"`
	// Front are the settings, the quickest first: at most five that no other beats, and today's.
	Front []*Choice `json:"front"`
	// Rejected are settings that are better than all of the front in one thing, and why they are not in it.
	Rejected []*Rejected `json:"rejected"`
	// Better reports whether a setting of the front is better than today's.
	Better bool `json:"better"`
	// Searched is how much was played.
	Searched Searched `json:"searched"`
	// Alarms are what makes the figures doubtful, or a rollout go wrong; Notes what else is to be known. Timings are the
	// times that were played, by stage.
	Alarms  []string        `json:"alarms"`
	Timings []*times.Timing `json:"timings"`
	Notes   []string        `json:"notes"`
	// More is the number of settings that no other one beats, and that are not shown.
	More int `json:"more"`
	key  model.Key
}

// Searched is the size of a search.
type Searched struct {
	Candidates int `json:"candidates"`
	Runs       int `json:"runs"`
}

// Choice is a setting of the front, with what it brings.
type Choice struct {
	// Setting says it in the words of a manifest, Patch is the merge patch that gives it to the set as it is, and
	// Schedule the partitions after that, with what to wait for.
	Setting  string          `json:"setting"`
	Patch    json.RawMessage `json:"patch"`
	Schedule []Stage         `json:"schedule,omitempty"`
	// Today is true for the setting that the set has. Mutable is false if the set must be made anew for it.
	Today   bool `json:"today"`
	Mutable bool `json:"mutable"`
	// Commands give the set what stays of the setting. Rollout are those of each rollout in stages.
	Commands []string `json:"commands"`
	Rollout  []string `json:"rollout"`
	Duration struct {
		P50 render.Seconds `json:"p50"`
		P95 render.Seconds `json:"p95"`
	} `json:"duration"`
	// FewestServing is the fewest pods that serve in any run, BelowKeep the longest time with fewer than Set.Keep.
	FewestServing int            `json:"fewestServing"`
	BelowKeep     render.Seconds `json:"belowKeep"`
	// PodTime is how long pods do not serve in a rollout with typical times, all of them together, and BelowAll for how
	// long at least one does not.
	PodTime  render.Seconds `json:"podTime"`
	BelowAll render.Seconds `json:"belowAll"`
	// BadVersion is the kind of bad version that costs most, with each kind in Cases.
	BadVersion Price `json:"badVersion"`
	// NodeLost is what comes of a rollout when the node of its last pod falls silent at its beginning.
	NodeLost *NodeLost `json:"nodeLost,omitempty"`
	// Gates are the deploy tools that say something wrong of this rollout.
	Gates []*gated.Answer `json:"gates"`
	// Promises are those of a StatefulSet that the setting may break, by the traps of the atlas that it can run into.
	Promises []Promise `json:"promises"`
	// Fails says what it does not keep of what is asked for; only of today's setting.
	Fails []string `json:"fails,omitempty"`
	// Gives says what one gives up for it, compared with today's.
	Gives []string `json:"gives"`

	trial *trial
	of    *subject
	// events is the rollout with typical times.
	events []timeline.Event
}

// Stage is a stage of a canary.
type Stage struct {
	Partition int32          `json:"partition"`
	Pause     render.Seconds `json:"pause"`
}

// Price is what a bad version costs. The times are left out if they are never.
type Price struct {
	// Case is the name of the kind, Says what the version does.
	Case string `json:"case"`
	Says string `json:"says"`
	// Lost is the number of pods that have the bad version before the rollout stops by itself, Down that of all pods that
	// are out of service then: some may be gone without having it. StopsAt is when that is, BackIn the time that the way
	// back takes from then on, and Back its commands.
	Lost    int             `json:"lost"`
	Down    int             `json:"down"`
	StopsAt *render.Seconds `json:"stopsAt,omitempty"`
	BackIn  *render.Seconds `json:"backIn,omitempty"`
	Back    []string        `json:"back,omitempty"`
	Cases   []Price         `json:"cases,omitempty"`
}

// NodeLost is what comes of a rollout that loses a node.
type NodeLost struct {
	FewestServing int `json:"fewestServing"`
	// Ends reports whether the rollout completes all the same.
	Ends bool `json:"ends"`
}

// Promise is a promise that may be broken.
type Promise struct {
	Promise string `json:"promise"`
	// Trap is its name; it is left out if none is known, and it was found by exploring.
	Trap string `json:"trap,omitempty"`
	Says string `json:"says"`
	// When says when that happens.
	When string `json:"when,omitempty"`
}

// Rejected is a setting that is not on the front.
type Rejected struct {
	Setting string   `json:"setting"`
	Because []string `json:"because"`
	// P95 is how long its rollout takes; left out if it does not complete.
	P95 *render.Seconds `json:"p95,omitempty"`
}

// advise finds the settings for a set.
func (s *subject) advise(o *Options) *Set {
	today := settingOf(s.wanted)
	list := space(s.frame.Lab(), s.wanted, s.ignores, o.Canary)
	trials := make([]*trial, len(list))
	o.Each.Do(len(list), func(i int) {
		if !s.frame.Ends() {
			trials[i] = s.try(list[i])
		}
	})
	if s.frame.Ends() {
		return nil
	}
	l := limits{keep: s.keep, within: render.Seconds(o.Within)}
	front := frontOf(trials, &l, &today)
	a := &Set{
		Set: s.key.String(), key: s.key, Replicas: int(s.wanted.Spec.Replicas), Keep: s.keep.pods, Why: s.keep.why,
		Searched: Searched{Candidates: len(list)}, Timings: s.shown[:], Notes: []string{}, Front: []*Choice{},
		Rejected: []*Rejected{}, Alarms: append([]string{}, s.alarms...),
	}
	if len(front) == 0 && !s.keep.asked {
		l.keep = keep{}
		front = frontOf(trials, &l, &today)
		a.Notes = append(a.Notes, fmt.Sprintf("No setting keeps what %s asks for, %s: it was not required.", s.keep.why,
			render.Count(s.keep.pods, "pod")))
	}
	kept := s.obeyed(trials)
	picked := shown(front, trials[0], kept, a.Replicas, s.risks())
	a.More = len(front) - len(picked)
	if kept != nil && !slices.Contains(front, kept) {
		a.Rejected = append(a.Rejected, kept.rejected(s.whyNot(kept, front, &l, &today)))
	}
	if !slices.ContainsFunc(picked, func(t *trial) bool { return t.same(&today) }) {
		picked = append(picked[:len(picked):len(picked)], trials[0])
	}
	s.tell(a, picked, &l, o)
	a.Better = a.better(trials[0])
	for _, t := range trials {
		a.Searched.Runs += t.runs
	}
	a.Rejected = append(a.Rejected, rejected(trials, front, &l, &today)...)
	return a
}

// tell describes the settings that are shown.
func (s *subject) tell(a *Set, picked []*trial, l *limits, o *Options) {
	now := picked[slices.IndexFunc(picked, func(t *trial) bool { return t.setting.same(s.today()) })]
	o.Each.Do(len(picked), func(i int) { s.priced(picked[i]) })
	known := explored{}
	for _, t := range picked {
		a.Front = append(a.Front, s.choice(t, now, l, known.broken(s, &t.setting, o.Each.Do), o.Gates))
	}
	var usual []Promise
	for _, c := range a.Front {
		if c.Today {
			usual = c.Promises
		}
	}
	for _, c := range a.Front {
		for _, p := range more(usual, c.Promises) {
			c.Gives = append(c.Gives, p.given())
		}
	}
}

// better reports whether a setting of the front is better than today's, and breaks no promise that today's keeps.
func (a *Set) better(now *trial) bool {
	var today *Choice
	for _, c := range a.Front {
		if c.Today {
			today = c
		}
	}
	if a.onFront(today) {
		return false
	}
	return slices.ContainsFunc(a.Front, func(c *Choice) bool {
		return !c.Today && (len(today.Fails) > 0 || c.trial.beats(now, &now.setting)) &&
			!slices.ContainsFunc(more(today.Promises, c.Promises), Promise.grave)
	})
}

// onFront reports whether a setting that is shown is one that keeps what is asked for, and that no other beats.
func (a *Set) onFront(c *Choice) bool {
	return len(c.Fails) == 0 && !slices.ContainsFunc(a.Front, func(other *Choice) bool {
		return other != c && other.trial.beats(c.trial, &c.trial.setting)
	})
}

// obeyed is the setting in which the controller waits for the minReadySeconds that it ignores in today's; nil if it does
// not ignore them, or if the setting was not tried.
func (s *subject) obeyed(trials []*trial) *trial {
	as := *s.today()
	if !s.ignores || as.policy != model.Parallel || as.minReady == 0 {
		return nil
	}
	as.policy, as.stages, as.pause, as.onDelete = model.OrderedReady, nil, 0, false
	if at := slices.IndexFunc(trials, func(t *trial) bool { return t.same(&as) }); at >= 0 {
		return trials[at]
	}
	return nil
}

// whyNot says why a setting is not on the front.
func (s *subject) whyNot(t *trial, front []*trial, l *limits, today *setting) []string {
	if because := l.fails(t); len(because) > 0 {
		return because
	}
	for _, other := range front {
		if other.goesBefore(t, today) {
			return []string{other.String() + " is as good in all that counts, and better in one thing"}
		}
	}
	return []string{}
}

// choice describes a setting.
func (s *subject) choice(t, today *trial, l *limits, broken []promise.Name, gates []*gate.Gate) *Choice {
	c := &Choice{
		Setting: t.String(), Today: t == today, Mutable: t.policy == today.policy, FewestServing: t.fewest,
		BelowKeep: render.Seconds(t.below), Gates: []*gated.Answer{}, Promises: s.promises(&t.setting, broken), Gives: []string{},
		Patch: t.patch(&today.setting, s.wanted.Spec.Strategy.RollingUpdate != nil), trial: t, of: s,
	}
	for _, p := range t.stages {
		c.Schedule = append(c.Schedule, Stage{p, render.Seconds(t.pause)})
	}
	c.Commands, c.Rollout = s.commands(c, &today.setting), []string{}
	if len(c.Schedule) > 1 {
		c.Rollout = c.stages()
	}
	c.Fails = l.fails(t)
	script := s.rollout(&t.setting)
	c.events = s.lab(&t.setting).Run(script)
	if !t.ends {
		return c
	}
	all := int(s.wanted.Spec.Replicas)
	c.BelowAll = render.Seconds(play.Below(c.events, s.key, changeStep, all))
	for n := 1; n <= all; n++ {
		c.PodTime += render.Seconds(play.Below(c.events, s.key, changeStep, n))
	}
	c.Duration.P50, c.Duration.P95 = render.Seconds(t.p50), render.Seconds(t.p95)
	worst := t.worst()
	c.BadVersion = worst.public()
	for i := range t.bad {
		c.BadVersion.Cases = append(c.BadVersion.Cases, t.bad[i].public())
	}
	last := play.StepAt(c.events, len(script))
	for _, answer := range gated.Of(c.events, last, s.key, gates) {
		if answer.Wrong() {
			c.Gates = append(c.Gates, answer)
		}
	}
	c.NodeLost = s.nodeLost(script)
	if t != today {
		c.Gives = t.gives(today, s)
	}
	return c
}

// public is the price as JSON has it.
func (p *price) public() Price {
	as := Price{Case: p.name, Says: p.says, Lost: p.lost, Down: p.down, Back: p.way.commands}
	if p.stops != nil {
		stops := render.Seconds(*p.stops)
		as.StopsAt = &stops
	}
	if p.way.takes != nil {
		back := render.Seconds(*p.way.takes)
		as.BackIn = &back
	}
	return as
}

// nodeLost plays a rollout at whose beginning the node of the pod falls silent that is replaced last. It is nil for a set
// of one.
func (s *subject) nodeLost(script play.Script) *NodeLost {
	if s.wanted.Spec.Replicas < 2 {
		return nil
	}
	lab := s.fresh()
	lab.World.Cluster.Nodes = run.Spare(int(s.wanted.Spec.Replicas))
	low := model.Key{Namespace: s.key.Namespace, Name: s.wanted.PodName(s.wanted.Start())}
	script = slices.Insert(slices.Clone(script), changeStep, play.LoseNode(low).Promptly())
	events := lab.Run(script)
	fewest, _ := play.Cost(events, s.key, changeStep)
	return &NodeLost{FewestServing: fewest, Ends: s.unfinished(events, len(script)) == ""}
}

// commands give a live set what stays of a setting. The partition of a canary does not: each rollout sets it again.
func (s *subject) commands(c *Choice, today *setting) []string {
	if c.Today {
		return []string{}
	}
	if !c.Mutable {
		return []string{
			shell.Noted(shell.In(s.key.Namespace, "delete", "statefulset", s.key.Name, "--cascade=orphan"), "the pods stay"),
			shell.Noted(shell.In(s.key.Namespace, "apply", "-f", "NEW"), "the manifest with the setting; it adopts the pods"),
		}
	}
	stays := c.trial.setting
	if len(stays.stages) > 1 {
		stays.stages = today.stages
	}
	patch := string(stays.patch(today, s.wanted.Spec.Strategy.RollingUpdate != nil))
	if patch == "{}" {
		return []string{}
	}
	return []string{shell.Patch(s.key.Namespace, "statefulset", s.key.Name, patch)}
}

// gives says what one gives up for a setting, compared with today's.
func (t *trial) gives(today *trial, s *subject) []string {
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if !today.ends {
		return []string{}
	}
	if t.p95 > today.p95 {
		add("takes %s longer", render.Brief(t.p95-today.p95))
	}
	if t.fewest < today.fewest {
		add("leaves %d of %d serving, where today %d do", t.fewest, s.wanted.Spec.Replicas, today.fewest)
	}
	for i := range t.bad {
		if more := t.bad[i].down - today.bad[i].down; more > 0 {
			add("a version that %s takes %s more", t.bad[i].says, render.Count(more, "pod"))
		}
	}
	if t.policy != today.policy {
		add("the StatefulSet must be made anew")
	}
	if t.policy == model.Parallel && today.policy == model.OrderedReady {
		add("pods also start and stop all at once when the set is scaled")
	}
	if n := len(t.stages) - 1; n > 0 && len(today.stages) == 0 {
		add("somebody, or a pipeline, has to lower the partition, %s", map[int]string{1: "once", 2: "twice"}[n])
	}
	if list == nil {
		list = []string{}
	}
	return list
}

// mostRejected is the number of rejected settings that are shown.
const mostRejected = 3

// rejected names settings that are quicker than all of the front, or leave more pods serving, or lose fewer to a bad
// version, and what they fail in.
func rejected(trials, front []*trial, l *limits, today *setting) []*Rejected {
	var list []*Rejected
	quickest := time.Duration(0)
	if len(front) > 0 {
		quickest = front[0].p95
	}
	failing := slices.DeleteFunc(slices.Clone(trials), func(t *trial) bool {
		return t.same(today) || len(l.fails(t)) == 0 || t.ends && t.p95 >= quickest
	})
	slices.SortStableFunc(failing, func(a, b *trial) int { return a.changes(today) - b.changes(today) })
	seen := map[string]bool{}
	for _, t := range failing {
		because := l.fails(t)
		key := strings.Join(because, "; ")
		if len(list) == mostRejected || seen[key] || !t.ends && t.policy != today.policy {
			continue
		}
		seen[key] = true
		list = append(list, t.rejected(because))
	}
	return list
}

// rejected is the setting as one that is not on the front.
func (t *trial) rejected(because []string) *Rejected {
	r := &Rejected{Setting: t.String(), Because: because}
	if t.ends {
		p95 := render.Seconds(t.p95)
		r.P95 = &p95
	}
	return r
}
