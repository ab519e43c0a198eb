// Package plan is the command sim plan: it predicts the effects of a change.
package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/cmd/sim/links"
	"github.com/statefulsim/statefulsim/scenario/change/plan"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Command holds the arguments of `sim plan`.
type Command struct {
	command.Call
	// Versions are the values of --kubernetes: the plan is for the first, and the others are compared with it. None
	// means the dump's version or, without a dump, the newest.
	Versions []string
	Times    command.Times
	// Require are requirements for every set, Quorum one more: the fewest pods that have to serve, 0 for none. Runs is
	// how often a plan with distributions is played, from the seed on.
	Require []string
	Quorum  int
	Runs    int
	Seed    uint64
	// Gates are the names of the deploy tools that the plan tells about; none is all.
	Gates []string
	// Show is the name of the case whose runs are printed, "" for the plan.
	Show string
	// old and new are the paths of the current state and of the change.
	old, new string
	// Namespace is the namespace of objects that do not name one; "" derives it.
	Namespace string
	// Cluster is the current state, in the place of old.
	Cluster command.Cluster
	// Taken is the time at which the dump was taken; "" if not given.
	Taken string
	// Sources say where both sides come from, in the place of old and new.
	Sources Sources
}

// UsualRuns and UsualSeed are --runs and --seed if they are not given.
const (
	UsualRuns = 200
	UsualSeed = 1
)

// maxRuns is the greatest --runs: it keeps a typing error from playing for days.
const maxRuns = 100_000

// shown describes the run for each of plan.ShowNames.
var shown = map[string]string{
	plan.Rollout: "the change itself, with nothing going wrong",
	"broken":     "the new revision never becomes Ready",
	"slow":       "the first pod to be replaced takes an hour longer to become Ready",
	"unready":    "the pod with the lowest ordinal is not Ready when the change comes",
	"restart": "the pod with the lowest ordinal is evicted or deleted during the rollout, " +
		"or, if the rollout replaces no pod, after it",
	"node":       "the node of that pod is lost during the rollout, without power or network",
	"young":      "the pods have been Ready for less than minReadySeconds when the change comes",
	"again":      "the change is undone before minReadySeconds are over",
	"stalled":    "the dump shows a rollout in progress that has stalled",
	plan.Instead: "the API server refuses the change: the StatefulSet is recreated instead",
}

// Shown lists the cases of a plan. A case without a text is a mistake in this program.
func Shown() [][2]string {
	var rows [][2]string
	for _, name := range plan.ShowNames() {
		if shown[name] == "" {
			panic("no text for the case " + name)
		}
		rows = append(rows, [2]string{name, shown[name]})
	}
	return rows
}

// options turns the flags into the options of the plan package. All that can be wrong with them is found here, before a
// file is read. The first profile is the one that is planned for. It also caps the memory of the process.
func (o *Command) options() (*plan.Options, error) {
	p := &plan.Options{
		Quorum: o.Quorum, Require: o.Require, Runs: o.Runs, Seed: o.Seed, Limits: o.World.Limits, Sim: command.Version,
		Interrupted: o.Interrupted, GatesOfCases: o.Output == "json",
	}
	if o.Quorum < 0 || o.Runs < 1 || o.Runs > maxRuns {
		return nil, command.Usagef("--quorum must be at least 0, and --runs from 1 to %d", maxRuns)
	}
	var err error
	if p.Gates, err = command.GatesOf(o.Gates); err != nil {
		return nil, err
	}
	if o.Show != "" && o.Output != command.PlanFormats[0] {
		return nil, command.Usagef("--show prints runs as text: leave out -o %s", o.Output)
	}
	if err := o.CheckWorkers(); err != nil {
		return nil, err
	}
	for _, version := range o.Versions {
		profile, err := statefulset.Gated(version, o.World.Gates)
		if err != nil {
			return nil, command.Usagef("%s", err)
		}
		p.Profiles = append(p.Profiles, profile)
	}
	if err := o.Times.Read(&p.Times[1], &p.Times[2], &p.Times[0]); err != nil {
		return nil, err
	}
	for _, requirement := range o.Require {
		if err := plan.CheckRequirement(requirement); err != nil {
			return nil, command.Usagef("--require %s", err)
		}
	}
	return p, nil
}

