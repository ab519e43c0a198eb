// Package check is the command sim check: it checks a recorded timeline against a scenario.
package check

import (
	"cmp"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Command holds the arguments of `sim check`: a timeline and expectations. Only the limits of the world have flags,
// since nothing is played.
type Command struct{ command.Call }

// Answer judges the timeline and prints the verdicts. The error is errFailed if an expectation does not hold, or the
// run did not end as expected. The timeline is read once and need not fit into memory as text; its events must.
func (o *Command) Answer() error {
	if err := files.OnceStdin(o.Args); err != nil {
		return err
	}
	expectations, err := o.From().Open(o.Args[1], o.World.Limits.FileSize)
	if err != nil {
		return err
	}
	p, err := o.Engine.Check(o.From().OpenLive(o.Args[0]), expectations, &o.World)
	if err != nil {
		return err
	}
	if !p.OK {
		p.Fail(shell.Line("sim", "check", o.Args[0], o.Args[1]))
	}
	return cmp.Or(report.Judgement(o.Out, &p.Run, o.Style()), command.Outcome(p))
}
