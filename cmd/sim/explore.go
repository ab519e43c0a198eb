package main

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

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/scenario/runs/explore"
	"github.com/statefulsim/statefulsim/scenario/runs/spread"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/checks/promise"
	"github.com/statefulsim/statefulsim/sim/checks/search"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/doc"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

// exploreOptions are the arguments of `sim explore`. `sim merge` has them too, and sets only what it prints with.
type exploreOptions struct {
	*streams
	color  *colorChoice
	output string
	world  worldOptions
	// deviations is the most deviations of a run, 0 for what the scenario says, or else usualDeviations; runs is the most
	// runs of each file on each version, of all shards together. forTime ends the search by the clock, 0 does not.
	deviations int
	runs       int
	forTime    time.Duration
	// random is true if all runs with several deviations are drawn.
	random bool
	// promises are those to check, none for the usual ones, or all; those of without are left out in any case. waive are
	// the names of waivers, Everything for all of them.
	promises []string
	without  []string
	all      bool
	waive    []string
	shards   shardFlags
	workers  int
	// shard is the part to search; the zero value is all of it.
	shard search.Shard
	// replay is the token of the run to play instead of a search, write the folder for scenarios; "" if not asked for.
	replay string
	write  string
	files  []string
	// merged is true if the findings come from reports: then the options of their searches are not known, and each
	// command names the version of its finding.
	merged bool
}

func newExploreCmd(s *streams, e *engine, color *colorChoice) *cobra.Command {
	o := &exploreOptions{streams: s, color: color}
	cmd := &cobra.Command{
		Use:               "explore FILE... | explore OLD NEW | explore DUMP [NEW]",
		Short:             "Search for runs of a scenario that break a promise",
		GroupID:           groupPlay,
		Args:              atLeastOne("FILE"),
		ValidArgsFunction: yamlFiles,
		RunE:              onFiles(&o.files, o.explore),
	}
	o.flags(cmd.Flags())
	addOutput(cmd, &o.output, explore.Formats)
	addJobs(cmd, &o.workers)
	complete(cmd, "promise", explore.PromiseNames())
	complete(cmd, "no-promise", explore.PromiseNames())
	complete(cmd, "waive", explore.WaiverNames())
	addWorldFlags(cmd, &o.world, e)
	return cmd
}

// flags adds the flags of the command, other than those of the world.
func (o *exploreOptions) flags(flags *pflag.FlagSet) {
	flags.IntVar(&o.deviations, "deviations", 0, "the most deviations from the plain run (default 3, or what "+
		"the file says)")
	flags.IntVar(&o.runs, "runs", 10_000, "the most runs of each file on each version")
	flags.DurationVar(&o.forTime, "for", 0, "end the search after this real time, and say how far it got")
	flags.BoolVar(&o.random, "random", false, "choose all runs with more than one deviation at random")
	flags.StringSliceVar(&o.promises, "promise", nil, "check only these `PROMISES`")
	flags.StringSliceVar(&o.without, "no-promise", nil, "do not check these `PROMISES`")
	flags.BoolVar(&o.all, "all", false, "check all promises, including those on request")
	flags.StringSliceVar(&o.waive, "waive", nil, "do not fail because of the known traps with these `NAMES`; "+
		explore.Everything+" waives all of them")
	flags.Var(shardFlag(&o.shard), "shard", "search only part `I/N`, I from 0; sim merge puts the parts together")
	o.shards.flags(flags)
	flags.StringVar(&o.replay, "replay", "", "play the run of this `TOKEN` again, and print its timeline")
	flags.StringVar(&o.write, "write", "", "write a scenario for each finding into this `DIR`")
}

// promiseHelp is the list of promises.
func promiseHelp() string {
	var rows [][2]string
	for _, p := range promise.All {
		says := p.Says
		if p.OnRequest {
			says = "(on request) " + says
		}
		rows = append(rows, [2]string{string(p.Name), says})
	}
	return described(rows)
}

