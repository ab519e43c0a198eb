package plan

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/scenario/atlas"
	"github.com/statefulsim/statefulsim/sim/command"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// shows are, by the trap of the atlas, the cases of a plan in which a set runs into it; loops says whether the case
// must end in a livelock for that.
var shows = map[string]struct {
	cases []string
	loops bool
}{
	"hot-loop":               {[]string{"unready", "restart", "node", "slow", broken}, true},
	"hot-loop-second-change": {[]string{"again"}, true},
	"young-pods":             {[]string{"young", "again"}, false},
}

// trapsOf returns the traps of the atlas that the version has, that few sets can run into, and that one of these sets
// can run into. Each trap that fits is played on the version.
func trapsOf(edits []*edit, version string) []*atlas.Trap {
	return slices.DeleteFunc(atlas.Unusual(), func(t *atlas.Trap) bool {
		fits := func(e *edit) bool { return e.trapped(t) }
		if !slices.ContainsFunc(edits, fits) {
			return true
		}
		shown, err := t.On(version)
		return err != nil || !shown.Has
	})
}

// trapped says whether a set that changes or is created can run into a trap.
func (e *edit) trapped(t *atlas.Trap) bool {
	return e.set != nil && e.wanted != nil && t.Fits(e.wanted)
}

// warnOfTraps adds the alarms about traps of the atlas. A trap that a case can show, and none does, is only a note. It
// returns the other cases that people should look at; a case
// that shows a trap is printed with the alarm.
func (e *edit) warnOfTraps(traps []*atlas.Trap) []*Case {
	cases := slices.DeleteFunc(slices.Clone(e.set.Cases), func(c *Case) bool { return c.Usual || c.unprobed() })
	for _, t := range traps {
		if !e.trapped(t) || t.Name == "claims-lost" && e.set.losesVolumes() {
			continue
		}
		text := "can run into the known trap " + t.Name + ": " + t.Title
		shown := false
		show, played := shows[t.Name]
		cases = slices.DeleteFunc(cases, func(c *Case) bool {
			is := slices.Contains(show.cases, c.Name) && show.loops == c.loops
			if is && !shown {
				text += fmt.Sprintf(" If %s: %s.", c.Asks, c.outcome)
				shown = true
			}
			return is
		})
		if played && !shown {
			e.set.Notes = append(e.set.Notes, fmt.Sprintf("it has the settings of the known trap %s (see %s), but no "+
				"run of this plan falls into it", t.Name, command.Line("sim", "atlas", t.Name)))
			continue
		}
		e.set.alarm(t.Name, "%s Way out: %s See %s", text, t.WayOut, command.Line("sim", "atlas", t.Name))
	}
	return cases
}

// losesVolumes says whether there is already an alarm about deleted volumes.
func (s *Set) losesVolumes() bool {
	return slices.ContainsFunc(s.alarms, func(a Alarm) bool { return a.Trap == TrapVolumes || a.Trap == TrapRetention })
}

// loops says whether a run ends in a livelock.
func loops(f *facts) bool { return f.verdict == timeline.Livelock }
