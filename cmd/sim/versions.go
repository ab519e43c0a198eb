package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
)

// versionsOptions are the arguments of `sim versions`.
type versionsOptions struct{ answer.Call }

// plainFormats are the formats of commands that do not print a single run.
var plainFormats = []string{"text", "markdown", "json"}

func newVersionsCmd(s *answer.Console) *cobra.Command {
	o := &versionsOptions{Call: answer.Call{Console: s}}
	cmd := &cobra.Command{
		Use:     "versions [FROM TO]",
		Short:   "Show how Kubernetes versions differ",
		GroupID: groupOther,
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return s.Engine.Versions(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: action(func(_ *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return o.table()
			case 2:
				return o.changes(args[0], args[1])
			}
			return usagef("name two versions, or none")
		}),
	}
	addOutput(cmd, &o.Output, plainFormats)
	return cmd
}

// table prints the differences between all versions.
func (o *versionsOptions) table() error {
	table := o.Engine.VersionTable()
	switch o.Output {
	case "markdown":
		return report.VersionsMarkdown(o.Out, table)
	case "json":
		return render.JSON(o.Out, table)
	}
	return report.VersionsText(o.Out, table, o.Style())
}

// changes prints what changed from one version to another. from may be the newer one. An unknown version is an error,
// and not one of usage.
func (o *versionsOptions) changes(from, to string) error {
	changes, err := o.Engine.VersionChanges(from, to)
	if err != nil {
		return err
	}
	switch o.Output {
	case "markdown":
		return report.ChangesMarkdown(o.Out, changes)
	case "json":
		return render.JSON(o.Out, changes)
	}
	return report.ChangesText(o.Out, changes, o.Style())
}
