package explain

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/kubectl"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/doc"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// explainDump explains a dump of a live cluster; run has read its first file into first. The error is errFailed if
// a set does not continue on its own, or this cannot be known.
func (o *Command) explainDump() error {
	if o.At != nil || o.World.Until != 0 || len(o.World.Several) > 0 {
		return command.Usagef("--at, --until and several versions are for scenarios: a dump is explained at the instant it was " +
			"taken, and each fix is played to its end")
	}
	gates, err := command.AskedGates(o.Gates)
	if err != nil {
		return err
	}
	d, err := o.dump()
	if err != nil {
		return err
	}
	lab, err := o.Lab(d)
	if err != nil {
		return err
	}
	only := o.Pod
	if o.namespace != "" {
		only = o.namespace + "/" + strings.TrimPrefix(o.Pod, o.namespace+"/")
	}
	begun, err := work.AwaitShowing(o.Ctx, o.Progress("judging"), func() (*explain.Begun, error) {
		return explain.Begin(d, lab, only), nil
	})
	if err != nil {
		return err
	}
	if o.Cluster.Live {
		if begun.Sets, err = o.Cluster.Only(begun.Sets, o.Args); err != nil {
			return err
		}
	}
	switch {
	case o.Interrupted():
		return command.ErrInterrupted
	case o.Pod != "" && len(begun.Sets) == 0:
		return command.Usagef("--pod: there is no pod %s in the dump that belongs to a StatefulSet, and no such StatefulSet", only)
	case o.namespace != "" && len(begun.Sets) == 0:
		var others []string
		for _, set := range d.State.Sets {
			others = append(others, set.Namespace)
		}
		slices.Sort(others)
		has := cmp.Or(render.List(slices.Compact(others), 5), "none")
		return command.Usagef("-n %s: the dump has no StatefulSet in this namespace: namespaces with StatefulSets: %s",
			o.namespace, has)
	}
	begun.Ask(gates)
	top := o.Top(o.World.Limits.Memory)
	if err = o.dumpAs(begun, lab, top.Ends); o.Interrupted() {
		return command.ErrInterrupted
	}
	if err == nil && !begun.Held() {
		err = command.ErrFailed
	}
	return top.Told(err)
}

// recorded explains a look of a recording of sim follow: the last one, or the last one before --at.
func (o *Command) recorded(name string, data []byte) error {
	looks, err := kubectl.Recording(name, o.Whole(name, data))
	if err != nil {
		return err
	}
	look := looks[len(looks)-1]
	if o.At != nil {
		for _, l := range looks {
			if l.At.Sub(looks[0].At) <= *o.At {
				look = l
			}
		}
	}
	o.first, o.Taken, o.At = look.Source.Data, look.At.Format(time.RFC3339Nano), nil
	return o.explainDump()
}

// dumpAs writes an explanation in the format that was asked for. enough is asked after each set, and ends it: the other
// sets stay without fixes. On a terminal it shows how long it has taken.
func (o *Command) dumpAs(begun *explain.Begun, lab *play.Lab, enough func() bool) error {
	progress := o.Progress("trying fixes")
	until := func() bool {
		progress.Show(nil)
		return enough()
	}
	defer progress.Clear()
	switch o.Output {
	case "json":
		return render.JSON(o.Out, begun.All(until))
	case "html":
		all := begun.All(until)
		d := all.Document()
		d.Title = doc.Of("StatefulSets of " + strings.Join(o.dumped(), ", "))
		return d.Write(o.Out, o.Output, o.Style(), func() doc.Page {
			return doc.Page{Runs: all.Runs(lab), Command: o.pageCommand(), Playground: o.opens()}
		})
	}
	return begun.Document(func() bool {
		progress.Clear()
		return until()
	}).Text(o.Out, o.Style())
}

// dump reads the files of a dump as one, or the live cluster. A dump was not taken before the newest time in it.
func (o *Command) dump() (*dump.Dump, error) {
	if o.Cluster.Live {
		return o.Cluster.Dump(o.World.Limits)
	}
	if err := files.OnceStdin(slices.Concat(o.Args, o.Times.Records)); err != nil {
		return nil, err
	}
	sources, err := o.sources()
	if err != nil {
		return nil, err
	}
	taken, err := command.Instant(o.Taken)
	if err != nil {
		return nil, err
	}
	d, err := work.AwaitShowing(o.Ctx, o.Progress("reading"), func() (*dump.Dump, error) {
		return dump.Read(sources, dump.Options{Limits: o.World.Limits, Taken: taken})
	})
	if newer := new(dump.NewerError); errors.As(err, &newer) {
		return nil, command.Usagef("--now %s: %v", o.Taken, newer)
	}
	if err == nil && len(d.State.Sets) == 0 && o.ClusterInfo != "" {
		return nil, o.setless()
	}
	return d, err
}

