package cli

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

// flagError says what an unreadable duration or number should look like, and which flag was most likely meant by an
// unknown one.
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
	case bad.GetFlag().Name == "output" && cmd.Flags().Lookup(bad.GetValue()) != nil:
		return work.Usagef("-o %s: what it writes is named by --%[1]s", bad.GetValue())
	default:
		return err
	}
	return usagef("--%s %s: %s", bad.GetFlag().Name, bad.GetValue(), want)
}

// Action marks the errors of a command's work, to distinguish them from errors in its flags and arguments.
func Action(run func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := run(cmd, args); err != nil {
			return actionError{err}
		}
		return nil
	}
}

// WithArgs is the work of a command that answers a question about its arguments.
func WithArgs(c *command.Call, answers func() error) func(*cobra.Command, []string) error {
	return Action(func(_ *cobra.Command, args []string) error {
		c.Args = args
		return answers()
	})
}

// Asks is WithArgs for a command that has limits.
func Asks(c *command.Call, answers func() error) func(*cobra.Command, []string) error {
	return WithArgs(c, func() error {
		if err := c.World.Check(); err != nil {
			return err
		}
		return answers()
	})
}

// AddOutput adds the flag of the format, which is the first of them if it is not given.
func AddOutput(cmd *cobra.Command, output *string, formats []string) {
	*output = formats[0]
	cmd.Flags().VarP(&OneOf{Value: output, Of: formats}, "output", "o", "the format: "+strings.Join(formats, "|"))
	Complete(cmd, "output", formats)
}

// OneOf is a flag that takes one of some words. Value has the default, which should be one of them; Set keeps it so.
type OneOf struct {
	Value *string
	Of    []string
}

// String returns the value.
func (o *OneOf) String() string { return *o.Value }

// Type returns the word that help shows for the value.
func (o *OneOf) Type() string { return "WORD" }

// Set takes a word, or returns an error with the allowed words.
func (o *OneOf) Set(word string) error {
	switch {
	case slices.Contains(o.Of, word):
		*o.Value = word
		return nil
	case len(o.Of) == 1:
		return usagef("it takes only the word %s", o.Of[0])
	}
	list := strings.Join(o.Of, ", ")
	near := strict.Nearest(word, o.Of)
	if at := slices.IndexFunc(o.Of, func(of string) bool { return word != "" && abbreviates(word, of) }); at >= 0 {
		near = o.Of[at]
	}
	if near != "" && !(word == "yaml" && near == "html") {
		return usagef("did you mean %s? Choose one of %s", near, list)
	}
	return usagef("choose one of %s", list)
}

// abbreviates reports whether a word starts like another one, and has its letters in that order, as md does for
// markdown.
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
	case name == "set":
		return fmt.Errorf("%w: change the file", err)
	case near != "" && len(name) > 1:
		return fmt.Errorf("%w: did you mean --%s?", err, near)
	}
	return err
}

// Complete lets the shell complete the values of a flag.
func Complete(cmd *cobra.Command, flag string, values []string) {
	work.Must(cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}
