package main

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/checks/search"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/work"
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

// versionText returns the versions as the flag has them.
func (o *worldOptions) versionText() string { return strings.Join(o.versions(), ",") }

// versionFlag is a Kubernetes version, or a list of them. Whether they exist is found when the scenario is loaded. Of
// kubernetes and several one is empty after it.
func versionFlag(o *worldOptions) *flagValue {
	return &flagValue{"VERSION", o.versionText, func(text string) error {
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
		o.kubernetes, o.several = versions[0], nil
		if len(versions) > 1 {
			o.kubernetes, o.several = "", versions
		}
		return nil
	}}
}

// flagWords returns flags as a command line has them, of pairs of a flag and its value. One whose value is zero was not
// given; a list has the flag before each entry, and what is true is the flag alone.
func flagWords(pairs ...any) []string {
	var words []string
	for pair := range slices.Chunk(pairs, 2) {
		flag := pair[0].(string)
		switch list, is := pair[1].([]string); {
		case is:
			for _, entry := range list {
				words = append(words, flag, entry)
			}
		case reflect.ValueOf(pair[1]).IsZero():
		case pair[1] == true:
			words = append(words, flag)
		default:
			words = append(words, flag, fmt.Sprint(pair[1]))
		}
	}
	return words
}

// podTimes are the flags that say how long the pods of a live cluster take; "" is what the cluster shows of them.
type podTimes struct {
	start, ready, stop string
	records            []string
}

// addTo declares the flags; about is what their help begins with.
func (t *podTimes) addTo(flags *pflag.FlagSet, about string) {
	flags.StringVar(&t.start, "start", "", about+"the `DURATION` from when a pod is bound to a node until it is Running")
	flags.StringVar(&t.ready, "ready", "", about+"the `DURATION` from when a pod is Running until it is Ready")
	flags.StringVar(&t.stop, "stop", "", about+"the `DURATION` that a pod takes to stop")
	flags.StringArrayVar(&t.records, "recording", nil, about+"take the times from `FILE`, the output of kubectl get pods "+
		"-o json (with or without -w), kubectl get events -o json, or sim run -o jsonl")
}

// words returns the flags as they were given.
func (t *podTimes) words() []string {
	return flagWords("--start", t.start, "--ready", t.ready, "--stop", t.stop, "--recording", t.records)
}

// read parses the durations that were given; the others stay as they are.
func (t *podTimes) read(start, ready, stop *behaviour.Delay) error {
	for _, of := range []struct {
		flag, text string
		delay      *behaviour.Delay
	}{{"--start", t.start, start}, {"--ready", t.ready, ready}, {"--stop", t.stop, stop}} {
		if of.text == "" {
			continue
		}
		delay, err := scenario.ParseDelay(of.flag, of.text)
		if err != nil {
			return usagef("%s", err)
		}
		*of.delay = delay
	}
	return nil
}

// gateText returns gates in the order of their names.
func gateText(gates map[string]bool) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		words = append(words, fmt.Sprintf("%s=%t", name, gates[name]))
	}
	return strings.Join(words, ",")
}

// gatesFlag adds feature gates, as Kubernetes' own commands do. The last setting of a gate wins. Whether it exists is
// found when the profile is made.
func gatesFlag(gates *map[string]bool) *flagValue {
	return &flagValue{"GATES", func() string { return gateText(*gates) }, func(text string) error {
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
			return usagef("%q is not a shard: a shard is I/N with I from 0 to N-1, and N of at most %d", text,
				search.Groups)
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
