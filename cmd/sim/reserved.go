package main

import "github.com/spf13/cobra"

// reserved are commands that a later version will have.
var reserved = []struct{ name, short string }{
	{"plan", "Foresee what a change of a manifest will do"},
	{"compare", "Play scenarios side by side"},
	{"explain", "Explain what is waited for at an instant"},
	{"upgrade", "Find the sets that behave differently on another Kubernetes version"},
	{"explore", "Search the orders and faults of a scenario for one that breaks it"},
	{"learn", "Learn StatefulSets in lessons"},
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
