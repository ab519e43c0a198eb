package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/scenario/answer"
)

// clusterFlags adds the flags that say which cluster is read, and where.
func clusterFlags(flags *pflag.FlagSet, o *answer.Cluster) {
	placeFlags(flags, o)
	flags.StringVarP(&o.Asks.Namespace, "namespace", "n", "",
		"with a live cluster: the `NAMESPACE` (default: that of kubectl's context)")
}

// placeFlags are the flags without the namespace.
func placeFlags(flags *pflag.FlagSet, o *answer.Cluster) {
	flags.BoolVarP(&o.Asks.All, "all-namespaces", "A", false, "with a live cluster: all namespaces")
	flags.StringVar(&o.Asks.Context, "context", "", "with a live cluster: kubectl's `CONTEXT`")
	flags.StringVar(&o.Asks.Kubeconfig, "kubeconfig", "", "with a live cluster: kubectl's config `FILE`")
	flags.DurationVar(&o.Asks.Patience, "request-timeout", answer.UsualPatience,
		"with a live cluster: how long kubectl may take for one request")
}

// liveFlag adds --live.
func liveFlag(flags *pflag.FlagSet, o *answer.Cluster) {
	flags.BoolVar(&o.Live, "live", false, "ask the cluster of kubectl's context, in the place of a dump")
}

// orLive returns args for a command that reads files, and other ones for when it reads a live cluster.
func orLive(o *answer.Cluster, args, live cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, words []string) error {
		if o.Live {
			return live(cmd, words)
		}
		return args(cmd, words)
	}
}
