package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/explain"
	"github.com/statefulsim/statefulsim/scenario/cluster/live"
	"github.com/statefulsim/statefulsim/scenario/runs/verdict"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// explainOptions are the arguments of `sim explain`, of a dump or of a scenario: which of them it is, shows in the
// first file.
type explainOptions struct {
	*streams
	color  *colorChoice
	output string
	files  []string
	// pod is the pod to explain, and namespace that of the StatefulSets of a dump; "" for all.
	pod, namespace string
	// at is the instant to explain; nil is the end.
	at *time.Duration
	// first is the content of the first file of a dump: standard input can be read only once.
	first []byte
	// times are those of a dump's pods, and taken is the time at which it was taken; "" if not given.
	times   podTimes
	taken   string
	world   worldOptions
	cluster clusterOptions
}

var explainFormats = []string{"text", "json", "html"}

func newExplainCmd(s *streams, e *engine, color *colorChoice) *cobra.Command {
	o := &explainOptions{streams: s, color: color, cluster: clusterOptions{streams: s}}
	at := time.Duration(0)
	cmd := &cobra.Command{
		Use:               "explain DUMP...|SCENARIO|--live [STATEFULSET...]",
		Short:             "Explain why a StatefulSet is stuck, and which commands fix it",
		GroupID:           groupPlay,
		Args:              o.cluster.orLive(atLeastOne("DUMP, or a SCENARIO; - is standard input"), cobra.ArbitraryArgs),
		ValidArgsFunction: yamlFiles,
		RunE: action(func(cmd *cobra.Command, args []string) error {
			o.files = args
			if cmd.Flags().Changed("at") {
				o.at = &at
			}
			return o.run()
		}),
	}
	flags := cmd.Flags()
	addOutput(cmd, &o.output, explainFormats)
	flags.DurationVar(&at, "at", 0,
		"the time to explain, from the beginning of a scenario or a recording (default: its end)")
	flags.StringVar(&o.pod, "pod", "", "explain only this `POD`; of a dump: its StatefulSet, or the one of that name")
	o.times.addTo(flags, "for a dump: ")
	flags.StringVar(&o.taken, "now", "",
		"for a dump: the `TIME` at which it was taken, like 2026-01-31T12:00:00Z (default: the newest time in it)")
	o.cluster.liveFlag(flags)
	o.cluster.flags(flags)
	addWorldFlags(cmd, &o.world, e)
	flags.StringVar(&o.taken, "taken", "", "the former name of --now")
	_ = flags.MarkHidden("taken")
	flags.Lookup("namespace").Usage = "explain the StatefulSets of this `NAMESPACE` (default: all of a dump; with " +
		"--live that of kubectl's context)"
	flags.Lookup("kubernetes").Usage = "play on this Kubernetes version, 1.36 or 1.35.2; a scenario on each of A,B,..."
	flags.Lookup("until").Usage = "for a scenario: stop at this virtual time even if unsettled (default: its until)"
	return cmd
}

