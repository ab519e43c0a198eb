// Package explain is the command sim explain: it explains a run, a dump or a live cluster.
package explain

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/links"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/kubectl"
	"github.com/statefulsim/statefulsim/scenario/play/verdict"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Command holds the arguments of `sim explain`, of a dump or of a scenario: which of them it is, shows in the
// first file.
type Command struct {
	command.Call
	// Pod is the pod to explain, and namespace the namespace of a dump's StatefulSets; "" for all.
	Pod, namespace string
	// At is the instant to explain; nil is the end.
	At *time.Duration
	// first is the content of the first file of a dump: standard input can be read only once.
	first []byte
	// given are the arguments as they were given: Args has the files of folders and archives in their place.
	given []string
	// Times are the times of a dump's pods, and Taken is when it was taken; "" if not given.
	Times   command.Times
	Taken   string
	Cluster command.Cluster
	// Gates are the names of the deploy tools that wait for the sets of a dump; none is none.
	Gates []string
}

var ExplainFormats = []string{"text", "json", "html"}

// Answer decides by the content of the first file whether a dump or a scenario is explained. Several files are always a
// dump.
func (o *Command) Answer() error {
	if o.At != nil && *o.At < 0 {
		return command.Usagef("--at %s: nothing happens before 0s", *o.At)
	}
	if o.Cluster.Live {
		if o.Taken != "" {
			return command.LiveNow()
		}
		return o.explainDump()
	}
	o.namespace, o.Cluster.Asks.Namespace = o.Cluster.Asks.Namespace, ""
	all, err := o.InFolders()
	if err := errors.Join(o.Cluster.Unused(), err); err != nil {
		return err
	}
	o.given, o.Args = o.Args, all
	in, data, err := o.ReadState(o.Args[0])
	switch {
	case errors.Is(err, command.ErrInterrupted), errors.As(err, new(strict.Problems)):
		return err
	case strict.IsSession(data):
		return strict.Session(in.Name(), data)
	case err == nil && len(o.Args) > 1 && isAlone(data):
		return notAlone(o.Args[0])
	case err == nil && kubectl.IsRecording(data) && len(o.Args) == 1:
		return o.recorded(in.Name(), data)
	case err == nil && (len(o.Args) > 1 || dump.Looks(data)):
		o.first = data
		return o.explainDump()
	case len(o.Args) > 1:
		return err
	case len(o.Gates) > 0:
		return command.Usagef("--gate is for a dump of a live cluster; for a scenario use %s",
			shell.Line("sim", "run", "--gate", strings.Join(o.Gates, ","), o.Args[0]))
	case o.Output == "html":
		return command.Usagef("-o html is for a dump of a live cluster; for a scenario use %s",
			shell.Line("sim", "run", "-o", "html", o.Args[0]))
	case scenario.IsScenario(data) && len(o.Times.Words())+len(o.Taken+o.namespace) > 0:
		return command.Usagef("--start, --ready, --stop, --recording, --now and -n are for a dump of a live cluster: %s is a "+
			"scenario, which has its own times", o.Args[0])
	}
	if len(o.World.Several) == 0 {
		e, err := o.under(in, &o.World)
		if err != nil {
			return err
		}
		if o.Output == "json" {
			return render.JSON(o.Out, e)
		}
		return o.text(e)
	}
	var list []explain.Under
	for _, version := range o.World.Several {
		e, err := o.under(in, o.World.Under(version))
		if err != nil {
			return err
		}
		list = append(list, explain.Under{Kubernetes: version, Explanation: e})
	}
	if o.Output == "json" {
		return render.JSON(o.Out, struct {
			Versions []explain.Under `json:"versions"`
		}{list})
	}
	return o.texts(list)
}

// isAlone reports whether a file is a scenario, which is explained alone. An empty file is none.
func isAlone(data []byte) bool { return !dump.Looks(data) && scenario.IsScenario(data) }

// notAlone is the error for a scenario among several files.
func notAlone(file string) error {
	return command.Usagef("%s is a scenario: give it alone; several files are one dump", file)
}

// under explains the scenario in one world. For a run that ends stuck it also plays the ways out, and each of these
// plays the whole scenario. The error is about the file, errInterrupted, or about usage if there is no such pod.
func (o *Command) under(in command.Source, world *command.World) (*explain.Explanation, error) {
	s, err := command.ReadScenario(in, world)
	if err != nil {
		return nil, err
	}
	progress := o.Progress("playing " + s.Name)
	config := s.Config(scenario.RunOptions{Sim: command.Version, Interrupted: func() bool {
		progress.Show(nil)
		return o.Interrupted()
	}})
	lab := verdict.LabOf(s, config)
	events := lab.Run(nil)
	e, err := explain.Explain(events, explain.Options{At: o.At, Pod: o.Pod, Lab: lab})
	progress.Clear()
	switch {
	case o.Interrupted():
		return nil, command.ErrInterrupted
	case err != nil:
		return nil, command.Usagef("--pod: %s", err)
	}
	switch events[len(events)-1].Result.Verdict {
	case timeline.Settled, timeline.IsStuck:
		(&command.Played{Warnings: s.Idle(events)}).TellInput(o.Err, o.Args[0])
	}
	return e, nil
}

// text writes the explanation, wrapped to the terminal. Commands are not wrapped.
func (o *Command) text(e *explain.Explanation) error {
	_, err := fmt.Fprint(o.Out, o.told(e))
	return err
}

// texts writes the explanations on several versions. Equal ones are printed once, under all their versions. The groups
// are in the order of their first versions.
func (o *Command) texts(list []explain.Under) error {
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
	_, err := fmt.Fprint(o.Out, strings.Join(told, "\n"))
	return err
}

// told returns the explanation as text, wrapped to the terminal.
func (o *Command) told(e *explain.Explanation) string {
	var b strings.Builder
	_ = e.Document().Text(&b, o.Style())
	return b.String()
}

// opens is the link that opens the dump in the playground, or "". A live cluster is not opened there.
func (o *Command) opens() string {
	if o.Cluster.Live {
		return ""
	}
	world := command.World{Kubernetes: o.World.Kubernetes, Limits: strict.DefaultLimits()}
	words := append([]string{"sim", "explain", "-o", "html"}, world.Given()...)
	of := links.Opening{Mode: "explain", Kubernetes: strings.Fields(world.Kubernetes)}
	return o.Link().Files(of, o.pageCommand(), shell.Line(append(words, o.Args[0])...),
		links.Taken{Path: o.Args[0], As: "dump.yaml"})
}
