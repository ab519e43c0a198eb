package main

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
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/scenario/testpages"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

// testOptions are the arguments of `sim test`.
type testOptions struct {
	*streams
	engine *engine
	color  *colorChoice
	// run is what names have to match, workers how many are played at once. junit is the file of the report, html the
	// folder of the pages, "" for none; github says whether annotations are printed too.
	run     *regexp.Regexp
	workers int
	junit   string
	html    string
	github  bool
	// again says that a scenario whose expectations fail is recorded again.
	again bool
	// timeout is the real time that a run may take, 0 for any. The only world that has named is that of this command: its
	// paths are where scenarios may take manifests from.
	timeout time.Duration
	world   worldOptions
	paths   []string
}

func newTestCmd(s *streams, e *engine, color *colorChoice) *cobra.Command {
	o := &testOptions{streams: s, engine: e, color: color}
	cmd := &cobra.Command{
		Use:               "test PATH...",
		SuggestFor:        []string{"validate", "lint", "verify"},
		Short:             "Play scenarios and report as a test runner does",
		GroupID:           groupPlay,
		Args:              atLeastOne("PATH"),
		ValidArgsFunction: yamlFiles,
		RunE:              onFiles(&o.paths, o.test),
	}
	flags := cmd.Flags()
	flags.Var(regexpFlag(&o.run), "run", "play only the scenarios whose name matches")
	addJobs(cmd, &o.workers)
	flags.DurationVar(&o.timeout, "timeout", time.Minute, "the real time that one scenario may take; 0 is no limit")
	flags.StringVar(&o.junit, "junit", "", "write a JUnit XML report to this `FILE`")
	flags.StringVar(&o.html, "html", "", "write a page for each scenario, and an index, into this `DIR`")
	work.Must(cmd.MarkFlagDirname("html"))
	flags.BoolVar(&o.again, "update", false, "where expectations fail, record the run again, in the scenario's file: "+
		"after a change that is wanted")
	flags.BoolVar(&o.github, "github", false, "also print failures and warnings as annotations of GitHub Actions")
	work.Must(cmd.MarkFlagFilename("junit", "xml"))
	addWorldFlags(cmd, &o.world, e)
	return cmd
}

// plays says whether a name is asked for. The expression need not match the whole name.
func (o *testOptions) plays(name string) bool { return o.run == nil || o.run.MatchString(name) }

// tested is the result of one file on one version.
type tested struct {
	report.Test
	// err is nil if the scenario was played and passed, or was skipped; otherwise it decides the exit code.
	err error
	// skipped says that it was not asked for.
	skipped bool
	// run is the run, if a page is written for it.
	run *played
	// said says what was recorded again, "" if nothing was.
	said string
}

// test plays the files, several at once, and reports in the order of the files, each as soon as those before it are
// done. The exit code is the worst of all.
func (o *testOptions) test() error {
	if err := o.check(); err != nil {
		return err
	}
	o.world.named = o.paths
	files, err := files.Scenarios(o.paths)
	if err != nil {
		return err
	}
	jobs := o.jobs(files)
	out := report.Tests{Out: o.out, Style: o.style(*o.color), FileWidth: widest(jobs)}
	var pages *testpages.Pages
	if o.html != "" {
		again := command.Line(slices.Concat([]string{"sim", "test", "--html", o.html}, o.world.asked(), o.paths)...)
		pages, err = testpages.New(o.html, "Scenarios: "+strings.Join(o.paths, ", "), again, o.interrupted)
	}
	if err != nil {
		return err
	}
	var tests []report.Test
	var worst error
	skipped := 0
	err = work.InOrder(len(jobs), o.workers, func(i int) *tested { return o.play(jobs[i]) }, func(t *tested) error {
		worst = worse(worst, t.err)
		if t.skipped {
			skipped++
			return nil
		}
		tests = append(tests, t.Test)
		if t.said != "" {
			fmt.Fprintf(o.err, "%s: %s\n", t.File, t.said)
		}
		if err := pages.Add(&t.Test, t.run); err != nil {
			return err
		}
		return out.Add(&t.Test)
	})
	if err != nil {
		return err
	}
	if err := pages.Index(); err != nil {
		return err
	}
	return o.conclude(&out, tests, skipped, worst)
}

// check refuses what cannot be played. It also caps the memory of the process.
func (o *testOptions) check() error {
	if o.timeout < 0 {
		return usagef("--timeout %s: a timeout must not be negative", o.timeout)
	}
	if o.workers < 1 {
		return usagef("-j %d: -j must be at least 1", o.workers)
	}
	for _, path := range o.paths {
		if path == files.Stdin {
			return usagef("sim test plays files and folders: use sim run - for standard input")
		}
	}
	if folder := filepath.Dir(o.junit); o.junit != "" {
		if _, err := os.Stat(folder); err != nil {
			return usagef("--junit %s: there is no folder %s", o.junit, folder)
		}
	}
	if o.again && len(o.world.several) > 0 {
		return usagef("--update records one run: name one version of Kubernetes")
	}
	return o.world.check()
}

