package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// newHelpCmd returns the command help. Cobra's own prints the help of the root for a topic that does not exist, and
// succeeds. full prints all help of a command.
func newHelpCmd(full func(*cobra.Command, []string)) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		Long: `Print all help of a command, of which sim COMMAND --help prints the beginning, or
that of a topic.`,
		Example: `  sim help run
  sim help limits`,
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				var names []string
				for _, below := range topicsBelow(topic) {
					names = append(names, below.Name())
				}
				return usagef("unknown help topic %q: %s", strings.Join(args, " "),
					strict.DidYouMean(args[len(args)-1], names))
			}
			topic.InitDefaultHelpFlag()
			full(topic, nil)
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []cobra.Completion
			for _, below := range topicsBelow(topic) {
				names = append(names, cobra.CompletionWithDesc(below.Name(), below.Short))
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// topicsBelow returns the commands and the topics below a command; those of the root for a command that has none.
func topicsBelow(cmd *cobra.Command) []*cobra.Command {
	if !cmd.HasSubCommands() {
		cmd = cmd.Root()
	}
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(below *cobra.Command) bool { return below.Hidden })
}
