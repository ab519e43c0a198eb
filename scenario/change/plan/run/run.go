// Package run plays the change of each set, and what may go wrong with it.
package run

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Run is what was played of a set and its change. It is shared by all sets of a shape, under their names.
type Run struct {
	// Main is the run in which nothing goes wrong, with the fewest serving pods of all runs if times are drawn.
	Main     *Facts
	Duration Duration
	// Budgets are the PodDisruptionBudgets of the set's pods, and Cases what happens if something goes wrong.
	Budgets []*Budget
	Cases   []*Case
	// Fix leads out where the set gets stuck; nil if none is needed or known.
	Fix *Fix
	// Gates is what the deploy tools say that wait for the change.
	Gates []*gated.Answer
}

// job is a world to be played for one set, or for a stand-in of several that are alike.
type job struct {
	world   *World
	set     *stored.Set
	budgets []*model.Budget
}

// All plays the changes of the sets of a world. Sets that share a budget are played in one world; sets that are alike
// are played once. first is true for the version that the plan is for: only that is sampled. The runs are in the order
// of the sets, nil for one that does not change, or whose run ended before the change.
func All(w *World, budgets []*model.Budget, first bool) []*Run {
	var jobs []job
	of, known := make([]int, len(w.Sets)), map[string]int{}
	for i, s := range w.Sets {
		of[i] = -1
		if s.Fate != stored.Accepted {
			continue
		}
		j := jobOf(w, s, budgets)
		if len(j.world.Sets) > 1 || !hasStandIn(s) {
			of[i], jobs = len(jobs), append(jobs, j)
			continue
		}
		shape := ""
		if len(w.Sets) > 1 {
			shape = shapeOf(s)
		}
		at, played := known[shape]
		if !played {
			stand := s.Stands(model.Key{Namespace: standInNamespace, Name: standIn})
			at, known[shape] = len(jobs), len(jobs)
			jobs = append(jobs, job{w.Of(stand), stand, nil})
		}
		of[i] = at
	}
	played := make([]*Run, len(jobs))
	w.Each.Do(len(jobs), func(i int) {
		if !w.Ends() {
			played[i] = jobs[i].play(first)
		}
	})
	runs := make([]*Run, len(w.Sets))
	for i, s := range w.Sets {
		if of[i] < 0 || played[of[i]] == nil {
			continue
		}
		runs[i] = played[of[i]]
		if jobs[of[i]].set != s {
			runs[i] = runs[i].under(s, Covering(budgets, s))
		}
	}
	return runs
}

// jobOf returns the world in which a set is played: with those that share a budget with it.
func jobOf(w *World, s *stored.Set, budgets []*model.Budget) job {
	over := Covering(budgets, s)
	return job{w.Of(w.Sharing(s, over)...), s, over}
}

// Covering returns the budgets that select the pods of a set.
func Covering(budgets []*model.Budget, s *stored.Set) []*model.Budget {
	return slices.DeleteFunc(slices.Clone(budgets), func(b *model.Budget) bool {
		return !b.Covers(s.Pair.Key.Namespace, s.Newest().Spec.Template.Labels)
	})
}

// play plays the change of one of the sets of a world, and what may go wrong with it; nil if the run ended before the
// change. Nothing that is played changes, so several may be played at once.
func (j job) play(first bool) *Run {
	w, s := j.world.Begun(), j.set
	script := w.Change()
	events := w.Lab().Run(script)
	at := play.StepAt(events, len(script))
	if at < 0 {
		return nil
	}
	main := Doubted(w, s, script, events)
	m := measured{w, script, s, main}
	r := Run{Main: main, Budgets: Hold(j.budgets, events, main.Begin, at), Duration: m.duration()}
	if s.Wanted != nil {
		r.Gates = mended(w, s, gated.Of(events, at, s.Key(), w.Gates))
	}
	if s.Live != nil && !main.Gone && !w.Ends() {
		r.Cases = subjectOf(w, s, main, j.budgets, r.Budgets).cases()
	}
	if s.Part != nil && (main.Verdict == timeline.IsStuck || main.Gone) && !s.Young(main.Stuck) {
		r.Fix = FixOf(w, s, script, events)
	}
	r.Main = main.Slim()
	if first {
		r.Duration, r.Main.Fewest = m.sampled(r.Duration)
	}
	if s.Live == nil {
		r.Budgets = nil
	}
	return &r
}