// conclude writes the total, and the report for CI systems. If no scenario was played because of --run, that is an
// error of usage. The order of the tests is that of the files.
func (o *testOptions) conclude(out *report.Tests, tests []report.Test, skipped int, worst error) error {
	if o.junit != "" {
		if err := o.writeJUnit(tests); err != nil {
			return err
		}
	}
	if err := out.TellFailures(); err != nil {
		return err
	}
	if o.github {
		annotate := func(w io.Writer) error { return report.Annotations(w, tests) }
		if err := o.out.(*render.Guard).Commands(annotate); err != nil {
			return err
		}
	}
	if err := out.Total(skipped); err != nil {
		return err
	}
	if len(tests) == 0 && worst == nil {
		return usagef("--run %s: no scenario has such a name", o.run.String())
	}
	return worst
}

// writeJUnit writes the JUnit report.
func (o *testOptions) writeJUnit(tests []report.Test) error {
	var text bytes.Buffer
	err := report.JUnit(&text, tests)
	if err == nil {
		err = files.Written{Path: o.junit, Text: text.Bytes(), Mode: 0o644}.Write()
	}
	if err != nil {
		return fmt.Errorf("--junit: %w", err)
	}
	return nil
}

// job is one file to be played, and the version if there are several; "" is the scenario's own.
type job struct{ file, version string }

// jobs lists what is to be played: each file on each version. The versions of a file stand together.
func (o *testOptions) jobs(files []string) []job {
	versions := o.world.several
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
func (o *testOptions) play(j job) (t *tested) {
	file, world := j.file, &o.world
	if j.version != "" {
		world = o.world.under(j.version)
	}
	t = &tested{Test: report.Test{File: file, Version: j.version}}
	defer func() {
		var bug work.Defect
		if errors.As(t.err, &bug) {
			t.Problem = "a bug in sim: " + bug.Error()
		}
	}()
	defer work.Caught(&t.err)
	if o.interrupted() {
		t.err, t.skipped = errInterrupted, true
		return t
	}
	scene, err := o.engine.load(files.Source{Path: file}, world)
	if err != nil {
		// The name of a scenario that cannot be read is not known, so its file's name must do.
		if t.skipped = !o.plays(file); !t.skipped {
			t.Problem, t.err = err.Error(), errWrongInput
		}
		return t
	}
	if !o.plays(scene.Name()) {
		t.skipped = true
		return t
	}
	t.Name = scene.Name()
	p := scene.Play(o.within(world.limits.Memory))
	if o.again && !p.OK && !p.Interrupted {
		if t.said, err = o.update(file, scene, p); err == nil {
			scene, err = o.engine.load(files.Source{Path: file}, world)
		}
		if err != nil {
			t.Problem, t.err = err.Error(), errWrongInput
			return t
		}
		p = scene.Play(o.within(world.limits.Memory))
	}
	p.File = file
	if !p.OK {
		world = o.alone(file, world)
		p.Fail(world.repeat(p))
		t.err = errFailed
	}
	if p.Interrupted {
		t.err = errInterrupted
	}
	t.Test = report.NewTest(&p.Run, p.OK)
	t.Version = j.version
	if o.html != "" {
		if !p.OK {
			p.LeadOut(scene, o.engine.cures, world.asked(), o.interrupted)
		}
		carry(p, files.Source{Path: file}, o.world.limits.FileSize)
		p.Playground = o.runInPlayground(files.Source{Path: file}, o.world.under(cmp.Or(t.Version, o.world.kubernetes)))
		t.run = p
	}
	return t
}

// alone returns the options with which other commands play a scenario of a folder: they name the folder that its
// manifests may not leave, if the scenario cannot be read without.
func (o *testOptions) alone(file string, world *worldOptions) *worldOptions {
	one := *world
	one.named = nil
	if _, err := o.engine.load(files.Source{Path: file}, &one); err != nil {
		one.root = world.rootOf(file)
	}
	return &one
}

// within returns the reasons to end the run of one scenario early, including its timeout, which counts from now and
// ends it with the verdict limit.
func (o *testOptions) within(memory int64) ends {
	until, begun := o.ends(memory, o.interrupted), time.Now()
	exhausted := until.Exhausted
	until.Exhausted = func() string {
		if o.timeout > 0 && time.Since(begun) > o.timeout {
			return fmt.Sprintf("the scenario took longer than %s: --timeout raises the limit", o.timeout)
		}
		return exhausted()
	}
	return until
}

// worse returns the error that says more about the whole: a defect, an interruption, wrong input, a failure. nil is
// best.
func worse(a, b error) error {
	rank := func(err error) int {
		switch code := exitCode(err); code {
		case exitDefect:
			return exitInterrupted + 1
		default:
			return code
		}
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}
