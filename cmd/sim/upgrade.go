package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/scenario/runs/upgrade"
	"github.com/statefulsim/statefulsim/scenario/runs/whatif"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/doc"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/work"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// upgradeOptions are the arguments of `sim upgrade`.
type upgradeOptions struct {
	*streams
	color *colorChoice
	upgrade.Versions
	output, show string
	// all names all sets; only is what is shown, "" is all.
	all  bool
	only string
	// workers is the number of sets that are played at once.
	workers int
	// recursive takes the folders below a folder too.
	recursive bool
	limits    strict.Limits
	files     []string
	// cluster is read in the place of files, and printed is what kubectl printed.
	cluster clusterOptions
	printed []byte
}

// newUpgradeCmd returns `sim upgrade`. The engine is only asked for the versions to complete.
func newUpgradeCmd(s *streams, e *engine, color *colorChoice) *cobra.Command {
	o := &upgradeOptions{streams: s, color: color, cluster: clusterOptions{streams: s}}
	cmd := &cobra.Command{
		Use:               "upgrade --from VERSION --to VERSION FILE...|--live",
		Short:             "Find the StatefulSets that behave differently on another version",
		GroupID:           groupPlay,
		Args:              o.cluster.orLive(atLeastOne("FILE"), none),
		ValidArgsFunction: yamlFiles,
		RunE:              onFiles(&o.files, o.upgrade),
	}
	flags := cmd.Flags()
	flags.StringVar(&o.From, "from", "", "the current Kubernetes `VERSION`")
	flags.StringVar(&o.To, "to", "", "the new Kubernetes `VERSION`")
	flags.Var(gatesFlag(&o.Gates), "feature-gates", "set feature gates under both versions, A=true,B=false")
	flags.Var(gatesFlag(&o.FromGates), "feature-gates-from", "set feature gates under the current version")
	flags.Var(gatesFlag(&o.ToGates), "feature-gates-to", "set feature gates under the new version")
	flags.StringVar(&o.show, "show", "", "show the runs of `NAMESPACE/NAME`, or of one case, NAMESPACE/NAME:CASE")
	flags.BoolVar(&o.all, "all", false, "name all StatefulSets of a group, not only the first 20")
	flags.Var(&oneOf{value: &o.only, of: []string{onlyWorse}}, "only",
		onlyWorse+" shows only the differences that are for the worse")
	complete(cmd, "only", []string{onlyWorse})
	addOutput(cmd, &o.output, planFormats)
	o.cluster.liveFlag(flags)
	o.cluster.flags(flags)
	addJobs(cmd, &o.workers)
	addRecursive(cmd, &o.recursive)
	addLimitFlags(cmd, &o.limits)
	for _, flag := range []string{"from", "to"} {
		completeVersions(cmd, flag, e)
	}
	return cmd
}

// onlyWorse is the value of --only.
const onlyWorse = "worse"

// helpWidth is the width of the texts of help.
const helpWidth = render.DefaultWidth

// caseHelp is the list of the cases of an upgrade.
func caseHelp() string {
	var rows [][2]string
	for _, c := range whatif.For(whatif.OfVersions) {
		rows = append(rows, [2]string{c.Name, c.Does})
	}
	return described(rows)
}

// upgrade compares the sets under both versions and prints what differs. Nothing is played with --show but the runs of
// that set.
func (o *upgradeOptions) upgrade() error {
	if err := o.live(); err != nil {
		return err
	}
	between, err := o.between()
	if err != nil {
		return err
	}
	in, err := o.read()
	if err != nil {
		return err
	}
	if o.show != "" {
		return o.showRuns(in, between)
	}
	bar := newProgress(o.streams, "playing")
	top := o.top(o.limits.Memory)
	between.Interrupted, between.Each = top.Ends, work.AtOnce(o.workers, bar)
	found := in.Compare(between)
	bar.Clear()
	found.FromGates, found.ToGates = gateText(o.GatesOfFrom()), gateText(o.GatesOfTo())
	if err := o.print(found, between); err != nil {
		return err
	}
	return top.Told(o.verdict(found))
}

// live reads the live cluster, if there is to be one.
func (o *upgradeOptions) live() error {
	if !o.cluster.live {
		return o.cluster.unused()
	}
	d, printed, err := o.cluster.look(o.limits)
	if err != nil {
		return err
	}
	o.printed, o.From = printed, cmp.Or(o.From, d.Kubelet)
	return nil
}

// verdict decides the exit code of the command, as the headline does: sets that were left out are wrong input, unless
// there is something else to report. It is nil if all sets behave alike on the whole way, and none was left out.
// Patches to avoid are advice: who takes the newest patches never meets them.
func (o *upgradeOptions) verdict(found *upgrade.Report) error {
	switch {
	case found.Interrupted:
		return errInterrupted
	case found.Differs():
		return errFailed
	case len(found.Invalid) > 0:
		return wrongInput(found.Invalid)
	}
	return nil
}

// between returns what is compared. It also writes the versions as statefulset.Release has them.
func (o *upgradeOptions) between() (upgrade.Options, error) {
	if err := (&worldOptions{limits: o.limits}).check(); err != nil {
		return upgrade.Options{}, err
	}
	if err := checkJobs(o.workers); err != nil {
		return upgrade.Options{}, err
	}
	if o.From == "" || o.To == "" {
		return upgrade.Options{}, usagef("name both versions: --from 1.36 --to 1.37")
	}
	o.From, o.To = statefulset.Release(o.From), statefulset.Release(o.To)
	between, err := o.Options()
	between.MaxEvents, between.Show = o.limits.Events, o.showCommand
	return between, err
}

