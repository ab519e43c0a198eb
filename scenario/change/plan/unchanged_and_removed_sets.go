package plan

import (
	"fmt"

	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// resting is the document of a set that does not change, played without a change; nil for a set at rest.
func resting(w *run.World, s *stored.Set) *Set {
	set := blank(s)
	set.Does, set.Completes, set.Shows, set.doubt = Stays, true, s.Now, s.Doubt()
	switch disobeyed := s.Disobeyed(w.Profile.Version()); {
	case disobeyed != "":
		return set.alarmed(alarm.TrapStops, "nothing changes in it, but %s", disobeyed)
	case set.doubt != "":
		set.Shows = ""
		return set.alarmed(alarm.TrapNotAtRest, "nothing changes in it, but %s, and the dump does not show its pods: "+
			"whether it completes by itself is not known", set.doubt)
	case s.Now == "":
		return nil
	}
	if s.Judged != nil {
		set.Now, set.Then = &s.Judged.Judgement, &s.Judged.Judgement
	}
	if early := s.Early(); early != "" {
		set.Completes, set.young = false, true
		return set.alarmed(alarm.TrapNotAtRest, "nothing changes in it, and %s", early)
	}
	alone := w.Of(s.Still())
	script, _ := alone.Script(play.Deed{Verb: "wait", Does: "wait"})
	events := alone.Lab().Run(script)
	f := run.Doubted(alone, s, script, events)
	set.verdict, set.Ends, set.Completes = f.Verdict, f.Ending(), f.Completes()
	if s.Cured != "" {
		set.Notes = []string{s.Cured}
		_, set.Then = judgements(s, f)
	}
	if !f.Completes() {
		set.Fix = run.FixOf(alone, s, script, events)
	}
	return stuckOrNot(set, s, f)
}

func stuckOrNot(set Set, s *stored.Set, f *run.Facts) *Set {
	switch {
	case f.Completes() && s.Cured != "":
		return set.alarmed(alarm.TrapNotAtRest, "nothing changes in it, and it is not at rest: %s. %s. Most likely it then "+
			"completes by itself%s", s.Now, s.Cured, f.Proviso())
	case f.Completes() && s.Judged != nil && s.Judged.State == judge.Stuck:
		set.Completes = false
		return set.alarmed(alarm.TrapStops, "is stuck already, and the change does not touch it: %s", s.Judged.Why)
	case f.Completes():
		return set.alarmed(alarm.TrapNotAtRest, "nothing changes in it, and it is not at rest: %s. It completes by itself%s",
			s.Now, f.Proviso())
	case f.Stuck != nil && s.Cured != "":
		return set.alarmed(alarm.TrapStops, "is stuck already. %s, but that is not enough: %s", s.Cured, f.Holds())
	case f.Stuck != nil:
		return set.alarmed(alarm.TrapStops, "is stuck already, and the change does not touch it: %s", f.Holds())
	}
	return set.alarmed(alarm.TrapStops, "nothing changes in it, and %s", f.Ending())
}

// removed is the document of a set that left the files, with what deletes it; nil if nothing does. kubectl apply leaves
// it alone; helm upgrade and --prune delete it. If that deletes claims too, it is played.
func removed(w *run.World, s *stored.Set) *Set {
	if !s.Pair.Gone() || w.Ends() || !w.Input.Released(s.Pair) {
		return nil
	}
	set := blank(s)
	set.Does, set.Completes, set.Ends = Removes, true, "nothing happens until somebody deletes it"
	set.Headline = fmt.Sprintf("is not in the new files: helm upgrade and --prune delete it with its %s; kubectl apply "+
		"deletes nothing", render.Count(int(s.Live.Spec.Replicas), "pod"))
	if retention := s.Live.Spec.Retention; retention != nil && retention.DeleteWithSet {
		alone := w.Of(s.Still())
		script, _ := alone.Script(play.DeleteSet(s.Key(), sim.Background))
		set.Volumes = run.Gather(alone.Lab().Run(script), s.Key(), len(script)).Volumes
	}
	empty := ""
	if !w.Input.HasNew() {
		empty = ". NEW has no StatefulSet at all: check that it was rendered"
	}
	if len(set.Volumes) > 0 {
		return set.alarmed(alarm.TrapVolumes, "is not in the new files: if it is deleted (helm upgrade, --prune), so are %s "+
			"permanently, with their volumes (whenDeleted: Delete)%s", render.List(set.Volumes, 4), empty)
	}
	return set.alarmed(alarm.TrapRemoved, "%s%s", set.Headline, empty)
}
