// Package expand is the command sim expand: it prints a scenario as it is read.
package expand

import (
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario"
)

// Command holds the arguments of `sim expand`.
type Command struct{ command.Call }

// Answer prints the scenario with its short forms and paths written out. Nothing is played.
func (o *Command) Answer() error {
	if len(o.World.Several) > 0 {
		return command.Usagef("sim expand plays one version: name only one")
	}
	in, data, err := o.From().Read(o.Args[0], o.World.Limits.FileSize)
	if err != nil {
		return err
	}
	text, err := scenario.Expand(in.Name(), data, scenario.Folder(in.Folder(), o.World.Root), o.World.Options())
	if err != nil {
		return err
	}
	_, err = o.Out.Write(text)
	return err
}
