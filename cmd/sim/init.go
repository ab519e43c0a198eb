package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/runs/judged"
	"github.com/statefulsim/statefulsim/scenario/save"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// initOptions are the arguments of `sim init`. save, of the run, is the file that is written.
type initOptions struct {
	runOptions
	force, recursive bool
	// copied counts the manifests that the scenario does not name, but has as text.
	copied int
	// places are where the StatefulSets of the manifests stand, in the order in which they are read.
	places []placedSet
}

// firstScenario is the file that sim init writes if no other is named.
const firstScenario = "rollout.yaml"

func newInitCmd(s *streams, e *engine, color *colorChoice) *cobra.Command {
	o := &initOptions{runOptions: runOptions{streams: s, engine: e, color: color}}
	cmd := &cobra.Command{
		Use:   "init [MANIFEST...]",
		Short: "Write a first scenario, which is also a test, for a manifest",
		Long: `Write a first scenario for manifests. It applies them, restarts their
StatefulSets, and expects what happens then: the order in which pods are deleted
and created, the fewest that serve meanwhile, and how it ends. sim test passes
it as it is.

MANIFEST is a file, a folder, or -, standard input. If it is the output of
kubectl get, the scenario begins with that state; manifests beside it are what
is applied to it. A manifest with a StatefulSet that an earlier one has is
applied after that, as its change. Without MANIFEST the scenario has a small
example.

The scenario names each manifest by its path, so the test plays what the file
has then. One that does not lie in the folder of the scenario, or comes from
standard input, is copied into it: the test does not see later changes.`,
		Example: `  sim init statefulset.yaml    # a first scenario for your manifest
  sim init                     # or for a small example
  sim init --write restart.yaml k8s/
  helm template db charts/db > db.yaml; sim init db.yaml
  sim init dump.yaml next.yaml`,
		GroupID:           groupWrite,
		ValidArgsFunction: yamlFiles,
		RunE:              onFiles(&o.files, o.run),
	}
	cmd.Flags().StringVarP(&o.save, "write", "o", firstScenario, "write the scenario to `FILE`; - is standard output")
	cmd.Flags().BoolVar(&o.force, "force", false, "overwrite the file if it exists")
	cmd.Flags().StringVar(&o.world.kubernetes, "kubernetes", "", "the Kubernetes `VERSION` that the scenario names, "+
		"1.36 or 1.35.2 (default: the newest, or that of the cluster)")
	completeVersions(cmd, "kubernetes", e)
	addRecursive(cmd, &o.recursive)
	addLimitFlags(cmd, &o.world.limits)
	return cmd
}

// run plays the scenario, and writes it with what happened in it as its expectations.
func (o *initOptions) run() error {
	if err := o.world.check(); err != nil {
		return err
	}
	first, err := o.first()
	if err != nil {
		return err
	}
	text := first.Scenario()
	s, err := scenario.Parse(o.name(), text, scenario.Folder(o.folder(), ""), scenario.Options{Limits: o.world.limits})
	if err != nil {
		return err
	}
	progress := newProgress(o.streams, "playing "+s.Name)
	scene := judged.Scenario{Scenario: s, Sim: Version}
	p := scene.Play(o.endsShowing(progress, &o.world))
	progress.Clear()
	p.TellInput(o.err, o.name())
	if p.Interrupted {
		return errInterrupted
	}
	if err := o.refusal(p.Events); err != nil {
		return err
	}
	test, added, err := save.Test(text, save.Expectations(p.Events, judged.StepsOf(scene)))
	if err != nil {
		return err
	}
	switch broken, err := o.broken(test, o.name(), o.folder()); {
	case err != nil:
		return err
	case broken != "":
		return fmt.Errorf("%s: %s does not hold in a second run", o.name(), broken)
	case o.save == files.Stdin:
		_, err = o.out.Write(test)
		return err
	}
	if err := o.create(test); err != nil {
		return err
	}
	return o.tellWritten(s, p, added)
}

// placedSet is the place of a StatefulSet in a manifest: FILE:LINE:COLUMN.
type placedSet struct{ name, at string }

// refusal is the error of a run in which the API server refuses what the scenario applies: such a test would hold as
// long as the mistake is there. Its place is that of the StatefulSet, the last one of that name.
func (o *initOptions) refusal(events []timeline.Event) error {
	for i := range events {
		step := events[i].Step
		if step == nil || step.Effect != timeline.Refused {
			continue
		}
		at := o.name()
		for _, p := range o.places {
			if strings.Contains(step.Does, p.name) {
				at = p.at
			}
		}
		return fmt.Errorf("%s: the API server refuses step %d (%s): %s", at, step.Number, step.Does, step.Refusal)
	}
	return nil
}

