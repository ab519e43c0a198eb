package command

import (
	"github.com/statefulsim/statefulsim/scenario/change/upgrade"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Versions are the arguments of `sim versions`.
type Versions struct{ Call }

// PlainFormats are the formats of commands that do not print a single run.
var PlainFormats = []string{"text", "markdown", "json"}

// Answer prints the differences between two versions or, without any, those between all.
func (o *Versions) Answer() error {
	switch len(o.Args) {
	case 0:
		return o.table()
	case 2:
		return o.changes(o.Args[0], o.Args[1])
	}
	return usagef("name two versions, or none")
}

// table prints the differences between all versions.
func (o *Versions) table() error {
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
func (o *Versions) changes(from, to string) error {
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
