package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan"
	"github.com/statefulsim/statefulsim/scenario/cluster/recording"
	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/doc"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/work"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// planOptions are the arguments of `sim plan`.
type planOptions struct {
	*streams
	color  *colorChoice
	output string
	// versions are those of --kubernetes: the first is planned for, the others are compared with it. None is the dump's
	// version or, without a dump, the newest.
	versions []string
	gates    map[string]bool
	times    podTimes
	// require are requirements for every set, quorum one more: the fewest pods that have to serve, 0 for none. runs is
	// how often a plan with distributions is played, from the seed on.
	require []string
	quorum  int
	runs    int
	seed    uint64
	// show is the name of the case whose runs are printed, "" for the plan. workers is how many are played at once.
	show    string
	workers int
	// recursive takes the folders below a folder too.
	recursive bool
	limits    strict.Limits
	// old and new are the paths of the current state and of the change.
	old, new string
	// namespace is the namespace of objects that name none; "" derives it.
	namespace string
	// cluster is the current state, in the place of old.
	cluster clusterOptions
}

// planFormats are the forms in which a plan can be printed.
var planFormats = []string{"text", "markdown", "json", "html"}

// usualRuns and usualSeed are --runs and --seed if they are not given.
const (
	usualRuns = 200
	usualSeed = 1
)

// maxRuns is the greatest --runs: it keeps a typing error from playing for days.
const maxRuns = 100_000

func newPlanCmd(s *streams, e *engine, color *colorChoice) *cobra.Command {
	o := &planOptions{streams: s, color: color, cluster: clusterOptions{streams: s}}
	cmd := &cobra.Command{
		Use:               "plan OLD|--live NEW",
		SuggestFor:        []string{"diff", "preview", "dry-run"},
		Short:             "Show what a change of a manifest will do",
		GroupID:           groupPlay,
		Args:              o.cluster.orLive(exactly(2, "OLD and NEW"), exactly(1, "NEW")),
		ValidArgsFunction: yamlFiles,
		RunE: action(func(_ *cobra.Command, args []string) error {
			o.new = args[len(args)-1]
			if !o.cluster.live {
				o.old = args[0]
			}
			return o.run()
		}),
	}
	o.flags(cmd, e)
	return cmd
}

// flags adds the flags of the command.
func (o *planOptions) flags(cmd *cobra.Command, e *engine) {
	flags := cmd.Flags()
	addOutput(cmd, &o.output, planFormats)
	flags.StringSliceVar(&o.versions, "kubernetes", nil,
		"plan for this Kubernetes `VERSION`; with a list A,B,... plan for A, and say what the others do differently")
	completeVersions(cmd, "kubernetes", e)
	flags.Var(gatesFlag(&o.gates), "feature-gates", "set feature gates, A=true,B=false")
	o.times.addTo(flags, "")
	flags.StringArrayVar(&o.require, "require", nil,
		"fail unless this `REQUIREMENT` holds for every StatefulSet: 'minReady >= 3'")
	flags.StringVarP(&o.namespace, "namespace", "n", "",
		"the `NAMESPACE` of manifests that name none (if not set: the namespace of the matching StatefulSet in the "+
			"other file; if there is none, the namespace default)")
	flags.IntVar(&o.quorum, "quorum", 0, "fail if any StatefulSet drops below this number of serving pods")
	flags.IntVar(&o.runs, "runs", usualRuns, "how often to play where times are distributions")
	flags.Uint64Var(&o.seed, "seed", usualSeed, "the seed of the first run; the other runs take the seeds after it")
	flags.StringVar(&o.show, "show", "",
		"print the run behind a `CASE` of \"What if\": "+strings.Join(plan.ShowNames(), ", "))
	complete(cmd, "show", plan.ShowNames())
	o.cluster.liveFlag(flags)
	o.cluster.placeFlags(flags)
	addJobs(cmd, &o.workers)
	addRecursive(cmd, &o.recursive)
	addLimitFlags(cmd, &o.limits)
}

// shown says what the run behind each of plan.ShowNames is.
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

