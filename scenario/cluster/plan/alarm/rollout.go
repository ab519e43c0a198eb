package alarm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/run"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/runs/atlas"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

func (s *Subject) ofRollout(alarms []Alarm) []Alarm {
	f := s.Run.Main
	alarms = s.ofScratch(s.ofVolumes(alarms))
	if lost := s.lostOrdinals(); lost != "" {
		alarms = s.add(alarms, TrapOrdinals, "%s", lost)
	}
	switch {
	case f.Verdict == timeline.Livelock:
		alarms = s.add(alarms, TrapLoop, "%s", s.Run.Ends(s.Set))
	case !f.Completes() && !s.Run.Young(s.Set):
		alarms = s.add(alarms, TrapStops, "%s", s.Run.Ends(s.Set))
	case f.Provided != "":
		alarms = s.add(alarms, TrapNotAtRest, "%s", s.Run.Ends(s.Set))
	}
	down, may := f.Moves.Of(run.Replaced).Together(), s.Wanted.MayBeDown()
	switch {
	case down > may:
		alarms = s.add(alarms, TrapUnavailable, "up to %d pods are down at once, and %s, although maxUnavailable is %d%s",
			down, f.Serve(), may, becauseYoung(s.Set))
	case f.Fewest == 0 && f.Before > 1 && f.Replicas > 0:
		alarms = s.add(alarms, TrapUnavailable, "at times none of its pods serves")
	}
	if f.Before > 0 && f.Replicas == 0 {
		alarms = s.add(alarms, TrapNone, "scales to 0: nothing serves afterwards")
	}
	for _, b := range s.Run.Budgets {
		if !b.Kept() {
			alarms = s.add(alarms, TrapBudget, "goes %s", b.Short())
		}
	}
	return s.ofTrust(alarms)
}

// ofVolumes adds the alarms about the claims that go on the way: those that a scale-down deletes, and those that
// somebody has deleted before. The latter exist only as long as their pods do (the finalizer pvc-protection).
func (s *Subject) ofVolumes(alarms []Alarm) []Alarm {
	doomed := slices.DeleteFunc(slices.Clone(s.Run.Main.Volumes), func(name string) bool { return !s.terminating(name) })
	scaled := s.scaledAway()
	if n := len(scaled); n > 0 {
		alarms = s.add(alarms, TrapVolumes, "deletes %s permanently, with %s (whenScaled: Delete)", render.List(scaled, 4),
			render.Agree(n, "its volume", "their volumes"))
	}
	if n := len(doomed); n > 0 {
		alarms = s.add(alarms, TrapVolumes, "loses %s permanently, with %s: %s been deleted already, and only the running "+
			"%s; before you apply this, sim explain DUMP says how to save the data", render.List(doomed, 4),
			render.Agree(n, "its volume", "their volumes"), render.Agree(n, "it has", "they have"),
			render.Agree(n, "pod keeps it", "pods keep them"))
	}
	return alarms
}

// scaledAway are the claims that go because of a scale-down.
func (s *Subject) scaledAway() []string {
	return slices.DeleteFunc(slices.Clone(s.Run.Main.Volumes), s.terminating)
}

func (s *Subject) terminating(claim string) bool {
	if s.Part == nil {
		return false
	}
	found := s.Part.Claim(model.Key{Namespace: s.Pair.Key.Namespace, Name: claim})
	return found != nil && found.Terminating()
}

// becauseYoung says why more pods are down at once than maxUnavailable says, if the reason is known.
func becauseYoung(s *stored.Set) string {
	if s.Wanted.Spec.MinReadySeconds == 0 || s.Wanted.Spec.PodManagement != model.Parallel {
		return ""
	}
	return ": a pod that has been Ready for less than minReadySeconds counts as broken. Change minReadySeconds alone, " +
		"wait for that long, and then make the change"
}

func (s *Subject) ofTrust(alarms []Alarm) []Alarm {
	switch {
	case s.Input.State != nil && s.Input.State.Going[s.Key().Namespace] != nil:
		alarms = s.add(alarms, TrapNotAtRest, "its namespace %s is being deleted: the change is lost with it, so apply it "+
			"again when the namespace is gone and created again", s.Key().Namespace)
	case s.Pair.Deleting:
		alarms = s.add(alarms, TrapNotAtRest, "somebody has deleted it: the change is lost with it, so apply it again when "+
			"the set is gone")
	case s.Early() != "":
		alarms = s.add(alarms, TrapNotAtRest, "%s", s.Early())
	case s.Doubt() != "":
		alarms = s.add(alarms, TrapNotAtRest, "do not trust this plan: %s, the dump does not show the pods, and the plan "+
			"assumes that the set is at rest", s.Doubt())
	}
	restarts := len(s.Run.Main.Moves.Of(run.Replaced))
	if restarts > 1 && run.Unprobed(s.Wanted.Spec.Template) {
		alarms = s.add(alarms, TrapReady, "the pods have no readiness probe: nothing waits for the application, and a pod "+
			"that runs counts as serving%s", s.crashing())
		alarms = known(alarms, s.Live != nil && run.Unprobed(s.Live.Spec.Template) &&
			within(containers(s.Wanted), containers(s.Live)))
	}
	if list := gates(s.Wanted); restarts > 0 && len(list) > 0 {
		alarms = s.add(alarms, TrapGate, "the pods have readiness gates (%s): the rollout waits until somebody sets their "+
			"conditions on each new pod; assumed: that happens at once", render.List(list, 3))
		alarms = known(alarms, s.Live != nil && within(list, gates(s.Live)))
	}
	return alarms
}