// explore searches, and prints what was found. A search that is interrupted is reported as far as it got, and then
// exits as interrupted. The error is errFailed if a finding is left that no waiver removes.
func (o *exploreOptions) explore() error {
	if err := errors.Join(o.world.check(), files.OnceStdin(o.files)); err != nil {
		return err
	}
	if o.deviations < 0 || o.runs < 1 || o.workers < 1 || o.forTime < 0 {
		return usagef("--deviations, --runs and -j must be at least 1")
	}
	for _, name := range o.waive {
		if !slices.Contains(explore.WaiverNames(), name) {
			return usagef("there is no known trap %q: the names are %s", name, strings.Join(explore.WaiverNames(), ", "))
		}
	}
	if o.shards.asked() {
		return o.shards.print(o.streams, &spread.Command{Verb: "explore", Args: o.searchWords(), Files: o.files})
	}
	explorers, err := o.explorers()
	if err != nil {
		return err
	}
	if o.replay != "" {
		return o.again(explorers)
	}
	r, err := o.search(explorers)
	if err != nil {
		return err
	}
	r.Waive(o.waive)
	if err := errors.Join(o.print(r, explorers), o.writeFound(r.Found)); err != nil {
		return err
	}
	switch {
	case o.interrupted():
		return errInterrupted
	case len(r.Found) > 0, len(r.Refused()) > 0:
		return errFailed
	}
	return nil
}

// explorers prepares the exploration of each file on each version, in this order. Each plays its plain run for that.
func (o *exploreOptions) explorers() ([]*explore.Explorer, error) {
	names, err := explore.Promises(o.promises, o.without, o.all)
	if err != nil {
		return nil, usagef("%s", err)
	}
	sources, err := o.sources()
	if err != nil {
		return nil, err
	}
	giveUp := o.moment(lastMoment)
	var explorers []*explore.Explorer
	for _, source := range sources {
		for _, version := range o.world.versions() {
			on := source
			on.Options = o.world.under(version).options()
			on.Interrupted, on.GiveUp = o.interrupted, giveUp
			x, err := work.Await(o.ctx, func() (*explore.Explorer, error) { return explore.New(&on) })
			if errors.Is(err, search.ErrCut) {
				return nil, errInterrupted
			}
			if err != nil {
				return nil, err
			}
			x.Sim, x.Promises = Version, names
			explorers = append(explorers, x)
		}
	}
	return explorers, nil
}

// sources reads the files, at most as far as the limit.
func (o *exploreOptions) sources() ([]explore.Source, error) {
	var named []explore.Named
	for _, path := range o.files {
		in, data, err := o.from().Read(path, o.world.limits.FileSize)
		if err != nil {
			return nil, err
		}
		if err := strict.Text(in.Name(), data, o.world.limits); err != nil {
			return nil, err
		}
		named = append(named, explore.Named{Name: in.Name(), Path: path, Data: data, Once: in.Data != nil,
			Dir: o.folder(path)})
	}
	sources, err := explore.Sources(named)
	if err != nil {
		return nil, usagef("%s", err)
	}
	return sources, nil
}

// folder returns the folder to which the paths in a file are relative.
func (o *exploreOptions) folder(path string) fs.FS {
	if path == files.Stdin {
		return scenario.Folder(".", o.world.root)
	}
	return scenario.Folder(filepath.Dir(path), o.world.rootOf(path))
}

// usualDeviations is the default depth of a search.
const usualDeviations = 3

