package command

import (
	"errors"

	"github.com/statefulsim/statefulsim/sim/gate"
)

// gatesOf finds the deploy tools that --gate names; without any it is all.
func gatesOf(names []string) ([]*gate.Gate, error) {
	if len(names) == 0 {
		return gate.All(), nil
	}
	var list []*gate.Gate
	for _, name := range names {
		g, err := gate.Named(name)
		if unknown, is := errors.AsType[*gate.Unknown](err); is {
			return nil, usagef("--gate: %s: %s", unknown.What, unknown.Want)
		}
		list = append(list, g)
	}
	return list, nil
}

// askedGates finds the deploy tools that --gate names; without any it is none.
func askedGates(names []string) ([]*gate.Gate, error) {
	if len(names) == 0 {
		return nil, nil
	}
	return gatesOf(names)
}