// within says whether a list has nothing that another one lacks.
func within(list, other []string) bool {
	return !slices.ContainsFunc(list, func(name string) bool { return !slices.Contains(other, name) })
}

func containers(set *model.StatefulSet) (names []string) {
	for _, c := range pair.SpecOf(set.Spec.Template).Containers {
		names = append(names, c.Name)
	}
	return names
}

func gates(set *model.StatefulSet) (conditions []string) {
	for _, g := range pair.SpecOf(set.Spec.Template).ReadinessGates {
		conditions = append(conditions, string(g.ConditionType))
	}
	return conditions
}

func (s *Subject) crashing() string {
	for _, c := range s.Run.Cases {
		if c.Unprobed() {
			return ". If the new revision crashes, the rollout continues, and " + render.Serve(c.Fewest, s.Run.Main.Replicas)
		}
	}
	return ""
}

// lostOrdinals says which pods go for good when ordinals.start changes, and which come in their place; "" if none goes.
func (s *Subject) lostOrdinals() string {
	gone, made := s.Run.Main.Moves.Of(run.Removed), s.Run.Main.Moves.Of(run.Created)
	if !s.Renumbers() || len(gone) == 0 {
		return ""
	}
	text := fmt.Sprintf("ordinals.start moves from %d to %d: %s %s deleted for good", s.Live.Start(), s.Wanted.Start(),
		gone.Pods(), render.Agree(len(gone), "is", "are"))
	claims := len(s.Wanted.Spec.ClaimTemplates) > 0
	if claims && !retention(&s.Wanted.Spec).DeleteWhenScaled {
		text += " (" + render.Agree(len(gone), "its", "their") + " claims stay, and no pod uses them)"
	}
	if len(made) == 0 {
		return text
	}
	text += "; " + made.Pods() + " " + render.Agree(len(made), "starts", "start")
	switch {
	case claims && !s.hasClaims(made):
		text += " with new, empty claims"
		if s.Part == nil || s.Part.Claimless {
			text += ", unless claims of " + render.Agree(len(made), "its name", "their names") + " are left from before"
		}
		return text
	case claims:
		return text + " with the claims of " + render.Agree(len(made), "its own name", "their own names")
	}
	return text + " anew"
}

func (s *Subject) hasClaims(moves run.Moves) bool {
	if s.Part == nil {
		return false
	}
	return slices.ContainsFunc(s.Wanted.Spec.ClaimTemplates, func(t model.ClaimTemplate) bool {
		return slices.ContainsFunc(moves, func(m run.Move) bool {
			return s.Part.Claim(model.Key{Namespace: s.Pair.Key.Namespace, Name: t.Name + "-" + m.Pod}) != nil
		})
	})
}

// shows are, by the trap of the atlas, the cases of a plan in which a set runs into it; loops says whether the case
// must end in a livelock for that.
var shows = map[string]struct {
	cases []string
	loops bool
}{
	"hot-loop":               {[]string{"unready", "restart", "node", "slow", "broken"}, true},
	"hot-loop-second-change": {[]string{"again"}, true},
	"young-pods":             {[]string{"young", "again"}, false},
}

// TrapsOf returns the traps of the atlas that the version has, that few sets can run into, and that one of these sets
// can run into. Each trap that fits is played on the version.
func TrapsOf(sets []*stored.Set, version string) []*atlas.Trap {
	return slices.DeleteFunc(atlas.Unusual(), func(t *atlas.Trap) bool {
		if !slices.ContainsFunc(sets, func(s *stored.Set) bool { return s.Wanted != nil && t.Fits(s.Wanted) }) {
			return true
		}
		shown, err := t.On(version)
		return err != nil || !shown.Has
	})
}

// ofTraps adds the alarms about traps of the atlas, and about the cases that people should look at. A case that shows a
// trap is printed with the alarm. A trap that a case can show, and none does, is only a note.
func (s *Subject) ofTraps(alarms []Alarm) (_ []Alarm, notes []string) {
	var cases []*run.Case
	if s.Run != nil {
		cases = slices.DeleteFunc(slices.Clone(s.Run.Cases), func(c *run.Case) bool { return c.Usual || c.Unprobed() })
	}
	for _, t := range s.Traps {
		if !t.Fits(s.Wanted) || t.Name == "claims-lost" && slices.ContainsFunc(alarms, func(a Alarm) bool {
			return strings.Contains(a.Sentence, "whenScaled")
		}) {
			continue
		}
		text := "can run into the known trap " + t.Name + ": " + t.Title
		shown := false
		show, played := shows[t.Name]
		cases = slices.DeleteFunc(cases, func(c *run.Case) bool {
			is := slices.Contains(show.cases, c.Name) && show.loops == c.Loops
			if is && !shown {
				text += fmt.Sprintf(" If %s: %s.", c.Asks, c.Outcome)
				shown = true
			}
			return is
		})
		see := command.Line("sim", "atlas", t.Name)
		if played && !shown {
			notes = append(notes, fmt.Sprintf("it has the settings of the known trap %s (see %s), but no run of this plan "+
				"falls into it", t.Name, see))
			continue
		}
		alarms = known(s.add(alarms, t.Name, "%s Way out: %s See %s", text, t.WayOut, see), s.Live != nil && t.Fits(s.Live))
	}
	for _, c := range cases {
		alarms = s.add(alarms, c.Name, "if %s: %s", c.Asks, c.Outcome)
	}
	return alarms, notes
}
