// Package run is the command sim run: it plays scenarios.
package run

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Command holds the arguments of `sim run`. `sim init` has them too, and uses what it has of Call, and Save.
type Command struct {
	// Of the files for --save-as-test one may turn out to be Save (saveFile).
	command.Call
	Part Part
	// NoHistory is true if the timeline is forgotten while it is written.
	NoHistory bool
	// Save is the file that the run is saved to as a test; "" means that it is not saved.
	Save string
	// Gates are the names of the deploy tools that the run tells about; none is none.
	Gates []string
	// read are the files as they were opened, in the order of the files.
	read []command.Source
}

// Answer plays the files one after the other, and prints each when it is done, unless the format has one document for
// all. Wrong input is found before anything is played. An interruption ends the rest, and what is known is printed. The
// error is errInterrupted then, and errFailed if a run was not as expected.
func (o *Command) Answer() error {
	if strings.HasSuffix(o.Output, "svg") && len(o.Args) > 1 {
		return command.Usagef("-o %s draws one run: draw each file by itself, or use -o html", o.Output)
	}
	if err := errors.Join(o.Part.check(o), o.checkSave(), o.checkNoHistory(), o.checkGates()); err != nil {
		return err
	}
	if len(o.World.Several) > 0 {
		return o.compare()
	}
	scenes, err := o.load()
	if err != nil {
		return err
	}
	if o.Save != "" {
		return o.saveTest(scenes[0])
	}
	if o.Output == "jsonl" {
		return o.stream(scenes)
	}
	format := command.FormatOf(o.Output)
	var together []*command.Played
	var worst error
	for i, scene := range scenes {
		p := o.play(i, scene)
		if format.All != nil {
			together = append(together, p)
		} else if err := o.print(i, p); err != nil {
			return err
		}
		if worst = command.Worse(worst, command.Outcome(p)); p.Interrupted {
			break
		}
	}
	if format.All != nil {
		if err := format.All(o.patient(), together); err != nil {
			return err
		}
	}
	return worst
}

// load reads all files.
func (o *Command) load() ([]command.Scene, error) {
	var err error
	if o.read, err = o.From().OpenAll(o.Args, o.World.Limits.FileSize); err != nil {
		return nil, err
	}
	return o.loadUnder(&o.World)
}

// loadUnder loads all files as they were opened, in their order.
func (o *Command) loadUnder(world *command.World) ([]command.Scene, error) {
	return command.LoadAll(len(o.read), func(i int) (command.Scene, error) { return o.Engine.Load(o.read[i], world) })
}

// play plays the i-th file for a single version, and reports the parts of it that have no effect. The files must
// have been opened before (sources).
func (o *Command) play(i int, scene command.Scene) *command.Played {
	p := o.playUnder(i, scene, &o.World)
	p.TellInput(o.Err, o.Args[i])
	return p
}

// playUnder plays the scene of the i-th file. To a failed run it adds the command that repeats it, and to a run for
// a page the parts that only a page shows.
func (o *Command) playUnder(i int, scene command.Scene, world *command.World) *command.Played {
	progress := o.Progress("playing " + scene.Name())
	p := scene.Play(o.EndsShowing(progress, world))
	p.File = o.Args[i]
	p.LeadOut(scene, o.Engine.Cures, world.Given(), o.Interrupted)
	progress.Clear()
	p.Gates = o.gates(p.Events)
	if !p.OK {
		p.Fail(world.Repeat(p))
	}
	if o.Output == "html" {
		command.Carry(p, o.read[i], o.World.Limits.FileSize)
		p.Playground = o.RunInPlayground(o.read[i], &o.World)
		p.Command = o.World.Command("run", o.Args)
	}
	return p
}

// EndsShowing returns the reasons to end a run early, and shows its progress whenever it is asked.
func (o *Command) EndsShowing(progress *work.Progress, world *command.World) command.Ends {
	return o.Ends(world.Limits.Memory, func() bool {
		progress.Show(nil)
		return o.Interrupted()
	})
}

// print writes a run. Runs for people are kept apart by an empty line.
func (o *Command) print(i int, p *command.Played) error {
	if apart := []string{"text", "table", "rollout-status", "history"}; i > 0 && slices.Contains(apart, o.Output) {
		fmt.Fprintln(o.Out)
	}
	var err error
	if p.Part, err = o.Part.of(&p.Run); err != nil {
		return err
	}
	style := o.Style()
	p.Enough = o.Moment(command.LastMoment)
	return command.FormatOf(o.Output).Write(o.patient(), &p.Run, style)
}

// patient returns where runs are printed: it takes nothing more some time after an interruption, except of the forms
// that see to their end themselves. A page or a story of thousands of pods takes seconds.
func (o *Command) patient() io.Writer {
	if o.Output == "json" {
		return o.Out
	}
	return command.Impatient{Writer: o.Out, Enough: o.Moment(command.Patience)}
}

