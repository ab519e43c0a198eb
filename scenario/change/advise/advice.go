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
	// Timings are the times that were played, by stage; Notes what else is to be known.
	Timings []*times.Timing `json:"timings"`
	Notes   []string        `json:"notes"`
	key     model.Key
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
	// Lost is the number of pods that have the bad version before the rollout stops by itself. StopsAt is when that is,
	// BackIn the time that a revert takes from then on.
	Lost    int             `json:"lost"`
	StopsAt *render.Seconds `json:"stopsAt,omitempty"`
	BackIn  *render.Seconds `json:"backIn,omitempty"`
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
	Trap    string `json:"trap"`
	Says    string `json:"says"`
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
	list := space(s.frame.Lab(), s.wanted, o.Canary)
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
		Searched: Searched{Candidates: len(list)}, Timings: s.timings[:], Notes: []string{}, Front: []*Choice{},
		Rejected: []*Rejected{},
	}
	if len(front) == 0 && !s.keep.asked {
		l.keep = keep{}
		front = frontOf(trials, &l, &today)
		a.Notes = append(a.Notes, fmt.Sprintf("No setting keeps what %s asks for, %s: it was not required.", s.keep.why,
			render.Count(s.keep.pods, "pod")))
	}
	for _, t := range trials {
		a.Searched.Runs += t.runs
	}
	known := explored{}
	usual := known.broken(s, &today, o.Each.Do)
	picked, unsafe := s.safe(front, trials[0], usual, known, o)
	a.Rejected = append(a.Rejected, unsafe...)
	a.Better = len(picked) > 0 && !slices.ContainsFunc(front, func(t *trial) bool { return t.same(&today) })
	if !slices.ContainsFunc(picked, func(t *trial) bool { return t.same(&today) }) {
		picked = append(picked[:len(picked):len(picked)], trials[0])
	}
	for _, t := range picked {
		a.Front = append(a.Front, s.choice(t, trials[0], &l, known.broken(s, &t.setting, o.Each.Do), o.Gates))
	}
	a.Rejected = append(a.Rejected, rejected(trials, front, &l, &today)...)
	return a
}

// safe returns the settings of a front that are shown, without those that break a promise which today's setting keeps.
// Those are rejected, and what comes next in the front is shown in their place.
func (s *subject) safe(front []*trial, today *trial, usual []promise.Name, known explored, o *Options) (
	picked []*trial, unsafe []*Rejected) {
	for {
		picked = shown(front, today)
		at := slices.IndexFunc(picked, func(t *trial) bool {
			return len(worse(usual, known.broken(s, &t.setting, o.Each.Do))) > 0
		})
		if at < 0 {
			return picked, unsafe
		}
		t := picked[at]
		front = slices.DeleteFunc(slices.Clone(front), func(other *trial) bool { return other == t })
		r := t.rejected(nil)
		for _, name := range worse(usual, known.broken(s, &t.setting, o.Each.Do)) {
			p, _ := promise.Lookup(string(name))
			r.Because = append(r.Because, "it can break a promise that today's setting keeps: "+p.Says)
		}
		unsafe = append(unsafe, r)
	}
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
	as := Price{Case: p.name, Says: p.says, Lost: p.lost}
	if p.stops != nil {
		stops := render.Seconds(*p.stops)
		as.StopsAt = &stops
	}
	if p.back != nil {
		back := render.Seconds(*p.back)
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
		if more := t.bad[i].lost - today.bad[i].lost; more > 0 {
			add("loses %s more to a version that %s", render.Count(more, "pod"), t.bad[i].says)
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
