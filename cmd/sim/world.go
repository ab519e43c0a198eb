package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/scenario/answer"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

// addWorldFlags adds the flags that change the world of a scenario.
func addWorldFlags(cmd *cobra.Command, o *answer.World, s *answer.Console) {
	flags := cmd.Flags()
	flags.Var(versionFlag(o), "kubernetes", "play on this Kubernetes version, 1.36 or 1.35.2, or on each of A,B,...")
	flags.Var(gatesFlag(&o.Gates), "feature-gates", "set feature gates, A=true,B=false, in addition to the scenario's")
	flags.Var(seedFlag(&o.Seed), "seed", "the seed of random times and faults")
	flags.DurationVar(&o.Until, "until", 0, "stop at this virtual time even if unsettled (default: the scenario's until)")
	flags.StringVar(&o.Root, "root", "",
		"the `DIR` that manifest paths must stay in (default: the folder of the scenario)")
	addLimitFlags(cmd, &o.Limits)
	completeVersions(cmd, "kubernetes", s)
}

// completeVersions lets the shell complete a flag with the versions of Kubernetes.
func completeVersions(cmd *cobra.Command, flag string, s *answer.Console) {
	versions := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return s.Engine.Versions(), cobra.ShellCompDirectiveNoFileComp
	}
	work.Must(cmd.RegisterFlagCompletionFunc(flag, versions))
}

// addLimitFlags adds the flags that raise the limits of what a file may ask for. Few people need one, so they are
// hidden, and have a help topic of their own. It sets the defaults.
func addLimitFlags(cmd *cobra.Command, limits *strict.Limits) {
	limitFlags(cmd.Flags(), limits)
	for _, name := range answer.LimitNames {
		cmd.Flags().Lookup(name).Hidden = true
	}
}

// newLimitsTopic returns the help of the flags that raise limits.
func newLimitsTopic(*answer.Console) *cobra.Command {
	return &cobra.Command{Use: "limits", Short: "The flags that raise the limits for input files"}
}

// limitHelp is the list of these flags.
func limitHelp() string {
	flags := pflag.NewFlagSet("limits", pflag.ContinueOnError)
	limitFlags(flags, &strict.Limits{})
	return strings.TrimRight(flags.FlagUsagesWrapped(helpWidth), "\n")
}

// limitFlags adds the flags of the limits, which it sets to their defaults.
func limitFlags(flags *pflag.FlagSet, limits *strict.Limits) {
	*limits = strict.DefaultLimits()
	flags.Int32Var(&limits.Replicas, "max-replicas", limits.Replicas, "the most replicas of a StatefulSet, and of all "+
		"of them together")
	flags.IntVar(&limits.Events, "max-events", limits.Events, "the most events of a timeline")
	flags.Var(bytesFlag(&limits.Memory), "max-memory", "the most memory that a run may hold, for example 1GiB")
	flags.Int64Var(&limits.Cost, "max-cost", limits.Cost, "the most fields that the conditions of a run may read")
	flags.DurationVar(&limits.Duration, "max-duration", limits.Duration, "the longest virtual time that a file may name")
	flags.Var(bytesFlag(&limits.FileSize), "max-file-size", "the largest file, for example 64MiB")
	flags.IntVar(&limits.Depth, "max-depth", limits.Depth, "the deepest nesting of a file")
	flags.Int64Var(&limits.Nodes, "max-nodes", limits.Nodes, "the most values in a file, with aliases written out")
	flags.IntVar(&limits.Documents, "max-documents", limits.Documents, "the most documents in a file")
}
