package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
)

// versionsOptions are the arguments of `sim versions`.
type versionsOptions struct {
	*streams
	engine *engine
	color  *colorChoice
	output string
}

// plainFormats are the formats of commands that do not print a single run.
var plainFormats = []string{"text", "markdown", "json"}

func newVersionsCmd(s *streams, e *engine, color *colorChoice) *cobra.Command {
	o := &versionsOptions{streams: s, engine: e, color: color}
	cmd := &cobra.Command{
		Use:     "versions [FROM TO]",
		Short:   "Show how Kubernetes versions differ",
		GroupID: groupOther,
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return e.versions(), cobra.ShellCompDirectiveNoFileComp
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
	addOutput(cmd, &o.output, plainFormats)
	return cmd
}

// table prints the differences between all versions.
func (o *versionsOptions) table() error {
	table := o.engine.versionTable()
	switch o.output {
	case "markdown":
		return report.VersionsMarkdown(o.out, table)
	case "json":
		return render.JSON(o.out, table)
	}
	return report.VersionsText(o.out, table, o.style(*o.color))
}

// changes prints what changed from one version to another. from may be the newer one. An unknown version is an error,
// and not one of usage.
func (o *versionsOptions) changes(from, to string) error {
	changes, err := o.engine.versionChanges(from, to)
	if err != nil {
		return err
	}
	switch o.output {
	case "markdown":
		return report.ChangesMarkdown(o.out, changes)
	case "json":
		return render.JSON(o.out, changes)
	}
	return report.ChangesText(o.out, changes, o.style(*o.color))
}
