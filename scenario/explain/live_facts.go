package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
)

// factsOf says in sentences what a dump shows of the pod that a set is stuck on.
func factsOf(name, namespace string, d *dump.Dump) []string {
	key := model.Key{Namespace: namespace, Name: name}
	f := d.Facts[key]
	if f == nil {
		if name == "" {
			return nil
		}
		return []string{name + " does not exist."}
	}
	at := slices.IndexFunc(d.State.Pods, func(p dump.Pod) bool { return p.Key() == key })
	p := &d.State.Pods[at]
	var facts []string
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	switch {
	case p.Terminating():
		add("%s is Terminating%s, with a grace period of %s.", name, since(f.Since), p.Deletion.Grace)
	case p.Node == "":
		add("%s is Pending%s, on no node.", name, since(f.Since))
	case f.Waiting != "":
		add("%s: container %s is in %s%s, restarts: %d.", name, f.Container, f.Waiting, since(f.Since), f.Restarts)
	case !p.Ready:
		add("%s is %s and not Ready%s, restarts: %d.", name, p.Phase, since(f.Since), f.Restarts)
	}
	if f.Message != "" {
		add("Its container says: %s", oneLine(f.Message))
	}
	if f.Unschedulable != "" {
		add("The scheduler says: %s", oneLine(f.Unschedulable))
	}
	if len(p.Finalizers) > 0 && p.Terminating() {
		add("It has the finalizer %s.", strings.Join(p.Finalizers, ", "))
	}
	for i := range d.State.Nodes {
		if n := &d.State.Nodes[i]; n.Name == p.Node && n.Down {
			add("Its node %s does not answer.", n.Name)
		}
	}
	return append(facts, d.Taken(key)...)
}

// since says for how long, where the dump shows it.
func since(at model.Time) string {
	if at >= 0 {
		return ""
	}
	return " for " + age(-at)
}

// age is a time as kubectl shows ages: nobody reads the seconds of an hour.
func age(t model.Time) string {
	const second, minute, hour = model.Time(1e9), model.Time(60e9), model.Time(3600e9)
	switch {
	case t < 2*minute:
		return fmt.Sprintf("%ds", t/second)
	case t < 2*hour:
		return fmt.Sprintf("%dm", t/minute)
	case t < 48*hour:
		return fmt.Sprintf("%dh", t/hour)
	}
	return fmt.Sprintf("%dd", t/(24*hour))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// notes are observations beside the sets: pods without an owner that are named like those of a set.
func notes(d *dump.Dump) []string {
	var list []string
	byNamespace := map[string][]string{}
	var namespaces []string
	for i := range d.State.Pods {
		p := &d.State.Pods[i]
		parent, ordinal := model.SplitPodName(p.Name)
		if p.Controller() != nil || ordinal < 0 || p.Labels[model.LabelPodName] == "" {
			continue
		}
		group := p.Namespace + "/" + parent
		if byNamespace[group] == nil {
			namespaces = append(namespaces, group)
		}
		byNamespace[group] = append(byNamespace[group], p.Name)
	}
	for _, group := range namespaces {
		list = append(list, fmt.Sprintf("%s: %s have no owner, as after a deletion with --cascade=orphan, so nothing "+
			"replaces them. A StatefulSet with this name and a selector that matches their labels adopts them.", group,
			strings.Join(byNamespace[group], ", ")))
	}
	return list
}
