package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan"
)

func newPlanCmd(s *answer.Console) *cobra.Command {
	o := &answer.Plan{Call: answer.Call{Console: s}, Cluster: answer.Cluster{Console: s}}
	cmd := &cobra.Command{
		Use:               "plan OLD|--live NEW",
		SuggestFor:        []string{"diff", "preview", "dry-run"},
		Short:             "Show what a change of a manifest will do",
		GroupID:           groupPlay,
		Args:              orLive(&o.Cluster, exactly(2, "OLD and NEW"), exactly(1, "NEW")),
		ValidArgsFunction: yamlFiles,
		RunE:              asks(&o.Call, o.Answer),
	}
	flags := cmd.Flags()
	addOutput(cmd, &o.Output, answer.PlanFormats)
	flags.StringSliceVar(&o.Versions, "kubernetes", nil,
		"plan for this Kubernetes `VERSION`; with a list A,B,... plan for A, and say what the others do differently")
	completeVersions(cmd, "kubernetes", s)
	flags.Var(gatesFlag(&o.World.Gates), "feature-gates", "set feature gates, A=true,B=false")
	timesFlags(flags, &o.Times, "")
	flags.StringArrayVar(&o.Require, "require", nil,
		"fail unless this `REQUIREMENT` holds for every StatefulSet: 'minReady >= 3'")
	flags.StringVarP(&o.Namespace, "namespace", "n", "",
		"the `NAMESPACE` of manifests that name none (if not set: the namespace of the matching StatefulSet in the "+
			"other file; if there is none, the namespace default)")
	flags.IntVar(&o.Quorum, "quorum", 0, "fail if any StatefulSet drops below this number of serving pods")
	flags.IntVar(&o.Runs, "runs", answer.UsualRuns, "how often to play where times are distributions")
	flags.Uint64Var(&o.Seed, "seed", answer.UsualSeed, "the seed of the first run; the other runs take the seeds after it")
	flags.StringVar(&o.Show, "show", "",
		"print the run behind a `CASE` of \"What if\": "+strings.Join(plan.ShowNames(), ", "))
	complete(cmd, "show", plan.ShowNames())
	liveFlag(flags, &o.Cluster)
	placeFlags(flags, &o.Cluster)
	addJobs(cmd, &o.Workers)
	addRecursive(cmd, &o.Recursive)
	addLimitFlags(cmd, &o.World.Limits)
	return cmd
}
