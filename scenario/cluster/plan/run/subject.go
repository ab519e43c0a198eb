package run

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/cluster/heal"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/scenario/runs/whatif"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// subject is the set of a case, as the catalogue and as the plan see it, in a world in which only that set changes.
type subject struct {
	whatif.Subject
	set   *stored.Set
	world *World
	// main is the run in which nothing goes wrong, and spent are the budgets in it.
	main  *Facts
	spent []*Budget
	// budgets are the budgets that select the set's pods.
	budgets []*model.Budget
}

func subjectOf(w *World, s *stored.Set, main *Facts, budgets []*model.Budget, spent []*Budget) *subject {
	alone, spec := w.Alone(s), main.Last.Spec
	of := whatif.Subject{
		Key: s.Key(), Live: s.Live, Wanted: spec, Change: alone.Apply(), Template: spec.Spec.Template.ID, Rolls: s.Rolls(),
		Staged: main.GoesOn || s.Staged != nil, Low: spec.PodName(spec.Start()), Pause: time.Second, Times: w.Times(s),
		Grace:    cmp.Or(scenario.NodeRules(w.Profile.Version()).MonitorGrace, sim.DefaultMonitorGrace),
		Unprobed: Unprobed(spec.Spec.Template), Created: main.Moves.Of(Created).names(),
	}
	replaced := main.Moves.Of(Replaced)
	if of.Rolls || of.Staged {
		of.Replaced = replaced.names()
	}
	// The first pod that is replaced is the one that is touched, or else the first that the change touches.
	if moves := slices.Concat(replaced, main.Moves); len(moves) > 0 {
		top := moves[0]
		of.Touched, of.Begun = top.Pod, time.Duration(top.Down)
		of.Middle = of.Begun + time.Duration(max(0, top.Back-top.Down)/2)
	}
	return &subject{Subject: of, set: s, world: alone, main: main, budgets: budgets, spent: spent}
}

// ofMoving are the cases for a set that is not at rest; what happens to it before the change is known.
var ofMoving = []string{broken, crashes, "slow"}

// fits says whether a case can happen to the set, and does not assume that it is at rest if it is not.
func (s *subject) fits(c *whatif.Case) bool {
	if s.set.Part != nil && !s.set.Resting &&
		(s.main.Verdict != timeline.Settled || !slices.Contains(ofMoving, c.Name)) {
		return false
	}
	if c.UnderWay {
		now := s.set.Pair.Status
		return s.Rolls && now.Behind() > 0 && now.Ready < now.Replicas
	}
	return (c.Fits == nil || c.Fits(&s.Subject)) && (!c.Node || s.bound())
}

// bound says whether the pod Low has a node when the change comes.
func (s *subject) bound() bool {
	if s.set.Part == nil {
		return true
	}
	p := s.set.Part.Pod(model.Key{Namespace: s.Key.Namespace, Name: s.Low})
	return p != nil && p.Node != ""
}

// asks returns the question, for the set, and the question where a budget forbids the eviction that it is about.
func (s *subject) asks(c *whatif.Case) [2]string {
	if c.UnderWay {
		now := s.set.Pair.Status
		text := fmt.Sprintf("the rollout of the dump, with %d of %d pods updated, has stalled, because its revision does "+
			"not become Ready", now.Updated, now.Replicas)
		return [2]string{text, text}
	}
	guarded := s.Subject
	guarded.Guarded = true
	return [2]string{c.Of(&s.Subject), c.Of(&guarded)}
}

// setting is the world of a case and its script. change is the number of the step that is the change, from 1.
type setting struct {
	world  *World
	script play.Script
	change int
}

func (s *subject) setting(c *whatif.Case) setting {
	w := s.world.Of(s.world.Sets...)
	if c.UnderWay {
		w = w.Stalled(s.set)
	}
	if c.Node {
		w = w.WithNodes()
	}
	if c.Behaves != nil {
		w.Rules = c.Behaves(&s.Subject)
	}
	what := c.Script(&s.Subject)
	at := slices.IndexFunc(what, func(d play.Deed) bool { return d.Verb == "apply" })
	script, before := w.Script(what...)
	return setting{w, script, before + at + 1}
}

// played is a case that was played: what the run shows, and the laboratory at its end if the set seems to be stuck
// there.
type played struct {
	setting
	kind   *whatif.Case
	events []timeline.Event
	begun  *play.Lab
	facts  *Facts
}

func (s *subject) play(kind *whatif.Case) *played {
	at := s.setting(kind)
	events, begun := at.world.Lab().RunTo(at.script, func(end *sim.World) bool {
		return slices.ContainsFunc(end.Waits(s.Key), func(why model.Why) bool { return !why.Code.Resting() })
	})
	return &played{at, kind, events, begun, Gather(events, s.Key, at.change)}
}

func (s *subject) stuck(p *played) *heal.Stuck {
	// A change that is not what goes wrong is to stay.
	wanted := p.kind.Name != broken && p.kind.Name != crashes && p.kind.Name != "again"
	return &heal.Stuck{Key: s.Key, Lab: p.world.Lab(), Before: p.script, Begun: p.begun, Events: p.events, Wanted: wanted,
		Reverted: s.set.Pair.Operator.Reverts(s.Key.Namespace)}
}

// crashing returns how many pods serve at least, however long the new ones crash: sooner or later all of these are down
// at the same time, even if they are not in the run.
func (s *subject) crashing(f *Facts) int {
	others := 0
	for p := range f.Last.Pods.All {
		if p.Template != s.Template {
			others++
		}
	}
	return min(f.Fewest, f.Serving, others)
}

