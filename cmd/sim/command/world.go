package command

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// World are the flags that change what a scenario says about its world. They are read once; under makes copies,
// which share maps and slices. Zero values leave all to the scenario, but for the limits, which must be set
// (strict.DefaultLimits).
type World struct {
	// Kubernetes is the version, "" for the scenario's own.
	Kubernetes string
	// Several are the versions if more than one was asked for; Kubernetes is "" then. Commands that play call under for
	// each.
	Several []string
	// Gates override the scenario's gates; nil if none are set.
	Gates map[string]bool
	// Seed is nil if no seed was given; 0 is a seed.
	Seed *uint64
	// With are fields that all sets are given, over what their manifests say.
	With []scenario.Setting
	// Until is 0 for the scenario's own.
	Until time.Duration
	// Root is the folder that the paths of manifests may not leave, "" is the scenario's own.
	Root string
	// Named are the paths of the command line: a scenario found below one may also name files below it.
	Named  []string
	Limits strict.Limits
}

// LimitNames are the flags of the limits.
var LimitNames = []string{
	"max-replicas", "max-events", "max-memory", "max-cost", "max-duration", "max-file-size", "max-depth", "max-nodes",
	"max-documents",
}

// Check refuses options that mean nothing, and caps the memory of the process. Commands call it before they read
// anything.
func (o *World) Check() error {
	l := &o.Limits
	if o.Until < 0 {
		return Usagef("--until %s: a run cannot end before it begins", o.Until)
	}
	counts := min(int64(l.Depth), l.Nodes, int64(l.Documents), int64(l.Replicas), int64(l.Events), l.Memory, l.Cost)
	if min(l.FileSize, int64(l.Duration), counts) < 1 {
		return Usagef("a limit must be at least 1")
	}
	work.CapMemory(l.Memory)
	return nil
}

// RootOf returns the folder that the manifests of a scenario may not leave: --root, or else the folder of the
// command line where the scenario was found; "" is the scenario's own folder. If there are several folders, it is
// the first one.
func (o *World) RootOf(file string) string {
	for _, folder := range o.Named {
		if below, err := filepath.Rel(folder, file); o.Root == "" && err == nil && below != "." && filepath.IsLocal(below) {
			return folder
		}
	}
	return o.Root
}

// words returns the flags that repeat the options, with the seed that was really used.
func (o *World) words(seed uint64) []string {
	return append([]string{"--seed", strconv.FormatUint(seed, 10)}, o.WordsUnseeded()...)
}

// WordsUnseeded returns the flags that repeat the options other than the seed. Their order is always the same. Settings
// of --with, which only `sim compare` has, are not among them.
func (o *World) WordsUnseeded() []string {
	return append(shell.Flags("--kubernetes", o.VersionText(), "--feature-gates", shell.Gates(o.Gates),
		"--until", o.Until, "--root", o.Root), LimitWords(o.Limits)...)
}

// Given returns the flags as they were given: the seed only if one was.
func (o *World) Given() []string {
	if o.Seed == nil {
		return o.WordsUnseeded()
	}
	return o.words(*o.Seed)
}

// Command returns the command line that prints a page of runs again.
func (o *World) Command(name string, more []string) string {
	return shell.Line(slices.Concat([]string{"sim", name, "-o", "html"}, o.Given(), more)...)
}

// LimitWords returns the flags of the limits that differ from their defaults. It is nil if none does.
func LimitWords(l strict.Limits) []string {
	values := func(l strict.Limits) []any {
		return []any{l.Replicas, l.Events, work.SizeText(l.Memory), l.Cost, l.Duration, work.SizeText(l.FileSize),
			l.Depth, l.Nodes, l.Documents}
	}
	var words []string
	usual := values(strict.DefaultLimits())
	for i, value := range values(l) {
		if value != usual[i] {
			words = append(words, "--"+LimitNames[i], fmt.Sprint(value))
		}
	}
	return words
}

// Versions are those that are played, one by one.
func (o *World) Versions() []string {
	if len(o.Several) > 0 {
		return o.Several
	}
	return []string{o.Kubernetes}
}

// Under returns a copy of the options for one of several versions.
func (o *World) Under(version string) *World {
	one := *o
	one.Kubernetes, one.Several = version, nil
	return &one
}

// VersionText returns the versions as the flag has them.
func (o *World) VersionText() string { return strings.Join(o.Versions(), ",") }

// Times are the flags for how long the pods of a live cluster take; "" uses what the cluster shows.
type Times struct {
	Start, Ready, Stop string
	Records            []string
}

// Words returns the flags as they were given.
func (t *Times) Words() []string {
	return shell.Flags("--start", t.Start, "--ready", t.Ready, "--stop", t.Stop, "--recording", t.Records)
}

// Read parses the durations that were given; the others stay as they are.
func (t *Times) Read(start, ready, stop *behaviour.Delay) error {
	for _, of := range []struct {
		flag, text string
		delay      *behaviour.Delay
	}{{"--start", t.Start, start}, {"--ready", t.Ready, ready}, {"--stop", t.Stop, stop}} {
		if of.text == "" {
			continue
		}
		delay, err := scenario.ParseDelay(of.flag, of.text)
		if err != nil {
			return Usagef("%s", err)
		}
		*of.delay = delay
	}
	return nil
}

// Repeat returns the command that plays a run again, with the seed that the run had.
func (o *World) Repeat(p *Played) string {
	words := append([]string{"sim", "run"}, o.words(p.Seed())...)
	return shell.Line(append(words, p.File)...)
}
