package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/play/verdict"
	"github.com/statefulsim/statefulsim/scenario/save"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// saveFile finds where to save a test. A file after the flag and a space looks like one more scenario: of two, the
// one that does not exist is meant. It changes save and files.
func (o *Command) saveFile() {
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
func (o *Command) checkSave() error {
	switch {
	case o.Save == "":
		return nil
	case len(o.World.Several) > 0:
		return command.Usagef("--save-as-test saves one run: name one version of Kubernetes")
	}
	o.saveFile()
	if len(o.Args) != 1 {
		return command.Usagef("--save-as-test saves one scenario, and %s were named: its own file stands behind =: "+
			"sim run --save-as-test=FILE SCENARIO", render.List(o.Args, 3))
	}
	return nil
}

// saveTest plays a scenario, and writes it with expectations that record the run. Nothing is written if an
// expectation of the scenario fails, or if the result would not pass: a test that fails from the start is useless.
// With save as stdin the run is not printed, since the scenario goes to standard output.
func (o *Command) saveTest(scene command.Scene) error {
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
		return command.ErrInterrupted
	}
	for _, e := range p.Expectations {
		if e.Verdict == report.Failed {
			fmt.Fprintf(o.Err, "%s: %s does not hold, so nothing was saved: change or remove it\n", e.Position, e.Text)
			return command.ErrFailed
		}
	}
	text, err := o.read[0].Read(o.World.Limits.FileSize)
	if err != nil {
		return err
	}
	test, added, err := save.Test(text, save.Expectations(p.Events, verdict.StepsOf(scene)))
	if err != nil {
		return command.WrongInput{fmt.Sprintf("%s: --save-as-test: %s", o.Args[0], err)}
	}
	name, dir := o.Save, filepath.Dir(o.Save)
	if o.Save == files.Stdin {
		name, dir = o.read[0].Name(), "."
		if o.Args[0] != files.Stdin {
			dir = filepath.Dir(o.Args[0])
		}
	}
	// The flags of this run are none of sim test's, so the test is played again, without them.
	switch broken, err := o.Broken(test, name, dir); {
	case err != nil:
		return err
	case broken != "":
		return command.WrongInput{fmt.Sprintf("%s: without the flags of this run %s does not hold: write them into the scenario",
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

// MaxGone is how many characters are shown of an expectation that was dropped.
const MaxGone = 110

// Broken plays a test where it is written, in a folder, as sim test does, and returns the first expectation that does
// not hold; "" if all do. Flags of the world do not count, but for the limits and the root.
func (o *Command) Broken(test []byte, name, folder string) (string, error) {
	s, err := scenario.Parse(name, test, scenario.Folder(folder, o.World.Root), scenario.Options{Limits: o.World.Limits})
	if err != nil {
		return "", err
	}
	outcome := s.Run(scenario.RunOptions{Sim: command.Version, Interrupted: o.Interrupted})
	if o.Interrupted() {
		return "", command.ErrInterrupted
	}
	for _, v := range outcome.Failed() {
		return v.Text, nil
	}
	return "", nil
}
