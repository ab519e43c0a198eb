package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// The groups of commands in the root's help.
const (
	groupPlay  = "play"
	groupWrite = "write"
)

// newRootCmd returns the command `sim` with all that are below it. They share the value of --color, which is known once
// the command line is parsed.
func newRootCmd(s *command.Console, e *command.Engine) *cobra.Command {
	s.Engine = e
	root := cli.NewRoot(s, "sim COMMAND [flags] [FILE...]", "Play Kubernetes StatefulSet rollouts on a virtual clock", help,
		&cobra.Group{ID: groupPlay, Title: "Play and check:"}, &cobra.Group{ID: groupWrite, Title: "Write scenarios:"},
		cli.ServeGroup(), cli.OtherGroup())
	for _, newCmd := range []func(*command.Console) *cobra.Command{
		newRunCmd, newTestCmd, newCheckCmd, newCompareCmd, newUpgradeCmd, newPlanCmd, newAdviseCmd, newExplainCmd, newFollowCmd,
		newExploreCmd, newSweepCmd, newMergeCmd, newLearnCmd, newInitCmd, newExpandCmd, newSchemaCmd, newVersionsCmd, newAtlasCmd,
		newVersionCmd, cli.NewLimitsTopic,
	} {
		root.AddCommand(newCmd(s))
	}
	for _, of := range cli.Sessions {
		root.AddCommand(newSessionCmd(s, of))
	}
	cli.AddCompletion(root, s)
	return root
}

func newVersionCmd(s *command.Console) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of sim",
		GroupID: cli.GroupOther,
		Args:    none,
		RunE:    cli.Action(func(*cobra.Command, []string) error { return cli.PrintVersion(s) }),
	}
}

// yamlFiles lets the shell complete YAML files.
func yamlFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
}