// showHelp is the list of the cases of a plan. A case without a text is a mistake in this program.
func showHelp() string {
	var rows [][2]string
	for _, name := range plan.ShowNames() {
		if shown[name] == "" {
			panic("no text for the case " + name)
		}
		rows = append(rows, [2]string{name, shown[name]})
	}
	return described(rows)
}

// options turns the flags into the options of the plan package. All that can be wrong with them is found here, before a
// file is read. The first profile is the one that is planned for. It also caps the memory of the process.
func (o *planOptions) options() (*plan.Options, error) {
	p := &plan.Options{
		Quorum: o.quorum, Require: o.require, Runs: o.runs, Seed: o.seed, Limits: o.limits, Sim: Version,
		Interrupted: o.interrupted,
	}
	if o.quorum < 0 || o.runs < 1 || o.runs > maxRuns {
		return nil, usagef("--quorum must be at least 0, and --runs from 1 to %d", maxRuns)
	}
	if o.show != "" && o.output != planFormats[0] {
		return nil, usagef("--show prints runs as text: leave out -o %s", o.output)
	}
	if err := checkJobs(o.workers); err != nil {
		return nil, err
	}
	for _, version := range o.versions {
		profile, err := statefulset.Gated(version, o.gates)
		if err != nil {
			return nil, usagef("%s", err)
		}
		p.Profiles = append(p.Profiles, profile)
	}
	if err := o.times.read(&p.Times[1], &p.Times[2], &p.Times[0]); err != nil {
		return nil, err
	}
	for _, requirement := range o.require {
		if err := plan.CheckRequirement(requirement); err != nil {
			return nil, usagef("--require %s", err)
		}
	}
	return p, (&worldOptions{limits: o.limits}).check()
}

// run plans and prints. Without --kubernetes, a dump decides the version.
func (o *planOptions) run() error {
	options, err := o.options()
	if err != nil {
		return err
	}
	if err := files.OnceStdin(append([]string{o.old, o.new}, o.times.records...)); err != nil {
		return err
	}
	if options.Recordings, err = o.recordings(o.times.records, o.limits.FileSize); err != nil {
		return err
	}
	input, err := o.input()
	if err != nil {
		return err
	}
	if len(o.versions) == 0 {
		profile, err := statefulset.Gated(input.Version(), o.gates)
		if err != nil {
			return usagef("%s", err)
		}
		options.Profiles = []statefulset.Profile{profile}
	}
	bar := newProgress(o.streams, "playing")
	options.Each = work.AtOnce(o.workers, bar)
	top := o.top(o.limits.Memory)
	options.Interrupted = top.Ends
	result, err := plan.Of(input, options)
	bar.Clear()
	if err != nil {
		return err
	}
	if input.Version() == "" && len(o.versions) == 0 {
		read := "a manifest"
		if input.State != nil {
			read = "the dump"
		}
		result.Notes = append(result.Notes, result.Kubernetes.AssumedOf(read))
	}
	return top.Told(o.tell(result))
}

// input reads both streams. Their text is not kept while they are played.
func (o *planOptions) input() (*plan.Input, error) {
	before, err := o.now()
	if err != nil {
		return nil, err
	}
	after, err := o.streamOf(o.new)
	if err != nil {
		return nil, err
	}
	return work.Await(o.ctx, func() (*plan.Input, error) { return plan.Read(before, after, o.limits) })
}

// now returns the current state: OLD, or what kubectl prints of the live cluster.
func (o *planOptions) now() (plan.Stream, error) {
	if !o.cluster.live {
		if err := o.cluster.unused(); err != nil {
			return plan.Stream{}, err
		}
		return o.streamOf(o.old)
	}
	o.cluster.asks.Namespace = o.namespace
	_, printed, err := o.cluster.look(o.limits)
	return plan.Stream{Name: clusterName, Data: printed, Namespace: o.namespace}, err
}

// before are the words of a command that name the current state.
func (o *planOptions) before() []string {
	if !o.cluster.live {
		return []string{o.old}
	}
	o.cluster.asks.Namespace = ""
	return o.cluster.words()
}

