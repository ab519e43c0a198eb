package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

// runOptions are the arguments of `sim run`. `sim init` has them too, and uses streams, engine, color, world, files and
// save.
type runOptions struct {
	*streams
	engine *engine
	color  *colorChoice
	output string
	world  worldOptions
	part   partFlags
	// files are never empty; of several for --save-as-test one may turn out to be save (saveFile).
	files []string
	// noHistory says that the timeline is forgotten while it is written.
	noHistory bool
	// save is the file in which the run is saved as a test; "" means that it is not saved.
	save string
	// read are the files as they were opened, in the order of files.
	read []source
}

func newRunCmd(s *streams, e *engine, color *colorChoice) *cobra.Command {
	o := &runOptions{streams: s, engine: e, color: color, output: formats[0].name}
	cmd := &cobra.Command{
		Use:               "run FILE...",
		Short:             "Play scenarios and print what happens",
		GroupID:           groupPlay,
		Args:              atLeastOne("FILE"),
		ValidArgsFunction: yamlFiles,
		RunE:              onFiles(&o.files, o.run),
	}
	cmd.Flags().VarP(&oneOf{value: &o.output, of: formatNames()}, "output", "o",
		"the format: "+strings.Join(formatNames(), ", "))
	complete(cmd, "output", formatNames())
	cmd.Flags().StringVar(&o.save, "save-as-test", "", saveUsage)
	cmd.Flags().Lookup("save-as-test").NoOptDefVal = files.Stdin
	cmd.Flags().BoolVar(&o.noHistory, "no-history", false, noHistoryUsage)
	addPartFlags(cmd, &o.part)
	addWorldFlags(cmd, &o.world, e)
	return cmd
}

// formatHelp is the list of formats.
func formatHelp() string {
	var rows [][2]string
	for _, f := range formats {
		rows = append(rows, [2]string{f.name, f.story})
	}
	return described(rows)
}

// run plays the files one after the other, and prints each when it is done, unless the format has one document for all.
// Wrong input is found before anything is played. An interruption ends the rest, and what is known is printed. The
// error is errInterrupted then, and errFailed if a run was not as expected.
func (o *runOptions) run() error {
	if err := o.world.check(); err != nil {
		return err
	}
	if strings.HasSuffix(o.output, "svg") && len(o.files) > 1 {
		return usagef("-o %s draws one run: draw each file by itself, or use -o html", o.output)
	}
	if err := errors.Join(o.part.check(o), o.checkSave(), o.checkNoHistory()); err != nil {
		return err
	}
	if len(o.world.several) > 0 {
		return o.compare()
	}
	scenes, err := o.load()
	if err != nil {
		return err
	}
	if o.save != "" {
		return o.saveTest(scenes[0])
	}
	if o.output == "jsonl" {
		return o.stream(scenes)
	}
	format := formatOf(o.output)
	var together []*played
	var worst error
	for i, scene := range scenes {
		p := o.play(i, scene)
		if format.all != nil {
			together = append(together, p)
		} else if err := o.print(i, p); err != nil {
			return err
		}
		if p.Interrupted {
			worst = errInterrupted
			break
		}
		if !p.OK {
			worst = errFailed
		}
	}
	if format.all != nil {
		if err := format.all(o.patient(), together); err != nil {
			return err
		}
	}
	return worst
}

// load reads all files.
func (o *runOptions) load() ([]scene, error) {
	var err error
	if o.read, err = o.from().OpenAll(o.files, o.world.limits.FileSize); err != nil {
		return nil, err
	}
	return o.loadUnder(&o.world)
}

// loadUnder loads all files as they were opened, in their order.
func (o *runOptions) loadUnder(world *worldOptions) ([]scene, error) {
	return loadAll(len(o.read), func(i int) (scene, error) { return o.engine.load(o.read[i], world) })
}

// wrongInput lists what is wrong in the files of a command line, file by file. The exit code is 2. It has at least one
// entry.
type wrongInput []string

// Error returns all of it, a line each.
func (w wrongInput) Error() string { return strings.Join(w, "\n") }

