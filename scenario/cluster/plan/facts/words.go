package facts

import (
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// LongestMessage is the length up to which a message of the API server is shown.
const LongestMessage = 320

// Message is a message of the API server. A long one loses its middle, a value most of the time: what is wrong with the
// value comes last.
func Message(text string) string {
	letters := []rune(text)
	if len(letters) <= LongestMessage {
		return text
	}
	return string(letters[:LongestMessage/2]) + " … " + string(letters[len(letters)-LongestMessage/3:])
}

// Serve says how many pods serve at least.
func (f *Facts) Serve() string { return Serve(f.Fewest, f.Replicas) }

// Ending says how the run ends for the set.
func (f *Facts) Ending() string {
	if f.Gone {
		return "the set is gone: somebody has deleted it"
	}
	switch f.Verdict {
	case timeline.Settled:
		return "the change completes" + f.Proviso()
	case timeline.IsStuck:
		return "the change gets stuck: " + f.Holds()
	case timeline.Livelock:
		return "the controller " + reasons.NeverConverges
	case timeline.WasRefused:
		return "it is refused"
	}
	return "the change does not end within the limits of a run"
}

// Proviso ends a sentence about a set that completes.
func (f *Facts) Proviso() string {
	if f.Provided == "" {
		return ""
	}
	return ", " + f.Provided
}

// Holds says what holds up a set that is stuck, and when it continues after all.
func (f *Facts) Holds() string {
	text := f.Stuck.Why.Sentence()
	if f.Stuck.Error != "" {
		text += ": " + render.Shorten(f.Stuck.Error, LongestMessage)
	}
	return text + f.Unplaced + f.only()
}

// only says when a set that is stuck on a pod continues after all, "" if it never does.
func (f *Facts) only() string {
	switch {
	case f.When != "":
		return "; it continues " + f.When
	case f.Comes == "":
		return ""
	case f.Then.Completes():
		return "; it continues " + dump.BetweenTwo(f.Comes) + ", and may then complete"
	}
	return "; it continues " + dump.BetweenTwo(f.Comes)
}
