package main

import "github.com/spf13/cobra"

// reserved are commands that a later version will have.
var reserved = []struct{ name, short string }{
	{"explore", "Search the orders and faults of a scenario for one that breaks it"},
}

func newReservedCmds() []*cobra.Command {
	var cmds []*cobra.Command
	for _, r := range reserved {
		cmds = append(cmds, &cobra.Command{
			Use: r.name, Short: r.short, Hidden: true, DisableFlagParsing: true,
			RunE: action(func(*cobra.Command, []string) error { return usagef("not yet: %s", reservedName) }),
		})
	}
	return cmds
}
