package main

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	advisecmd "github.com/statefulsim/statefulsim/cmd/sim/command/advise"
	explaincmd "github.com/statefulsim/statefulsim/cmd/sim/command/explain"
	followcmd "github.com/statefulsim/statefulsim/cmd/sim/command/follow"
	plancmd "github.com/statefulsim/statefulsim/cmd/sim/command/plan"
	upgradecmd "github.com/statefulsim/statefulsim/cmd/sim/command/upgrade"
	"github.com/statefulsim/statefulsim/scenario/change/advise"
	"github.com/statefulsim/statefulsim/scenario/change/plan"
	"github.com/statefulsim/statefulsim/scenario/live/follow"
	"github.com/statefulsim/statefulsim/scenario/play/whatif"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// gateFlag adds the flag for waiting deploy tools; without it the command reports on all of them, or none.
func gateFlag(cmd *cobra.Command, names *[]string, without string) {
	cmd.Flags().StringSliceVar(names, "gate", nil,
		"report on these deploy tools, `TOOL[@VERSION],...` (if not set: "+without+"; not modelled: Helm's "+
			"--wait-for-jobs, Argo CD's sync waves, the timeout that Flux is given): "+
			strings.Join(gate.Names(), ", "))
	cli.Complete(cmd, "gate", gate.Names())
}

func newPlanCmd(s *command.Console) *cobra.Command {
	o := &plancmd.Command{Call: command.Call{Console: s}, Cluster: command.Cluster{Console: s}}
	cmd := &cobra.Command{
		Use:               "plan OLD|--live NEW | --git REVISION PATH...",
		SuggestFor:        []string{"diff", "preview", "dry-run"},
		Short:             "Show what a change of a manifest will do",
		GroupID:           groupPlay,
		Args:              planned(o),
		ValidArgsFunction: yamlFiles,
		RunE:              cli.Asks(&o.Call, o.Answer),
	}
	flags := cmd.Flags()
	cli.AddOutput(cmd, &o.Output, command.PlanFormats)
	flags.StringSliceVar(&o.Versions, "kubernetes", nil,
		"plan for this Kubernetes `VERSION`; with a list A,B,... plan for A, and say what the others do differently")
	cli.CompleteVersions(cmd, "kubernetes", s)
	flags.Var(cli.GatesFlag(&o.World.Gates), "feature-gates", "set feature gates, A=true,B=false")
	timesFlags(flags, &o.Times, "")
	flags.StringArrayVar(&o.Require, "require", nil,
		"fail unless this `REQUIREMENT` holds for every StatefulSet: 'minReady >= 3'")
	flags.StringVarP(&o.Namespace, "namespace", "n", "",
		"the `NAMESPACE` of manifests that name none (if not set: the namespace of the matching StatefulSet in the "+
			"other file; if there is none, the namespace default)")
	gateFlag(cmd, &o.Gates, "all")
	flags.IntVar(&o.Quorum, "quorum", 0, "fail if any StatefulSet drops below this number of serving pods")
	flags.IntVar(&o.Runs, "runs", plancmd.UsualRuns, "how often to play where times are distributions")
	flags.Uint64Var(&o.Seed, "seed", plancmd.UsualSeed, "the seed of the first run; the others take those after it")
	flags.StringVar(&o.Show, "show", "",
		"print the run behind a `CASE` of \"What if\": "+strings.Join(plan.ShowNames(), ", "))
	cli.Complete(cmd, "show", plan.ShowNames())
	flags.StringVar(&o.Taken, "now", "", nowHelp)
	sourceFlags(flags, &o.Sources)
	liveFlag(flags, &o.Cluster)
	placeFlags(flags, &o.Cluster)
	addJobs(cmd, &o.Workers)
	addRecursive(cmd, &o.Recursive)
	cli.AddLimitFlags(cmd, &o.World.Limits)
	return cmd
}

// planned checks the arguments of a plan: which there are depends on where both sides come from.
func planned(o *plancmd.Command) cobra.PositionalArgs {
	return func(cmd *cobra.Command, words []string) error {
		git, renders, live := o.Sources.Git != "", o.Sources.Renders(), o.Cluster.Live
		switch {
		case git && renders, live && renders:
			if len(words) > 0 {
				return work.Usagef("the flags say what both sides are: leave out %s", strings.Join(words, " "))
			}
			return nil
		case git:
			return atLeastOne("PATH")(cmd, words)
		case renders:
			return exactly(1, "OLD")(cmd, words)
		case live:
			return exactly(1, "NEW")(cmd, words)
		}
		if values := o.Sources.Values; len(words) == 0 && len(values) == 2 {
			return work.Usagef("-f is for the values of a chart, with --helm: name the manifests without it: %s",
				shell.Line(slices.Concat([]string{"sim", "plan"}, values)...))
		}
		return exactly(2, "OLD and NEW")(cmd, words)
	}
}

