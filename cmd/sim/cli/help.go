package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// newHelpCmd returns the command help. Cobra's own prints the help of the root for a topic that does not exist, and
// succeeds. full prints all help of a command. A command that leaves the parsing of its flags to another program, leaves
// its help to that too.
func newHelpCmd(full func(*cobra.Command, []string)) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				var names []string
				for _, below := range topicsBelow(topic) {
					names = append(names, below.Name())
				}
				return usagef("unknown help topic %q: %s", strings.Join(args, " "), strict.DidYouMean(args[len(args)-1], names))
			}
			if topic.DisableFlagParsing {
				return topic.RunE(cmd, args)
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

// topicsBelow returns the commands and the topics below a command; for a command without any, the root's.
func topicsBelow(cmd *cobra.Command) []*cobra.Command {
	if !cmd.HasSubCommands() {
		cmd = cmd.Root()
	}
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(below *cobra.Command) bool { return below.Hidden })
}

// HelpWidth is the width of the texts of help.
const HelpWidth = render.DefaultWidth

// screen is the number of lines of a small terminal, with one for the prompt.
const screen = 24

// briefly prints the help of --help, which fits on one screen: what a command is for, its most common uses, and its
// flags, by their names alone if there are many. sim help COMMAND prints full. Topics, and the commands that cobra
// makes, have no examples, and only the full help.
func (h *Help) briefly(full func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, args []string) {
		h.Fill(cmd)
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
		flags = "\n" + Described([][2]string{{"Flags:", flagNames(cmd.LocalFlags())}}) + "\n"
	}
	room := screen - 1 - strings.Count(head+flags+foot, "\n")
	return head + firstExamples(cmd.Example, room) + flags + foot
}

// briefCommands lists the commands below one by their names, one group per line.
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
	return Described(rows) + "\n"
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

// firstExamples returns as many examples as there is room for, in lines. Each is whole: one may continue in the
// next line.
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

// usage prints how a command is used: what cobra's template prints, with the flags wrapped at HelpWidth and a
// pointer to those that are left out. It is not a template: a program that executes templates has to keep every
// method of every type. cobra calls it for all help of a command, which --help shortens.
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
		fmt.Fprintf(&b, "\nFlags that raise the limits of runs and files: see %q.\n", cmd.Root().Name()+" help limits")
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

// Help are the texts of help of a program.
type Help struct {
	// Texts has sections for each command, and a command reads its own only on request: "-- run --" and "-- run
	// examples --".
	Texts string
	// Lists are the lists that a text has at {{NAME}}. To wrap them takes an eighth of the start of a command.
	Lists map[string]func() string
}

// Fill gives a command the texts of its help. Those of commands that cobra makes stay.
func (h *Help) Fill(cmd *cobra.Command) {
	cmd.Long, cmd.Example = cmp.Or(cmd.Long, h.text(cmd.Name())), cmp.Or(cmd.Example, h.text(cmd.Name()+" examples"))
}

// text returns a text of help with its lists, "" if there is none of that name.
func (h *Help) text(name string) string {
	_, text, _ := strings.Cut(h.Texts, "\n-- "+name+" --\n")
	text, _, _ = strings.Cut(text, "\n-- ")
	for name, list := range h.Lists {
		if place := "{{" + name + "}}"; strings.Contains(text, place) {
			text = strings.ReplaceAll(text, place, list())
		}
	}
	return strings.TrimRight(text, "\n")
}

// Described lists words with their meanings, for the text of help. Rows are pairs of a word and its meaning; their
// order stays. The result does not end with a line break.
func Described(rows [][2]string) string {
	var b strings.Builder
	p, width := render.New(&b, render.Style{Width: HelpWidth}), 0
	for _, row := range rows {
		width = max(width, len(row[0]))
	}
	for _, row := range rows {
		p.Hanging(0, "  "+render.Pad(row[0], width)+"  ", row[1], render.Plain)
	}
	work.Must(p.Flush())
	return strings.TrimRight(b.String(), "\n")
}

// usageFlags lists flags below a title; those that are hidden are left out.
func usageFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	b.WriteString("\n\n" + title + ":\n" + flagUsages(flags))
}

// flagUsages lists flags and their meanings.
func flagUsages(flags *pflag.FlagSet) string {
	text := strings.TrimRight(flags.FlagUsagesWrapped(HelpWidth), " \n")
	// An optional file comes after an equals sign; pflag writes it as FILE[="-"].
	return strings.ReplaceAll(text, " FILE[=\"-\"]", "[=FILE]    ")
}

// usageTopics lists the help topics that are not commands; it writes nothing if there are none.
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
