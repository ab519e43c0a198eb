// Package versions is the command sim versions: it prints the versions and their differences.
package versions

import (
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/change/upgrade"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Command holds the arguments of `sim versions`.
type Command struct{ command.Call }

// PlainFormats are the formats of commands that do not print a single run.
var PlainFormats = []string{"text", "markdown", "json"}

// Answer prints the differences between two versions or, without any, those between all.
func (o *Command) Answer() error {
	switch len(o.Args) {
	case 0:
		return o.table()
	case 2:
		return o.changes(o.Args[0], o.Args[1])
	}
	return command.Usagef("name two versions, or none")
}

// table prints the differences between all versions.
func (o *Command) table() error {
	table := upgrade.VersionTable()
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
func (o *Command) changes(from, to string) error {
	changes, err := upgrade.VersionChanges(from, to)
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
