package sim

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// after sets a timer of a pod. It is drawn now; one that never rings is not set.
func (w *World) after(l *life, kind eventKind, delay behaviour.Delay) {
	if delay == nil {
		return
	}
	ns, never := delay.Draw(w.chooser)
	if never {
		w.complain(l, kind)
		return
	}
	w.setTimer(l, kind, model.Time(ns))
}

// complain tells why a pod does not get to its next state, where the scenario gives a reason: ImagePullBackOff, say.
func (w *World) complain(l *life, kind eventKind) {
	if l.times.Reason == "" || kind != start && kind != ready {
		return
	}
	missed := "Running"
	if kind == ready {
		missed = "Ready"
	}
	w.record(timeline.Event{
		Kind: timeline.KindK8sEvent, Actor: timeline.Kubelet, Set: l.set, Pod: l.key.Name, UID: l.uid, Warning: true,
		Reason: l.times.Reason, Message: l.key.Name + " does not become " + missed,
	})
}

func (w *World) cancel(l *life, kinds ...eventKind) {
	for _, kind := range kinds {
		w.disarm(l, &l.timers[kind])
	}
}

func (w *World) cancelAll(l *life) {
	for _, timer := range l.timers {
		w.queue.Cancel(timer)
	}
	for c := range l.containers {
		w.cancelIn(l, c)
	}
	w.queue.Cancel(l.eviction)
	l.held = nil
}

// neverMind keeps the containers of a pod that has become Ready from giving up.
func (w *World) neverMind(l *life) {
	for c := range l.containers {
		w.disarm(l, &c.timers[giveUp-firstContainerEvent])
	}
}
