package cli

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// FlagValue is the value of a flag that is not a plain Go value: the word that help shows for it, its text, "" if
// it is not given, and the function that takes a text. An error of Take says what would be right.
type FlagValue struct {
	Word string
	Text func() string
	Take func(text string) error
}

// String returns the value.
func (f *FlagValue) String() string { return f.Text() }

// Type returns the word that help shows for the value.
func (f *FlagValue) Type() string { return f.Word }

// Set takes a value.
func (f *FlagValue) Set(text string) error { return f.Take(text) }

// VersionFlag is a Kubernetes version, or a list of them. Whether they exist is found when the scenario is loaded.
// Afterwards, either kubernetes or several is empty.
func VersionFlag(o *command.World) *FlagValue {
	return &FlagValue{"VERSION", o.VersionText, func(text string) error {
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

// GatesFlag adds feature gates, as Kubernetes' own commands do. The last setting of a gate wins. Whether it exists is
// found when the profile is made.
func GatesFlag(gates *map[string]bool) *FlagValue {
	return &FlagValue{"GATES", func() string { return shell.Gates(*gates) }, func(text string) error {
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
func seedFlag(seed **uint64) *FlagValue {
	text := func() string {
		if *seed == nil {
			return ""
		}
		return strconv.FormatUint(**seed, 10)
	}
	return &FlagValue{"NUMBER", text, func(text string) error {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return usagef("%q is not a seed: a seed is a number from 0 to 18446744073709551615", text)
		}
		*seed = &n
		return nil
	}}
}

// BytesFlag is a size of memory or of a file: a whole number with or without a unit. Its default is what bytes holds
// when the flag is added.
func BytesFlag(bytes *int64) *FlagValue {
	return &FlagValue{"SIZE", func() string { return work.SizeText(*bytes) }, func(text string) error {
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
