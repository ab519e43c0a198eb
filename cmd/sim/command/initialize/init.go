// Package initialize is sim init: it writes a first scenario for manifests.
package initialize

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/command/run"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/play/verdict"
	"github.com/statefulsim/statefulsim/scenario/save"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Command holds the arguments of `sim init`. Save, in the run, is the file that is written.
type Command struct {
	run.Command
	Force bool
}

// FirstScenario is the file that sim init writes if no other is named.
const FirstScenario = "rollout.yaml"

// Answer plays the scenario, and writes it with the events of its run as its expectations.
func (o *Command) Answer() error {
	first, err := o.first()
	if err != nil {
		return err
	}
	text := first.Scenario()
	s, err := scenario.Parse(o.name(), text, scenario.Folder(o.folder(), ""), scenario.Options{Limits: o.World.Limits})
	if err != nil {
		return err
	}
	progress := o.Progress("playing " + s.Name)
	scene := verdict.Scenario{Scenario: s, Sim: command.Version}
	p := scene.Play(o.EndsShowing(progress, &o.World))
	progress.Clear()
	p.TellInput(o.Err, o.name())
	if p.Interrupted {
		return command.ErrInterrupted
	}
	if err := first.Refusal(o.name(), p.Events); err != nil {
		return err
	}
	test, added, err := save.Test(text, save.Expectations(p.Events, verdict.StepsOf(scene)))
	if err != nil {
		return err
	}
	switch broken, err := o.Broken(test, o.name(), o.folder()); {
	case err != nil:
		return err
	case broken != "":
		return fmt.Errorf("%s: %s does not hold in a second run", o.name(), broken)
	case o.Save == files.Stdin:
		_, err = o.Out.Write(test)
		return err
	}
	if err := o.create(test); err != nil {
		return err
	}
	return o.tellWritten(s, p, written{added, first.Copied()})
}

// name is what messages call the scenario.
func (o *Command) name() string {
	if o.Save == files.Stdin {
		return FirstScenario
	}
	return o.Save
}

// folder is where the scenario is written, and what its paths are relative to.
func (o *Command) folder() string {
	if o.Save == files.Stdin {
		return "."
	}
	return filepath.Dir(o.Save)
}

// first reads the manifests, and finds what the scenario does with them. Without arguments it has no manifest, which
// makes it the small example.
func (o *Command) first() (*save.First, error) {
	profile, err := statefulset.Lookup(o.World.Kubernetes)
	if err != nil {
		return nil, command.Usagef("--kubernetes: %s", err)
	}
	sources, err := o.manifests()
	if err != nil {
		return nil, err
	}
	if err := o.mayWrite(); err != nil {
		return nil, err
	}
	first := &save.First{Kubernetes: statefulset.Release(o.World.Kubernetes)}
	for _, in := range sources {
		if err := o.add(first, in, &profile); err != nil {
			return nil, err
		}
	}
	if len(o.Args) > 0 && len(first.Restart) == 0 {
		return nil, fmt.Errorf("there is no StatefulSet in %s, and sim plays no other kind, such as a Deployment: if an "+
			"operator (a program in the cluster) creates one, save what "+
			"kubectl get statefulsets -o yaml prints, and name that file", render.List(o.Args, 3))
	}
	if len(first.Start) > 0 && len(first.Apply) > 0 || len(first.Change) > 0 {
		// Manifests that are applied to a live state, or on top of others, are the change themselves.
		first.Restart = nil
	}
	if first.Kubernetes == "" && len(first.Start) == 0 {
		first.Kubernetes = profile.Version()
	}
	return first, nil
}

// add reads a file and adds it to the scenario.
func (o *Command) add(first *save.First, in command.Source, profile *statefulset.Profile) error {
	data, err := in.Read(o.World.Limits.FileSize)
	if err != nil {
		return err
	}
	return first.Add(save.Source{Name: in.Name(), Data: data, Path: o.reach(in)},
		save.Reading{Limits: o.World.Limits, Pods: profile.CheckClaims})
}

