package plan

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/scenario/judge"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// doubt says why what is played of a set cannot be trusted: a dump without its pods, whose status says that it is not
// at rest. "" if there is no such reason.
func (e *edit) doubt() string {
	s := e.pair.status
	switch {
	case e.part != nil || e.pair.Old == nil:
		return ""
	case e.pair.deleting:
		return "it is being deleted"
	case s == nil:
		return ""
	case s.Ready < s.Replicas:
		return fmt.Sprintf("%d of %d pods were Ready in the dump", s.Ready, s.Replicas)
	case s.behind() > 0 && e.staged == nil && e.unheld():
		return fmt.Sprintf("%d of %d pods ran an older template in the dump", s.behind(), s.Replicas)
	}
	return ""
}

// unheld says whether nothing in the spec explains that pods run an older template.
func (e *edit) unheld() bool {
	return e.live.Spec.Strategy.Type == model.RollingUpdateStrategy && e.live.Partition() == 0
}

// stays says what happens to an unchanged set that is not at rest; nil if it is at rest. It plays the set without any
// change.
func (e *edit) stays(w *world) *Set {
	s := &Set{Namespace: e.pair.Key.Namespace, Name: e.pair.Key.Name, key: e.pair.Key, Does: Stays, Completes: true}
	if why := e.doubt(); why != "" {
		s.doubt = why
		s.alarm(TrapNotAtRest, "nothing changes in it, but %s, and the dump does not show its pods: whether it completes "+
			"by itself is not known", why)
		return s
	}
	if s.Shows = e.now; s.Shows == "" {
		return nil
	}
	s.Now = e.before()
	s.Then = s.Now
	if text := e.early(); text != "" {
		s.Completes, s.young = false, true
		s.alarm(TrapNotAtRest, "nothing changes in it, and %s", text)
		return s
	}
	alone := w.of(e.still())
	script, _ := alone.script(play.Deed{Verb: "wait", Does: "wait"})
	events := alone.lab().Run(script)
	f := gather(events, e.key(), 1)
	f.between(alone, e, script, 1)
	f.heals(e)
	s.verdict, s.Ends, s.Completes = f.verdict, f.ending(), f.completes()
	if e.cured != "" {
		s.Notes, s.Then = append(s.Notes, e.cured), f.judgement(e)
	}
	if of := e.judged; e.cured == "" && s.Completes && of != nil && of.State == judge.Stuck {
		s.Completes = false
		s.alarm(TrapStops, "is stuck already, and the change does not touch it: %s", of.Why)
		return s
	}
	if s.Completes {
		text := "It completes by itself" + f.proviso()
		if e.cured != "" {
			text = e.cured + ". Most likely it then completes by itself" + f.proviso()
		}
		s.alarm(TrapNotAtRest, "nothing changes in it, and it is not at rest: %s. %s", s.Shows, text)
		return s
	}
	s.Fix = alone.fix(e, script, events)
	if f.stuck != nil {
		s.alarm(TrapStops, "is stuck already, and the change does not touch it: %s%s", f.holds(), f.only())
		return s
	}
	s.alarm(TrapStops, "nothing changes in it, and %s", s.Ends)
	return s
}

// fix looks for the commands that lead out where a live set is stuck after the change; nil if none is known.
func (w *world) fix(e *edit, script play.Script, events []timeline.Event) *Fix {
	stuck := heal.Stuck{Key: e.key(), Lab: w.lab(), Before: script, Events: events, Again: e.again(), Wanted: true,
		Reverted: e.pair.operator.Reverts(e.key().Namespace)}
	if end := heal.End(events).Set(e.key()); end == nil || end.Spec == nil {
		return w.applyAgain(e, script, stuck.Again)
	}
	way, _ := stuck.Best()
	if way == nil || e.attached(events) {
		return nil
	}
	if way.Needs == "" {
		way.Needs = e.hopes(events, way)
	}
	return e.fixOf(&way.Way)
}

