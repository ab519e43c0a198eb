package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// AddWorldFlags adds the flags that change the world of a scenario.
func AddWorldFlags(cmd *cobra.Command, o *command.World, s *command.Console) {
	flags := cmd.Flags()
	flags.Var(VersionFlag(o), "kubernetes", "play on this Kubernetes version, 1.36 or 1.35.2, or on each of A,B,...")
	flags.Var(GatesFlag(&o.Gates), "feature-gates", "set feature gates, A=true,B=false, in addition to the scenario's")
	flags.Var(seedFlag(&o.Seed), "seed", "the seed of random times and faults")
	flags.DurationVar(&o.Until, "until", 0, "stop at this virtual time even if unsettled (default: the scenario's until)")
	flags.StringVar(&o.Root, "root", "",
		"the `DIR` that manifest paths must stay in (default: the folder of the scenario)")
	AddLimitFlags(cmd, &o.Limits)
	CompleteVersions(cmd, "kubernetes", s)
}

// CompleteVersions lets the shell complete a flag with the versions of Kubernetes.
func CompleteVersions(cmd *cobra.Command, flag string, s *command.Console) {
	work.Must(cmd.RegisterFlagCompletionFunc(flag, VersionsOf(s)))
}

// VersionsOf completes the versions of Kubernetes.
func VersionsOf(s *command.Console) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return s.Engine.Versions(), cobra.ShellCompDirectiveNoFileComp
	}
}

// AddLimitFlags adds the flags that raise the limits on what a file may ask for. Few people need them, so they are
// hidden and have a help topic of their own. It sets the defaults.
func AddLimitFlags(cmd *cobra.Command, limits *strict.Limits) {
	limitFlags(cmd.Flags(), limits)
	for _, name := range command.LimitNames {
		cmd.Flags().Lookup(name).Hidden = true
	}
}

// NewLimitsTopic returns the help of the flags that raise limits.
func NewLimitsTopic(*command.Console) *cobra.Command {
	return &cobra.Command{Use: "limits", Short: "The flags that raise the limits for input files"}
}

// LimitHelp is the list of these flags.
func LimitHelp() string {
	flags := pflag.NewFlagSet("limits", pflag.ContinueOnError)
	limitFlags(flags, &strict.Limits{})
	return strings.TrimRight(flags.FlagUsagesWrapped(HelpWidth), "\n")
}

// limitFlags adds the flags of the limits, which it sets to their defaults.
func limitFlags(flags *pflag.FlagSet, limits *strict.Limits) {
	*limits = strict.DefaultLimits()
	flags.Int32Var(&limits.Replicas, "max-replicas", limits.Replicas, "the most replicas of a StatefulSet, and of all "+
		"of them together")
	flags.IntVar(&limits.Events, "max-events", limits.Events, "the most events of a timeline")
	flags.Var(BytesFlag(&limits.Memory), "max-memory", "the most memory that a run may hold, for example 1GiB")
	flags.Int64Var(&limits.Cost, "max-cost", limits.Cost, "the most fields that the conditions of a run may read")
	flags.DurationVar(&limits.Duration, "max-duration", limits.Duration, "the longest virtual time that a file may name")
	flags.Var(BytesFlag(&limits.FileSize), "max-file-size", "the largest file, for example 64MiB")
	flags.IntVar(&limits.Depth, "max-depth", limits.Depth, "the deepest nesting of a file")
	flags.Int64Var(&limits.Nodes, "max-nodes", limits.Nodes, "the most values in a file, with aliases written out")
	flags.IntVar(&limits.Documents, "max-documents", limits.Documents, "the most documents in a file")
}
