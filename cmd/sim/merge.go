package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
)

func newMergeCmd(s *answer.Console) *cobra.Command {
	o := &answer.Merge{Explore: answer.Explore{Call: answer.Call{Console: s}}}
	cmd := &cobra.Command{
		Use:     "merge REPORT...",
		Short:   "Merge the reports of sim explore --shard or sim sweep --shard",
		GroupID: groupPlay,
		Args:    atLeastOne("REPORT"),
		RunE:    asks(&o.Call, o.Answer),
	}
	flags := cmd.Flags()
	addOutput(cmd, &o.Output, answer.MergeFormats)
	flags.StringArrayVar(&o.Require, "require", nil, "for reports of sim sweep: "+requireSweepUsage)
	addLimitFlags(cmd, &o.World.Limits)
	return cmd
}
