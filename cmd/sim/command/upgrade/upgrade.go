// Package upgrade is the command sim upgrade: it finds the StatefulSets that another version treats differently.
package upgrade

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/cmd/sim/links"
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/upgrade"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Command holds the arguments of `sim upgrade`.
type Command struct {
	command.Call
	upgrade.Versions
	Show string
	// All names all sets; Only is the set to show, "" for all.
	All  bool
	Only string
	// Cluster is read in the place of files, and printed is what kubectl printed.
	Cluster command.Cluster
	printed []byte
}

// OnlyWorse is the value of --only.
const OnlyWorse = "worse"

// Answer compares the sets under both versions and prints what differs. Nothing is played with --show but the runs of
// that set.
func (o *Command) Answer() error {
	if err := o.live(); err != nil {
		return err
	}
	between, in, err := o.asked()
	if err != nil {
		return err
	}
	if o.Show != "" {
		return o.showRuns(in, between)
	}
	bar := o.Progress("playing")
	top := o.Top(o.World.Limits.Memory)
	between.Interrupted, between.Each = top.Ends, work.AtOnce(o.Workers, bar)
	found := in.Compare(between)
	bar.Clear()
	found.FromGates, found.ToGates = shell.Gates(o.GatesOfFrom()), shell.Gates(o.GatesOfTo())
	if err := o.print(found, between); err != nil {
		return err
	}
	return top.Told(o.verdict(found))
}

// asked returns the versions to compare, and the sets. Without --from the version comes from the cluster in the
// input.
func (o *Command) asked() (between upgrade.Options, in *upgrade.Input, err error) {
	if o.From == "" && o.To != "" {
		if in, err = o.read(); err != nil {
			return between, nil, err
		}
		o.From = in.Version()
		if _, err = statefulset.Lookup(statefulset.Release(o.From)); err != nil {
			return between, nil, fmt.Errorf("%w: the cluster in the input has this version: begin with another one: --from", err)
		}
	}
	if between, err = o.between(); err == nil && in == nil {
		in, err = o.read()
	}
	return between, in, err
}

// live reads the live cluster, if it was asked for.
func (o *Command) live() error {
	if !o.Cluster.Live {
		return o.Cluster.Unused()
	}
	d, printed, err := o.Cluster.Look(o.World.Limits)
	if err != nil {
		return err
	}
	_, shown := d.Versions().Shown()
	o.printed, o.From = printed, cmp.Or(o.From, shown)
	return nil
}

// verdict decides the exit code of the command, as the headline does: skipped sets are wrong input, unless there is
// something else to report. It is nil if all sets behave alike across all hops, and none was skipped. Patches to
// avoid are only advice: with the newest patches they do not matter.
func (o *Command) verdict(found *upgrade.Report) error {
	switch {
	case found.Interrupted:
		return command.ErrInterrupted
	case found.Differs():
		return command.ErrFailed
	case len(found.Invalid) > 0:
		return command.WrongInput(found.Invalid)
	}
	return nil
}

// between returns the versions to compare, and also in the form of statefulset.Release.
func (o *Command) between() (upgrade.Options, error) {
	if err := o.CheckWorkers(); err != nil {
		return upgrade.Options{}, err
	}
	if o.From == "" || o.To == "" {
		return upgrade.Options{}, command.Usagef("name both versions: --from 1.36 --to 1.37; " +
			"--from may be left out if the input has the nodes of the cluster")
	}
	o.From, o.To = statefulset.Release(o.From), statefulset.Release(o.To)
	between, err := o.Options()
	between.MaxEvents, between.Show = o.World.Limits.Events, o.showCommand
	return between, err
}

// read reads all files, and reports all that is wrong in them. Input without a StatefulSet is wrong: an upgrade that
// finds nothing because it was given nothing must not pass.
func (o *Command) read() (*upgrade.Input, error) {
	if err := files.OnceStdin(o.Args); err != nil {
		return nil, err
	}
	in := &upgrade.Input{}
	var problems command.WrongInput
	files, err := o.InFolders()
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		from, data, err := o.ReadState(file)
		if err == nil {
			_, err = work.AwaitShowing(o.Ctx, o.Progress("reading"), func() (any, error) {
				return nil, in.Read(from.Name(), data, o.World.Limits)
			})
		}
		if errors.Is(err, command.ErrInterrupted) {
			return nil, err
		}
		if err != nil {
			problems = append(problems, err.Error())
		}
	}
	if o.Cluster.Live {
		if err := in.Read(command.ClusterName, o.printed, o.World.Limits); err != nil {
			problems = append(problems, err.Error())
		}
	}
	for _, warning := range in.Warnings {
		fmt.Fprintf(o.Err, "warning: %s\n", warning)
	}
	if len(problems) == 0 {
		_, err := work.AwaitShowing(o.Ctx, o.Progress("reading"), func() (any, error) {
			return nil, in.ReadState(o.World.Limits)
		})
		if errors.Is(err, command.ErrInterrupted) {
			return nil, err
		}
		if err != nil {
			problems = append(problems, err.Error())
		}
	}
	switch {
	case len(problems) > 0:
		return nil, append(problems, in.Invalid...)
	case len(in.Sets) == 0 && len(in.Invalid) > 0:
		return nil, command.WrongInput(in.Invalid)
	case len(in.Sets) == 0:
		return nil, command.WrongInput{o.noSet(in)}
	}
	return in, nil
}

