package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
)

func newExplainCmd(s *answer.Console) *cobra.Command {
	o := &answer.Explain{Call: answer.Call{Console: s}, Cluster: answer.Cluster{Console: s}}
	at := time.Duration(0)
	cmd := &cobra.Command{
		Use:               "explain DUMP...|SCENARIO|--live [STATEFULSET...]",
		Short:             "Explain why a StatefulSet is stuck, and which commands fix it",
		GroupID:           groupPlay,
		Args:              orLive(&o.Cluster, atLeastOne("DUMP, or a SCENARIO; - is standard input"), cobra.ArbitraryArgs),
		ValidArgsFunction: yamlFiles,
	}
	cmd.RunE = asks(&o.Call, func() error {
		if cmd.Flags().Changed("at") {
			o.At = &at
		}
		return o.Answer()
	})
	flags := cmd.Flags()
	addOutput(cmd, &o.Output, answer.ExplainFormats)
	flags.DurationVar(&at, "at", 0,
		"the time to explain, from the beginning of a scenario or a recording (default: its end)")
	flags.StringVar(&o.Pod, "pod", "", "explain only this `POD`; of a dump: its StatefulSet, or the one of that name")
	timesFlags(flags, &o.Times, "for a dump: ")
	flags.StringVar(&o.Taken, "now", "",
		"for a dump: the `TIME` at which it was taken, like 2026-01-31T12:00:00Z (default: the newest time in it)")
	liveFlag(flags, &o.Cluster)
	clusterFlags(flags, &o.Cluster)
	addWorldFlags(cmd, &o.World, s)
	flags.StringVar(&o.Taken, "taken", "", "the former name of --now")
	_ = flags.MarkHidden("taken")
	flags.Lookup("namespace").Usage = "explain the StatefulSets of this `NAMESPACE` (default: all of a dump; with " +
		"--live that of kubectl's context)"
	flags.Lookup("kubernetes").Usage = "play on this Kubernetes version, 1.36 or 1.35.2; a scenario on each of A,B,..."
	flags.Lookup("until").Usage = "for a scenario: stop at this virtual time even if unsettled (default: its until)"
	return cmd
}
