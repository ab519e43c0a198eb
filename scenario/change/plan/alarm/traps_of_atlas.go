package alarm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/search/atlas"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

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
		see := shell.Line("sim", "atlas", t.Name)
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