// checkNoHistory rejects options that cannot be combined with --no-history.
func (o *Command) checkNoHistory() error {
	switch {
	case !o.NoHistory:
		return nil
	case o.Output != "jsonl":
		return command.Usagef("--no-history keeps no events, and -o %s is printed at the end: use -o jsonl", o.Output)
	case len(o.World.Several) > 0:
		return command.Usagef("--no-history keeps no timeline to compare: name one version of Kubernetes")
	case o.Save != "":
		return command.Usagef("--save-as-test records the whole timeline: leave out --no-history")
	}
	return nil
}

// checkGates rejects options that cannot be combined with --gate.
func (o *Command) checkGates() error {
	switch {
	case len(o.Gates) == 0:
		return nil
	case o.Output != command.Formats[0].Name && o.Output != "json":
		return command.Usagef("--gate tells of deploy tools in text and in JSON: leave out -o %s", o.Output)
	case len(o.World.Several) > 0:
		return command.Usagef("--gate tells of one run: give --kubernetes a single version")
	}
	_, err := command.GatesOf(o.Gates)
	return err
}

// gates returns the answers of the requested deploy tools about the steps of a run.
func (o *Command) gates(events []timeline.Event) []report.Gate {
	tools, _ := command.AskedGates(o.Gates)
	if len(tools) == 0 {
		return nil
	}
	var list []report.Gate
	for _, a := range gated.OfSteps(events, tools) {
		line := fmt.Sprintf("step %d, %s/%s: %s %s", a.Step, a.Namespace, a.StatefulSet, a.Gate, a.Verdict())
		list = append(list, report.Gate{Line: line, Wrong: a.Wrong(), Fields: a})
	}
	return list
}

// stream plays the files one after the other, and writes each timeline while its run continues. A run that failed
// does not end the rest; an interruption does. Expectations are judged, but nothing is said of them: only the exit
// code shows it.
func (o *Command) stream(scenes []command.Scene) error {
	var problems command.WrongInput
	for _, scene := range scenes {
		if err := scene.NeedsHistory(); o.NoHistory && err != nil {
			problems = append(problems, err.Error())
		}
	}
	if len(problems) > 0 {
		return problems
	}
	var worst error
	for i, scene := range scenes {
		p, err := o.playLines(i, scene)
		if err != nil {
			return err
		}
		if worst = command.Worse(worst, command.Outcome(p)); p.Interrupted {
			break
		}
	}
	return worst
}

// playLines plays a scenario and writes its timeline meanwhile. The error is a write error, which also ends the
// run.
func (o *Command) playLines(i int, scene command.Scene) (*command.Played, error) {
	lines := report.NewLines(o.Out)
	progress := o.Progress("playing " + scene.Name())
	until := o.EndsShowing(progress, &o.World)
	asked := until.Interrupted
	until.Interrupted = func() bool { return lines.Failed() || asked() }
	p := scene.Stream(until, command.Stream{Written: lines.Write, Forget: o.NoHistory})
	progress.Clear()
	err := lines.Flush()
	p.TellInput(o.Err, o.Args[i])
	return p, err
}

// Part are the flags that choose a part of a story.
type Part struct {
	// Only are names of pods or sets, none for all; Since is a virtual time, 0 for the start.
	Only  []string
	Since time.Duration
}

// check refuses the flags if the output is not a single story.
func (o *Part) check(run *Command) error {
	switch asked := len(o.Only) > 0 || o.Since != 0; {
	case o.Since < 0:
		return command.Usagef("--since %v is before the run begins: it is 0s or later", o.Since)
	case asked && run.Output != command.Formats[0].Name:
		return command.Usagef("--only and --since choose a part of the output: they are for -o %s", command.Formats[0].Name)
	case asked && len(run.World.Several) > 0:
		return command.Usagef("--only and --since choose a part of one run: give --kubernetes a single version")
	}
	return nil
}

// of returns the part of a run that was asked for. A name that the run does not have is an error: an empty story would
// look like nothing happened.
func (o *Part) of(run *report.Run) (report.Part, error) {
	part := report.Part{Only: o.Only, Since: model.Time(o.Since)}
	if name := part.Missing(run); name != "" {
		return part, fmt.Errorf("--only %s: %s has no pod and no StatefulSet of this name", name, run.File)
	}
	if n := len(run.Events); n > 0 && part.Since > run.Events[n-1].T {
		return part, fmt.Errorf("--since %s: the run of %s ends at %s", render.Clock(part.Since), run.File,
			render.Clock(run.Events[n-1].T))
	}
	return part, nil
}
