package command

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/spread"
	"github.com/statefulsim/statefulsim/scenario/search/sweep"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Sweep are the arguments of `sim sweep`.
type Sweep struct {
	Call
	// Runs is the number of seeds of the whole sweep, whatever the shard.
	Runs int
	// Shard is the part to play; the zero value is all of it. Require are requirements, in the words of the flag.
	Shard   search.Shard
	Require []string
	Shards  Shards
}

// Answer plays, prints and judges. Wrong options and wrong files are found before anything is played. Of an interrupted
// sweep nothing is judged.
func (o *Sweep) Answer() error {
	if o.Runs < 1 || o.Runs > maxSeeds || o.Workers < 1 {
		return usagef("--runs must be from 1 to %d, and -j at least 1", maxSeeds)
	}
	requirements, err := sweep.Requirements(o.Require)
	if err != nil {
		return usagef("--require %s", err)
	}
	if err := files.OnceStdin(o.Args); err != nil {
		return err
	}
	if o.Shards.asked() {
		args := append(o.World.given(), "--runs", strconv.Itoa(o.Runs))
		// What is required holds for the whole, so it is judged when that is put together.
		return o.Shards.print(o.Console, &spread.Command{Verb: "sweep", Args: args, Files: o.Args,
			Merge: shell.Flags("--require", o.Require)})
	}
	scenes, err := o.load()
	if err != nil {
		return err
	}
	r := o.play(scenes)
	if err := o.print(r); err != nil {
		return err
	}
	if o.Interrupted() {
		return errInterrupted
	}
	return o.judgeSweeps(r, requirements)
}

// maxSeeds is the greatest --runs: it keeps a typing error from playing for days.
const maxSeeds = 10_000_000

// seeded is a scenario to be played with many seeds, and its file.
type seeded struct {
	in       source
	scenario *scenario.Scenario
}

// load reads each file for each version, in this order, and reports what is wrong in any of them, each problem once.
func (o *Sweep) load() ([]seeded, error) {
	versions := o.World.Versions()
	sources, err := o.From().OpenAll(o.Args, o.World.Limits.FileSize)
	if err != nil {
		return nil, err
	}
	return loadAll(len(sources)*len(versions), func(i int) (seeded, error) {
		in := sources[i/len(versions)]
		s, err := readScenario(in, o.World.under(versions[i%len(versions)]))
		return seeded{in, s}, err
	})
}

// play plays one scenario after the other.
func (o *Sweep) play(scenes []seeded) *sweep.Report {
	r := &sweep.Report{}
	bar := o.progress("playing")
	defer bar.Clear()
	seeds := sweep.Seeds{First: 1, Runs: o.Runs, Shard: o.Shard, Sim: Version, Interrupted: o.Interrupted,
		Each: work.AtOnce(o.Workers, nil), Done: bar.Count}
	if o.World.Seed != nil {
		seeds.First = *o.World.Seed
	}
	for _, s := range scenes {
		r.Sweeps = append(r.Sweeps, seeds.Sum(s.in.Name(), s.scenario))
	}
	return r
}

// print writes the report. The command in it leaves the version and the seed to the report.
func (o *Sweep) print(r *sweep.Report) error {
	world := o.World
	world.Kubernetes, world.Several = "", nil
	play := shell.Line(slices.Concat([]string{"sim", "run"}, world.wordsUnseeded())...)
	return r.Write(o.Out, o.Output, render.Style(o.Style()), play)
}

// judgeSweeps says on standard error what is missing or broken.
func (s *Console) judgeSweeps(r *sweep.Report, requirements []sweep.Requirement) error {
	wrong, held := r.Judge(requirements)
	for _, line := range wrong {
		fmt.Fprintln(s.Err, line)
	}
	if !held {
		return errFailed
	}
	return nil
}
