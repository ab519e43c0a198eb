// Package explore is the command sim explore: it searches for runs that break a promise.
package explore

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/explore"
	"github.com/statefulsim/statefulsim/scenario/search/spread"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Command holds the arguments of `sim explore`. `sim merge` has them too, and sets only what it prints with.
type Command struct {
	command.Call
	// Deviations is the most deviations of a run, 0 for the scenario's number, or else usualDeviations; Runs is the
	// most runs of each file on each version, over all shards. ForTime limits the search in real time; 0 does not.
	Deviations int
	Runs       int
	ForTime    time.Duration
	// Random is true if all runs with several deviations are drawn.
	Random bool
	// Promises are the promises to check, none for the usual ones, or all; the promises in Without are always left
	// out. Waive are the names of waivers, Everything for all of them.
	Promises []string
	Without  []string
	All      bool
	Waive    []string
	Shards   command.Shards
	// Shard is the part to search; the zero value is all of it.
	Shard search.Shard
	// Replay is the token of the run to play instead of a search, Write the folder for scenarios; "" if not asked for.
	Replay string
	Write  string
	// Merged is true if the findings come from reports: then the options of their searches are not known, and each
	// command names the version of its finding.
	Merged bool
}

// Answer searches, and prints what was found. A search that is interrupted is reported as far as it got, and then
// exits as interrupted. The error is errFailed if a finding is left that no waiver removes.
func (o *Command) Answer() error {
	if err := files.OnceStdin(o.Args); err != nil {
		return err
	}
	if o.Deviations < 0 || o.Runs < 1 || o.Workers < 1 || o.ForTime < 0 {
		return command.Usagef("--deviations, --runs and -j must be at least 1")
	}
	for _, name := range o.Waive {
		if !slices.Contains(explore.WaiverNames(), name) {
			return command.Usagef("there is no known trap %q: the names are %s", name, strings.Join(explore.WaiverNames(), ", "))
		}
	}
	if o.Shards.Asked() {
		return o.Shards.Print(o.Console, &spread.Command{Verb: "explore", Args: o.searchWords(), Files: o.Args})
	}
	explorers, err := o.explorers()
	if err == nil {
		err = o.tryWrite()
	}
	if err != nil {
		return err
	}
	if o.Replay != "" {
		return o.again(explorers)
	}
	// A search keeps little and frees a lot: its next run reuses the memory of the last one.
	work.KeepSmall()
	r, err := o.search(explorers)
	if err != nil {
		return err
	}
	r.Waive(o.Waive)
	if err := errors.Join(o.Print(r, explorers), o.writeFound(r.Found)); err != nil {
		return err
	}
	switch {
	case o.Interrupted():
		return command.ErrInterrupted
	case len(r.Found) > 0, len(r.Refused()) > 0:
		return command.ErrFailed
	}
	return nil
}

// explorers prepares the exploration of each file on each version, in this order. Each plays its plain run for that.
func (o *Command) explorers() ([]*explore.Explorer, error) {
	names, err := explore.Promises(o.Promises, o.Without, o.All)
	if err != nil {
		return nil, command.Usagef("%s", err)
	}
	sources, err := o.sources()
	if err != nil {
		return nil, err
	}
	giveUp := o.Moment(command.LastMoment)
	var explorers []*explore.Explorer
	for _, source := range sources {
		for _, version := range o.World.Versions() {
			on := source
			on.Options = o.World.Under(version).Options()
			on.Interrupted, on.GiveUp = o.Interrupted, giveUp
			x, err := work.Await(o.Ctx, func() (*explore.Explorer, error) { return explore.New(&on) })
			if errors.Is(err, search.ErrCut) {
				return nil, command.ErrInterrupted
			}
			if err != nil {
				return nil, err
			}
			x.Sim, x.Promises = command.Version, names
			explorers = append(explorers, x)
		}
	}
	return explorers, nil
}

// sources reads the files, at most as far as the limit.
func (o *Command) sources() ([]explore.Source, error) {
	var named []explore.Named
	for _, path := range o.Args {
		in, data, err := o.From().Read(path, o.World.Limits.FileSize)
		if err != nil {
			return nil, err
		}
		if err := strict.Text(in.Name(), data, o.World.Limits); err != nil {
			return nil, err
		}
		named = append(named, explore.Named{Name: in.Name(), Path: path, Data: data, Once: in.Data != nil,
			Dir: o.folder(path)})
	}
	sources, err := explore.Sources(named)
	if err != nil {
		return nil, command.Usagef("%s", err)
	}
	return sources, nil
}

// folder returns the folder that the paths in a file are relative to.
func (o *Command) folder(path string) fs.FS {
	if path == files.Stdin {
		return scenario.Folder(".", o.World.Root)
	}
	return scenario.Folder(filepath.Dir(path), o.World.RootOf(path))
}

// usualDeviations is the default depth of a search.
const usualDeviations = 3

