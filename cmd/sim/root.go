package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// The groups of commands in the root's help.
const (
	groupPlay  = "play"
	groupWrite = "write"
	groupServe = "serve"
	groupOther = "other"
)

// newRootCmd returns the command `sim` with all that are below it. They share the value of --color, which is known once
// the command line is parsed.
func newRootCmd(s *command.Console, e *command.Engine) *cobra.Command {
	s.Engine, s.Color = e, command.Colors[0]
	root := &cobra.Command{
		Use:           "sim COMMAND [flags] [FILE...]",
		Short:         "Play Kubernetes StatefulSet rollouts on a virtual clock",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	version := root.Flags().Bool("version", false, "print the version of sim, as sim version does")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			return printVersion(s)
		}
		return cmd.Help()
	}
	root.AddGroup(
		&cobra.Group{ID: groupPlay, Title: "Play and check:"},
		&cobra.Group{ID: groupWrite, Title: "Write scenarios:"},
		&cobra.Group{ID: groupServe, Title: "Serve a cluster:"},
		&cobra.Group{ID: groupOther, Title: "Other:"},
	)
	root.PersistentFlags().Var(&oneOf{value: &s.Color, of: command.Colors}, "color",
		"colour the output: "+strings.Join(command.Colors, "|")+"; never with NO_COLOR")
	complete(root, "color", command.Colors)
	print := root.HelpFunc()
	full := func(cmd *cobra.Command, args []string) {
		fill(cmd)
		print(cmd, args)
	}
	help := newHelpCmd(full)
	help.GroupID = groupOther
	root.SetHelpCommand(help)
	root.SetCompletionCommandGroupID(groupOther)
	for _, newCmd := range []func(*command.Console) *cobra.Command{
		newRunCmd, newTestCmd, newCheckCmd, newCompareCmd, newUpgradeCmd, newPlanCmd, newAdviseCmd, newExplainCmd, newFollowCmd,
		newExploreCmd, newSweepCmd, newMergeCmd, newLearnCmd, newServeCmd, newClockCmd, newCheckpointCmd, newRestoreCmd,
		newWhyCmd, newSaveCmd, newInitCmd, newExpandCmd, newSchemaCmd, newVersionsCmd, newAtlasCmd, newVersionCmd,
		newLimitsTopic,
	} {
		root.AddCommand(newCmd(s))
	}
	// Cobra's own command prints its help for a shell that it does not know, and succeeds. It writes its scripts to the
	// output that the root has when it is made.
	root.SetOut(s.Out)
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	work.Must(err)
	completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	root.SetUsageFunc(usage)
	root.SetHelpFunc(briefly(full))
	root.SetFlagErrorFunc(flagError)
	return root
}

// flagError says what a duration or a number looks like that cannot be read, and which flag was most likely meant by
// one that does not exist.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		return unknownFlag(cmd, unknown.GetSpecifiedName(), err)
	}
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	want := ""
	switch kind := bad.GetFlag().Value.Type(); {
	case kind == "duration":
		want = "write a duration with its unit, like 5s, 90m or 1h30m"
	case errors.Is(err, strconv.ErrRange):
		want = "the number is too large"
	case kind == "uint64":
		want = "write a whole number of at least 0"
	case strings.HasPrefix(kind, "int"):
		want = "write a whole number"
	default:
		return err
	}
	return usagef("--%s %s: %s", bad.GetFlag().Name, bad.GetValue(), want)
}

// action marks the errors of a command's work, to distinguish them from errors in its flags and arguments.
func action(run func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := run(cmd, args); err != nil {
			return actionError{err}
		}
		return nil
	}
}

// withArgs is the work of a command that answers a question about its arguments.
func withArgs(c *command.Call, answers func() error) func(*cobra.Command, []string) error {
	return action(func(_ *cobra.Command, args []string) error {
		c.Args = args
		return answers()
	})
}

// asks is withArgs for a command that has limits.
func asks(c *command.Call, answers func() error) func(*cobra.Command, []string) error {
	return withArgs(c, func() error {
		if err := c.World.Check(); err != nil {
			return err
		}
		return answers()
	})
}

// addOutput adds the flag of the format, which is the first of them if it is not given.
func addOutput(cmd *cobra.Command, output *string, formats []string) {
	*output = formats[0]
	cmd.Flags().VarP(&oneOf{value: output, of: formats}, "output", "o", "the format: "+strings.Join(formats, "|"))
	complete(cmd, "output", formats)
}

// oneOf is a flag that takes one of some words. value has the default, which should be one of them; Set keeps it so.
type oneOf struct {
	value *string
	of    []string
}

// String returns the value.
func (o *oneOf) String() string { return *o.value }

// Type returns the word that help shows for the value.
func (o *oneOf) Type() string { return "WORD" }

// Set takes a word, or says which there are.
func (o *oneOf) Set(word string) error {
	switch {
	case slices.Contains(o.of, word):
		*o.value = word
		return nil
	case len(o.of) == 1:
		return usagef("it takes only the word %s", o.of[0])
	}
	list := strings.Join(o.of, ", ")
	near := strict.Nearest(word, o.of)
	if at := slices.IndexFunc(o.of, func(of string) bool { return word != "" && abbreviates(word, of) }); at >= 0 {
		near = o.of[at]
	}
	if near != "" {
		return usagef("did you mean %s? Choose one of %s", near, list)
	}
	return usagef("choose one of %s", list)
}

// abbreviates says whether a word begins as another does, and has its letters in that order, as md has of markdown.
func abbreviates(word, of string) bool {
	if !strings.HasPrefix(of, word[:1]) {
		return false
	}
	for _, letter := range word {
		_, rest, found := strings.Cut(of, string(letter))
		if !found {
			return false
		}
		of = rest
	}
	return true
}

// unknownFlag adds the nearest flag to the error of one that does not exist. A single letter is near to everything.
func unknownFlag(cmd *cobra.Command, name string, err error) error {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := strict.Nearest(name, names)
	writes := slices.DeleteFunc([]string{"html", "junit", "report", "write"}, func(format string) bool {
		return !slices.Contains(names, format)
	})
	switch {
	case name == "o" && len(writes) > 0:
		return fmt.Errorf("%w: what it writes is named by --%s", err, strings.Join(writes, " and --"))
	case name == "f":
		return fmt.Errorf("%w: name the files without it", err)
	case near != "" && len(name) > 1:
		return fmt.Errorf("%w: did you mean --%s?", err, near)
	}
	return err
}

// complete lets the shell complete the values of a flag.
func complete(cmd *cobra.Command, flag string, values []string) {
	work.Must(cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

// yamlFiles lets the shell complete YAML files.
func yamlFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
}