// run decides by the content of the first file whether a dump or a scenario is explained. Several files are always a
// dump.
func (o *explainOptions) run() error {
	if err := o.world.check(); err != nil {
		return err
	}
	if o.at != nil && *o.at < 0 {
		return usagef("--at %s: nothing happens before 0s", *o.at)
	}
	if o.cluster.live {
		if o.taken != "" {
			return usagef("--now is for a dump: with --live the cluster says what time it is")
		}
		return o.explainDump()
	}
	o.namespace, o.cluster.asks.Namespace = o.cluster.asks.Namespace, ""
	if err := errors.Join(o.cluster.unused(), o.inFolders()); err != nil {
		return err
	}
	in, err := o.from().Open(o.files[0], o.world.limits.FileSize)
	if err != nil {
		return err
	}
	data, err := in.Read(o.world.limits.FileSize)
	switch {
	case errors.Is(err, errInterrupted), errors.As(err, new(strict.Problems)):
		return err
	case err == nil && len(o.files) > 1 && isAlone(data):
		return notAlone(o.files[0])
	case err == nil && live.IsRecording(data) && len(o.files) == 1:
		return o.recorded(in.Name(), data)
	case err == nil && (len(o.files) > 1 || dump.Looks(data)):
		o.first = data
		return o.explainDump()
	case len(o.files) > 1:
		return err
	case o.output == "html":
		return usagef("-o html is for a dump of a live cluster; for a scenario use %s",
			command.Line("sim", "run", "-o", "html", o.files[0]))
	case scenario.IsScenario(data) && len(o.times.words())+len(o.taken+o.namespace) > 0:
		return usagef("--start, --ready, --stop, --recording, --now and -n are for a dump of a live cluster: %s is a "+
			"scenario, which has its own times", o.files[0])
	}
	if len(o.world.several) == 0 {
		e, err := o.under(in, &o.world)
		if err != nil {
			return err
		}
		if o.output == "json" {
			return render.JSON(o.out, e)
		}
		return o.text(e)
	}
	var list []explain.Under
	for _, version := range o.world.several {
		e, err := o.under(in, o.world.under(version))
		if err != nil {
			return err
		}
		list = append(list, explain.Under{Kubernetes: version, Explanation: e})
	}
	if o.output == "json" {
		return render.JSON(o.out, struct {
			Versions []explain.Under `json:"versions"`
		}{list})
	}
	return o.texts(list)
}

// inFolders replaces each folder by the files in it, which are one dump.
func (o *explainOptions) inFolders() error {
	var all []string
	for _, path := range o.files {
		files, err := o.from().Manifests(path, false, o.world.limits.FileSize)
		if err != nil {
			return err
		}
		all = append(all, files...)
	}
	o.files = all
	return nil
}

// isAlone says whether a file is a scenario, which is explained alone. An empty file is none.
func isAlone(data []byte) bool { return !dump.Looks(data) && scenario.IsScenario(data) }

// notAlone is the error for a scenario among several files.
func notAlone(file string) error {
	return usagef("%s is a scenario: give it alone; several files are one dump", file)
}

// under explains the scenario in one world. For a run that ends stuck the ways out are played too, each of which plays
// the whole scenario. The error is one of the file, errInterrupted, or one of usage if there is no such pod.
func (o *explainOptions) under(in source, world *worldOptions) (*explain.Explanation, error) {
	s, err := readScenario(in, world)
	if err != nil {
		return nil, err
	}
	progress := newProgress(o.streams, "playing "+s.Name)
	config := s.Config(scenario.RunOptions{Sim: Version, Interrupted: func() bool {
		progress.Show(nil)
		return o.interrupted()
	}})
	lab := verdict.LabOf(s, config)
	events := lab.Run(nil)
	e, err := explain.Explain(events, explain.Options{At: o.at, Pod: o.pod, Lab: lab})
	progress.Clear()
	switch {
	case o.interrupted():
		return nil, errInterrupted
	case err != nil:
		return nil, usagef("--pod: %s", err)
	}
	switch events[len(events)-1].Result.Verdict {
	case timeline.Settled, timeline.IsStuck:
		(&played{Warnings: s.Idle(events)}).TellInput(o.err, o.files[0])
	}
	return e, nil
}

// text writes the explanation, wrapped to the terminal. Commands are not wrapped.
func (o *explainOptions) text(e *explain.Explanation) error {
	_, err := fmt.Fprint(o.out, o.told(e))
	return err
}

// texts writes the explanations on several versions. Equal ones are printed once, under all their versions. The groups
// are in the order of their first versions.
func (o *explainOptions) texts(list []explain.Under) error {
	var told []string
	versions := map[string][]string{}
	for _, e := range list {
		text := o.told(e.Explanation)
		if versions[text] == nil {
			told = append(told, text)
		}
		versions[text] = append(versions[text], e.Kubernetes)
	}
	for i, text := range told {
		told[i] = "On Kubernetes " + strings.Join(versions[text], ", ") + ":\n" + text
	}
	_, err := fmt.Fprint(o.out, strings.Join(told, "\n"))
	return err
}

// told returns the explanation as text, wrapped to the terminal.
func (o *explainOptions) told(e *explain.Explanation) string {
	var b strings.Builder
	_ = e.Document().Text(&b, o.style(*o.color))
	return b.String()
}
