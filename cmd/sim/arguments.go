package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/sim/output/render"
)

// none accepts no arguments.
func none(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("the command takes no argument, but got %s", args[0])
	}
	return nil
}

// exactly accepts n arguments, which the error names.
func exactly(n int, names string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return usagef("name %s: %s, not %d", names, render.Count(n, "argument"), len(args))
		}
		return nil
	}
}

// atLeastOne accepts one argument or more; the error says what one is.
func atLeastOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("name at least one %s", name)
		}
		return nil
	}
}

// atMostOne accepts one argument or none; the error says what it is.
func atMostOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("name at most one %s, not %d", name, len(args))
		}
		return nil
	}
}