// hopes says what a fix takes for granted, since no pod shows it: that a new pod becomes Ready in the place of one that
// does not, with a template of which no pod is Ready yet. events is the run without the fix.
func (e *edit) hopes(events []timeline.Event, way *heal.Way) string {
	now := heal.End(events).Set(e.key())
	works := func(template int) bool {
		return now.Pods.Any(func(p *timeline.Pod) bool { return p.Template == template && p.Ready })
	}
	var names []string
	for p := range now.Pods.All {
		if p.Ready || p.Terminating || p.Silent || p.Node == "" {
			continue
		}
		if slices.ContainsFunc(way.Events, func(next timeline.Event) bool {
			return next.Kind == timeline.KindPod && next.Set == e.key() && next.Pod == p.Name &&
				next.State == timeline.Pending && next.UID != p.UID && !works(next.Template)
		}) {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "the new " + render.And(names) + render.Agree(len(names), " becomes Ready", " become Ready")
}

// attached says whether the set is stuck on a pod of the dump whose volume is attached to another node: what is played
// does not know that, and no change of the StatefulSet helps.
func (e *edit) attached(events []timeline.Event) bool {
	return e.part != nil && slices.ContainsFunc(events[len(events)-1].Result.Stuck, func(stuck timeline.Stuck) bool {
		return stuck.Set == e.key() && e.part.Attached(model.Key{Namespace: e.pair.Key.Namespace, Name: stuck.Why.Object})
	})
}

// fixOf is a way out of the set, as the plan prints it.
func (e *edit) fixOf(way *reasons.Way) *Fix {
	way.About = e.about()
	return &Fix{Commands: way.Commands, Danger: way.Danger, Needs: way.Needs, Reverts: way.Reverts,
		lead: way.Lead("to run after the change (verified by simulation). " + way.Line())}
}

// again returns the commands that apply the new manifest once more when a set is gone that is being deleted: what was
// applied before goes with it. There are none for any other set.
func (e *edit) again() play.Script {
	if !e.pair.deleting || e.pair.New == nil {
		return nil
	}
	return play.Script{heal.WaitGone(e.key()), e.applies()}
}

// applyAgain plays that for a set whose deletion ends by itself.
func (w *world) applyAgain(e *edit, script, again play.Script) *Fix {
	p := w.lab().Paste(script, again)
	if p.Hangs != "" || !heal.Whole(p.Events, e.key()) {
		return nil
	}
	way := reasons.Way{
		What: "applying again when the StatefulSet is gone", Commands: p.Commands, Replicas: int(e.wanted.Spec.Replicas),
		Deleted: play.Deleted(p.Events, e.key(), p.First),
	}
	way.Fewest, way.Takes = play.Cost(p.Events, e.key(), p.First)
	return e.fixOf(&way)
}

// assumptions lists what is assumed about the state with which a plan begins, because the first stream does not show
// it.
func (in *Input) assumptions() []string {
	if in.state != nil {
		return slices.Clone(in.state.Assumed)
	}
	for _, p := range in.Pairs {
		if p.status != nil && p.New != nil {
			return []string{"Assumed: all pods exist and are Ready, as the statuses say; the dump does not show them."}
		}
	}
	return nil
}

// released says whether a set belongs to the same Helm release as one of those in the new files, so that an upgrade of
// the release deletes it. Where the first stream is a file nobody knows better than it does.
func (in *Input) released(p *Pair) bool {
	if !p.live {
		return true
	}
	release := releaseOf(p.Old)
	return release != "" && slices.ContainsFunc(in.Pairs, func(other *Pair) bool {
		return other.New != nil && other.Old != nil && other.Key.Namespace == p.Key.Namespace &&
			releaseOf(other.Old) == release
	})
}

// releaseOf returns the Helm release that an object belongs to, "" if none.
func releaseOf(set *manifest.Set) string { return set.Object.Annotations["meta.helm.sh/release-name"] }

// untrusted names the sets about which nothing certain can be said, with the reason.
func untrusted(sets []*Set) []string {
	var list []string
	for _, s := range sets {
		if s.doubt != "" {
			list = append(list, s.key.String()+" ("+s.doubt+")")
		}
	}
	return list
}

// warnings returns the lines at the top of a plan: what cannot be trusted in it, or what is assumed because the pods
// are missing.
func (plan *Plan) warnings() []string {
	lines := slices.Clone(plan.Warnings)
	switch {
	case len(plan.Untrusted) > 0:
		return append(lines, "NOT TO BE TRUSTED: "+render.List(plan.Untrusted, mostAlarmed)+". The plan assumes that all "+
			"pods exist and are Ready, because the dump does not show them. Dump them too: "+dump.Command)
	case !plan.live:
		return append(lines, plan.Assumed...)
	}
	return lines
}
