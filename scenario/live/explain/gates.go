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
