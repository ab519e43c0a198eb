package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
	"github.com/statefulsim/statefulsim/scenario/runs/sweep"
)

func newSweepCmd(s *answer.Console) *cobra.Command {
	o := &answer.Sweep{Call: answer.Call{Console: s}}
	cmd := &cobra.Command{
		Use:               "sweep FILE...",
		Short:             "Play scenarios with many seeds and sum up the results",
		GroupID:           groupPlay,
		Args:              atLeastOne("FILE"),
		ValidArgsFunction: yamlFiles,
		RunE:              asks(&o.Call, o.Answer),
	}
	flags := cmd.Flags()
	addOutput(cmd, &o.Output, sweep.Formats)
	flags.IntVar(&o.Runs, "runs", 1000, "how many seeds to play")
	addJobs(cmd, &o.Workers)
	flags.Var(shardFlag(&o.Shard), "shard", "play only part `I/N` of the seeds, I from 0")
	flags.StringArrayVar(&o.Require, "require", nil, requireSweepUsage)
	addShards(flags, &o.Shards)
	addWorldFlags(cmd, &o.World, s)
	flags.Lookup("seed").Usage = "the first seed; the runs use this one and those after it"
	return cmd
}

// requireSweepUsage is the help of --require.
const requireSweepUsage = "fail unless this `REQUIREMENT` holds: 'held >= 99', 'p99 <= 10m', 'minReady >= 2'"