// read reads all files, and reports all that is wrong in them. Input without a StatefulSet is wrong: an upgrade that
// finds nothing because it was given nothing must not pass.
func (o *upgradeOptions) read() (*upgrade.Input, error) {
	if err := files.OnceStdin(o.files); err != nil {
		return nil, err
	}
	in := &upgrade.Input{}
	var problems wrongInput
	var files []string
	for _, path := range o.files {
		found, err := o.from().Manifests(path, o.recursive, o.limits.FileSize)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	for _, file := range files {
		from, data, err := o.from().Read(file, o.limits.FileSize)
		if err == nil {
			_, err = work.Await(o.ctx, func() (any, error) { return nil, in.Read(from.Name(), data, o.limits) })
		}
		if errors.Is(err, errInterrupted) {
			return nil, err
		}
		if err != nil {
			problems = append(problems, err.Error())
		}
	}
	if o.cluster.live {
		if err := in.Read(clusterName, o.printed, o.limits); err != nil {
			problems = append(problems, err.Error())
		}
	}
	for _, warning := range in.Warnings {
		fmt.Fprintf(o.err, "warning: %s\n", warning)
	}
	if len(problems) == 0 {
		_, err := work.Await(o.ctx, func() (any, error) { return nil, in.ReadState(o.limits) })
		if errors.Is(err, errInterrupted) {
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
		return nil, wrongInput(in.Invalid)
	case len(in.Sets) == 0:
		return nil, wrongInput{o.noSet(in)}
	}
	return in, nil
}

// noSet says that there is nothing to be compared, and what there was instead.
func (o *upgradeOptions) noSet(in *upgrade.Input) string {
	text := "there is no StatefulSet in " + render.And(o.files)
	if len(in.Ignored) > 0 {
		text += ", but " + render.And(in.Ignored) + "; if an operator creates one, pass what " +
			"kubectl get statefulsets -A -o yaml prints"
	}
	return text
}

// print prints what was found. A page plays its runs again, as they were played between these versions.
func (o *upgradeOptions) print(found *upgrade.Report, between upgrade.Options) error {
	if o.output == "json" {
		return render.JSON(o.out, found)
	}
	view := upgrade.View{All: o.all, OnlyWorse: o.only == onlyWorse}
	page := func() doc.Page {
		return doc.Page{Runs: found.Runs(view, between), Command: o.pageCommand(), Playground: o.opens()}
	}
	return found.Document(view).Write(o.out, o.output, o.style(*o.color), page)
}

// pageCommand returns the command that prints the page.
func (o *upgradeOptions) pageCommand() string {
	words := []string{"sim", "upgrade", "--from", o.From, "--to", o.To}
	words = slices.Concat(words, o.gateWords(), o.readWords(), flagWords("--only", o.only))
	return command.Line(slices.Concat(words, []string{"-o", "html"}, o.cluster.words(), o.files)...)
}

// showCommand returns the command that shows the runs of a set between two versions. what is NAMESPACE/NAME, or that
// and a case.
func (o *upgradeOptions) showCommand(from, to, what string) string {
	words := []string{"sim", "upgrade", "--from", from, "--to", to}
	if o.From == o.To {
		words = []string{"sim", "upgrade", "--from", o.From, "--to", o.To}
	}
	words = slices.Concat(words, o.gateWords(), o.readWords())
	return command.Line(slices.Concat(words, []string{"--show", what}, o.cluster.words(), o.files)...)
}

// readWords returns the flags that say how the files are read.
func (o *upgradeOptions) readWords() []string {
	return append(flagWords("--recursive", o.recursive), limitWords(o.limits)...)
}

// gateWords returns the flags that set the feature gates.
func (o *upgradeOptions) gateWords() []string {
	return flagWords("--feature-gates", gateText(o.Gates), "--feature-gates-from", gateText(o.FromGates),
		"--feature-gates-to", gateText(o.ToGates))
}

// showRuns plays cases of one set and shows both runs side by side. Without a case it shows those that differ, or says
// that none does. A set without a namespace is one of default. The error is errFailed if a case that is shown differs.
func (o *upgradeOptions) showRuns(in *upgrade.Input, between upgrade.Options) error {
	if o.output != plainFormats[0] {
		return usagef("--show prints text")
	}
	name, chosen, _ := strings.Cut(o.show, ":")
	namespace, name, found := strings.Cut(name, "/")
	if !found {
		namespace, name = "default", namespace
	}
	set := in.Set(model.Key{Namespace: namespace, Name: name})
	if set == nil {
		return usagef("--show %s: there is no StatefulSet %s/%s in the input", o.show, namespace, name)
	}
	between.Interrupted = o.interrupted
	rows := set.Show(chosen, between)
	if len(rows) == 0 {
		return usagef("--show %s: there is no case %s: the cases of this set are %s", o.show, chosen,
			strings.Join(set.CaseNames(), ", "))
	}
	differing := slices.DeleteFunc(slices.Clone(rows), func(row *upgrade.Row) bool { return row.Parting.Parting == nil })
	if len(differing) > 0 {
		rows = differing
	} else if chosen == "" {
		_, err := fmt.Fprintf(o.out, "%s behaves on %s as on %s\n", set.Key, o.To, o.From)
		return err
	}
	for i, row := range rows {
		shown := set.Shown(row, o.Names())
		if i > 0 {
			fmt.Fprintln(o.out)
		} else {
			shown.API = set.APIBetween(between)
		}
		if err := report.ShowText(o.out, shown, o.style(*o.color)); err != nil {
			return err
		}
	}
	switch {
	case o.interrupted():
		return errInterrupted
	case len(differing) > 0:
		return errFailed
	}
	return nil
}