// Answer plans and prints. Without --kubernetes, a dump decides the version.
func (o *Command) Answer() error {
	if err := o.Sources.check(o.Cluster.Live, o.Args); err != nil {
		return err
	}
	if o.Taken != "" && o.Cluster.Live {
		return command.LiveNow()
	}
	o.sides()
	options, err := o.options()
	if err != nil {
		return err
	}
	if err := files.OnceStdin(append([]string{o.old, o.new}, o.Times.Records...)); err != nil {
		return err
	}
	if options.Recordings, err = o.Recordings(o.Times.Records, o.World.Limits.FileSize); err != nil {
		return err
	}
	input, err := o.input()
	if err != nil {
		return err
	}
	if o.Taken != "" && input.State == nil {
		return command.Usagef("--now is for a dump: OLD shows no pods of a cluster")
	}
	if len(o.Versions) == 0 {
		profile, err := statefulset.Gated(input.Version(), o.World.Gates)
		if err != nil {
			return command.Usagef("%s", err)
		}
		options.Profiles = []statefulset.Profile{profile}
	}
	bar := o.Progress("playing")
	options.Each = work.AtOnce(o.Workers, bar)
	top := o.Top(o.World.Limits.Memory)
	options.Interrupted = top.Ends
	result, err := plan.Of(input, options)
	bar.Clear()
	if err != nil {
		return err
	}
	if input.Version() == "" && len(o.Versions) == 0 {
		read := "a manifest"
		if input.State != nil {
			read = "the dump"
		}
		result.Notes = append(result.Notes, result.Kubernetes.AssumedOf(read))
	}
	return top.Told(o.tell(result))
}

// sides tells OLD from NEW.
func (o *Command) sides() {
	if !o.Cluster.Live && o.Sources.Git == "" {
		o.old = o.Args[0]
	}
	if o.Sources.Git == "" && !o.Sources.Renders() {
		o.new = o.Args[len(o.Args)-1]
	}
}

// input reads both states. Their text is not kept while they are played.
func (o *Command) input() (*plan.Input, error) {
	before, after, err := o.streams()
	if err != nil {
		return nil, err
	}
	return work.AwaitShowing(o.Ctx, o.Progress("reading"), func() (*plan.Input, error) {
		return plan.Read(before, after, o.World.Limits)
	})
}

// streams returns both states as text.
func (o *Command) streams() (before, after plan.Stream, err error) {
	if o.Sources.Git != "" || o.Sources.Renders() {
		return o.both()
	}
	if before, err = o.now(); err == nil {
		after, err = o.StreamOf(o.new)
	}
	return before, after, err
}

// now returns the current state: OLD, or what kubectl prints of the live cluster.
func (o *Command) now() (plan.Stream, error) {
	if !o.Cluster.Live {
		if err := o.Cluster.Unused(); err != nil {
			return plan.Stream{}, err
		}
		at, err := command.Instant(o.Taken)
		if err != nil {
			return plan.Stream{}, err
		}
		old, err := o.StreamOf(o.old)
		old.At = at
		return old, err
	}
	o.Cluster.Asks.Namespace = o.Namespace
	d, printed, err := o.Cluster.Look(o.World.Limits)
	if err != nil {
		return plan.Stream{}, err
	}
	return plan.Stream{Name: command.ClusterName, Data: printed, Namespace: o.Namespace, At: d.At}, nil
}

// before are the words of a command that name the current state.
func (o *Command) before() []string {
	if o.Sources.Git != "" {
		return nil
	}
	if !o.Cluster.Live {
		return []string{o.old}
	}
	o.Cluster.Asks.Namespace = ""
	return o.Cluster.Words()
}

// StreamOf returns a file, or all manifests of a folder as one stream, each with its own name in messages. For a
// file the stream has Data, for a folder with several manifests it has Files.
func (o *Command) StreamOf(path string) (plan.Stream, error) {
	files, err := o.ManifestsIn(path)
	if err != nil {
		return plan.Stream{}, err
	}
	if len(files) == 1 {
		return o.stream(files[0])
	}
	whole := plan.Stream{Name: path, Namespace: o.Namespace}
	for _, file := range files {
		part, err := o.stream(file)
		if err != nil {
			return plan.Stream{}, err
		}
		whole.Files = append(whole.Files, dump.Source{Name: part.Name, Data: part.Data})
	}
	return whole, nil
}

