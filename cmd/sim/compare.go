package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
)

func newCompareCmd(s *answer.Console) *cobra.Command {
	o := &answer.Compare{Call: answer.Call{Console: s}}
	cmd := &cobra.Command{
		Use:               "compare FILE...",
		Short:             "Play scenarios, or variants of one, side by side",
		GroupID:           groupPlay,
		Args:              atLeastOne("FILE"),
		ValidArgsFunction: yamlFiles,
		RunE:              asks(&o.Call, o.Answer),
	}
	addOutput(cmd, &o.Output, answer.CompareFormats)
	cmd.Flags().StringArrayVar(&o.With, "with", nil, "also play the scenario with these fields of its StatefulSets set: "+
		"`FIELD=VALUE,...`; may be repeated")
	addJobs(cmd, &o.Workers)
	addWorldFlags(cmd, &o.World, s)
	return cmd
}
