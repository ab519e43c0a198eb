package report

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/page"
	"github.com/statefulsim/statefulsim/sim/reasons"
)

// Cure is a way out for a set that is stuck at the end of a run. It was played behind the run, and it healed the set.
type Cure struct {
	Set model.Key
	reasons.Way
}

// cures writes the ways out, or else the command that looks for the reason.
func (p sheet) cures(run *Run) {
	for i := range run.Cures {
		cure, tone := &run.Cures[i], page.Good
		if cure.Danger != "" {
			tone = page.Bad
		}
		p.Wrapped("  ", "Fix (verified by simulation). "+cure.Line()+":", tone)
		for _, command := range cure.Commands {
			p.Verbatim(4, command, page.Bold)
		}
	}
	if run.Explain != "" {
		p.Verbatim(2, "try: "+run.Explain, page.Plain)
	}
}
