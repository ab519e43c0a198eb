package main

import (
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// addWorldFlags adds the flags that change the world of a scenario.
func addWorldFlags(cmd *cobra.Command, o *command.World, s *command.Console) {
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
func completeVersions(cmd *cobra.Command, flag string, s *command.Console) {
	work.Must(cmd.RegisterFlagCompletionFunc(flag, versionsOf(s)))
}

// versionsOf completes the versions of Kubernetes.
func versionsOf(s *command.Console) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return s.Engine.Versions(), cobra.ShellCompDirectiveNoFileComp
	}
}

// addLimitFlags adds the flags that raise the limits of what a file may ask for. Few people need one, so they are
// hidden, and have a help topic of their own. It sets the defaults.
func addLimitFlags(cmd *cobra.Command, limits *strict.Limits) {
	limitFlags(cmd.Flags(), limits)
	for _, name := range command.LimitNames {
		cmd.Flags().Lookup(name).Hidden = true
	}
}

// newLimitsTopic returns the help of the flags that raise limits.
func newLimitsTopic(*command.Console) *cobra.Command {
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

// addJobs adds the flag that says how much is done at once.
func addJobs(cmd *cobra.Command, workers *int) {
	cmd.Flags().IntVarP(workers, "jobs", "j", runtime.GOMAXPROCS(0), "how many to play at once")
}

// addRecursive adds the flag that kubectl has for folders.
func addRecursive(cmd *cobra.Command, recursive *bool) {
	cmd.Flags().BoolVarP(recursive, "recursive", "R", false, "read subfolders and archives too")
}

// addShards adds the flags. They exclude each other, which print sees to.
func addShards(flags *pflag.FlagSet, s *command.Shards) {
	flags.Var(shardsFlag(&s.Job), "job",
		"do not play; print a Kubernetes Job that does all of this in `N` shards, one pod each")
	flags.Var(shardsFlag(&s.Matrix), "matrix",
		"do not play; print a GitHub workflow that does all of this in `N` shards, one job each")
}

// addPartFlags adds the flags. They are for -o text, which check sees to.
func addPartFlags(cmd *cobra.Command, o *command.Part) {
	cmd.Flags().StringSliceVar(&o.Only, "only", nil,
		"print only what concerns the pods or StatefulSets `NAME`,... (-o text)")
	cmd.Flags().DurationVar(&o.Since, "since", 0, "begin the output at this virtual time (-o text)")
}

// clusterFlags adds the flags that say which cluster is read, and where.
func clusterFlags(flags *pflag.FlagSet, o *command.Cluster) {
	placeFlags(flags, o)
	flags.StringVarP(&o.Asks.Namespace, "namespace", "n", "",
		"with a live cluster: the `NAMESPACE` (default: that of kubectl's context)")
}

// placeFlags are the flags without the namespace.
func placeFlags(flags *pflag.FlagSet, o *command.Cluster) {
	flags.BoolVarP(&o.Asks.All, "all-namespaces", "A", false, "with a live cluster: all namespaces")
	flags.StringVar(&o.Asks.Context, "context", "", "with a live cluster: kubectl's `CONTEXT`")
	flags.StringVar(&o.Asks.Kubeconfig, "kubeconfig", "", "with a live cluster: kubectl's config `FILE`")
	flags.DurationVar(&o.Asks.Patience, "request-timeout", command.UsualPatience,
		"with a live cluster: how long kubectl may take for one request")
}

// liveFlag adds --live.
func liveFlag(flags *pflag.FlagSet, o *command.Cluster) {
	flags.BoolVar(&o.Live, "live", false, "ask the cluster of kubectl's context, in the place of a dump")
}

// orLive returns args for a command that reads files, and other ones for when it reads a live cluster.
func orLive(o *command.Cluster, args, live cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, words []string) error {
		if o.Live {
			return live(cmd, words)
		}
		return args(cmd, words)
	}
}
