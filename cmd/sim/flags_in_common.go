package main

import (
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	runcmd "github.com/statefulsim/statefulsim/cmd/sim/command/run"
)

// addJobs adds the flag for the number of parallel jobs.
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
func addPartFlags(cmd *cobra.Command, o *runcmd.Part) {
	cmd.Flags().StringSliceVar(&o.Only, "only", nil,
		"print only what concerns the pods or StatefulSets `NAME`,... (-o text)")
	cmd.Flags().DurationVar(&o.Since, "since", 0, "begin the output at this virtual time (-o text)")
}

// clusterFlags adds the flags that select the cluster and the namespace.
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
