// Package atlas is the command sim atlas: it prints the known traps.
package atlas

import (
	"errors"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/search/atlas"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Command holds the arguments of `sim atlas`. The version limits the list to the traps of it; "" lists all, also those that
// no version has.
type Command struct{ command.Call }

// TrapNames are the names of all traps.
func TrapNames() []string {
	var names []string
	for i := range atlas.Traps {
		names = append(names, atlas.Traps[i].Name)
	}
	return names
}

// Answer plays the traps that were asked for and prints them, after an interruption those that were played by then. An
// unknown name or version is an error of usage.
func (o *Command) Answer() error {
	traps := atlas.Traps
	if len(o.Args) == 1 {
		trap := atlas.Lookup(o.Args[0])
		if trap == nil {
			return command.Usagef("there is no trap %q: %s", o.Args[0], strict.DidYouMean(o.Args[0], TrapNames()))
		}
		traps = []atlas.Trap{*trap}
	}
	if o.World.Kubernetes != "" {
		if _, err := statefulset.Lookup(o.World.Kubernetes); err != nil {
			return command.Usagef("%s", err)
		}
	}
	rows, err := atlas.Rows(traps, o.World.Kubernetes, o.Interrupted)
	if err != nil {
		return err
	}
	if !o.Interrupted() {
		return o.print(rows)
	}
	if len(rows) > 0 {
		err = o.print(rows)
	}
	return errors.Join(err, command.ErrInterrupted)
}

// print writes the traps in the format that was asked for.
func (o *Command) print(rows []atlas.Row) error {
	switch o.Output {
	case "json":
		return render.JSON(o.Out, struct {
			Traps []atlas.Row `json:"traps"`
		}{rows})
	case "markdown":
		return atlas.Markdown(o.Out, rows)
	}
	return atlas.Text(o.Out, rows, render.Style(o.Style()))
}
