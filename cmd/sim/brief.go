package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// screen is the number of lines of a small terminal, with one for the prompt.
const screen = 24

// briefly prints the help that --help asks for, which fits into one screen: what a command is for, its most common
// uses, and its flags, by their names alone if there are many. sim help COMMAND prints full. Topics, and the commands
// that cobra makes, have no examples, and no other help than full.
func briefly(full func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, args []string) {
		if !cmd.HasExample() {
			full(cmd, args)
			return
		}
		// What could not be written is told at the end of the command.
		_, _ = fmt.Fprint(cmd.OutOrStdout(), brief(cmd))
	}
}

// brief is the help of a command within one screen. The text ends with a line break.
func brief(cmd *cobra.Command) string {
	sentence, _, _ := strings.Cut(cmp.Or(cmd.Long, cmd.Short)+"\n", ".\n")
	if !cmd.HasSubCommands() {
		sentence, _, _ = strings.Cut(sentence, ". ")
	}
	head := strings.TrimSpace(sentence) + ".\n\nUsage:\n  " + cmd.UseLine() + "\n\nExamples:\n"
	foot := fmt.Sprintf("\nAll about it: %s help %s\n", cmd.Root().Name(), cmd.Name())
	flags := "\nFlags:\n" + flagUsages(cmd.LocalFlags()) + "\n"
	if cmd.HasSubCommands() {
		flags = "\n" + briefCommands(cmd)
		foot = fmt.Sprintf("\nHow to use one: %s COMMAND --help. What each does: %[1]s help\n", cmd.Name())
	} else if strings.Count(head+cmd.Example+flags+foot, "\n") >= screen {
		flags = "\n" + described([][2]string{{"Flags:", flagNames(cmd.LocalFlags())}}) + "\n"
	}
	room := screen - 1 - strings.Count(head+flags+foot, "\n")
	return head + firstExamples(cmd.Example, room) + flags + foot
}

// briefCommands lists the commands below one by their names, a group a line.
func briefCommands(cmd *cobra.Command) string {
	var rows [][2]string
	for _, group := range cmd.Groups() {
		var names []string
		for _, below := range cmd.Commands() {
			if below.GroupID == group.ID && (below.IsAvailableCommand() || below.Name() == "help") {
				names = append(names, below.Name())
			}
		}
		rows = append(rows, [2]string{group.Title, strings.Join(names, ", ")})
	}
	return described(rows) + "\n"
}

// flagNames lists the flags that are not hidden by their names.
func flagNames(flags *pflag.FlagSet) string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Hidden:
		case f.Shorthand != "":
			names = append(names, "--"+f.Name+" (-"+f.Shorthand+")")
		default:
			names = append(names, "--"+f.Name)
		}
	})
	return strings.Join(names, ", ")
}

// firstExamples returns as many examples as there is room for, in lines. Each is whole: one may go on in the next line.
func firstExamples(all string, room int) string {
	var b strings.Builder
	lines := strings.Split(all, "\n")
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && strings.ContainsAny(lines[to-1][len(lines[to-1])-1:], `|\`) {
			to++
		}
		if to > room {
			break
		}
		b.WriteString(strings.Join(lines[from:to], "\n") + "\n")
		from = to
	}
	return b.String()
}
