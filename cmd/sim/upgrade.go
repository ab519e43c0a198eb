package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
	"github.com/statefulsim/statefulsim/scenario/runs/whatif"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// newUpgradeCmd returns `sim upgrade`. The engine is only asked for the versions to complete.
func newUpgradeCmd(s *answer.Console) *cobra.Command {
	o := &answer.Upgrade{Call: answer.Call{Console: s}, Cluster: answer.Cluster{Console: s}}
	cmd := &cobra.Command{
		Use:               "upgrade --from VERSION --to VERSION FILE...|--live",
		Short:             "Find the StatefulSets that behave differently on another version",
		GroupID:           groupPlay,
		Args:              orLive(&o.Cluster, atLeastOne("FILE"), none),
		ValidArgsFunction: yamlFiles,
		RunE:              asks(&o.Call, o.Answer),
	}
	flags := cmd.Flags()
	flags.StringVar(&o.From, "from", "", "the current Kubernetes `VERSION`")
	flags.StringVar(&o.To, "to", "", "the new Kubernetes `VERSION`")
	flags.Var(gatesFlag(&o.Gates), "feature-gates", "set feature gates under both versions, A=true,B=false")
	flags.Var(gatesFlag(&o.FromGates), "feature-gates-from", "set feature gates under the current version")
	flags.Var(gatesFlag(&o.ToGates), "feature-gates-to", "set feature gates under the new version")
	flags.StringVar(&o.Show, "show", "", "show the runs of `NAMESPACE/NAME`, or of one case, NAMESPACE/NAME:CASE")
	flags.BoolVar(&o.All, "all", false, "name all StatefulSets of a group, not only the first 20")
	flags.Var(&oneOf{value: &o.Only, of: []string{answer.OnlyWorse}}, "only",
		answer.OnlyWorse+" shows only the differences that are for the worse")
	complete(cmd, "only", []string{answer.OnlyWorse})
	addOutput(cmd, &o.Output, answer.PlanFormats)
	liveFlag(flags, &o.Cluster)
	clusterFlags(flags, &o.Cluster)
	addJobs(cmd, &o.Workers)
	addRecursive(cmd, &o.Recursive)
	addLimitFlags(cmd, &o.World.Limits)
	for _, flag := range []string{"from", "to"} {
		completeVersions(cmd, flag, s)
	}
	return cmd
}

// helpWidth is the width of the texts of help.
const helpWidth = render.DefaultWidth

// caseHelp is the list of the cases of an upgrade.
func caseHelp() string {
	var rows [][2]string
	for _, c := range whatif.For(whatif.OfVersions) {
		rows = append(rows, [2]string{c.Name, c.Does})
	}
	return described(rows)
}