func (s *subject) says(p *played) string {
	kind, f := p.kind, p.facts
	if kind.Node && f.Verdict == timeline.IsStuck {
		return s.saysLost(f, s.lost(p.events))
	}
	switch kind.Name {
	case broken:
		return saysBroken(f)
	case crashes:
		return s.saysCrashes(f)
	case "slow":
		return s.saysSlow(f)
	case "restart":
		return s.saysRestart(f)
	}
	text := f.Ending()
	if kind.Name == "again" && f.Completes() {
		text = "the undo completes" + f.Proviso()
	}
	if len(f.Moves) == 0 {
		text += ". No pod is touched"
	}
	return text + ". " + render.Capital(f.Serve())
}

func saysBroken(f *Facts) string {
	switch {
	case f.Serving == 0:
		return f.Ending() + ". Then " + render.Agree(f.Replicas, "its only pod does not serve",
			fmt.Sprintf("none of %d serves", f.Replicas))
	case f.Serving > f.Replicas:
		return fmt.Sprintf("%s. %d pods still serve, where %d are wanted, and %d of them are updated", f.Ending(), f.Serving,
			f.Replicas, f.Updated)
	}
	return fmt.Sprintf("%s. %d of %d still serve, %d of them updated", f.Ending(), f.Serving, f.Replicas, f.Updated)
}

// saysCrashes is about pods that no probe watches: nothing stops the rollout, since each is Ready at times.
func (s *subject) saysCrashes(f *Facts) string {
	n := len(f.Moves.Of(Replaced))
	return fmt.Sprintf("without a readiness probe a pod is Ready between two crashes, so the rollout continues. %d of %d "+
		"%s replaced and %s again and again. %s", n, s.main.Replicas, render.Agree(n, "is", "are"),
		render.Agree(n, "crashes", "crash"), render.Capital(render.Serve(s.crashing(f), max(f.Replicas, f.Serving))))
}

// saysSlow describes a new pod that takes very long to become Ready: what the rollout does meanwhile.
func (s *subject) saysSlow(f *Facts) string {
	back := Never
	if at := slices.IndexFunc(f.Moves, func(m Move) bool { return m.Pod == s.Touched }); at >= 0 {
		back = f.Moves[at].Back
	}
	others := slices.DeleteFunc(f.Moves.Of(Replaced), func(m Move) bool {
		return m.Pod == s.Touched || back != Never && m.Down >= back
	})
	text := "no other pod is touched until then, however long it takes (StatefulSets have no progressDeadlineSeconds)"
	if len(others) > 0 {
		text = "the others continue meanwhile: " + others.Pods()
	}
	text += ". " + render.Capital(f.Serve())
	if f.Verdict != timeline.Settled {
		text += ". " + render.Capital(f.Ending())
	}
	return text
}

// saysRestart describes a pod that somebody deletes in the middle of the rollout: at which revision it comes back.
func (s *subject) saysRestart(f *Facts) string {
	text := "it does not come back"
	for pod := range f.Last.Pods.All {
		if pod.Name != s.Low {
			continue
		}
		text = "it comes back at the old revision"
		if pod.Template == s.Template {
			text = "it comes back, and is at the new revision in the end"
		}
	}
	if f.Verdict == timeline.Livelock {
		return f.Ending() + ". " + render.Capital(f.Serve())
	}
	return text + ". " + render.Capital(f.Serve()) + ". " + render.Capital(f.Ending())
}

// lost is what a run shows of a node that falls silent: its name, the pods of the set that count as not Ready for that,
// and how long after that they are deleted for it; never if they are not.
type lost struct {
	node    string
	pods    []string
	deleted Seconds
}

// lost looks at a run for what the set loses with a node.
func (s *subject) lost(events []timeline.Event) lost {
	l := lost{deleted: Never}
	var since model.Time
	for i := range events {
		e := &events[i]
		switch {
		case l.node == "" && e.NodeState != nil && !e.NodeState.Up:
			l.node = e.Node
		case e.Kind != timeline.KindPod || e.Set != s.Key:
		case e.Reason == timeline.ReasonNodeNotReady:
			l.pods, since = append(l.pods, e.Pod), e.T
		case e.Reason == timeline.ReasonTaintEviction:
			l.deleted = Seconds(e.T.Sub(since))
		}
	}
	return l
}

// saysLost describes a rollout while a node is silent. All versions count a node as not Ready within a minute.
func (s *subject) saysLost(f *Facts, l lost) string {
	if len(l.pods) == 0 {
		return fmt.Sprintf("the rollout deletes %s, and it stays Terminating as long as %s does not answer. %s", s.Low,
			whatif.Node, render.Capital(f.Serve()))
	}
	one := func(one, many string) string { return render.Agree(len(l.pods), one, many) }
	text := fmt.Sprintf("within a minute %s %s as not Ready", render.And(l.pods), one("counts", "count"))
	switch {
	case l.deleted != Never:
		text += fmt.Sprintf(", %s later %s deleted, and %s Terminating", render.Brief(time.Duration(l.deleted)),
			one("it is", "they are"), one("it stays", "they stay"))
	case f.Last.Pods.Any(func(p *timeline.Pod) bool { return p.Terminating && slices.Contains(l.pods, p.Name) }):
		text += ". The rollout deletes " + one("it, and it stays", "them, and they stay") + " Terminating"
	}
	text += " as long as " + whatif.Node + " does not answer"
	if f.Updated < s.main.Updated-len(l.pods) {
		text += fmt.Sprintf(". Meanwhile the rollout waits, with %d of %s at the new revision", f.Updated,
			render.Count(s.main.Updated, "pod"))
	} else {
		text += ". Meanwhile the rollout replaces the other pods"
	}
	return text + ". " + render.Capital(f.Serve())
}