// sourceFlags are the flags that say where the sides of a plan come from.
func sourceFlags(flags *pflag.FlagSet, o *plancmd.Sources) {
	flags.StringVar(&o.Git, "git", "",
		"take OLD from Git, as PATH (or what --helm or -k renders) is at this `REVISION`; NEW is how it lies here")
	flags.StringVar(&o.Chart, "helm", "", "plan what helm template prints of this `CHART`")
	flags.StringArrayVarP(&o.Values, "values", "f", nil, "a `FILE` of values for the chart")
	flags.StringVar(&o.Release, "release", plancmd.UsualRelease, "the `NAME` of the release of the chart")
	flags.StringVarP(&o.Kustomize, "kustomize", "k", "", "plan what kustomize build prints of this `FOLDER`")
}

func newAdviseCmd(s *command.Console) *cobra.Command {
	o := &advisecmd.Command{Call: command.Call{Console: s}}
	cmd := &cobra.Command{
		Use:               "advise MANIFEST|DUMP|OLD [NEW]",
		Short:             "Find the settings with which a StatefulSet rolls best",
		GroupID:           groupPlay,
		Args:              atLeastOne("MANIFEST, or OLD and NEW"),
		ValidArgsFunction: yamlFiles,
		RunE:              cli.Asks(&o.Call, o.Answer),
	}
	flags := cmd.Flags()
	cli.AddOutput(cmd, &o.Output, advisecmd.AdviseFormats)
	flags.StringVar(&o.Version, "kubernetes", "",
		"the Kubernetes `VERSION` (if not set: that of a dump, or else the newest)")
	cli.CompleteVersions(cmd, "kubernetes", s)
	flags.Var(cli.GatesFlag(&o.World.Gates), "feature-gates", "set feature gates, A=true,B=false")
	timesFlags(flags, &o.Times, "")
	flags.StringArrayVar(&o.Require, "require", nil,
		"accept only settings with which this `REQUIREMENT` holds: 'minReady >= 4' (if not set: PodDisruptionBudgets, and a "+
			"majority)")
	flags.DurationVar(&o.Within, "within", 0, "accept only settings with which 95 of 100 rollouts are done in this `TIME`")
	flags.BoolVar(&o.Canary, "canary", false, "look for a rollout in stages, by the partition")
	flags.IntVar(&o.Draws, "draws", advise.UsualDraws, "how often to play each setting where times are distributions")
	flags.StringVarP(&o.Namespace, "namespace", "n", "", "the `NAMESPACE` of manifests that name none")
	gateFlag(cmd, &o.Gates, "all")
	addJobs(cmd, &o.Workers)
	addRecursive(cmd, &o.Recursive)
	cli.AddLimitFlags(cmd, &o.World.Limits)
	return cmd
}

// nowHelp describes --now.
const nowHelp = "for a dump: the `TIME` at which it was taken, like 2026-01-31T12:00:00Z (default: the newest time in it)"

func newExplainCmd(s *command.Console) *cobra.Command {
	o := &explaincmd.Command{Call: command.Call{Console: s}, Cluster: command.Cluster{Console: s}}
	at := time.Duration(0)
	cmd := &cobra.Command{
		Use:               "explain DUMP...|SCENARIO|--live [STATEFULSET...]",
		Short:             "Explain why a StatefulSet is stuck, and which commands fix it",
		GroupID:           groupPlay,
		Args:              orLive(&o.Cluster, atLeastOne("DUMP, or a SCENARIO; - is standard input"), cobra.ArbitraryArgs),
		ValidArgsFunction: yamlFiles,
	}
	cmd.RunE = cli.Asks(&o.Call, func() error {
		if cmd.Flags().Changed("at") {
			o.At = &at
		}
		return o.Answer()
	})
	flags := cmd.Flags()
	cli.AddOutput(cmd, &o.Output, explaincmd.ExplainFormats)
	flags.DurationVar(&at, "at", 0,
		"the time to explain, from the beginning of a scenario or a recording (default: its end)")
	flags.StringVar(&o.Pod, "pod", "", "explain only this `POD`; of a dump: its StatefulSet, or the one of that name")
	timesFlags(flags, &o.Times, "for a dump: ")
	flags.StringVar(&o.Taken, "now", "", nowHelp)
	gateFlag(cmd, &o.Gates, "none")
	liveFlag(flags, &o.Cluster)
	clusterFlags(flags, &o.Cluster)
	cli.AddWorldFlags(cmd, &o.World, s)
	addRecursive(cmd, &o.Recursive)
	flags.StringVar(&o.Taken, "taken", "", "the former name of --now")
	_ = flags.MarkHidden("taken")
	flags.Lookup("namespace").Usage = "explain the StatefulSets of this `NAMESPACE` (default: all of a dump; with " +
		"--live that of kubectl's context)"
	flags.Lookup("kubernetes").Usage = "play on this Kubernetes version, 1.36 or 1.35.2; a scenario on each of A,B,..."
	flags.Lookup("until").Usage = "for a scenario: stop at this virtual time even if unsettled (default: its until)"
	return cmd
}

