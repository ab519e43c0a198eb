package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
)

func newInitCmd(s *answer.Console) *cobra.Command {
	o := &answer.Init{Run: answer.Run{Call: answer.Call{Console: s}}}
	cmd := &cobra.Command{
		Use:               "init [MANIFEST...]",
		Short:             "Write a first scenario, which is also a test, for a manifest",
		GroupID:           groupWrite,
		ValidArgsFunction: yamlFiles,
		RunE:              asks(&o.Call, o.Answer),
	}
	cmd.Flags().StringVarP(&o.Save, "write", "o", answer.FirstScenario,
		"write the scenario to `FILE`; - is standard output")
	cmd.Flags().BoolVar(&o.Force, "force", false, "overwrite the file if it exists")
	cmd.Flags().StringVar(&o.World.Kubernetes, "kubernetes", "", "the Kubernetes `VERSION` that the scenario names, "+
		"1.36 or 1.35.2 (default: the newest, or that of the cluster)")
	completeVersions(cmd, "kubernetes", s)
	addRecursive(cmd, &o.Recursive)
	addLimitFlags(cmd, &o.World.Limits)
	return cmd
}
