package judge

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
)

// shown collects in sentences what a dump shows of a pod that a set is stuck on, and what ends that. Each of its
// methods adds those about one cause.
type shown struct {
	// p is the pod and f what the dump shows of it, never nil. list are the sentences so far, the most telling ones first.
	p    *dump.Pod
	f    *dump.Facts
	d    *dump.Dump
	list []string
}

// add adds a sentence; the arguments are those of fmt.
func (x *shown) add(format string, args ...any) {
	x.list = append(x.list, fmt.Sprintf(format, args...))
}

// shownOf says in sentences what a dump shows of the pod that a set is stuck on, in the order of this list: all that
// fits is said. A name without a pod is a pod that does not exist; "" has no facts.
func shownOf(name, namespace string, d *dump.Dump) []string {
	key := model.Key{Namespace: namespace, Name: name}
	f := d.Facts[key]
	switch {
	case f == nil && name == "":
		return nil
	case f == nil:
		return append([]string{name + " does not exist."}, keptClaims(key, d)...)
	}
	x := &shown{p: d.Pod(key), f: f, d: d}
	for _, add := range []func(*shown){
		(*shown).state, (*shown).lastRun, (*shown).admitted, (*shown).missing,
		(*shown).logs, (*shown).placed, (*shown).claims, (*shown).misplaced, (*shown).keeps,
	} {
		add(x)
	}
	return append(x.list, d.Taken(key)...)
}

// state says in which state it is, and since when.
func (x *shown) state() {
	p, f := x.p, x.f
	is, long := dump.Lasting(f.Since, Dated(p))
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
	case !p.Ready && (f.Lost || p.Silenced) && long != "":
		x.add("%s is %s, but has not been Ready%s. Restarts: %d.", p.Name, p.Phase, long, f.Restarts)
	case !p.Ready && (f.Lost || p.Silenced) && Dated(p):
		x.add("%s is %s, but has just stopped being Ready. Restarts: %d.", p.Name, p.Phase, f.Restarts)
	case !p.Ready && p.Phase == model.Running && long != "":
		is, long = dump.Lasting(p.Started, true)
		x.add("%s %s Running%s and is not Ready. Restarts: %d.", p.Name, is, long, f.Restarts)
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

// keeps says what keeps it: a readiness gate, its finalizers, or its node.
func (x *shown) keeps() {
	p, f, d := x.p, x.f, x.d
	if f.Gate != "" {
		x.add("%s", symptom.Names{"says": strings.TrimSuffix(dump.OneLine(f.Gate), ".")}.In(symptom.Ungated.Ends))
		x.list = append(x.list, f.GateSays...)
	}
	if len(p.Finalizers) > 0 && p.Terminating() {
		x.add("%s", symptom.Names{"found": strings.Join(p.Finalizers, ", ")}.In(symptom.Named("pod-finalizer").Ends))
	}
	if n := d.Node(p.Node); n != nil && n.Down {
		x.add("%s", d.Names(p).In(symptom.Named("node-down").Ends))
	}
	if says := d.Nodes[p.Node].NotReady; says != "" {
		x.add("%s", d.Names(p).With(symptom.Names{"says": says}).In(symptom.Named("node-not-ready").Ends))
	}
}
