package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/play/verdict"
	"github.com/statefulsim/statefulsim/scenario/save"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// saveFile finds where a test is to be saved. A file that stands behind the flag after a space looks like one more
// scenario: of two, the one that does not exist is meant. It changes save and files.
func (o *Run) saveFile() {
	if o.Save != files.Stdin || len(o.Args) != 2 {
		return
	}
	var missing, there []string
	for _, file := range o.Args {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) && file != files.Stdin {
			missing = append(missing, file)
		} else {
			there = append(there, file)
		}
	}
	if len(missing) == 1 {
		o.Save, o.Args = missing[0], there
	}
}

// checkSave refuses what does not go with --save-as-test. After it save is a path or -, and there is one file, or save
// is "".
func (o *Run) checkSave() error {
	switch {
	case o.Save == "":
		return nil
	case len(o.World.Several) > 0:
		return usagef("--save-as-test saves one run: name one version of Kubernetes")
	}
	o.saveFile()
	if len(o.Args) != 1 {
		return usagef("--save-as-test saves one scenario, and %s were named: its own file stands behind =: "+
			"sim run --save-as-test=FILE SCENARIO", render.List(o.Args, 3))
	}
	return nil
}

// saveTest plays a scenario, and writes it with expectations that record the run. Nothing is written if an expectation
// of the scenario fails, or if the result would not pass: a test that fails from the beginning is of no use. With save
// as stdin the run is not printed, since the scenario goes to standard output.
func (o *Run) saveTest(scene scene) error {
	saved := files.Written{Path: o.Save, Mode: 0o644, Ours: scenario.IsScenario}
	if o.Save != files.Stdin {
		if err := saved.Try(); err != nil {
			return fmt.Errorf("--save-as-test: %w", err)
		}
	}
	p := o.play(0, scene)
	if o.Save != files.Stdin {
		if err := o.print(0, p); err != nil {
			return err
		}
	}
	if p.Interrupted {
		return errInterrupted
	}
	for _, e := range p.Expectations {
		if e.Verdict == report.Failed {
			fmt.Fprintf(o.Err, "%s: %s does not hold, so nothing was saved: change or remove it\n", e.Position, e.Text)
			return errFailed
		}
	}
	text, err := o.read[0].Read(o.World.Limits.FileSize)
	if err != nil {
		return err
	}
	test, added, err := save.Test(text, save.Expectations(p.Events, verdict.StepsOf(scene)))
	if err != nil {
		return wrongInput{fmt.Sprintf("%s: --save-as-test: %s", o.Args[0], err)}
	}
	name, dir := o.Save, filepath.Dir(o.Save)
	if o.Save == files.Stdin {
		name, dir = o.read[0].Name(), "."
		if o.Args[0] != files.Stdin {
			dir = filepath.Dir(o.Args[0])
		}
	}
	// The flags of this run are none of sim test's, so the test is played once more, without them.
	switch broken, err := o.broken(test, name, dir); {
	case err != nil:
		return err
	case broken != "":
		return wrongInput{fmt.Sprintf("%s: without the flags of this run %s does not hold: write them into the scenario",
			o.Args[0], broken)}
	}
	if o.Save == files.Stdin {
		_, err = o.Out.Write(test)
		return err
	}
	saved.Text = test
	if err := saved.Write(); err != nil {
		return fmt.Errorf("--save-as-test: %w", err)
	}
	fmt.Fprintf(o.Err, "%s has %s\n", o.Save, render.Count(added, "more expectation"))
	return nil
}

// maxGone is how many characters of an expectation are shown that is gone.
const maxGone = 110

// update records the run of a scenario again, in its file: what was recorded before, and what does not hold, makes way
// for what the run does. Only a run that settles is recorded: another end is nothing to wish for. It returns what to
// say about it, "" if the file is as it was.
func (o *Test) update(file string, scene scene, p *played) (string, error) {
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
	again := Run{Call: o.Call}
	again.World.Root = cmp.Or(o.World.Root, o.World.rootOf(file))
	switch broken, err := again.broken(test, file, filepath.Dir(file)); {
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
		said += "\n  " + render.Shorten(was, maxGone)
	}
	return said, nil
}

// broken plays a test where it is written, in a folder, as sim test does, and returns the first expectation that does
// not hold; "" if all do. Flags of the world do not count, but for the limits and the root.
func (o *Run) broken(test []byte, name, folder string) (string, error) {
	s, err := scenario.Parse(name, test, scenario.Folder(folder, o.World.Root), scenario.Options{Limits: o.World.Limits})
	if err != nil {
		return "", err
	}
	outcome := s.Run(scenario.RunOptions{Sim: Version, Interrupted: o.Interrupted})
	if o.Interrupted() {
		return "", errInterrupted
	}
	for _, v := range outcome.Failed() {
		return v.Text, nil
	}
	return "", nil
}