// name is what messages call the scenario.
func (o *initOptions) name() string {
	if o.save == files.Stdin {
		return firstScenario
	}
	return o.save
}

// folder is where the scenario is written, and where its paths begin.
func (o *initOptions) folder() string {
	if o.save == files.Stdin {
		return "."
	}
	return filepath.Dir(o.save)
}

// first reads the manifests, and finds what the scenario does with them. Without arguments it has no manifest, which
// makes it the small example.
func (o *initOptions) first() (*save.First, error) {
	if _, err := statefulset.Lookup(o.world.kubernetes); err != nil {
		return nil, usagef("--kubernetes: %s", err)
	}
	sources, err := o.manifests()
	if err != nil {
		return nil, err
	}
	if err := o.mayWrite(); err != nil {
		return nil, err
	}
	first := &save.First{Kubernetes: statefulset.Release(o.world.kubernetes)}
	for _, in := range sources {
		if err := o.add(first, in); err != nil {
			return nil, err
		}
	}
	if len(o.files) > 0 && len(first.Restart) == 0 {
		return nil, fmt.Errorf("there is no StatefulSet in %s, and sim plays no other kind, such as a Deployment: if an "+
			"operator (a program in the cluster) creates one, save what "+
			"kubectl get statefulsets -o yaml prints, and name that file", render.List(o.files, 3))
	}
	if len(first.Start) > 0 && len(first.Apply) > 0 || len(first.Change) > 0 {
		// Manifests that are applied to a live state, or to what others have made, are the change themselves.
		first.Restart = nil
	}
	if first.Kubernetes == "" && len(first.Start) == 0 {
		versions := o.engine.versions()
		first.Kubernetes = versions[len(versions)-1]
	}
	return first, nil
}

// add adds a manifest to the scenario, and its StatefulSets to those that are restarted. The state of a cluster is what
// the scenario begins with. A manifest with a StatefulSet that an earlier one has is a change of that.
func (o *initOptions) add(first *save.First, in source) error {
	data, err := in.Read(o.world.limits.FileSize)
	if err != nil {
		return err
	}
	profile, err := statefulset.Lookup(o.world.kubernetes)
	if err != nil {
		return err
	}
	sets, probed, places, err := setsIn(in.Name(), data, o.world.limits, profile.CheckClaims)
	if err != nil {
		return err
	}
	first.Probed, o.places = first.Probed || probed, append(o.places, places...)
	apply := &first.Apply
	for _, set := range sets {
		if slices.Contains(first.Restart, set) {
			apply = &first.Change
			continue
		}
		first.Restart = append(first.Restart, set)
	}
	path, reachable := o.reach(in)
	switch isDump := scenario.IsDump(data); {
	case isDump && !reachable:
		return fmt.Errorf("%s: this is the state of a cluster, which a scenario names by its path: save it in the folder "+
			"of the scenario", in.Name())
	case isDump:
		first.Start = append(first.Start, path)
	case reachable:
		*apply = append(*apply, save.Manifest{Path: path})
	default:
		*apply = append(*apply, save.Manifest{Text: string(data)})
		o.copied++
	}
	return nil
}

// manifests opens the arguments, folders as the manifests in them: not the scenarios and the values of charts that lie
// beside these. A file that cannot be read is among them: its error comes when it is added.
func (o *initOptions) manifests() ([]source, error) {
	if err := files.OnceStdin(o.files); err != nil {
		return nil, err
	}
	var sources []source
	for _, arg := range o.files {
		files, err := o.from().Manifests(arg, o.recursive, o.world.limits.FileSize)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			in, err := o.from().Open(file, o.world.limits.FileSize)
			if err != nil {
				return nil, err
			}
			if data, err := in.Read(o.world.limits.FileSize); file != arg && err == nil && scenario.IsScenario(data) {
				continue
			}
			sources = append(sources, in)
		}
	}
	return sources, nil
}

