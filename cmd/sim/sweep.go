package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/scenario/runs/spread"
	"github.com/statefulsim/statefulsim/scenario/runs/sweep"
	"github.com/statefulsim/statefulsim/sim/checks/search"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

// sweepOptions are the arguments of `sim sweep`.
type sweepOptions struct {
	*streams
	color  *colorChoice
	output string
	world  worldOptions
	// runs is the number of seeds of the whole sweep, whatever the shard, workers how many are played at once.
	runs    int
	workers int
	// shard is the part to play; the zero value is all of it. require are requirements, in the words of the flag.
	shard   search.Shard
	require []string
	shards  shardFlags
	files   []string
}

func newSweepCmd(s *streams, e *engine, color *colorChoice) *cobra.Command {
	o := &sweepOptions{streams: s, color: color}
	cmd := &cobra.Command{
		Use:               "sweep FILE...",
		Short:             "Play scenarios with many seeds and sum up the results",
		GroupID:           groupPlay,
		Args:              atLeastOne("FILE"),
		ValidArgsFunction: yamlFiles,
		RunE:              onFiles(&o.files, o.sweep),
	}
	flags := cmd.Flags()
	addOutput(cmd, &o.output, sweep.Formats)
	flags.IntVar(&o.runs, "runs", 1000, "how many seeds to play")
	addJobs(cmd, &o.workers)
	flags.Var(shardFlag(&o.shard), "shard", "play only part `I/N` of the seeds, I from 0")
	flags.StringArrayVar(&o.require, "require", nil, requireSweepUsage)
	o.shards.flags(flags)
	addWorldFlags(cmd, &o.world, e)
	flags.Lookup("seed").Usage = "the first seed; the runs use this one and those after it"
	return cmd
}

// sweep plays, prints and judges. Wrong options and wrong files are found before anything is played. Of an interrupted
// sweep nothing is judged.
func (o *sweepOptions) sweep() error {
	if err := o.world.check(); err != nil {
		return err
	}
	if o.runs < 1 || o.runs > maxSeeds || o.workers < 1 {
		return usagef("--runs must be from 1 to %d, and -j at least 1", maxSeeds)
	}
	requirements, err := sweep.Requirements(o.require)
	if err != nil {
		return usagef("--require %s", err)
	}
	if err := files.OnceStdin(o.files); err != nil {
		return err
	}
	if o.shards.asked() {
		args := append(o.world.asked(), "--runs", strconv.Itoa(o.runs))
		// What is required holds for the whole, so it is judged when that is put together.
		return o.shards.print(o.streams, &spread.Command{Verb: "sweep", Args: args, Files: o.files,
			Merge: flagWords("--require", o.require)})
	}
	scenes, err := o.load()
	if err != nil {
		return err
	}
	r := o.play(scenes)
	if err := o.print(r); err != nil {
		return err
	}
	if o.interrupted() {
		return errInterrupted
	}
	return o.judgeSweeps(r, requirements)
}

// requireSweepUsage is the help of --require.
const requireSweepUsage = "fail unless this `REQUIREMENT` holds: 'held >= 99', 'p99 <= 10m', 'minReady >= 2'"

// maxSeeds is the greatest --runs: it keeps a typing error from playing for days.
const maxSeeds = 10_000_000

// seeded is a scenario to be played with many seeds, and its file.
type seeded struct {
	in       source
	scenario *scenario.Scenario
}

// load reads each file for each version, in this order, and reports what is wrong in any of them, each problem once.
func (o *sweepOptions) load() ([]seeded, error) {
	versions := o.world.versions()
	sources, err := o.from().OpenAll(o.files, o.world.limits.FileSize)
	if err != nil {
		return nil, err
	}
	return loadAll(len(sources)*len(versions), func(i int) (seeded, error) {
		in := sources[i/len(versions)]
		s, err := readScenario(in, o.world.under(versions[i%len(versions)]))
		return seeded{in, s}, err
	})
}

// play plays one scenario after the other.
func (o *sweepOptions) play(scenes []seeded) *sweep.Report {
	r := &sweep.Report{}
	bar := newProgress(o.streams, "playing")
	defer bar.Clear()
	seeds := sweep.Seeds{First: 1, Runs: o.runs, Shard: o.shard, Sim: Version, Interrupted: o.interrupted,
		Each: work.AtOnce(o.workers, nil), Done: bar.Count}
	if o.world.seed != nil {
		seeds.First = *o.world.seed
	}
	for _, s := range scenes {
		r.Sweeps = append(r.Sweeps, seeds.Sum(s.in.Name(), s.scenario))
	}
	return r
}

// print writes the report. The command in it leaves the version and the seed to the report.
func (o *sweepOptions) print(r *sweep.Report) error {
	world := o.world
	world.kubernetes, world.several = "", nil
	play := command.Line(slices.Concat([]string{"sim", "run"}, world.wordsUnseeded())...)
	return r.Write(o.out, o.output, render.Style(o.style(*o.color)), play)
}

// judgeSweeps says on standard error what is missing or broken.
func (s *streams) judgeSweeps(r *sweep.Report, requirements []sweep.Requirement) error {
	wrong, held := r.Judge(requirements)
	for _, line := range wrong {
		fmt.Fprintln(s.err, line)
	}
	if !held {
		return errFailed
	}
	return nil
}
