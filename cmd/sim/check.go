package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/report"
)

// checkOptions are the arguments of `sim check`.
type checkOptions struct {
	*streams
	engine *engine
	color  *colorChoice
	// timeline and expectations are paths, of which at most one is stdin. Of the world only the limits have flags:
	// nothing is played.
	timeline, expectations string
	world                  worldOptions
}

func newCheckCmd(s *streams, e *engine, color *colorChoice) *cobra.Command {
	o := &checkOptions{streams: s, engine: e, color: color}
	cmd := &cobra.Command{
		Use:     "check TIMELINE EXPECTATIONS",
		Short:   "Check expectations against a recorded timeline",
		GroupID: groupPlay,
		Args:    exactly(2, "TIMELINE and EXPECTATIONS"),
		RunE: action(func(_ *cobra.Command, args []string) error {
			o.timeline, o.expectations = args[0], args[1]
			return o.check()
		}),
	}
	addLimitFlags(cmd, &o.world.limits)
	return cmd
}

// check judges the timeline and prints the verdicts. The error is errFailed if an expectation does not hold, or the run
// did not end as expected. The timeline is read once and need not fit into memory as text; its events must.
func (o *checkOptions) check() error {
	if err := o.world.check(); err != nil {
		return err
	}
	if err := files.OnceStdin([]string{o.timeline, o.expectations}); err != nil {
		return err
	}
	expectations, err := o.from().Open(o.expectations, o.world.limits.FileSize)
	if err != nil {
		return err
	}
	p, err := o.engine.check(o.from().OpenLive(o.timeline), expectations, &o.world)
	if err != nil {
		return err
	}
	if !p.OK {
		p.Fail(command.Line("sim", "check", o.timeline, o.expectations))
	}
	if err := report.Judgement(o.out, &p.Run, o.style(*o.color)); err != nil {
		return err
	}
	if !p.OK {
		return errFailed
	}
	return nil
}