// noSet says that there is nothing to compare, and what the input has instead.
func (o *Command) noSet(in *upgrade.Input) string {
	text := "there is no StatefulSet in " + render.And(o.Args)
	if len(in.Ignored) > 0 {
		text += ", but " + render.And(in.Ignored) + "; if an operator creates one, pass what " +
			"kubectl get statefulsets -A -o yaml prints"
	}
	return text
}

// print prints what was found. A page plays its runs again, as they were played between these versions.
func (o *Command) print(found *upgrade.Report, between upgrade.Options) error {
	if o.Output == "json" {
		return render.JSON(o.Out, found)
	}
	view := upgrade.View{All: o.All, OnlyWorse: o.Only == OnlyWorse, Checklist: o.Output != command.PlanFormats[0]}
	page := func() doc.Page {
		return doc.Page{Runs: found.Runs(view, between), Command: o.pageCommand(), Playground: o.opens()}
	}
	return found.Document(view).Write(o.Out, o.Output, o.Style(), page)
}

// pageCommand returns the command that prints the page.
func (o *Command) pageCommand() string {
	words := []string{"sim", "upgrade", "--from", o.From, "--to", o.To}
	words = slices.Concat(words, o.gateWords(), o.readWords(), shell.Flags("--only", o.Only))
	return shell.Line(slices.Concat(words, []string{"-o", "html"}, o.Cluster.Words(), o.Args)...)
}

// showCommand returns the command that shows the runs of a set between two versions. what is NAMESPACE/NAME,
// possibly followed by a case.
func (o *Command) showCommand(from, to, what string) string {
	words := []string{"sim", "upgrade", "--from", from, "--to", to}
	if o.From == o.To {
		words = []string{"sim", "upgrade", "--from", o.From, "--to", o.To}
	}
	words = slices.Concat(words, o.gateWords(), o.readWords())
	return shell.Line(slices.Concat(words, []string{"--show", what}, o.Cluster.Words(), o.Args)...)
}

// readWords returns the flags for reading the files.
func (o *Command) readWords() []string {
	return append(shell.Flags("--recursive", o.Recursive), command.LimitWords(o.World.Limits)...)
}

// gateWords returns the flags that set the feature gates.
func (o *Command) gateWords() []string {
	return shell.Flags("--feature-gates", shell.Gates(o.Gates), "--feature-gates-from", shell.Gates(o.FromGates),
		"--feature-gates-to", shell.Gates(o.ToGates))
}

// showRuns plays cases of one set and shows both runs side by side. Without a case it shows those that differ, or says
// that none does. A set without a namespace is one of default. The error is errFailed if a case that is shown differs.
func (o *Command) showRuns(in *upgrade.Input, between upgrade.Options) error {
	if o.Output != command.PlanFormats[0] {
		return command.Usagef("--show prints text")
	}
	name, chosen, _ := strings.Cut(o.Show, ":")
	namespace, name, found := strings.Cut(name, "/")
	if !found {
		namespace, name = "default", namespace
	}
	set := in.Set(model.Key{Namespace: namespace, Name: name})
	if set == nil {
		return command.Usagef("--show %s: there is no StatefulSet %s/%s in the input", o.Show, namespace, name)
	}
	between.Interrupted = o.Interrupted
	rows := set.Show(chosen, between)
	if len(rows) == 0 {
		return command.Usagef("--show %s: there is no case %s: the cases of this set are %s", o.Show, chosen,
			strings.Join(set.CaseNames(), ", "))
	}
	differing := slices.DeleteFunc(slices.Clone(rows), func(row *upgrade.Row) bool { return row.Parting.Parting == nil })
	if len(differing) > 0 {
		rows = differing
	} else if chosen == "" {
		_, err := fmt.Fprintf(o.Out, "%s behaves on %s as on %s\n", set.Key, o.To, o.From)
		return err
	}
	for i, row := range rows {
		shown := set.Shown(row, o.Names())
		if i > 0 {
			fmt.Fprintln(o.Out)
		} else {
			shown.API = set.APIBetween(between)
		}
		if err := report.ShowText(o.Out, shown, o.Style()); err != nil {
			return err
		}
	}
	switch {
	case o.Interrupted():
		return command.ErrInterrupted
	case len(differing) > 0:
		return command.ErrFailed
	}
	return nil
}

// opens is the link that opens the upgrade in the playground, or "".
func (o *Command) opens() string {
	if o.Cluster.Live {
		return ""
	}
	plain := shell.Line("sim", "upgrade", "--from", o.From, "--to", o.To, "-o", "html", o.Args[0])
	return o.Link().Files(links.Opening{Mode: "upgrade", Kubernetes: []string{o.From, o.To}}, o.pageCommand(), plain,
		links.Taken{Path: o.Args[0], As: "manifests.yaml"})
}
