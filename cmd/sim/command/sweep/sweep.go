// Package sweep is the command sim sweep: it plays scenarios with many seeds.
package sweep

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/spread"
	"github.com/statefulsim/statefulsim/scenario/search/sweep"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Command holds the arguments of `sim sweep`.
type Command struct {
	command.Call
	// Runs is the number of seeds of the whole sweep, whatever the shard.
	Runs int
	// Shard is the part to play; the zero value is all of it. Require are requirements, in the words of the flag.
	Shard   search.Shard
	Require []string
	Shards  command.Shards
}

// Answer plays, prints and judges. Wrong options and wrong files are found before anything is played. An
// interrupted sweep is not judged.
func (o *Command) Answer() error {
	if o.Runs < 1 || o.Runs > maxSeeds || o.Workers < 1 {
		return command.Usagef("--runs must be from 1 to %d, and -j at least 1", maxSeeds)
	}
	requirements, err := sweep.Requirements(o.Require)
	if err != nil {
		return command.Usagef("--require %s", err)
	}
	if err := files.OnceStdin(o.Args); err != nil {
		return err
	}
	if o.Shards.Asked() {
		args := append(o.World.Given(), "--runs", strconv.Itoa(o.Runs))
		// Requirements apply to the whole, so they are judged when the parts are merged.
		return o.Shards.Print(o.Console, &spread.Command{Verb: "sweep", Args: args, Files: o.Args,
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
		return command.ErrInterrupted
	}
	return JudgeSweeps(o.Console, r, requirements)
}

// maxSeeds is the greatest --runs: it keeps a typing error from playing for days.
const maxSeeds = 10_000_000

// seeded is a scenario to be played with many seeds, and its file.
type seeded struct {
	in       command.Source
	scenario *scenario.Scenario
}

// load reads each file for each version, in this order, and reports what is wrong in any of them, each problem once.
func (o *Command) load() ([]seeded, error) {
	versions := o.World.Versions()
	sources, err := o.From().OpenAll(o.Args, o.World.Limits.FileSize)
	if err != nil {
		return nil, err
	}
	return command.LoadAll(len(sources)*len(versions), func(i int) (seeded, error) {
		in := sources[i/len(versions)]
		s, err := command.ReadScenario(in, o.World.Under(versions[i%len(versions)]))
		return seeded{in, s}, err
	})
}

// play plays one scenario after the other.
func (o *Command) play(scenes []seeded) *sweep.Report {
	r := &sweep.Report{}
	bar := o.Progress("playing")
	defer bar.Clear()
	seeds := sweep.Seeds{First: 1, Runs: o.Runs, Shard: o.Shard, Sim: command.Version, Interrupted: o.Interrupted,
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
func (o *Command) print(r *sweep.Report) error {
	world := o.World
	world.Kubernetes, world.Several = "", nil
	play := shell.Line(slices.Concat([]string{"sim", "run"}, world.WordsUnseeded())...)
	return r.Write(o.Out, o.Output, render.Style(o.Style()), play)
}

// JudgeSweeps says on standard error what is missing or broken.
func JudgeSweeps(s *command.Console, r *sweep.Report, requirements []sweep.Requirement) error {
	wrong, held := r.Judge(requirements)
	for _, line := range wrong {
		fmt.Fprintln(s.Err, line)
	}
	if !held {
		return command.ErrFailed
	}
	return nil
}
