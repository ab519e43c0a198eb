package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/command/check"
	"github.com/statefulsim/statefulsim/cmd/sim/command/compare"
	"github.com/statefulsim/statefulsim/cmd/sim/command/expand"
	"github.com/statefulsim/statefulsim/cmd/sim/command/initialize"
	runcmd "github.com/statefulsim/statefulsim/cmd/sim/command/run"
	"github.com/statefulsim/statefulsim/cmd/sim/command/test"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

func newRunCmd(s *command.Console) *cobra.Command {
	o := &runcmd.Command{Call: command.Call{Console: s, Output: command.Formats[0].Name}}
	watches := false
	cmd := &cobra.Command{
		Use:               "run FILE...",
		Short:             "Play scenarios and print what happens",
		GroupID:           groupPlay,
		Args:              atLeastOne(fileOrStdin),
		ValidArgsFunction: yamlFiles,
		RunE:              watched(s, &watches, cli.Asks(&o.Call, o.Answer)),
	}
	watchFlag(cmd, &watches)
	cmd.Flags().VarP(&cli.OneOf{Value: &o.Output, Of: command.FormatNames()}, "output", "o",
		"the format: "+strings.Join(command.FormatNames(), ", "))
	cli.Complete(cmd, "output", command.FormatNames())
	cmd.Flags().StringVar(&o.Save, "save-as-test", "",
		"add expectations that record this run, and write the scenario to `FILE`; without FILE to standard output")
	cmd.Flags().Lookup("save-as-test").NoOptDefVal = files.Stdin
	cmd.MarkFlagsMutuallyExclusive("watch", "save-as-test")
	cmd.Flags().BoolVar(&o.NoHistory, "no-history", false, "keep no events once they are printed, so that a long run "+
		"takes no more memory; the scenario must have no expectations (-o jsonl)")
	gateFlag(cmd, &o.Gates, "none")
	addPartFlags(cmd, &o.Part)
	cli.AddWorldFlags(cmd, &o.World, s)
	return cmd
}

// formatHelp is the list of formats.
func formatHelp() string {
	var rows [][2]string
	for _, f := range command.Formats {
		rows = append(rows, [2]string{f.Name, f.Story})
	}
	return cli.Described(rows)
}

func newTestCmd(s *command.Console) *cobra.Command {
	o := &test.Command{Call: command.Call{Console: s}}
	watches := false
	cmd := &cobra.Command{
		Use:               "test PATH...",
		SuggestFor:        []string{"validate", "lint", "verify"},
		Short:             "Play scenarios and report as a test runner does",
		GroupID:           groupPlay,
		Args:              testPaths(o),
		ValidArgsFunction: yamlFiles,
		RunE:              watched(s, &watches, cli.Asks(&o.Call, o.Answer)),
	}
	watchFlag(cmd, &watches)
	cli.AddOutput(cmd, &o.Output, test.TestFormats)
	flags := cmd.Flags()
	flags.Var(regexpFlag(&o.Run), "run", "play only the scenarios whose name matches")
	addJobs(cmd, &o.Workers)
	flags.DurationVar(&o.Timeout, "timeout", time.Minute, "the real time that one scenario may take; 0 is no limit")
	flags.StringVar(&o.JUnit, "junit", "", "write a JUnit XML report to this `FILE`")
	flags.StringVar(&o.HTML, "html", "", "write a page for each scenario, and an index, into this `DIR`")
	work.Must(cmd.MarkFlagDirname("html"))
	flags.BoolVar(&o.Update, "update", false, "where expectations fail, record the run again, in the scenario's file: "+
		"after a change that is wanted")
	cmd.MarkFlagsMutuallyExclusive("watch", "update")
	flags.BoolVar(&o.GitHub, "github", false, "also print failures and warnings as annotations of GitHub Actions")
	work.Must(cmd.MarkFlagFilename("junit", "xml"))
	cli.AddWorldFlags(cmd, &o.World, s)
	return cmd
}

func newCheckCmd(s *command.Console) *cobra.Command {
	o := &check.Command{Call: command.Call{Console: s}}
	cmd := &cobra.Command{
		Use:     "check TIMELINE EXPECTATIONS",
		Short:   "Check expectations against a recorded timeline",
		GroupID: groupPlay,
		Args:    exactly(2, "TIMELINE and EXPECTATIONS"),
		RunE:    cli.Asks(&o.Call, o.Answer),
	}
	cli.AddLimitFlags(cmd, &o.World.Limits)
	return cmd
}

func newCompareCmd(s *command.Console) *cobra.Command {
	o := &compare.Command{Call: command.Call{Console: s}}
	cmd := &cobra.Command{
		Use:               "compare FILE...",
		Short:             "Play scenarios, or variants of one, side by side",
		GroupID:           groupPlay,
		Args:              atLeastOne(fileOrStdin),
		ValidArgsFunction: yamlFiles,
		RunE:              cli.Asks(&o.Call, o.Answer),
	}
	cli.AddOutput(cmd, &o.Output, compare.CompareFormats)
	cmd.Flags().StringArrayVar(&o.With, "with", nil, "also play the scenario with these fields of its StatefulSets set: "+
		"`FIELD=VALUE,...`; may be repeated")
	addJobs(cmd, &o.Workers)
	cli.AddWorldFlags(cmd, &o.World, s)
	return cmd
}

func newInitCmd(s *command.Console) *cobra.Command {
	o := &initialize.Command{Command: runcmd.Command{Call: command.Call{Console: s}}}
	cmd := &cobra.Command{
		Use:               "init [MANIFEST...]",
		Short:             "Write a first scenario, which is also a test, for a manifest",
		GroupID:           groupWrite,
		ValidArgsFunction: yamlFiles,
		RunE:              cli.Asks(&o.Call, o.Answer),
	}
	cmd.Flags().StringVarP(&o.Save, "write", "o", initialize.FirstScenario,
		"write the scenario to `FILE`; - is standard output")
	cmd.Flags().BoolVar(&o.Force, "force", false, "overwrite the file if it exists")
	cmd.Flags().StringVar(&o.World.Kubernetes, "kubernetes", "", "the Kubernetes `VERSION` that the scenario names, "+
		"1.36 or 1.35.2 (default: the newest, or that of the cluster)")
	cli.CompleteVersions(cmd, "kubernetes", s)
	addRecursive(cmd, &o.Recursive)
	cli.AddLimitFlags(cmd, &o.World.Limits)
	return cmd
}

func newExpandCmd(s *command.Console) *cobra.Command {
	o := &expand.Command{Call: command.Call{Console: s}}
	cmd := &cobra.Command{
		Use:               "expand FILE",
		Short:             "Print a scenario with complete manifests",
		GroupID:           groupWrite,
		Args:              exactly(1, "FILE"),
		ValidArgsFunction: yamlFiles,
		RunE:              cli.Asks(&o.Call, o.Answer),
	}
	cli.AddWorldFlags(cmd, &o.World, s)
	cmd.Flags().Lookup("kubernetes").Usage = "use the defaults of this Kubernetes version, 1.36 or 1.35.2"
	for _, plays := range []string{"seed", "until"} {
		cmd.Flags().Lookup(plays).Hidden = true
	}
	return cmd
}

func newSchemaCmd(s *command.Console) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of scenarios, for editors",
		GroupID: groupWrite,
		Args:    none,
		RunE: cli.Action(func(*cobra.Command, []string) error {
			_, err := s.Out.Write(scenario.Schema())
			return err
		}),
	}
}
