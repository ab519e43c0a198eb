package scenario

import (
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/expect/condition"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// start reads the dump that the world starts from: its path, or a list of paths whose objects are combined. Its
// problems have the names of its files. If it cannot be read the census is lost.
func (l *loader) start(m *strict.Map) {
	n := m.Value("start")
	if n == nil {
		return
	}
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	var sources []dump.Source
	before := len(l.r.Problems)
	for _, item := range items {
		if source, ok := l.dumpFile(item); ok {
			sources = append(sources, source)
		}
	}
	if len(l.r.Problems) > before {
		l.census.lost = true
		return
	}
	if len(sources) == 0 {
		l.r.Problem(n, "start names no file", "write the path of a dump, the output of "+dump.Command)
		return
	}
	d, err := dump.Read(sources, dump.Options{Limits: l.options.Limits})
	if err != nil {
		problems, _ := err.(strict.Problems)
		l.others = append(l.others, problems...)
		l.census.lost = true
		return
	}
	l.scenario.Start = d
	l.started(d)
	l.assumed(n, d)
}

// assumed warns about the assumptions of a run that starts from the dump.
func (l *loader) assumed(n *yaml.Node, d *dump.Dump) {
	for _, sentence := range slices.Concat(d.Assumed, d.CrashAgain()) {
		l.warnings = append(l.warnings, strict.Problem{
			File: l.r.File, Line: n.Line, Column: n.Column, What: "start: " + strings.TrimSuffix(sentence, "."),
		})
	}
}

// dumpFile reads one file of a dump, as a manifest is read: relative to the scenario's folder, and into the digest.
func (l *loader) dumpFile(n *yaml.Node) (source dump.Source, ok bool) {
	name, ok := l.r.String(n, "start")
	if !ok {
		return source, false
	}
	if l.dir == nil {
		l.r.Problem(n, "the dump "+name+" cannot be read", "a scenario that is not a file has no folder to look in")
		return source, false
	}
	data, err := readFile(l.dir, clean(name), l.r.Limits)
	if err != nil {
		l.r.Problem(n, "the dump "+name+" cannot be read", why(err)+"; paths are relative to the scenario's folder")
		return source, false
	}
	l.digest.Write(data)
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(l.r.File), name)
	}
	return dump.Source{Name: name, Data: data}, true
}

// started notes the sets and pods that exist from the start. If all sets are in one namespace, steps that do not
// name a namespace act there.
func (l *loader) started(d *dump.Dump) {
	for i, set := range d.State.Sets {
		k := &known{}
		for _, c := range set.Spec.Template.Containers {
			k.containers = append(k.containers, c.Name)
		}
		for _, c := range set.Spec.Template.Lifecycle.Init {
			k.inits = append(k.inits, c.Name)
		}
		l.census.add(set.Key(), k)
		if i == 0 {
			l.home = set.Namespace
		} else if l.home != set.Namespace {
			l.home = ""
		}
	}
	for i := range d.State.Pods {
		pod := &d.State.Pods[i]
		l.census.pods[pod.Key()] = true
		l.labels = append(l.labels, condition.Labelling{Pod: pod.Key(), New: true, Labels: pod.Labels})
	}
}
