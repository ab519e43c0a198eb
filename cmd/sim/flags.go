package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/command/test"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// timesFlags declares the flags; about starts their help texts.
func timesFlags(flags *pflag.FlagSet, t *command.Times, about string) {
	flags.StringVar(&t.Start, "start", "", about+"the `DURATION` from when a pod is bound to a node until it is Running")
	flags.StringVar(&t.Ready, "ready", "", about+"the `DURATION` from when a pod is Running until it is Ready")
	flags.StringVar(&t.Stop, "stop", "", about+"the `DURATION` that a pod takes to stop")
	flags.StringArrayVar(&t.Records, "recording", nil, about+"take the times from `FILE`, the output of kubectl get pods "+
		"-o json (with or without -w), kubectl get events -o json, or sim run -o jsonl")
}

// shardFlag is a part of a search: I/N, with I from 0; "" is all of it. There are at most search.Groups, since a group
// of runs is never divided.
func shardFlag(shard *search.Shard) *cli.FlagValue {
	text := func() string {
		if shard.Of == 0 {
			return ""
		}
		return shard.String()
	}
	return &cli.FlagValue{Word: "I/N", Text: text, Take: func(text string) error {
		index, of, _ := strings.Cut(text, "/")
		i, err := strconv.Atoi(index)
		n, err2 := strconv.Atoi(of)
		if err != nil || err2 != nil || i < 0 || n < 1 || i >= n || n > search.Groups {
			return work.Usagef("%q is not a shard: a shard is I/N with I from 0 to N-1, and N of at most %d", text, search.Groups)
		}
		*shard = search.Shard{Index: i, Of: n}
		return nil
	}}
}

// shardsFlag is a number of shards; 0 if the flag is not given. A 0 is refused, since it would ask for nothing: the
// search would be played here.
func shardsFlag(shards *int) *cli.FlagValue {
	text := func() string {
		if *shards == 0 {
			return ""
		}
		return strconv.Itoa(*shards)
	}
	return &cli.FlagValue{Word: "N", Text: text, Take: func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > search.Groups {
			return fmt.Errorf("a search has from 1 to %d shards", search.Groups)
		}
		*shards = n
		return nil
	}}
}

// regexpFlag is a regular expression; nil if the flag is not given.
func regexpFlag(expression **regexp.Regexp) *cli.FlagValue {
	text := func() string {
		if *expression == nil {
			return ""
		}
		return (*expression).String()
	}
	return &cli.FlagValue{Word: "REGEX", Text: text, Take: func(text string) (err error) {
		*expression, err = regexp.Compile(text)
		return err
	}}
}

// none accepts no arguments.
func none(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return work.Usagef("the command takes no argument, but got %s", args[0])
	}
	return nil
}

// exactly accepts n arguments, which the error names.
func exactly(n int, names string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return work.Usagef("name %s: %s, not %d", names, render.Count(n, "argument"), len(args))
		}
		return nil
	}
}

// fileOrStdin describes the arguments of a command that also reads standard input.
const fileOrStdin = "FILE, or - for standard input"

// atLeastOne accepts one argument or more; the error says what one is.
func atLeastOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return work.Usagef("name at least one %s", name)
		}
		return nil
	}
}

// atMostOne accepts one argument or none; the error says what it is.
func atMostOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 2 && args[0] == name:
			return work.Usagef("leave out the word %s: name only %s", name, args[1])
		case len(args) > 1:
			return work.Usagef("name at most one %s: %s", name, strings.Join(args, " or "))
		}
		return nil
	}
}

// testPaths accepts the paths of a test. A flag that was given without its own file has taken the only path.
func testPaths(o *test.Command) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if info, err := os.Stat(o.JUnit); len(args) == 0 && err == nil && (info.IsDir() || strings.HasSuffix(o.JUnit, ".yaml")) {
			return work.Usagef("--junit has taken %s for its file, so there is no PATH: sim test --junit report.xml %s", o.JUnit, o.JUnit)
		}
		return atLeastOne("PATH")(cmd, args)
	}
}
