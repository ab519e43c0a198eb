package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

// worldOptions are the flags that change what a scenario says about its world. They are read once; under makes copies,
// which share maps and slices. Zero values leave all to the scenario, but for the limits, which must be set
// (addLimitFlags).
type worldOptions struct {
	// kubernetes is the version, "" for the scenario's own.
	kubernetes string
	// several are the versions if more than one was asked for; kubernetes is "" then. Commands that play call under for
	// each.
	several []string
	// gates are set over those of the scenario; nil if none are.
	gates map[string]bool
	// seed is nil if no seed was given; 0 is a seed.
	seed *uint64
	// with are fields that all sets are given, over what their manifests say.
	with []scenario.Setting
	// until is 0 if the scenario's own is to be taken.
	until time.Duration
	// root is the folder that the paths of manifests may not leave, "" is the scenario's own.
	root string
	// named are the paths of the command line: a scenario found below one may name what lies below it too.
	named  []string
	limits strict.Limits
}

// addWorldFlags adds the flags that change the world of a scenario.
func addWorldFlags(cmd *cobra.Command, o *worldOptions, e *engine) {
	flags := cmd.Flags()
	flags.Var(versionFlag(o), "kubernetes", "play on this Kubernetes version, 1.36 or 1.35.2, or on each of A,B,...")
	flags.Var(gatesFlag(&o.gates), "feature-gates", "set feature gates, A=true,B=false, in addition to the scenario's")
	flags.Var(seedFlag(&o.seed), "seed", "the seed of random times and faults")
	flags.DurationVar(&o.until, "until", 0, "stop at this virtual time even if unsettled (default: the scenario's until)")
	flags.StringVar(&o.root, "root", "",
		"the `DIR` that manifest paths must stay in (default: the folder of the scenario)")
	addLimitFlags(cmd, &o.limits)
	completeVersions(cmd, "kubernetes", e)
}

// completeVersions lets the shell complete a flag with the versions of Kubernetes.
func completeVersions(cmd *cobra.Command, flag string, e *engine) {
	versions := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return e.versions(), cobra.ShellCompDirectiveNoFileComp
	}
	work.Must(cmd.RegisterFlagCompletionFunc(flag, versions))
}

// addLimitFlags adds the flags that raise the limits of what a file may ask for. Few people need one, so they are
// hidden, and have a help topic of their own. It sets the defaults.
func addLimitFlags(cmd *cobra.Command, limits *strict.Limits) {
	limitFlags(cmd.Flags(), limits)
	for _, name := range limitNames {
		cmd.Flags().Lookup(name).Hidden = true
	}
}

// newLimitsTopic returns the help of the flags that raise limits.
func newLimitsTopic() *cobra.Command {
	return &cobra.Command{Use: "limits", Short: "The flags that raise the limits for input files"}
}

// limitHelp is the list of these flags.
func limitHelp() string {
	flags := pflag.NewFlagSet("limits", pflag.ContinueOnError)
	limitFlags(flags, &strict.Limits{})
	return strings.TrimRight(flags.FlagUsagesWrapped(helpWidth), "\n")
}

// limitNames are the flags of the limits.
var limitNames = []string{
	"max-replicas", "max-events", "max-memory", "max-cost", "max-duration", "max-file-size", "max-depth", "max-nodes",
	"max-documents",
}

// limitFlags adds the flags of the limits, which it sets to their defaults.
func limitFlags(flags *pflag.FlagSet, limits *strict.Limits) {
	*limits = strict.DefaultLimits()
	flags.Int32Var(&limits.Replicas, "max-replicas", limits.Replicas, "the most replicas of a StatefulSet, and of all "+
		"of them together")
	flags.IntVar(&limits.Events, "max-events", limits.Events, "the most events of a timeline")
	flags.Var(bytesFlag(&limits.Memory), "max-memory", "the most memory that a run may hold, for example 1GiB")
	flags.Int64Var(&limits.Cost, "max-cost", limits.Cost, "the most fields that the conditions of a run may read")
	flags.DurationVar(&limits.Duration, "max-duration", limits.Duration, "the longest virtual time that a file may name")
	flags.Var(bytesFlag(&limits.FileSize), "max-file-size", "the largest file, for example 64MiB")
	flags.IntVar(&limits.Depth, "max-depth", limits.Depth, "the deepest nesting of a file")
	flags.Int64Var(&limits.Nodes, "max-nodes", limits.Nodes, "the most values in a file, with aliases written out")
	flags.IntVar(&limits.Documents, "max-documents", limits.Documents, "the most documents in a file")
}

// check refuses options that mean nothing, and caps the memory of the process. Commands call it before they read
// anything.
func (o *worldOptions) check() error {
	l := &o.limits
	if o.until < 0 {
		return usagef("--until %s: a run cannot end before it begins", o.until)
	}
	counts := min(int64(l.Depth), l.Nodes, int64(l.Documents), int64(l.Replicas), int64(l.Events), l.Memory, l.Cost)
	if min(l.FileSize, int64(l.Duration), counts) < 1 {
		return usagef("a limit must be at least 1")
	}
	work.CapMemory(l.Memory)
	return nil
}

// rootOf returns the folder that the manifests of a scenario may not leave: --root, or else the folder of the command
// line in which the scenario was found; "" is the scenario's own folder. Of several folders it is the first that was
// named.
func (o *worldOptions) rootOf(file string) string {
	for _, folder := range o.named {
		if below, err := filepath.Rel(folder, file); o.root == "" && err == nil && below != "." && filepath.IsLocal(below) {
			return folder
		}
	}
	return o.root
}

// words returns the flags that repeat the options, with the seed that was really used.
func (o *worldOptions) words(seed uint64) []string {
	return append([]string{"--seed", strconv.FormatUint(seed, 10)}, o.wordsUnseeded()...)
}

// wordsUnseeded returns the flags that repeat the options other than the seed. Their order is always the same. Settings
// of --with, which only `sim compare` has, are not among them.
func (o *worldOptions) wordsUnseeded() []string {
	return append(flagWords("--kubernetes", o.versionText(), "--feature-gates", gateText(o.gates), "--until", o.until,
		"--root", o.root), limitWords(o.limits)...)
}

// asked returns the flags as they were given: the seed only if one was.
func (o *worldOptions) asked() []string {
	if o.seed == nil {
		return o.wordsUnseeded()
	}
	return o.words(*o.seed)
}

// command returns the command line that prints a page of runs again.
func (o *worldOptions) command(name string, more []string) string {
	return command.Line(slices.Concat([]string{"sim", name, "-o", "html"}, o.asked(), more)...)
}

// limitWords returns the flags of the limits that differ from their defaults. It is nil if none does.
func limitWords(l strict.Limits) []string {
	values := func(l strict.Limits) []any {
		return []any{l.Replicas, l.Events, work.SizeText(l.Memory), l.Cost, l.Duration, work.SizeText(l.FileSize),
			l.Depth, l.Nodes, l.Documents}
	}
	var words []string
	usual := values(strict.DefaultLimits())
	for i, value := range values(l) {
		if value != usual[i] {
			words = append(words, "--"+limitNames[i], fmt.Sprint(value))
		}
	}
	return words
}

// versions are those that are played, one by one.
func (o *worldOptions) versions() []string {
	if len(o.several) > 0 {
		return o.several
	}
	return []string{o.kubernetes}
}

// under returns a copy of the options for one of several versions.
func (o *worldOptions) under(version string) *worldOptions {
	one := *o
	one.kubernetes, one.several = version, nil
	return &one
}