// setless is the error for the output of kubectl cluster-info dump, if no other file has the StatefulSets.
func (o *Command) setless() error {
	words := append([]string{"sim", "explain"}, shell.Flags("--recursive", o.Recursive)...)
	return command.WrongInput{fmt.Sprintf("%s:1:1: this is what kubectl cluster-info dump prints, which has pods, nodes and "+
		"events but never StatefulSets or PVCs: save these too, with %s, and pass both: %s", o.ClusterInfo,
		shell.Kubectl("get", "sts,pvc,pv,controllerrevisions,pdb,sc", "-A", "-o", "yaml")+" > sts.yaml",
		shell.Line(slices.Concat(words, o.given, []string{"sts.yaml"})...))}
}

// sources reads the files of a dump. The first has been read already.
func (o *Command) sources() ([]dump.Source, error) {
	sources := []dump.Source{{Name: files.Source{Path: o.Args[0]}.Name(), Data: o.first}}
	for _, path := range o.Args[1:] {
		in, data, err := o.ReadState(path)
		if err != nil && !strings.Contains(path, ".") {
			if !bytes.Contains(o.first, []byte(path[strings.LastIndexByte(path, '/')+1:])) {
				return nil, fmt.Errorf("%w, and %s has nothing of that name", err, o.Args[0])
			}
			return nil, fmt.Errorf("%w: write --pod %s to explain only this pod or StatefulSet", err, path)
		}
		if err != nil {
			return nil, err
		}
		if err := strict.Session(in.Name(), data); err != nil {
			return nil, err
		}
		if isAlone(data) {
			return nil, notAlone(in.Name())
		}
		sources = append(sources, dump.Source{Name: in.Name(), Data: data})
	}
	return sources, nil
}

// Lab returns the laboratory for worlds that begin with the dump. The version is the requested one, or else the
// version of the dump's nodes, or else the newest. Times from flags take precedence over times from recordings, and
// these over the dump's. An unknown version is an error of usage.
func (o *Command) Lab(d *dump.Dump) (*play.Lab, error) {
	profile, err := statefulset.Gated(cmp.Or(o.World.Kubernetes, d.Version()), o.World.Gates)
	if err != nil {
		return nil, command.Usagef("%s", err)
	}
	config := release.Config(profile, sim.Config{
		Until: o.World.Until, MaxEvents: o.World.Limits.OrDefault().Events, Interrupted: o.Interrupted,
		Header: timeline.Run{Sim: command.Version, Scenario: d.State.From},
	})
	times := &config.Kubelet.Default
	if err := o.Times.Read(&times.Start, &times.Ready, &times.Stop); err != nil {
		return nil, err
	}
	recordings, err := o.Recordings(o.Times.Records, o.World.Limits.FileSize)
	if err != nil {
		return nil, err
	}
	return &play.Lab{Profile: profile, World: recording.Observed(d.Begin(config), recordings, *times)}, nil
}

// dumped returns the names of the files, without their folders, or the place in the live cluster.
func (o *Command) dumped() []string {
	if o.Cluster.Live {
		return []string{o.Cluster.Asks.Place()}
	}
	var names []string
	for _, file := range o.Args {
		if file == "-" {
			file = "standard input"
		}
		names = append(names, filepath.Base(file))
	}
	return names
}

// pageCommand returns the command that prints the page.
func (o *Command) pageCommand() string {
	words := append([]string{"sim", "explain", "-o", "html"}, o.World.Given()...)
	words = append(words, shell.Flags("--now", o.Taken, "--pod", o.Pod, "--namespace", o.namespace,
		"--gate", strings.Join(o.Gates, ","))...)
	words = append(words, shell.Flags("--recursive", o.Recursive)...)
	return shell.Line(slices.Concat(words, o.Times.Words(), o.Cluster.Words(), o.Args)...)
}