// recordings reads files that show how long pods took. The error names the flag. The result is in the order of the
// paths, nil without any.
func (s *streams) recordings(paths []string, limit int64) ([]*recording.Recording, error) {
	var list []*recording.Recording
	for _, path := range paths {
		in, data, err := s.from().Read(path, limit)
		if err != nil {
			return nil, err
		}
		seen, err := recording.Read(in.Name(), data)
		if err != nil {
			return nil, usagef("--recording %s", err)
		}
		list = append(list, seen)
	}
	return list, nil
}

// streamOf returns a file, or all manifests of a folder as one stream, each with its own name in messages. Of a file
// the stream has Data, of a folder with several manifests it has Files.
func (o *planOptions) streamOf(path string) (plan.Stream, error) {
	files, err := o.from().Manifests(path, o.recursive, o.limits.FileSize)
	if err != nil {
		return plan.Stream{}, err
	}
	if len(files) == 1 {
		return o.stream(files[0])
	}
	whole := plan.Stream{Name: path, Namespace: o.namespace}
	for _, file := range files {
		part, err := o.stream(file)
		if err != nil {
			return plan.Stream{}, err
		}
		whole.Files = append(whole.Files, dump.Source{Name: part.Name, Data: part.Data})
	}
	return whole, nil
}

// stream reads one file. What is longer than the limit is cut off one byte behind it, which plan.Read refuses.
func (o *planOptions) stream(path string) (plan.Stream, error) {
	in, data, err := o.from().Read(path, o.limits.FileSize)
	return plan.Stream{Name: in.Name(), Data: data, Namespace: o.namespace}, err
}

// tell prints the plan, or the runs behind one of its answers, and decides the exit code. --show asks a question, so it
// does not fail because of the answer. The error is errInterrupted, errFailed if a requirement failed or the change
// does not complete, or that of a write.
func (o *planOptions) tell(result *plan.Plan) error {
	if err := o.print(result); err != nil {
		return err
	}
	switch {
	case result.Interrupted:
		return errInterrupted
	case o.show == "" && result.Invalid():
		return errWrongInput
	case o.show == "" && !(result.Held && (result.Settles || result.TooEarly)):
		for _, line := range result.Failing() {
			fmt.Fprintln(o.err, "sim plan: "+render.Visible(line))
		}
		return errFailed
	}
	return nil
}

// print writes the plan in the format that was asked for.
func (o *planOptions) print(result *plan.Plan) error {
	switch {
	case o.show != "":
		return o.showRuns(result)
	case o.output == "json":
		return render.JSON(o.out, result)
	}
	page := func() doc.Page {
		return doc.Page{Runs: result.Runs(o.interrupted), Command: o.command(), Playground: o.opens()}
	}
	return result.Document().Write(o.out, o.output, o.style(*o.color), page)
}

// command returns the command that prints the plan as a page.
func (o *planOptions) command() string {
	words := append([]string{"sim", "plan", "-o", "html"}, o.times.words()...)
	words = append(words, flagWords("--kubernetes", strings.Join(o.versions, ","), "--feature-gates", gateText(o.gates),
		"--require", o.require, "--namespace", o.namespace, "--quorum", o.quorum)...)
	if o.runs != usualRuns {
		words = append(words, "--runs", strconv.Itoa(o.runs))
	}
	if o.seed != usualSeed {
		words = append(words, "--seed", strconv.FormatUint(o.seed, 10))
	}
	words = slices.Concat(words, flagWords("--recursive", o.recursive), limitWords(o.limits), o.before())
	return command.Line(append(words, o.new)...)
}

// showRuns prints the runs behind one answer as stories.
func (o *planOptions) showRuns(result *plan.Plan) error {
	runs := result.Show(o.show)
	if len(runs) == 0 {
		if shows := result.Shows(); len(shows) > 0 {
			return usagef("--show %s: this plan has no such case; %s %s", o.show,
				render.Agree(len(shows), "its only case is", "its cases are"), strings.Join(shows, ", "))
		}
		return usagef("--show %s: this plan has no runs to show", o.show)
	}
	for i, run := range runs {
		if i > 0 {
			fmt.Fprintln(o.out)
		}
		r := report.Run{Name: run.Name(), Events: run.Events}
		if err := report.Text(o.out, &r, o.style(*o.color)); err != nil {
			return err
		}
	}
	return nil
}