// play plays the i-th file for a single version, and says what in it has no effect. The files must have been opened
// before (sources).
func (o *runOptions) play(i int, scene scene) *played {
	p := o.playUnder(i, scene, &o.world)
	p.TellInput(o.err, o.files[i])
	return p
}

// playUnder plays the scene of the i-th file, and adds to a run that failed the command that repeats it, and to one for
// a page what only that shows.
func (o *runOptions) playUnder(i int, scene scene, world *worldOptions) *played {
	progress := newProgress(o.streams, "playing "+scene.Name())
	p := scene.Play(o.endsShowing(progress, world))
	p.File = o.files[i]
	p.LeadOut(scene, o.engine.cures, world.asked(), o.interrupted)
	progress.Clear()
	if !p.OK {
		p.Fail(world.repeat(p))
	}
	if o.output == "html" {
		carry(p, o.read[i], o.world.limits.FileSize)
		p.Playground = o.runInPlayground(o.read[i], &o.world)
		p.Command = o.world.command("run", o.files)
	}
	return p
}

// endsShowing returns the reasons to end a run early, and shows its progress whenever it is asked.
func (o *runOptions) endsShowing(progress *work.Progress, world *worldOptions) ends {
	return o.ends(world.limits.Memory, func() bool {
		progress.Show(nil)
		return o.interrupted()
	})
}

// repeat returns the command that plays a run again, with the seed that the run had.
func (o *worldOptions) repeat(p *played) string {
	words := append([]string{"sim", "run"}, o.words(p.Seed())...)
	return command.Line(append(words, p.File)...)
}

// print writes a run. Runs for people are kept apart by an empty line.
func (o *runOptions) print(i int, p *played) error {
	if apart := []string{"text", "table", "rollout-status", "history"}; i > 0 && slices.Contains(apart, o.output) {
		fmt.Fprintln(o.out)
	}
	var err error
	if p.Part, err = o.part.of(&p.Run); err != nil {
		return err
	}
	style := o.style(*o.color)
	p.Enough = o.moment(lastMoment)
	return formatOf(o.output).write(o.patient(), &p.Run, style)
}

// patient returns where runs are printed: it takes nothing more some time after an interruption, except of the forms
// that see to their end themselves. A page or a story of thousands of pods takes seconds.
func (o *runOptions) patient() io.Writer {
	if o.output == "json" {
		return o.out
	}
	return impatient{o.out, o.moment(patience)}
}

// noHistoryUsage is the flag's help.
const noHistoryUsage = "keep no events once they are printed, so that a long run takes no more memory; the scenario " +
	"must have no expectations (-o jsonl)"

// checkNoHistory says what does not go with --no-history.
func (o *runOptions) checkNoHistory() error {
	switch {
	case !o.noHistory:
		return nil
	case o.output != "jsonl":
		return usagef("--no-history keeps no events, and -o %s is printed at the end: use -o jsonl", o.output)
	case len(o.world.several) > 0:
		return usagef("--no-history keeps no timeline to compare: name one version of Kubernetes")
	case o.save != "":
		return usagef("--save-as-test records the whole timeline: leave out --no-history")
	}
	return nil
}

// stream plays the files one after the other, and writes each timeline while its run goes on. A run that failed does
// not end the rest; an interruption does. Expectations are judged, but nothing is said of them: only the exit code
// shows it.
func (o *runOptions) stream(scenes []scene) error {
	var problems wrongInput
	for _, scene := range scenes {
		if err := scene.NeedsHistory(); o.noHistory && err != nil {
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
		if p.Interrupted {
			return errInterrupted
		}
		if !p.OK {
			worst = errFailed
		}
	}
	return worst
}

// playLines plays a scenario and writes its timeline meanwhile. The error is that of a write, which ends the run too.
func (o *runOptions) playLines(i int, scene scene) (*played, error) {
	lines := report.NewLines(o.out)
	progress := newProgress(o.streams, "playing "+scene.Name())
	until := o.endsShowing(progress, &o.world)
	asked := until.Interrupted
	until.Interrupted = func() bool { return lines.Failed() || asked() }
	p := scene.Stream(until, stream{Written: lines.Write, Forget: o.noHistory})
	progress.Clear()
	err := lines.Flush()
	p.TellInput(o.err, o.files[i])
	return p, err
}