// Young says whether the set is stuck on a pod of which it is too early to say that it does not become Ready.
func (r *Run) Young(s *stored.Set) bool { return s.Young(r.Main.Stuck) }

// Ends says how the change of the set ends.
func (r *Run) Ends(s *stored.Set) string {
	if r.Young(s) {
		return "it is too early to say: " + r.Main.Stuck.Why.Object + " may become Ready. If it does not, " + r.Main.Ending()
	}
	return r.Main.Ending()
}

// under returns the run of a stand-in under the name of a set, with the budgets that select pods of this set only.
func (r *Run) under(s *stored.Set, budgets []*model.Budget) *Run {
	names := strings.NewReplacer(standIn, s.Pair.Key.Name, standInNamespace, s.Pair.Key.Namespace)
	as := &Run{Main: r.Main.Renamed(names, s.Pair.Key), Duration: r.Duration}
	left := func(fewest int) []*Budget {
		return Alone(budgets, as.Main.Replicas, fewest, as.Main.Before, as.Main.Serving)
	}
	if s.Live != nil {
		as.Budgets = left(as.Main.Fewest)
	}
	for _, a := range r.Gates {
		as.Gates = append(as.Gates, a.Renamed(names))
	}
	for _, c := range r.Cases {
		as.Cases = append(as.Cases, c.renamed(names).under(Unkept(left(c.Fewest), as.Budgets)))
	}
	return as
}

// Doubted gathers the facts of a run whose last step is the change, with what comes of it if doubts come true.
func Doubted(w *World, s *stored.Set, script play.Script, events []timeline.Event) *Facts {
	f := *Gather(events, s.Key(), len(script))
	if s.Part == nil {
		return &f
	}
	if pod := s.Part.ReadyAgain(f.Stuck); pod != "" {
		if lab, any := w.BetweenCrashes(s); any {
			f.Comes, f.Then = pod, Gather(lab.Run(script), s.Key(), len(script))
		}
	}
	if f.Stuck != nil {
		f.When = s.Part.Heals(model.Key{Namespace: s.Pair.Key.Namespace, Name: f.Stuck.Why.Object})
	}
	f.Provided = provided(s, &f)
	return &f
}

// provided says what must be true, and the dump does not show, so that a set completes after its change.
func provided(s *stored.Set, f *Facts) string {
	at := slices.IndexFunc(s.Part.State.Sets, func(set *model.StatefulSet) bool { return set.Key() == s.Pair.Key })
	if at < 0 || !f.Completes() {
		return ""
	}
	set := *s.Part.State.Sets[at]
	if s.Wanted != nil {
		set.Spec.MinReadySeconds, set.Spec.PodManagement = s.Wanted.Spec.MinReadySeconds, s.Wanted.Spec.PodManagement
		if s.Rolls() {
			set.Status.UpdateRevision = ""
		}
	}
	return s.Part.Provided(&set)
}

// Replay plays a case again, with the fix as its last steps: runs are not kept, a plan may have thousands.
func Replay(w *World, budgets []*model.Budget, s *stored.Set, c *Case) []timeline.Event {
	w = jobOf(w, s, budgets).world
	change := w.Change()
	of := subjectOf(w, s, Gather(w.Lab().Run(change), s.Key(), len(change)), nil, nil)
	p := of.play(c.kind)
	if !c.Trap || c.Prevents {
		return p.events
	}
	stuck := of.stuck(p)
	way, _ := stuck.Best()
	if c.kind.Node {
		way = stuck.Released()
	}
	if way != nil {
		return way.Events
	}
	return p.events
}
