package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/sim/output/render"
)

// usage prints how a command is used: what cobra's template prints, with the flags wrapped at helpWidth and a pointer
// to those that are left out. It is no template: a program that executes one has to keep every method of every type.
// cobra calls it for all help of a command, which --help shortens.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:")
	b.WriteString("\n  " + cmd.UseLine())
	if cmd.HasExample() {
		b.WriteString("\n\nExamples:\n" + cmd.Example)
	}
	usageCommands(&b, cmd)
	if cmd.HasAvailableLocalFlags() {
		usageFlags(&b, "Flags", cmd.LocalFlags())
	}
	if cmd.HasAvailableInheritedFlags() {
		usageFlags(&b, "Global Flags", cmd.InheritedFlags())
	}
	usageTopics(&b, cmd)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\nUse \"%s help%s COMMAND\" for all about a command.", cmd.Root().Name(),
			strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()))
	}
	b.WriteString("\n")
	if cmd.LocalFlags().Lookup("max-events") != nil {
		fmt.Fprintf(&b, "\nFlags that raise the limits of runs and files: see %q.\n",
			cmd.Root().Name()+" help limits")
	}
	_, err := fmt.Fprint(cmd.OutOrStderr(), b.String())
	return err
}

// usageCommands lists the commands below one, in its groups if it has some.
func usageCommands(b *strings.Builder, cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	groups := cmd.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Available Commands:"}}
	}
	for _, group := range groups {
		b.WriteString("\n\n" + group.Title)
		for _, below := range cmd.Commands() {
			if below.GroupID == group.ID && (below.IsAvailableCommand() || below.Name() == "help") {
				fmt.Fprintf(b, "\n  %-*s %s", below.NamePadding(), below.Name(), below.Short)
			}
		}
	}
}

// The places in the texts of help where lists stand. They are put in when a text is printed: to wrap them takes an
// eighth of the start of a command.
const (
	listOfAnswers  = "LIST OF ANSWERS"
	listOfCases    = "LIST OF CASES"
	listOfFormats  = "LIST OF FORMATS"
	listOfPromises = "LIST OF PROMISES"
)

// withLists puts the lists into the text of a command before its help is printed.
func withLists(help func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, args []string) {
		for place, list := range map[string]func() string{
			listOfAnswers: showHelp, listOfCases: caseHelp, listOfFormats: formatHelp, listOfPromises: promiseHelp,
		} {
			if strings.Contains(cmd.Long, place) {
				cmd.Long = strings.ReplaceAll(cmd.Long, place, list())
			}
		}
		help(cmd, args)
	}
}

// described lists words with what they mean, for the text of help. Rows are pairs of a word and its meaning; their
// order stays. The result does not end with a line break.
func described(rows [][2]string) string {
	var b strings.Builder
	p, width := render.New(&b, render.Style{Width: helpWidth}), 0
	for _, row := range rows {
		width = max(width, len(row[0]))
	}
	for _, row := range rows {
		p.Hanging(0, "  "+render.Pad(row[0], width)+"  ", row[1], render.Plain)
	}
	must(p.Flush())
	return strings.TrimRight(b.String(), "\n")
}

// usageFlags lists flags below a title; those that are hidden are left out.
func usageFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	b.WriteString("\n\n" + title + ":\n" + flagUsages(flags))
}

// flagUsages lists flags with what they do.
func flagUsages(flags *pflag.FlagSet) string {
	text := strings.TrimRight(flags.FlagUsagesWrapped(helpWidth), " \n")
	// A file that may be missing stands behind an equals sign; pflag writes it as FILE[="-"].
	return strings.ReplaceAll(text, " FILE[=\"-\"]", "[=FILE]    ")
}

// usageTopics lists the topics of help that are no commands; it writes nothing if there are none.
func usageTopics(b *strings.Builder, cmd *cobra.Command) {
	if !cmd.HasHelpSubCommands() {
		return
	}
	b.WriteString("\n\nAdditional help topics:")
	for _, below := range cmd.Commands() {
		if below.IsAdditionalHelpTopicCommand() {
			fmt.Fprintf(b, "\n  %s help %s   %s", cmd.CommandPath(), below.Name(), below.Short)
		}
	}
}