// newUpgradeCmd returns `sim upgrade`. The engine is only asked for the versions to complete.
func newUpgradeCmd(s *command.Console) *cobra.Command {
	o := &upgradecmd.Command{Call: command.Call{Console: s}, Cluster: command.Cluster{Console: s}}
	cmd := &cobra.Command{
		Use:               "upgrade --from VERSION --to VERSION FILE...|--live",
		Short:             "Find the StatefulSets that behave differently on another version",
		GroupID:           groupPlay,
		Args:              orLive(&o.Cluster, atLeastOne(fileOrStdin), none),
		ValidArgsFunction: yamlFiles,
		RunE:              cli.Asks(&o.Call, o.Answer),
	}
	flags := cmd.Flags()
	flags.StringVar(&o.From, "from", "", "the current Kubernetes `VERSION` (default: that of the cluster in the input)")
	flags.StringVar(&o.To, "to", "", "the new Kubernetes `VERSION`")
	flags.Var(cli.GatesFlag(&o.Gates), "feature-gates", "set feature gates under both versions, A=true,B=false")
	flags.Var(cli.GatesFlag(&o.FromGates), "feature-gates-from", "set feature gates under the current version")
	flags.Var(cli.GatesFlag(&o.ToGates), "feature-gates-to", "set feature gates under the new version")
	flags.StringVar(&o.Show, "show", "", "show the runs of `NAMESPACE/NAME`, or of one case, NAMESPACE/NAME:CASE")
	flags.BoolVar(&o.All, "all", false, "name all StatefulSets of a group, not only the first 20")
	flags.Var(&cli.OneOf{Value: &o.Only, Of: []string{upgradecmd.OnlyWorse}}, "only",
		upgradecmd.OnlyWorse+" shows only the differences that are for the worse")
	cli.Complete(cmd, "only", []string{upgradecmd.OnlyWorse})
	cli.AddOutput(cmd, &o.Output, command.PlanFormats)
	liveFlag(flags, &o.Cluster)
	clusterFlags(flags, &o.Cluster)
	addJobs(cmd, &o.Workers)
	addRecursive(cmd, &o.Recursive)
	cli.AddLimitFlags(cmd, &o.World.Limits)
	for _, flag := range []string{"from", "to"} {
		cli.CompleteVersions(cmd, flag, s)
	}
	return cmd
}

// caseHelp is the list of the cases of an upgrade.
func caseHelp() string {
	var rows [][2]string
	for _, c := range whatif.For(whatif.OfVersions) {
		rows = append(rows, [2]string{c.Name, c.Does})
	}
	return cli.Described(rows)
}

// usualPause is --every if it is not given.
const usualPause = 2 * time.Second

func newFollowCmd(s *command.Console) *cobra.Command {
	o := &followcmd.Command{Command: explaincmd.Command{
		Call: command.Call{Console: s}, Cluster: command.Cluster{Console: s, Live: true},
	}}
	cmd := &cobra.Command{
		Use:        "follow STATEFULSET [-n NAMESPACE]",
		SuggestFor: []string{"watch", "status", "rollout"},
		Short:      "Follow a rollout with a forecast, and say why it is stuck at once",
		GroupID:    groupPlay,
		Args:       exactly(1, "STATEFULSET"),
		RunE:       cli.Asks(&o.Call, o.Answer),
	}
	flags := cmd.Flags()
	cli.AddOutput(cmd, &o.Output, command.PlanFormats)
	clusterFlags(flags, &o.Cluster)
	flags.DurationVar(&o.Every, "every", usualPause, "how long to wait between two looks")
	flags.DurationVar(&o.Timeout, "timeout", 0, "end after this time with the exit code 124 (default: never)")
	flags.StringSliceVar(&o.FailOn, "fail-on", nil, "end with the exit code 1 on this `BOUND` too: "+
		strings.Join(follow.Bounds(), ", "))
	cli.Complete(cmd, "fail-on", follow.Bounds())
	gateFlag(cmd, &o.Gates, "none")
	flags.StringVar(&o.Record, "record", "", "write what was seen to `FILE`, a recording")
	flags.StringVar(&o.Replay, "replay", "", "follow the recording in `FILE`, and no cluster")
	timesFlags(flags, &o.Times, "")
	flags.Var(cli.VersionFlag(&o.World), "kubernetes", "simulate this Kubernetes version (default: that of the nodes)")
	cli.CompleteVersions(cmd, "kubernetes", s)
	flags.Var(cli.GatesFlag(&o.World.Gates), "feature-gates", "set feature gates, A=true,B=false")
	cli.AddLimitFlags(cmd, &o.World.Limits)
	return cmd
}