// search explores one after the other, each on all cores. --for ends the search by the clock, so only then the result
// depends on the machine; the report says that it was stopped. The seed is 1 if none is given, so that two searches are
// the same.
func (o *exploreOptions) search(explorers []*explore.Explorer) (*explore.Report, error) {
	begin := time.Now()
	stop := func() bool {
		return o.interrupted() || o.forTime > 0 && time.Since(begin) > o.forTime
	}
	settings := explore.Settings{
		Runs: o.runs, Random: 25, Seed: 1, Shard: o.shard, Every: work.AtOnce(o.workers, nil), Stop: stop,
	}
	if o.world.seed != nil {
		settings.Seed = *o.world.seed
	}
	if o.random {
		settings.Random = 100
	}
	var runs, states atomic.Int64
	bar := newProgress(o.streams, "exploring")
	defer bar.Clear()
	settings.Tell = func(reached int) {
		runs.Add(1)
		states.Add(int64(reached))
		bar.Show(func() string { return o.far(int(runs.Load()), int(states.Load())) })
	}
	var parts []*explore.Part
	for _, x := range explorers {
		settings.Deviations = cmp.Or(o.deviations, x.Deviations(), usualDeviations)
		part, err := x.Explore(settings)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return explore.NewReport(parts), nil
}

// far says how far a search is: the time that it has, the runs, and the states.
func (o *exploreOptions) far(runs, states int) string {
	limit := ""
	if o.forTime > 0 {
		limit = " of " + render.Clock(o.forTime)
	}
	return fmt.Sprintf("%s, %s, %s", limit, render.Count(runs, "run"), render.Count(states, "state"))
}

// again plays the run of a token. A token that fits neither file nor version is an error of usage; one that fits and
// does not play is a defect. The error is errFailed if the run breaks a promise: waivers do not count for it; or
// errInterrupted, perhaps before the run has ended: then nothing is known and nothing printed.
func (o *exploreOptions) again(explorers []*explore.Explorer) error {
	if len(explorers) != 1 {
		return usagef("--replay plays one run: name one file and one version")
	}
	tape, err := search.Tape(explorers[0].Digest(), o.replay)
	if err != nil {
		return usagef("--replay: %s", err)
	}
	found, err := explorers[0].Again(tape)
	if errors.Is(err, search.ErrCut) {
		return errInterrupted
	}
	if err != nil {
		return work.Defect{Value: err}
	}
	if err := o.print(&explore.Report{Found: found}, explorers); err != nil {
		return err
	}
	switch {
	case o.interrupted():
		return errInterrupted
	case len(found) > 0:
		return errFailed
	}
	return nil
}

// replayOf returns the command that plays a finding again.
func (o *exploreOptions) replayOf(f *explore.Found) string {
	return command.Line(slices.Concat([]string{"sim", "explore"}, o.wordsOf(f), []string{"--replay", f.Token})...)
}

// wordsOf returns the arguments that repeat the exploration of a finding, without its token. Promises that were left
// out need not be named: they do not change which run a token means.
func (o *exploreOptions) wordsOf(f *explore.Found) []string {
	words := o.world.under(o.world.kubernetes).wordsUnseeded()
	if len(o.world.several) > 0 || o.merged {
		words = append([]string{"--kubernetes", f.Kubernetes}, words...)
	}
	words = append(words, o.promiseWords()...)
	if slices.Contains(o.files, f.File) {
		return append(words, f.File)
	}
	return append(words, o.files...)
}

// promiseWords returns the flags that choose promises.
func (o *exploreOptions) promiseWords() []string {
	return flagWords("--promise", o.promises, "--all", o.all)
}

// searchWords returns the arguments that repeat the search, without its files and its shard.
func (o *exploreOptions) searchWords() []string {
	return slices.Concat(o.world.asked(), o.promiseWords(), flagWords("--runs", o.runs, "--no-promise", o.without,
		"--deviations", o.deviations, "--random", o.random, "--for", o.forTime, "--waive", o.waive))
}

// writeFound writes each finding as a file, with its story as a comment. A finding that no scenario shows has none;
// the numbers are those of the report nevertheless.
func (o *exploreOptions) writeFound(found []*explore.Found) error {
	if o.write == "" {
		return nil
	}
	if err := os.MkdirAll(o.write, 0o755); err != nil {
		return fmt.Errorf("--write: %w", err)
	}
	for i, f := range found {
		if f.Scenario == "" {
			continue
		}
		name := fmt.Sprintf("%02d-%s-%s.yaml", i+1, f.Promise, f.Kubernetes)
		text := bytes.Join([][]byte{[]byte(f.Comment()), []byte(f.Scenario)}, nil)
		if err := (files.Written{Path: filepath.Join(o.write, name), Text: text, Mode: 0o644}).Write(); err != nil {
			return fmt.Errorf("--write: %w", err)
		}
	}
	return nil
}

// print writes the report in the format that was asked for. A page plays what was found once more; what does not play
// again is a defect.
func (o *exploreOptions) print(r *explore.Report, explorers []*explore.Explorer) error {
	page := doc.Page{
		Command: command.Line(slices.Concat([]string{"sim", "explore", "-o", "html"}, o.searchWords(), o.files)...),
	}
	if o.output == "html" {
		if len(o.files) == 1 && o.files[0] != files.Stdin {
			page.Playground = o.runInPlayground(files.Source{Path: o.files[0], Ctx: o.ctx}, &o.world)
		}
		var err error
		if page.Runs, err = r.Runs(explorers); err != nil {
			return work.Defect{Value: err}
		}
	}
	return r.Write(o.out, o.output, render.Style(o.style(*o.color)), o.replayOf, page)
}