// manifests opens the arguments, folders as the manifests in them, without the scenarios and chart values next to
// these. An unreadable file is included: its error comes when it is added.
func (o *Command) manifests() ([]command.Source, error) {
	if err := files.OnceStdin(o.Args); err != nil {
		return nil, err
	}
	var sources []command.Source
	for _, arg := range o.Args {
		files, err := o.From().Manifests(arg, o.Recursive, o.World.Limits.FileSize)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			in, err := o.From().Open(file, o.World.Limits.FileSize)
			if err != nil {
				return nil, err
			}
			if data, err := in.Read(o.World.Limits.FileSize); file != arg && err == nil && scenario.IsScenario(data) {
				continue
			}
			sources = append(sources, in)
		}
	}
	return sources, nil
}

// reach returns the path of a file from the folder of the scenario, "" if a scenario there may not read it.
func (o *Command) reach(in command.Source) string {
	folder, err := filepath.Abs(o.folder())
	file, err2 := filepath.Abs(in.Path)
	if errors.Join(err, err2) != nil || in.Path == files.Stdin {
		return ""
	}
	path, err := filepath.Rel(folder, file)
	if err != nil {
		return ""
	}
	if info, err := fs.Stat(scenario.Folder(folder, ""), path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return path
}

// mayWrite says before anything is played why the file cannot be written.
func (o *Command) mayWrite() error {
	info, err := os.Stat(o.Save)
	folder, _ := os.Stat(o.folder())
	switch {
	case o.Save == files.Stdin:
		return nil
	case o.Save == "":
		return command.Usagef("--write: name a file, or - for standard output")
	case slices.Contains([]string{"json", "jsonl", "yaml", "html", "markdown", "text", "table"}, o.Save):
		return command.Usagef("--write %s: this flag names the file, and %s is the name of a format: write -o %s", o.Save, o.Save,
			FirstScenario)
	case folder == nil || !folder.IsDir():
		return command.Usagef("--write %s: there is no folder %s", o.Save, o.folder())
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return command.Usagef("--write %s: this is a folder: name a file in it", o.Save)
	}
	for _, file := range o.Args {
		if other, err := os.Stat(file); err == nil && os.SameFile(info, other) {
			return command.Usagef("--write %s: this is the manifest itself", o.Save)
		}
	}
	if !o.Force {
		return o.exists()
	}
	return nil
}

// exists is the error if the file would be overwritten.
func (o *Command) exists() error {
	return fmt.Errorf("%s exists: --force overwrites it, and --write FILE writes another", o.Save)
}

// create writes the file. Without --force it must not exist, even if it has come since mayWrite looked.
func (o *Command) create(test []byte) error {
	err := files.Written{Path: o.Save, Text: test, Mode: 0o644, Fresh: !o.Force}.Write()
	if errors.Is(err, fs.ErrExist) {
		return o.exists()
	}
	return err
}

// written counts the expectations that a scenario was given, and the manifests that it holds a copy of.
type written struct{ added, copied int }

// tellWritten says what the scenario does, and what to do with it next.
func (o *Command) tellWritten(s *scenario.Scenario, p *command.Played, w written) error {
	page := render.New(o.Out, o.Style())
	page.Text(0, o.Save+" has "+render.Count(len(s.Steps), "step")+":", render.Plain)
	for _, step := range s.Steps {
		page.Hanging(5, fmt.Sprintf("%3d  ", step.Number), step.Does, render.Plain)
	}
	last := &p.Events[len(p.Events)-1]
	page.Text(0, fmt.Sprintf("The run ends %s after %s. Its %s %s.", last.Result.Verdict, render.Clock(last.T),
		render.Count(w.added, "expectation"), render.Agree(w.added, "holds", "hold")), render.Plain)
	if w.copied > 0 {
		page.Text(0, "The scenario has a copy of "+render.Count(w.copied, "manifest")+": the test does not see what changes "+
			"there later. To test the files themselves, write the scenario into their folder or above it.", render.Warn)
	}
	page.Blank()
	page.Text(0, "Try next:", render.Plain)
	flags := command.LimitWords(o.World.Limits)
	again := func(verb string) string {
		return shell.Line(append([]string{"sim", verb}, append(flags, o.Save)...)...)
	}
	page.Verbatim(2, again("run")+"     # what happens, and why", render.Plain)
	page.Verbatim(2, again("test")+"    # the test, as CI runs it", render.Plain)
	return page.Flush()
}
