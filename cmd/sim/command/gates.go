package command

import (
	"errors"

	"github.com/statefulsim/statefulsim/sim/gate"
)

// GatesOf finds the deploy tools that --gate names; without any it is all.
func GatesOf(names []string) ([]*gate.Gate, error) {
	if len(names) == 0 {
		return gate.All(), nil
	}
	var list []*gate.Gate
	for _, name := range names {
		g, err := gate.Named(name)
		if unknown, is := errors.AsType[*gate.Unknown](err); is {
			return nil, Usagef("--gate: %s: %s", unknown.What, unknown.Want)
		}
		list = append(list, g)
	}
	return list, nil
}

// AskedGates finds the deploy tools that --gate names; without any it is none.
func AskedGates(names []string) ([]*gate.Gate, error) {
	if len(names) == 0 {
		return nil, nil
	}
	return GatesOf(names)
}
