package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/explain"
	"github.com/statefulsim/statefulsim/scenario/cluster/live"
	"github.com/statefulsim/statefulsim/scenario/cluster/recording"
	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/doc"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/work"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// explainDump explains a dump of a live cluster, whose first file run has read into first. The error is errFailed if a
// set does not continue by itself, or nobody can say.
func (o *explainOptions) explainDump() error {
	if o.at != nil || o.world.until != 0 || len(o.world.several) > 0 {
		return usagef("--at, --until and several versions are for scenarios: a dump is explained at the instant it was " +
			"taken, and each fix is played to its end")
	}
	d, err := o.dump()
	if err != nil {
		return err
	}
	lab, err := o.lab(d)
	if err != nil {
		return err
	}
	only := o.pod
	if o.namespace != "" {
		only = o.namespace + "/" + strings.TrimPrefix(o.pod, o.namespace+"/")
	}
	begun := explain.Begin(d, lab, only)
	if o.cluster.live {
		if begun.Sets, err = o.cluster.only(begun.Sets, o.files); err != nil {
			return err
		}
	}
	switch {
	case o.interrupted():
		return errInterrupted
	case o.pod != "" && len(begun.Sets) == 0:
		return usagef("--pod: there is no pod %s in the dump that belongs to a StatefulSet, and no such StatefulSet", only)
	case o.namespace != "" && len(begun.Sets) == 0:
		var others []string
		for _, set := range d.State.Sets {
			others = append(others, set.Namespace)
		}
		slices.Sort(others)
		has := cmp.Or(render.List(slices.Compact(others), 5), "none")
		return usagef("-n %s: the dump has no StatefulSet in this namespace: namespaces with StatefulSets: %s",
			o.namespace, has)
	}
	top := o.top(o.world.limits.Memory)
	if err = o.dumpAs(begun, lab, top.Ends); o.interrupted() {
		return errInterrupted
	}
	if err == nil && !begun.Held() {
		err = errFailed
	}
	return top.Told(err)
}

// recorded explains a look of a recording of sim follow: the last one, or the last one before --at.
func (o *explainOptions) recorded(name string, data []byte) error {
	looks, err := live.Recording(name, data)
	if err != nil {
		return err
	}
	look := looks[len(looks)-1]
	if o.at != nil {
		for _, l := range looks {
			if l.At.Sub(looks[0].At) <= *o.at {
				look = l
			}
		}
	}
	o.first, o.taken, o.at = look.Source.Data, look.At.Format(time.RFC3339Nano), nil
	return o.explainDump()
}

// dumpAs writes an explanation in the format that was asked for. enough is asked after each set, and ends it: the other
// sets stay without fixes. On a terminal it shows how long it has taken.
func (o *explainOptions) dumpAs(begun *explain.Begun, lab *play.Lab, enough func() bool) error {
	progress := newProgress(o.streams, "trying fixes")
	until := func() bool {
		progress.Show(nil)
		return enough()
	}
	defer progress.Clear()
	switch o.output {
	case "json":
		return render.JSON(o.out, begun.All(until))
	case "html":
		all := begun.All(until)
		d := all.Document()
		d.Title = doc.Of("StatefulSets of " + strings.Join(o.dumped(), ", "))
		return d.Write(o.out, o.output, o.style(*o.color), func() doc.Page {
			return doc.Page{Runs: all.Runs(lab), Command: o.pageCommand(), Playground: o.opens()}
		})
	}
	return begun.Document(func() bool {
		progress.Clear()
		return until()
	}).Text(o.out, o.style(*o.color))
}

// dump reads the files of a dump as one, or the live cluster. A dump was not taken before the newest time in it.
func (o *explainOptions) dump() (*dump.Dump, error) {
	if o.cluster.live {
		return o.cluster.dump(o.world.limits)
	}
	if err := files.OnceStdin(slices.Concat(o.files, o.times.records)); err != nil {
		return nil, err
	}
	sources, err := o.sources()
	if err != nil {
		return nil, err
	}
	options, newest := dump.Options{Limits: o.world.limits}, time.Time{}
	if o.taken != "" {
		at, err := time.Parse(time.RFC3339, o.taken)
		if err != nil {
			return nil, usagef("--now %s: write a time like 2026-01-31T12:00:00Z", o.taken)
		}
		options.Clock = func(in time.Time) time.Time {
			newest = in
			return at
		}
	}
	d, err := work.Await(o.ctx, func() (*dump.Dump, error) { return dump.Read(sources, options) })
	if err == nil && d.At.Before(newest) {
		return nil, usagef("--now %s: the dump has a newer time, %s, so it was taken then or later", o.taken,
			newest.UTC().Format(time.RFC3339))
	}
	return d, err
}

// sources reads the files of a dump. The first has been read already.
func (o *explainOptions) sources() ([]dump.Source, error) {
	sources := []dump.Source{{Name: files.Source{Path: o.files[0]}.Name(), Data: o.first}}
	for _, path := range o.files[1:] {
		in, data, err := o.from().Read(path, o.world.limits.FileSize)
		if err != nil && !strings.Contains(path, ".") {
			return nil, fmt.Errorf("%w: write --pod %s to explain only this pod or StatefulSet", err, path)
		}
		if err != nil {
			return nil, err
		}
		if isAlone(data) {
			return nil, notAlone(in.Name())
		}
		sources = append(sources, dump.Source{Name: in.Name(), Data: data})
	}
	return sources, nil
}

// lab returns the laboratory for worlds that begin with the dump. The version is the one that was asked for, or else
// that of the dump's nodes, or else the newest. Times of the flags win over those of recordings, and those over the
// dump's. An unknown version is an error of usage.
func (o *explainOptions) lab(d *dump.Dump) (*play.Lab, error) {
	profile, err := statefulset.Gated(cmp.Or(o.world.kubernetes, d.Version()), o.world.gates)
	if err != nil {
		return nil, usagef("%s", err)
	}
	config := sim.Config{
		Until: o.world.until, MaxEvents: o.world.limits.OrDefault().Events, Interrupted: o.interrupted,
		Controller: statefulset.New(profile), API: profile.API(),
		Header: timeline.Run{Sim: Version, Scenario: d.State.From},
	}
	times := &config.Kubelet.Default
	if err := o.times.read(&times.Start, &times.Ready, &times.Stop); err != nil {
		return nil, err
	}
	recordings, err := o.recordings(o.times.records, o.world.limits.FileSize)
	if err != nil {
		return nil, err
	}
	return &play.Lab{Profile: profile, World: recording.Observed(d.Begin(config), recordings, *times)}, nil
}

// dumped returns the names of the files, without their folders, or the place in the live cluster.
func (o *explainOptions) dumped() []string {
	if o.cluster.live {
		return []string{o.cluster.asks.Place()}
	}
	var names []string
	for _, file := range o.files {
		if file == "-" {
			file = "standard input"
		}
		names = append(names, filepath.Base(file))
	}
	return names
}

// pageCommand returns the command that prints the page.
func (o *explainOptions) pageCommand() string {
	words := append([]string{"sim", "explain", "-o", "html"}, o.world.asked()...)
	words = append(words, flagWords("--now", o.taken, "--pod", o.pod, "--namespace", o.namespace)...)
	return command.Line(slices.Concat(words, o.times.words(), o.cluster.words(), o.files)...)
}
