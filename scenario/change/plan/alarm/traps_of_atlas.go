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

// TrapsOf returns the traps of the atlas that the version has, and that the change of one of these sets can run into.
// Each trap that fits is played on the version.
func TrapsOf(sets []*stored.Set, version string) (traps []*atlas.Trap) {
	for i := range atlas.Traps {
		t := &atlas.Traps[i]
		if !slices.ContainsFunc(sets, func(s *stored.Set) bool { return meets(t, s) }) {
			continue
		}
		if shown, err := t.On(version); err == nil && shown.Has {
			traps = append(traps, t)
		}
	}
	return traps
}

// meets says whether the change of a set can run into a trap. What the API server refuses is what the new files ask for.
func meets(t *atlas.Trap, s *stored.Set) bool {
	if t.Refusal {
		return s.Fate == stored.Refused && s.Fresh != nil && t.Meets(s.Live, s.Fresh)
	}
	return s.Wanted != nil && t.Meets(s.Live, s.Wanted)
}

// ofTraps adds the alarms about traps of the atlas, and about the cases that people should look at. A case that shows a
// trap is printed with the alarm. A trap that a case can show, and none does, is only a note.
func (s *Subject) ofTraps(alarms []Alarm) (_ []Alarm, notes []string) {
	var cases []*run.Case
	if s.Run != nil {
		cases = slices.DeleteFunc(slices.Clone(s.Run.Cases), func(c *run.Case) bool { return c.Usual || c.Unprobed() })
	}
	for _, t := range s.Traps {
		if !meets(t, s.Set) || t.Name == "claims-lost" && slices.ContainsFunc(alarms, func(a Alarm) bool {
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
		before := !t.Common && s.Live != nil && t.Fits(s.Live)
		alarms = known(s.add(alarms, t.Name, "%s Way out: %s See %s", text, t.WayOut, see), before)
	}
	for _, c := range cases {
		alarms = s.add(alarms, c.Name, "if %s: %s", c.Asks, c.Outcome)
	}
	return alarms, notes
}
