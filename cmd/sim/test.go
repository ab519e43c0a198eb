package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

func newTestCmd(s *answer.Console) *cobra.Command {
	o := &answer.Test{Call: answer.Call{Console: s}}
	cmd := &cobra.Command{
		Use:               "test PATH...",
		SuggestFor:        []string{"validate", "lint", "verify"},
		Short:             "Play scenarios and report as a test runner does",
		GroupID:           groupPlay,
		Args:              atLeastOne("PATH"),
		ValidArgsFunction: yamlFiles,
		RunE:              asks(&o.Call, o.Answer),
	}
	flags := cmd.Flags()
	flags.Var(regexpFlag(&o.Run), "run", "play only the scenarios whose name matches")
	addJobs(cmd, &o.Workers)
	flags.DurationVar(&o.Timeout, "timeout", time.Minute, "the real time that one scenario may take; 0 is no limit")
	flags.StringVar(&o.JUnit, "junit", "", "write a JUnit XML report to this `FILE`")
	flags.StringVar(&o.HTML, "html", "", "write a page for each scenario, and an index, into this `DIR`")
	work.Must(cmd.MarkFlagDirname("html"))
	flags.BoolVar(&o.Update, "update", false, "where expectations fail, record the run again, in the scenario's file: "+
		"after a change that is wanted")
	flags.BoolVar(&o.GitHub, "github", false, "also print failures and warnings as annotations of GitHub Actions")
	work.Must(cmd.MarkFlagFilename("junit", "xml"))
	addWorldFlags(cmd, &o.World, s)
	return cmd
}
