package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/judge"
	"github.com/statefulsim/statefulsim/sim/render"
)

// facts collects in sentences what a dump shows of a pod that a set is stuck on. Each of its methods adds those about
// one cause.
type facts struct {
	// p is the pod and f what the dump shows of it, never nil. list are the sentences so far, the most telling ones
	// first.
	p    *dump.Pod
	f    *dump.Facts
	d    *dump.Dump
	list []string
}

// add adds a sentence; the arguments are those of fmt.
func (x *facts) add(format string, args ...any) {
	x.list = append(x.list, fmt.Sprintf(format, args...))
}

// factsOf says in sentences what a dump shows of the pod that a set is stuck on. A name without a pod is a pod that
// does not exist; "" has no facts.
func factsOf(name, namespace string, d *dump.Dump) []string {
	key := model.Key{Namespace: namespace, Name: name}
	f := d.Facts[key]
	if f == nil {
		if name == "" {
			return nil
		}
		return append([]string{name + " does not exist."}, keptClaims(key, d)...)
	}
	x := &facts{p: d.Pod(key), f: f, d: d}
	x.state()
	x.lastRun()
	x.admitted()
	x.image()
	x.warned()
	x.missing()
	x.logs()
	x.placed()
	x.claims()
	x.misplaced()
	x.gate()
	x.cordoned()
	x.keeps()
	return append(x.list, d.Taken(key)...)
}

// state says in which state it is, and since when.
func (x *facts) state() {
	p, f := x.p, x.f
	is, long := dump.Lasting(f.Since, judge.Dated(p))
	switch {
	case p.Terminating():
		x.add("%s %s Terminating%s, with a grace period of %s.", p.Name, is, long, p.Deletion.Grace)
	case p.Node == "":
		x.add("%s %s Pending%s, on no node.", p.Name, is, long)
	case f.Unreported:
		x.add("%s %s in phase Unknown%s: the kubelet of %s does not report it, so nobody knows whether it runs.",
			p.Name, is, long, p.Node)
	case f.Crashed:
		x.add("%s: container %s runs, but has ended before (%s, exit code %d). The pod has not been Ready%s. Restarts: %d.",
			p.Name, f.Container, f.Waiting, f.Exit, long, f.Restarts)
	case f.Waiting != "":
		x.add("%s: %s %s %s in %s%s. Restarts: %d.", p.Name, kindOf(f), f.Container, is, f.Waiting, long, f.Restarts)
	case !p.Ready && (f.Lost || p.Silenced) && long != "" && dump.Age(f.Since) == "0s":
		x.add("%s is %s, but has just stopped being Ready. Restarts: %d.", p.Name, p.Phase, f.Restarts)
	case !p.Ready && (f.Lost || p.Silenced) && long != "":
		x.add("%s is %s, but has not been Ready for %s. Restarts: %d.", p.Name, p.Phase, dump.Age(f.Since), f.Restarts)
	case !p.Ready && p.Phase == model.Running && long != "":
		x.add("%s has been Running for %s and is not Ready. Restarts: %d.", p.Name, dump.Age(p.Started), f.Restarts)
	case !p.Ready:
		x.add("%s %s %s%s and is not Ready. Restarts: %d.", p.Name, is, p.Phase, long, f.Restarts)
	}
}

// kindOf says what kind of container it is that does not run.
func kindOf(f *dump.Facts) string {
	switch {
	case f.OfSidecar:
		return "sidecar"
	case f.OfInit:
		return "init container"
	}
	return "container"
}

// warned says what the last warning about it was.
func (x *facts) warned() {
	p, f := x.p, x.f
	if f.Event != "" && (!p.Ready || p.Terminating()) {
		x.add("The last warning about it: %s", f.Event)
	}
}

// gate says which readiness gate it waits for.
func (x *facts) gate() {
	f := x.f
	if f.Gate != "" {
		x.add("Its containers are ready. Its condition Ready says: %s Whoever sets that condition has to set it to True.",
			dump.OneLine(f.Gate))
	}
}

// keeps says what keeps it: its finalizers, or its node.
func (x *facts) keeps() {
	p, d := x.p, x.d
	if len(p.Finalizers) > 0 && p.Terminating() {
		x.add("It has the finalizer %s.", strings.Join(p.Finalizers, ", "))
	}
	for i := range d.State.Nodes {
		if n := &d.State.Nodes[i]; n.Name == p.Node && n.Down {
			x.add("Its node %s does not answer.", n.Name)
		}
	}
	if says := d.NotReady[p.Node]; says != "" {
		x.add("Its node %s is not Ready. The kubelet there says: %s", p.Node, says)
	}
}

// notes are observations besides the sets: pods without an owner that are named like those of a set, by name and
// ordinal.
func notes(d *dump.Dump) []string {
	orphans := map[model.Key][]int{}
	for i := range d.State.Pods {
		p := &d.State.Pods[i]
		set, ordinal := model.SplitPodName(p.Name)
		if p.Controller() == nil && ordinal >= 0 && p.Labels[model.LabelPodName] != "" {
			key := model.Key{Namespace: p.Namespace, Name: set}
			orphans[key] = append(orphans[key], ordinal)
		}
	}
	var list []string
	for _, set := range slices.SortedFunc(maps.Keys(orphans), model.Key.Compare) {
		ordinals := orphans[set]
		slices.Sort(ordinals)
		var pods []string
		for _, ordinal := range ordinals {
			pods = append(pods, fmt.Sprintf("%s-%d", set.Name, ordinal))
		}
		n := len(pods)
		list = append(list, fmt.Sprintf("%s: %s %s no owner, as after a deletion with --cascade=orphan, so nothing "+
			"replaces %s. A StatefulSet with this name and a selector that matches %s labels adopts %[4]s.", set,
			strings.Join(pods, ", "), render.Agree(n, "has", "have"), render.Agree(n, "it", "them"),
			render.Agree(n, "its", "their")))
	}
	return list
}

// foreign describes the pods that are named like those of a StatefulSet and belong to something else.
func foreign(d *dump.Dump) []string {
	var list []string
	for _, f := range d.Foreign {
		list = append(list, f.String())
	}
	return list
}

// unready says whether pods of something else are not all Ready: then a dump without sets is not said to be well.
func unready(d *dump.Dump) bool {
	return slices.ContainsFunc(d.Foreign, func(f *dump.Foreign) bool { return f.Ready < f.Pods })
}
