// Package test is the command sim test: it plays the scenarios of folders and judges their expectations.
package test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/command/run"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario/play/verdict"
	"github.com/statefulsim/statefulsim/scenario/save"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Command holds the arguments of `sim test`.
type Command struct {
	command.Call
	// Run is the pattern for names. JUnit is the file of the report, HTML the folder of the pages, "" for none;
	// GitHub also prints annotations.
	Run    *regexp.Regexp
	JUnit  string
	HTML   string
	GitHub bool
	// Update is true if a scenario whose expectations fail is recorded again.
	Update bool
	// Timeout is the real time that a run may take, 0 for no limit. Only the world of this command has Named: its
	// paths are where scenarios may take manifests from.
	Timeout time.Duration
}

// TestFormats are the forms of the report: jsonl is a line for each test, as soon as it is known.
var TestFormats = []string{"text", "json", "jsonl"}

// plays reports whether a name is asked for. The expression need not match the whole name.
func (o *Command) plays(name string) bool { return o.Run == nil || o.Run.MatchString(name) }

// tested is the result of one file on one version.
type tested struct {
	report.Test
	// err is nil if the scenario was played and passed, or was skipped; otherwise it decides the exit code.
	err error
	// skipped is true if it was not asked for.
	skipped bool
	// run is the run, if a page is written for it.
	run *command.Played
	// said describes the update of the recording, "" if there was none.
	said string
}

// Answer plays the files, several at once, and reports in the order of the files, each as soon as those before it are
// done. The exit code is the worst of all.
func (o *Command) Answer() error {
	if err := o.check(); err != nil {
		return err
	}
	o.World.Named = o.Args
	files, err := o.From().Scenarios(o.Args)
	if err != nil {
		return err
	}
	jobs := o.jobs(files)
	out := report.Tests{Out: o.Out, Style: o.Style(), FileWidth: widest(jobs)}
	if o.Output != TestFormats[0] {
		out.Out = io.Discard
	}
	var pages *testPages
	if o.HTML != "" {
		again := shell.Line(slices.Concat([]string{"sim", "test", "--html", o.HTML}, o.World.Given(), o.Args)...)
		pages, err = newTestPages(o.HTML, "Scenarios: "+strings.Join(o.Args, ", "), again, o.Interrupted)
	}
	if err != nil {
		return err
	}
	var tests []report.Test
	var worst error
	skipped := 0
	err = work.InOrder(len(jobs), o.Workers, func(i int) *tested { return o.play(jobs[i]) }, func(t *tested) error {
		worst = command.Worse(worst, t.err)
		if t.skipped {
			skipped++
			return nil
		}
		tests = append(tests, t.Test)
		if t.said != "" {
			fmt.Fprintf(o.Err, "%s: %s\n", t.File, t.said)
		}
		if err := pages.add(&t.Test, t.run); err != nil {
			return err
		}
		if o.Output == "jsonl" {
			return report.TestJSON(o.Out, &t.Test)
		}
		return out.Add(&t.Test)
	})
	if err != nil {
		return err
	}
	if err := pages.index(); err != nil {
		return err
	}
	return o.conclude(&out, tests, skipped, worst)
}

// check refuses what cannot be played. It also caps the memory of the process.
func (o *Command) check() error {
	if o.Timeout < 0 {
		return command.Usagef("--timeout %s: a timeout must not be negative", o.Timeout)
	}
	if o.Workers < 1 {
		return command.Usagef("-j %d: -j must be at least 1", o.Workers)
	}
	for _, path := range o.Args {
		if path == files.Stdin {
			return command.Usagef("sim test plays files and folders: use sim run - for standard input")
		}
	}
	if folder := filepath.Dir(o.JUnit); o.JUnit != "" {
		if _, err := os.Stat(folder); err != nil {
			return command.Usagef("--junit %s: there is no folder %s", o.JUnit, folder)
		}
		if err := o.junit(nil).Try(); err != nil {
			return fmt.Errorf("--junit: %w", err)
		}
	}
	if o.Update && len(o.World.Several) > 0 {
		return command.Usagef("--update records one run: name one version of Kubernetes")
	}
	return nil
}

// conclude writes the total, and the report for CI systems. It is an error of usage if --run matched no scenario.
// The order of the tests is the order of the files.
func (o *Command) conclude(out *report.Tests, tests []report.Test, skipped int, worst error) error {
	if o.JUnit != "" {
		if err := o.writeJUnit(tests); err != nil {
			return err
		}
	}
	if err := out.TellFailures(); err != nil {
		return err
	}
	if o.GitHub {
		annotate := func(w io.Writer) error { return report.Annotations(w, tests) }
		if err := o.Out.(*render.Guard).Commands(annotate); err != nil {
			return err
		}
	}
	if err := out.Total(skipped); err != nil {
		return err
	}
	if o.Output == "json" {
		if err := report.TestsJSON(o.Out, tests, skipped); err != nil {
			return err
		}
	}
	if len(tests) == 0 && worst == nil {
		return command.Usagef("--run %s: no scenario has such a name", o.Run.String())
	}
	return worst
}

// writeJUnit writes the JUnit report.
func (o *Command) writeJUnit(tests []report.Test) error {
	var text bytes.Buffer
	err := report.JUnit(&text, tests)
	if err == nil {
		err = o.junit(text.Bytes()).Write()
	}
	if err != nil {
		return fmt.Errorf("--junit: %w", err)
	}
	return nil
}

// junit is the file of the report.
func (o *Command) junit(text []byte) files.Written {
	return files.Written{Path: o.JUnit, Text: text, Mode: 0o644, Ours: isXML}
}

