package explain

import (
	"strings"

	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/sim/gate"
)

// Ask adds to each set whose pods the dump shows what deploy tools say that wait for it from the instant of the dump
// on.
func (b *Begun) Ask(gates []*gate.Gate) {
	if len(gates) == 0 {
		return
	}
	for _, s := range b.Sets {
		if s.Unknown == "" {
			s.Gates = gated.Of(b.view.run.Events, b.view.run.First()-1, s.Key(), gates)
		}
	}
}

// await notes what waits rightly for each fix that heals the set, from its last command on.
func (s *DumpedSet) await() {
	for i := range s.WaysOut {
		way := &s.WaysOut[i]
		last := len(way.Events) - 1
		for last >= 0 && way.Events[last].Step == nil {
			last--
		}
		if way.Heals && last >= 0 {
			way.Wait = gated.Waits(way.Events, last, s.Key())
		}
	}
}

// waiting says what the tools say, a line each, with their words.
func (s *DumpedSet) waiting() []string {
	var lines []string
	for _, a := range s.Gates {
		line := a.Gate + " " + a.Verdict()
		if a.Message != "" {
			line += ". It says: " + strings.ReplaceAll(a.Message, "\n", "; ")
		}
		lines = append(lines, line)
	}
	return lines
}
