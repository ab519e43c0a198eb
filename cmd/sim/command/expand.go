package command

import (
	"github.com/statefulsim/statefulsim/scenario"
)

// Expand are the arguments of `sim expand`.
type Expand struct{ Call }

// Answer prints the scenario with its short forms and paths written out. Nothing is played.
func (o *Expand) Answer() error {
	if len(o.World.Several) > 0 {
		return usagef("sim expand plays one version: name only one")
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