// setsIn returns the StatefulSets of a manifest, in its order. What is wrong with one is said with its place in the
// manifest, since the scenario, which may hold a copy, is not written then. What a cluster has was accepted once. pods
// says that the version looks at the pods of a set; probed, that the probes of one say when its pods are Ready.
func setsIn(name string, data []byte, limits strict.Limits, pods bool) (
	sets []model.Key, probed bool, places []placedSet, err error,
) {
	stream := strict.ParseStream(name, data, limits)
	r := stream.Reader(name, limits)
	file := manifest.ReadNamed(r, stream.Docs)
	if len(stream.Docs) == 0 && len(r.Problems) == 0 {
		return nil, false, nil, fmt.Errorf("%s: the manifest is empty", name)
	}
	for _, set := range file.Sets {
		if !scenario.IsDump(data) {
			set.Check(r)
			if pods {
				set.CheckPods(r)
			}
			set.CheckLimits(r)
		}
		sets = append(sets, model.Key{Namespace: set.Object.Namespace, Name: set.Object.Name})
		at := fmt.Sprintf("%s:%d:%d", name, set.Node.Line, set.Node.Column)
		places = append(places, placedSet{set.Object.Name, at})
		for i := range set.Object.Spec.Template.Spec.Containers {
			c := &set.Object.Spec.Template.Spec.Containers[i]
			probed = probed || c.ReadinessProbe != nil || c.StartupProbe != nil
		}
	}
	return sets, probed, places, r.Problems.Err()
}

// reach returns the path of a file from the folder of the scenario, and whether a scenario there may read it.
func (o *initOptions) reach(in source) (string, bool) {
	folder, err := filepath.Abs(o.folder())
	file, err2 := filepath.Abs(in.Path)
	if errors.Join(err, err2) != nil || in.Path == files.Stdin {
		return "", false
	}
	path, err := filepath.Rel(folder, file)
	if err != nil {
		return "", false
	}
	info, err := fs.Stat(scenario.Folder(folder, ""), path)
	return path, err == nil && info.Mode().IsRegular()
}

// mayWrite says before anything is played why the file cannot be written.
func (o *initOptions) mayWrite() error {
	info, err := os.Stat(o.save)
	folder, _ := os.Stat(o.folder())
	switch {
	case o.save == files.Stdin:
		return nil
	case o.save == "":
		return usagef("--write: name a file, or - for standard output")
	case folder == nil || !folder.IsDir():
		return usagef("--write %s: there is no folder %s", o.save, o.folder())
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return usagef("--write %s: this is a folder: name a file in it", o.save)
	}
	for _, file := range o.files {
		if other, err := os.Stat(file); err == nil && os.SameFile(info, other) {
			return usagef("--write %s: this is the manifest itself", o.save)
		}
	}
	if !o.force {
		return o.exists()
	}
	return nil
}

// exists is the error if the file would be overwritten.
func (o *initOptions) exists() error {
	return fmt.Errorf("%s exists: --force overwrites it, and --write FILE writes another", o.save)
}

// create writes the file. Without --force it must not exist, even if it has come since mayWrite looked.
func (o *initOptions) create(test []byte) error {
	err := files.Written{Path: o.save, Text: test, Mode: 0o644, Fresh: !o.force}.Write()
	if errors.Is(err, fs.ErrExist) {
		return o.exists()
	}
	return err
}

// tellWritten says what the scenario does, and what can be done with it.
func (o *initOptions) tellWritten(s *scenario.Scenario, p *played, added int) error {
	page := render.New(o.out, o.style(*o.color))
	page.Text(0, o.save+" has "+render.Count(len(s.Steps), "step")+":", render.Plain)
	for _, step := range s.Steps {
		page.Hanging(5, fmt.Sprintf("%3d  ", step.Number), step.Does, render.Plain)
	}
	last := &p.Events[len(p.Events)-1]
	page.Text(0, fmt.Sprintf("The run ends %s after %s. Its %s %s.", last.Result.Verdict, render.Clock(last.T),
		render.Count(added, "expectation"), render.Agree(added, "holds", "hold")), render.Plain)
	if o.copied > 0 {
		page.Text(0, "The scenario has a copy of "+render.Count(o.copied, "manifest")+": the test does not see what changes "+
			"there later. To test the files themselves, write the scenario into their folder or above it.", render.Warn)
	}
	page.Blank()
	page.Text(0, "Try next:", render.Plain)
	flags := limitWords(o.world.limits)
	again := func(verb string) string {
		return command.Line(append([]string{"sim", verb}, append(flags, o.save)...)...)
	}
	page.Verbatim(2, again("run")+"     # what happens, and why", render.Plain)
	page.Verbatim(2, again("test")+"    # the test, as CI runs it", render.Plain)
	return page.Flush()
}