// search explores one after the other, each on all cores. --for ends the search by the clock, so only then the result
// depends on the machine; the report says that it was stopped. The seed is 1 if none is given, so that two searches are
// the same.
func (o *Command) search(explorers []*explore.Explorer) (*explore.Report, error) {
	begin := time.Now()
	stop := func() bool {
		return o.Interrupted() || o.ForTime > 0 && time.Since(begin) > o.ForTime
	}
	settings := explore.Settings{
		Runs: o.Runs, Random: 25, Seed: 1, Shard: o.Shard, Every: work.AtOnce(o.Workers, nil), Stop: stop,
	}
	if o.World.Seed != nil {
		settings.Seed = *o.World.Seed
	}
	if o.Random {
		settings.Random = 100
	}
	var runs, states atomic.Int64
	bar := o.Progress("exploring")
	defer bar.Clear()
	settings.Tell = func(reached int) {
		runs.Add(1)
		states.Add(int64(reached))
		bar.Show(func() string { return o.far(int(runs.Load()), int(states.Load())) })
	}
	var parts []*explore.Part
	for _, x := range explorers {
		settings.Deviations = cmp.Or(o.Deviations, x.Deviations(), usualDeviations)
		part, err := x.Explore(settings)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return explore.NewReport(parts), nil
}

// far says how far a search is: its time, its runs, and its states.
func (o *Command) far(runs, states int) string {
	limit := ""
	if o.ForTime > 0 {
		limit = " of " + render.Clock(o.ForTime)
	}
	return fmt.Sprintf("%s, %s, %s", limit, render.Count(runs, "run"), render.Count(states, "state"))
}

// again plays the run of a token. A token that fits neither file nor version is an error of usage; one that fits
// and cannot be played is a defect. The error is errFailed if the run breaks a promise, and waivers do not count
// for it; or errInterrupted, perhaps before the end of the run: then nothing is known and nothing is printed.
func (o *Command) again(explorers []*explore.Explorer) error {
	if len(explorers) != 1 {
		return command.Usagef("--replay plays one run: name one file and one version")
	}
	tape, err := search.Tape(explorers[0].Digest(), o.Replay)
	if err != nil {
		return command.Usagef("--replay: %s", err)
	}
	found, err := explorers[0].Again(tape)
	if errors.Is(err, search.ErrCut) {
		return command.ErrInterrupted
	}
	if err != nil {
		return work.Defect{Value: err}
	}
	if err := o.Print(&explore.Report{Found: found}, explorers); err != nil {
		return err
	}
	switch {
	case o.Interrupted():
		return command.ErrInterrupted
	case len(found) > 0:
		return command.ErrFailed
	}
	return nil
}

// replayOf returns the command that plays a finding again.
func (o *Command) replayOf(f *explore.Found) string {
	return shell.Line(slices.Concat([]string{"sim", "explore"}, o.wordsOf(f), []string{"--replay", f.Token})...)
}

// wordsOf returns the arguments that repeat the exploration of a finding, without its token. Promises that were left
// out need not be named: they do not change which run a token means.
func (o *Command) wordsOf(f *explore.Found) []string {
	words := o.World.Under(o.World.Kubernetes).WordsUnseeded()
	if len(o.World.Several) > 0 || o.Merged {
		words = append([]string{"--kubernetes", f.Kubernetes}, words...)
	}
	words = append(words, o.promiseWords()...)
	if slices.Contains(o.Args, f.File) {
		return append(words, f.File)
	}
	return append(words, o.Args...)
}

// promiseWords returns the flags that choose promises.
func (o *Command) promiseWords() []string {
	return shell.Flags("--promise", o.Promises, "--all", o.All)
}

// searchWords returns the arguments that repeat the search, without its files and its shard.
func (o *Command) searchWords() []string {
	return slices.Concat(o.World.Given(), o.promiseWords(), shell.Flags("--runs", o.Runs, "--no-promise", o.Without,
		"--deviations", o.Deviations, "--random", o.Random, "--for", o.ForTime, "--waive", o.Waive))
}

// tryWrite makes the folder for the findings, and returns an error if nothing can be written there.
func (o *Command) tryWrite() error {
	if o.Write == "" {
		return nil
	}
	err := os.MkdirAll(o.Write, 0o755)
	if err == nil {
		err = files.Written{Path: filepath.Join(o.Write, "01.yaml"), Mode: 0o644}.Try()
	}
	if err != nil {
		return fmt.Errorf("--write: %w", err)
	}
	return nil
}

// writeFound writes each finding as a file, with its story as a comment. A finding that cannot be shown by a
// scenario has none; the numbers still match the report.
func (o *Command) writeFound(found []*explore.Found) error {
	if o.Write == "" {
		return nil
	}
	for i, f := range found {
		if f.Scenario == "" {
			continue
		}
		name := fmt.Sprintf("%02d-%s-%s.yaml", i+1, f.Promise, f.Kubernetes)
		text := bytes.Join([][]byte{[]byte(f.Comment()), []byte(f.Scenario)}, nil)
		ours := func(begin []byte) bool { return bytes.HasPrefix(begin, []byte("# "+f.Promise+" on ")) }
		w := files.Written{Path: filepath.Join(o.Write, name), Text: text, Mode: 0o644, Ours: ours}
		if err := w.Write(); err != nil {
			return fmt.Errorf("--write: %w", err)
		}
	}
	return nil
}

// Print writes the report in the format that was asked for. A page plays what was found again; what does not play
// again is a defect.
func (o *Command) Print(r *explore.Report, explorers []*explore.Explorer) error {
	page := doc.Page{
		Command: shell.Line(slices.Concat([]string{"sim", "explore", "-o", "html"}, o.searchWords(), o.Args)...),
	}
	if o.Output == "html" {
		if len(o.Args) == 1 && o.Args[0] != files.Stdin {
			page.Playground = o.RunInPlayground(files.Source{Path: o.Args[0], Ctx: o.Ctx}, &o.World)
		}
		var err error
		if page.Runs, err = r.Runs(explorers); err != nil {
			return work.Defect{Value: err}
		}
	}
	return r.Write(o.Out, o.Output, render.Style(o.Style()), o.replayOf, page)
}
