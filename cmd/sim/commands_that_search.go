package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	explorecmd "github.com/statefulsim/statefulsim/cmd/sim/command/explore"
	mergecmd "github.com/statefulsim/statefulsim/cmd/sim/command/merge"
	sweepcmd "github.com/statefulsim/statefulsim/cmd/sim/command/sweep"
	"github.com/statefulsim/statefulsim/scenario/search/explore"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
	"github.com/statefulsim/statefulsim/scenario/search/sweep"
)

func newExploreCmd(s *command.Console) *cobra.Command {
	o := &explorecmd.Command{Call: command.Call{Console: s}}
	cmd := &cobra.Command{
		Use:               "explore FILE... | explore OLD NEW | explore DUMP [NEW]",
		Short:             "Search for runs of a scenario that break a promise",
		GroupID:           groupPlay,
		Args:              atLeastOne(fileOrStdin),
		ValidArgsFunction: yamlFiles,
		RunE:              cli.Asks(&o.Call, o.Answer),
	}
	flags := cmd.Flags()
	flags.IntVar(&o.Deviations, "deviations", 0, "the most deviations from the plain run (default 3, or what "+
		"the file says)")
	flags.IntVar(&o.Runs, "runs", 10_000, "the most runs of each file on each version")
	flags.DurationVar(&o.ForTime, "for", 0, "end the search after this real time, and say how far it got")
	flags.BoolVar(&o.Random, "random", false, "choose all runs with more than one deviation at random")
	flags.StringSliceVar(&o.Promises, "promise", nil, "check only these `PROMISES`")
	flags.StringSliceVar(&o.Without, "no-promise", nil, "do not check these `PROMISES`")
	flags.BoolVar(&o.All, "all", false, "check all promises, including those on request")
	flags.StringSliceVar(&o.Waive, "waive", nil, "do not fail because of the known traps with these `NAMES`; "+
		explore.Everything+" waives all of them")
	flags.Var(shardFlag(&o.Shard), "shard", "search only part `I/N`, I from 0; sim merge puts the parts together")
	addShards(flags, &o.Shards)
	flags.StringVar(&o.Replay, "replay", "", "play the run of this `TOKEN` again, and print its timeline")
	flags.StringVar(&o.Write, "write", "", "write a scenario for each finding into this `DIR`")
	cli.AddOutput(cmd, &o.Output, explore.Formats)
	addJobs(cmd, &o.Workers)
	cli.Complete(cmd, "promise", explore.PromiseNames())
	cli.Complete(cmd, "no-promise", explore.PromiseNames())
	cli.Complete(cmd, "waive", explore.WaiverNames())
	cli.AddWorldFlags(cmd, &o.World, s)
	return cmd
}

// promiseHelp is the list of promises.
func promiseHelp() string {
	var rows [][2]string
	for _, p := range promise.All {
		says := p.Says
		if p.OnRequest {
			says = "(on request) " + says
		}
		rows = append(rows, [2]string{string(p.Name), says})
	}
	return cli.Described(rows)
}

func newSweepCmd(s *command.Console) *cobra.Command {
	o := &sweepcmd.Command{Call: command.Call{Console: s}}
	cmd := &cobra.Command{
		Use:               "sweep FILE...",
		Short:             "Play scenarios with many seeds and sum up the results",
		GroupID:           groupPlay,
		Args:              atLeastOne(fileOrStdin),
		ValidArgsFunction: yamlFiles,
		RunE:              cli.Asks(&o.Call, o.Answer),
	}
	flags := cmd.Flags()
	cli.AddOutput(cmd, &o.Output, sweep.Formats)
	flags.IntVar(&o.Runs, "runs", 1000, "how many seeds to play")
	addJobs(cmd, &o.Workers)
	flags.Var(shardFlag(&o.Shard), "shard", "play only part `I/N` of the seeds, I from 0")
	flags.StringArrayVar(&o.Require, "require", nil, requireSweepUsage)
	addShards(flags, &o.Shards)
	cli.AddWorldFlags(cmd, &o.World, s)
	flags.Lookup("seed").Usage = "the first seed; the runs use this one and those after it"
	return cmd
}

// requireSweepUsage is the help of --require.
const requireSweepUsage = "fail unless this `REQUIREMENT` holds: 'held >= 99', 'p99 <= 10m', 'minReady >= 2'"

func newMergeCmd(s *command.Console) *cobra.Command {
	o := &mergecmd.Command{Command: explorecmd.Command{Call: command.Call{Console: s}}}
	cmd := &cobra.Command{
		Use:     "merge REPORT...",
		Short:   "Merge the reports of sim explore --shard or sim sweep --shard",
		GroupID: groupPlay,
		Args:    atLeastOne("REPORT"),
		RunE:    cli.Asks(&o.Call, o.Answer),
	}
	flags := cmd.Flags()
	cli.AddOutput(cmd, &o.Output, mergecmd.MergeFormats)
	flags.StringArrayVar(&o.Require, "require", nil, "for reports of sim sweep: "+requireSweepUsage)
	cli.AddLimitFlags(cmd, &o.World.Limits)
	return cmd
}
