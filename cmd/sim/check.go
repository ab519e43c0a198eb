package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
)

func newCheckCmd(s *answer.Console) *cobra.Command {
	o := &answer.Check{Call: answer.Call{Console: s}}
	cmd := &cobra.Command{
		Use:     "check TIMELINE EXPECTATIONS",
		Short:   "Check expectations against a recorded timeline",
		GroupID: groupPlay,
		Args:    exactly(2, "TIMELINE and EXPECTATIONS"),
		RunE:    asks(&o.Call, o.Answer),
	}
	addLimitFlags(cmd, &o.World.Limits)
	return cmd
}