// isXML reports whether a file starts like a JUnit report.
func isXML(begin []byte) bool { return bytes.HasPrefix(begin, []byte("<?xml")) }

// job is one file to be played, and the version if there are several; "" is the scenario's own.
type job struct{ file, version string }

// jobs lists the runs: each file on each version. The versions of a file are next to each other.
func (o *Command) jobs(files []string) []job {
	versions := o.World.Several
	if len(versions) == 0 {
		versions = []string{""}
	}
	var jobs []job
	for _, file := range files {
		for _, version := range versions {
			jobs = append(jobs, job{file, version})
		}
	}
	return jobs
}

// widest returns the width of the column of files.
func widest(jobs []job) int {
	width := 0
	for _, j := range jobs {
		width = max(width, utf8.RuneCountInString(strings.TrimSpace(j.file+" "+j.version)))
	}
	return width
}

// play plays one file. It never panics: a defect of sim is the problem of this file, and the others are still played.
func (o *Command) play(j job) (t *tested) {
	file, world := j.file, &o.World
	if j.version != "" {
		world = o.World.Under(j.version)
	}
	t = &tested{Test: report.Test{File: file, Version: j.version}}
	defer func() {
		var bug work.Defect
		if errors.As(t.err, &bug) {
			t.Problem = "a bug in sim: " + bug.Error()
		}
	}()
	defer work.Caught(&t.err)
	if o.Interrupted() {
		t.err, t.skipped = command.ErrInterrupted, true
		return t
	}
	scene, err := o.Engine.Load(o.From().Source(file), world)
	if err != nil {
		// The name of a scenario that cannot be read is not known, so its file's name must do.
		if t.skipped = !o.plays(file); !t.skipped {
			t.Problem, t.err = err.Error(), command.ErrWrongInput
		}
		return t
	}
	if !o.plays(scene.Name()) {
		t.skipped = true
		return t
	}
	t.Name = scene.Name()
	p := scene.Play(o.within(world.Limits.Memory))
	if o.Update && !p.OK && !p.Interrupted {
		if t.said, err = o.update(file, scene, p); err == nil {
			scene, err = o.Engine.Load(o.From().Source(file), world)
		}
		if err != nil {
			t.Problem, t.err = err.Error(), command.ErrWrongInput
			return t
		}
		p = scene.Play(o.within(world.Limits.Memory))
	}
	p.File = file
	if !p.OK {
		world = o.alone(file, world)
		p.Fail(world.Repeat(p))
	}
	t.err = command.Outcome(p)
	t.Test = report.NewTest(&p.Run, p.OK)
	t.Version = j.version
	if o.HTML != "" {
		if !p.OK {
			p.LeadOut(scene, o.Engine.Cures, world.Given(), o.Interrupted)
		}
		command.Carry(p, o.From().Source(file), o.World.Limits.FileSize)
		p.Playground = o.RunInPlayground(o.From().Source(file), o.World.Under(cmp.Or(t.Version, o.World.Kubernetes)))
		t.run = p
	}
	return t
}

// alone returns the options that let other commands play a scenario of a folder: they name the folder that its
// manifests may not leave, if the scenario cannot be read without.
func (o *Command) alone(file string, world *command.World) *command.World {
	one := *world
	one.Named = nil
	if _, err := o.Engine.Load(o.From().Source(file), &one); err != nil {
		one.Root = world.RootOf(file)
	}
	return &one
}

// within returns the reasons to end the run of one scenario early, including its timeout, which counts from now and
// ends it with the verdict limit.
func (o *Command) within(memory int64) command.Ends {
	until, begun := o.Ends(memory, o.Interrupted), time.Now()
	exhausted := until.Exhausted
	until.Exhausted = func() string {
		if o.Timeout > 0 && time.Since(begun) > o.Timeout {
			return fmt.Sprintf("the scenario took longer than %s: --timeout raises the limit", o.Timeout)
		}
		return exhausted()
	}
	return until
}

// update records the run of a scenario again, in its file: the run replaces earlier recordings and expectations
// that fail. Only a run that settles is recorded, because no other end is desirable. It returns a message about the
// update, "" if the file did not change.
func (o *Command) update(file string, scene command.Scene, p *command.Played) (string, error) {
	if len(p.Events) == 0 {
		return "", nil
	}
	if result := p.Events[len(p.Events)-1].Result; result == nil || result.Verdict != timeline.Settled {
		return "", nil
	}
	text, err := (files.Source{Path: file}).Read(o.World.Limits.FileSize)
	if err != nil {
		return "", err
	}
	var failed []int
	for _, e := range p.Expectations {
		if e.Verdict == report.Failed {
			place := strings.Split(e.Position, ":")
			line, _ := strconv.Atoi(place[len(place)-2])
			failed = append(failed, line)
		}
	}
	test, gone, added, err := save.Again(text, failed, save.Expectations(p.Events, verdict.StepsOf(scene)))
	if err != nil {
		return "", err
	}
	again := run.Command{Call: o.Call}
	again.World.Root = cmp.Or(o.World.Root, o.World.RootOf(file))
	switch broken, err := again.Broken(test, file, filepath.Dir(file)); {
	case err != nil:
		return "", err
	case broken != "":
		return "", fmt.Errorf("%s: %s does not hold in the run that is recorded: remove it first", file, broken)
	}
	if err := (files.Written{Path: file, Text: test, Mode: 0o644}).Write(); err != nil {
		return "", err
	}
	said := fmt.Sprintf("recorded again: %s gone, %d new", render.Count(len(gone), "expectation"), added)
	for _, was := range gone {
		said += "\n  " + render.Shorten(was, run.MaxGone)
	}
	return said, nil
}
