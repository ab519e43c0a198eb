package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
	"github.com/statefulsim/statefulsim/scenario/files"
)

func newRunCmd(s *answer.Console) *cobra.Command {
	o := &answer.Run{Call: answer.Call{Console: s, Output: answer.Formats[0].Name}}
	cmd := &cobra.Command{
		Use:               "run FILE...",
		Short:             "Play scenarios and print what happens",
		GroupID:           groupPlay,
		Args:              atLeastOne("FILE"),
		ValidArgsFunction: yamlFiles,
		RunE:              asks(&o.Call, o.Answer),
	}
	cmd.Flags().VarP(&oneOf{value: &o.Output, of: answer.FormatNames()}, "output", "o",
		"the format: "+strings.Join(answer.FormatNames(), ", "))
	complete(cmd, "output", answer.FormatNames())
	cmd.Flags().StringVar(&o.Save, "save-as-test", "",
		"add expectations that record this run, and write the scenario to `FILE`; without FILE to standard output")
	cmd.Flags().Lookup("save-as-test").NoOptDefVal = files.Stdin
	cmd.Flags().BoolVar(&o.NoHistory, "no-history", false, "keep no events once they are printed, so that a long run "+
		"takes no more memory; the scenario must have no expectations (-o jsonl)")
	addPartFlags(cmd, &o.Part)
	addWorldFlags(cmd, &o.World, s)
	return cmd
}

// formatHelp is the list of formats.
func formatHelp() string {
	var rows [][2]string
	for _, f := range answer.Formats {
		rows = append(rows, [2]string{f.Name, f.Story})
	}
	return described(rows)
}