// stream reads one file. A file that is too long is cut off one byte after the limit, and plan.Read refuses it.
func (o *Command) stream(path string) (plan.Stream, error) {
	in, data, err := o.ReadState(path)
	return plan.Stream{Name: in.Name(), Data: data, Namespace: o.Namespace}, err
}

// tell prints the plan, or the runs for one of its answers, and decides the exit code. --show asks a question, so
// it does not fail because of the answer. The error is errInterrupted, errFailed if a requirement failed or the
// change does not complete, or a write error.
func (o *Command) tell(result *plan.Plan) error {
	if err := o.print(result); err != nil {
		return err
	}
	switch {
	case result.Interrupted:
		return command.ErrInterrupted
	case o.Show == "" && result.Invalid():
		return command.ErrWrongInput
	case o.Show == "" && !(result.Held && (result.Settles || result.TooEarly)):
		for _, line := range result.Failing() {
			fmt.Fprintln(o.Err, "sim plan: "+render.Visible(line))
		}
		return command.ErrFailed
	}
	return nil
}

// print writes the plan in the format that was asked for.
func (o *Command) print(result *plan.Plan) error {
	switch {
	case o.Show != "":
		return o.showRuns(result)
	case o.Output == "json":
		return render.JSON(o.Out, result)
	}
	page := func() doc.Page {
		return doc.Page{Runs: result.Runs(o.Interrupted), Command: o.pageCommand(), Playground: o.opens()}
	}
	return result.Document().Write(o.Out, o.Output, o.Style(), page)
}

// pageCommand returns the command that prints the plan as a page.
func (o *Command) pageCommand() string {
	words := append([]string{"sim", "plan", "-o", "html"}, o.Times.Words()...)
	words = append(words, shell.Flags("--kubernetes", strings.Join(o.Versions, ","), "--feature-gates",
		shell.Gates(o.World.Gates), "--gate", strings.Join(o.Gates, ","),
		"--require", o.Require, "--namespace", o.Namespace, "--quorum", o.Quorum, "--now", o.Taken)...)
	if o.Runs != UsualRuns {
		words = append(words, "--runs", strconv.Itoa(o.Runs))
	}
	if o.Seed != UsualSeed {
		words = append(words, "--seed", strconv.FormatUint(o.Seed, 10))
	}
	words = slices.Concat(words, shell.Flags("--recursive", o.Recursive), command.LimitWords(o.World.Limits), o.Sources.words(),
		o.before())
	if o.Sources.Git != "" {
		return shell.Line(append(words, o.Args...)...)
	}
	if o.new != "" {
		words = append(words, o.new)
	}
	return shell.Line(words...)
}

// showRuns prints the runs for one answer as stories.
func (o *Command) showRuns(result *plan.Plan) error {
	runs := result.Show(o.Show)
	if len(runs) == 0 {
		if shows := result.Shows(); len(shows) > 0 {
			return command.Usagef("--show %s: this plan has no such case; %s %s", o.Show,
				render.Agree(len(shows), "its only case is", "its cases are"), strings.Join(shows, ", "))
		}
		return command.Usagef("--show %s: this plan has no runs to show", o.Show)
	}
	for i, run := range runs {
		if i > 0 {
			fmt.Fprintln(o.Out)
		}
		r := report.Run{Name: run.Name(), Events: run.Events}
		if err := report.Text(o.Out, &r, o.Style()); err != nil {
			return err
		}
	}
	return nil
}

// opens is the link that opens the plan in the playground, or "".
func (o *Command) opens() string {
	if o.Cluster.Live {
		return ""
	}
	words := []string{"sim", "plan", "-o", "html"}
	if len(o.Versions) > 0 {
		words = append(words, "--kubernetes", strings.Join(o.Versions, ","))
	}
	plain := shell.Line(append(words, o.old, o.new)...)
	return o.Link().Files(links.Opening{Mode: "plan", Kubernetes: o.Versions}, o.pageCommand(), plain,
		links.Taken{Path: o.old, As: "old.yaml"}, links.Taken{Path: o.new, As: "new.yaml"})
}
