package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
	"github.com/statefulsim/statefulsim/scenario/cluster/follow"
)

// usualPause is --every if it is not given.
const usualPause = 2 * time.Second

func newFollowCmd(s *answer.Console) *cobra.Command {
	o := &answer.Follow{Explain: answer.Explain{
		Call: answer.Call{Console: s}, Cluster: answer.Cluster{Console: s, Live: true},
	}}
	cmd := &cobra.Command{
		Use:        "follow STATEFULSET [-n NAMESPACE]",
		SuggestFor: []string{"watch", "status", "rollout"},
		Short:      "Follow a rollout with a forecast, and say why it is stuck at once",
		GroupID:    groupPlay,
		Args:       exactly(1, "STATEFULSET"),
		RunE:       asks(&o.Call, o.Answer),
	}
	flags := cmd.Flags()
	addOutput(cmd, &o.Output, answer.PlanFormats)
	clusterFlags(flags, &o.Cluster)
	flags.DurationVar(&o.Every, "every", usualPause, "how long to wait between two looks")
	flags.DurationVar(&o.Timeout, "timeout", 0, "end after this time with the exit code 124 (default: never)")
	flags.StringSliceVar(&o.FailOn, "fail-on", nil, "end with the exit code 1 on this `BOUND` too: "+
		strings.Join(follow.Bounds(), ", "))
	complete(cmd, "fail-on", follow.Bounds())
	flags.StringVar(&o.Record, "record", "", "write what was seen to `FILE`, a recording")
	flags.StringVar(&o.Replay, "replay", "", "follow the recording in `FILE`, and no cluster")
	timesFlags(flags, &o.Times, "")
	flags.Var(versionFlag(&o.World), "kubernetes", "simulate this Kubernetes version (default: that of the nodes)")
	completeVersions(cmd, "kubernetes", s)
	flags.Var(gatesFlag(&o.World.Gates), "feature-gates", "set feature gates, A=true,B=false")
	addLimitFlags(cmd, &o.World.Limits)
	return cmd
}
