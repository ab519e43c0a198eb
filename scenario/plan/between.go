package plan

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/recording"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// between completes the facts of a set of a dump that is stuck on a pod whose container crashes again and again. The
// run assumes that the pod stays not Ready. If it was Ready in the last run of its container, the set may well
// continue while it is Ready again: that is played too.
func (f *facts) between(w *world, e *edit, script play.Script, change int) {
	pod := e.comes(f)
	if pod == "" {
		return
	}
	lab, times := w.lab(), w.times(e)
	first := len(lab.World.Kubelet.Rules)
	config, any := w.part().BetweenCrashes(lab.World, e.key().Namespace)
	if !any {
		return
	}
	rules := slices.Clone(config.Kubelet.Rules)
	for i := range rules[:len(rules)-first] {
		rules[i].Times = recording.Filled(rules[i].Times, behaviour.Times{Start: times.Start, Stop: times.Stop})
	}
	config.Kubelet.Rules = rules
	lab.World = config
	f.comes = pod
	f.then = gather(lab.Run(script), e.key(), change)
}

// comes returns the pod of the dump on which a set is stuck, if it was Ready in the last run of its container; "" if
// that is not so.
func (e *edit) comes(f *facts) string {
	if e.part == nil || f.stuck == nil ||
		f.stuck.Why.Code != model.WaitingForReady && f.stuck.Why.Code != model.BudgetSpent {
		return ""
	}
	name := f.stuck.Why.Object
	key := model.Key{Namespace: e.pair.Key.Namespace, Name: name}
	if !slices.ContainsFunc(e.part.State.Pods, func(p sim.PodState) bool {
		return p.Key() == key && e.part.ComesBack(&p)
	}) {
		return ""
	}
	return name
}

// heals completes the facts of a set of a dump that is stuck on a pod which may come up although nobody changes the
// set, or that completes only if what the dump does not show is so.
func (f *facts) heals(e *edit) {
	if e.part == nil {
		return
	}
	if f.stuck != nil {
		f.when = e.part.Heals(model.Key{Namespace: e.pair.Key.Namespace, Name: f.stuck.Why.Object})
	}
	at := slices.IndexFunc(e.part.State.Sets, func(set *model.StatefulSet) bool { return set.Key() == e.pair.Key })
	if at < 0 || !f.completes() {
		return
	}
	set := *e.part.State.Sets[at]
	if e.wanted != nil {
		set.Spec.MinReadySeconds, set.Spec.PodManagement = e.wanted.Spec.MinReadySeconds, e.wanted.Spec.PodManagement
	}
	if e.set != nil && e.rolls() {
		set.Status.UpdateRevision = ""
	}
	f.provided = e.part.Provided(&set)
}

// startsBetween says whether pods are replaced only while a pod that crashes is Ready.
func (f *facts) startsBetween() bool { return f.comes != "" && len(f.then.of(replaced)) > 0 }

// only says when a set that is stuck on a pod continues after all, "" if it never does.
func (f *facts) only() string {
	switch {
	case f.when != "":
		return "; it continues " + f.when
	case f.comes == "":
		return ""
	case f.then.completes():
		return "; it continues " + dump.BetweenTwo(f.comes) + ", and may then complete"
	}
	return "; it continues " + dump.BetweenTwo(f.comes)
}
