package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// NewRoot returns a command line without its commands: the help, the completion, the words for wrong flags, and --color,
// whose value the commands share once the line is parsed. help is the group of the commands that it adds.
func NewRoot(s *command.Console, use, short string, h *Help, groups ...*cobra.Group) *cobra.Command {
	s.Color = command.Colors[0]
	root := &cobra.Command{Use: use, Short: short, SilenceErrors: true, SilenceUsage: true}
	version := root.Flags().Bool("version", false, "print the version of sim, as sim version does")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			return PrintVersion(s)
		}
		return cmd.Help()
	}
	root.AddGroup(groups...)
	root.PersistentFlags().Var(&OneOf{Value: &s.Color, Of: command.Colors}, "color",
		"colour the output: "+strings.Join(command.Colors, "|")+"; never with NO_COLOR")
	Complete(root, "color", command.Colors)
	print := root.HelpFunc()
	full := func(cmd *cobra.Command, args []string) {
		h.Fill(cmd)
		print(cmd, args)
	}
	help := newHelpCmd(full)
	help.GroupID = GroupOther
	root.SetHelpCommand(help)
	root.SetCompletionCommandGroupID(GroupOther)
	root.SetUsageFunc(usage)
	root.SetHelpFunc(h.briefly(full))
	root.SetFlagErrorFunc(flagError)
	return root
}

// AddCompletion adds the command that prints the scripts for shells. Cobra's own prints its help for a shell that it does
// not know, and succeeds. It writes its scripts to the output that the root has when it is made.
func AddCompletion(root *cobra.Command, s *command.Console) {
	root.SetOut(s.Out)
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	work.Must(err)
	completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// The groups of commands in the help of a root.
const (
	GroupServe = "serve"
	GroupOther = "other"
)

// ServeGroup is the group of the commands of sessions.
func ServeGroup() *cobra.Group { return &cobra.Group{ID: GroupServe, Title: "Serve a cluster:"} }

// OtherGroup is the group of help and other commands that do no work of their own.
func OtherGroup() *cobra.Group { return &cobra.Group{ID: GroupOther, Title: "Other:"} }
