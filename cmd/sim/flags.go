package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// flagValue is the value of a flag that is no plain Go value: the word that help shows for it, its text, "" if it is
// not given, and what takes a text. An error of set says what would be right.
type flagValue struct {
	word string
	text func() string
	set  func(text string) error
}

// String returns the value.
func (f *flagValue) String() string { return f.text() }

// Type returns the word that help shows for the value.
func (f *flagValue) Type() string { return f.word }

// Set takes a value.
func (f *flagValue) Set(text string) error { return f.set(text) }

// versionFlag is a Kubernetes version, or a list of them. Whether they exist is found when the scenario is loaded. Of
// kubernetes and several one is empty after it.
func versionFlag(o *command.World) *flagValue {
	return &flagValue{"VERSION", o.VersionText, func(text string) error {
		var versions []string
		for _, version := range strings.Split(text, ",") {
			version = strings.TrimSpace(version)
			switch {
			case version == "":
				return usagef("the version is empty: see sim versions")
			case slices.Contains(versions, version):
				return usagef("the version %s occurs twice", version)
			}
			versions = append(versions, version)
		}
		o.Kubernetes, o.Several = versions[0], nil
		if len(versions) > 1 {
			o.Kubernetes, o.Several = "", versions
		}
		return nil
	}}
}

// timesFlags declares the flags; about is what their help begins with.
func timesFlags(flags *pflag.FlagSet, t *command.Times, about string) {
	flags.StringVar(&t.Start, "start", "", about+"the `DURATION` from when a pod is bound to a node until it is Running")
	flags.StringVar(&t.Ready, "ready", "", about+"the `DURATION` from when a pod is Running until it is Ready")
	flags.StringVar(&t.Stop, "stop", "", about+"the `DURATION` that a pod takes to stop")
	flags.StringArrayVar(&t.Records, "recording", nil, about+"take the times from `FILE`, the output of kubectl get pods "+
		"-o json (with or without -w), kubectl get events -o json, or sim run -o jsonl")
}

// gatesFlag adds feature gates, as Kubernetes' own commands do. The last setting of a gate wins. Whether it exists is
// found when the profile is made.
func gatesFlag(gates *map[string]bool) *flagValue {
	return &flagValue{"GATES", func() string { return shell.Gates(*gates) }, func(text string) error {
		for _, word := range strings.Split(text, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(word), "=")
			on, err := strconv.ParseBool(value)
			if err != nil || name == "" {
				return usagef("%q is not a feature gate setting: write NAME=true or NAME=false", word)
			}
			if *gates == nil {
				*gates = map[string]bool{}
			}
			(*gates)[name] = on
		}
		return nil
	}}
}

// seedFlag is a seed, or none.
func seedFlag(seed **uint64) *flagValue {
	text := func() string {
		if *seed == nil {
			return ""
		}
		return strconv.FormatUint(**seed, 10)
	}
	return &flagValue{"NUMBER", text, func(text string) error {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return usagef("%q is not a seed: a seed is a number from 0 to 18446744073709551615", text)
		}
		*seed = &n
		return nil
	}}
}

// bytesFlag is a size of memory or of a file: a whole number with or without a unit. Its default is what bytes holds
// when the flag is added.
func bytesFlag(bytes *int64) *flagValue {
	return &flagValue{"SIZE", func() string { return work.SizeText(*bytes) }, func(text string) error {
		for _, unit := range work.ByteUnits {
			if number, found := strings.CutSuffix(text, unit.Name); found {
				n, err := strconv.ParseInt(number, 10, 64)
				if err != nil || n < 0 || n > math.MaxInt64/unit.Size {
					break
				}
				*bytes = n * unit.Size
				return nil
			}
		}
		return usagef("%q is not a size: write a whole number of bytes, or one like 512MiB or 2GiB", text)
	}}
}

// shardFlag is a part of a search: I/N, with I from 0; "" is all of it. There are at most search.Groups, since a group
// of runs is never divided.
func shardFlag(shard *search.Shard) *flagValue {
	text := func() string {
		if shard.Of == 0 {
			return ""
		}
		return shard.String()
	}
	return &flagValue{"I/N", text, func(text string) error {
		index, of, _ := strings.Cut(text, "/")
		i, err := strconv.Atoi(index)
		n, err2 := strconv.Atoi(of)
		if err != nil || err2 != nil || i < 0 || n < 1 || i >= n || n > search.Groups {
			return usagef("%q is not a shard: a shard is I/N with I from 0 to N-1, and N of at most %d", text, search.Groups)
		}
		*shard = search.Shard{Index: i, Of: n}
		return nil
	}}
}

// shardsFlag is a number of shards; 0 if the flag is not given. A 0 is refused, since it would ask for nothing: the
// search would be played here.
func shardsFlag(shards *int) *flagValue {
	text := func() string {
		if *shards == 0 {
			return ""
		}
		return strconv.Itoa(*shards)
	}
	return &flagValue{"N", text, func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > search.Groups {
			return fmt.Errorf("a search has from 1 to %d shards", search.Groups)
		}
		*shards = n
		return nil
	}}
}

// regexpFlag is a regular expression; nil if the flag is not given.
func regexpFlag(expression **regexp.Regexp) *flagValue {
	text := func() string {
		if *expression == nil {
			return ""
		}
		return (*expression).String()
	}
	return &flagValue{"REGEX", text, func(text string) (err error) {
		*expression, err = regexp.Compile(text)
		return err
	}}
}

// none accepts no arguments.
func none(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("the command takes no argument, but got %s", args[0])
	}
	return nil
}

// exactly accepts n arguments, which the error names.
func exactly(n int, names string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return usagef("name %s: %s, not %d", names, render.Count(n, "argument"), len(args))
		}
		return nil
	}
}

// atLeastOne accepts one argument or more; the error says what one is.
func atLeastOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("name at least one %s", name)
		}
		return nil
	}
}

// atMostOne accepts one argument or none; the error says what it is.
func atMostOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("name at most one %s, not %d", name, len(args))
		}
		return nil
	}
}
