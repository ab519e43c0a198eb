package kubelet

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// event returns an event about a pod.
func (l *life) event(kind eventKind) kernel.Event {
	return kernel.Event{Room: kernel.Kubelet, Kind: uint8(kind), UID: l.UID, Key: l.Key}
}

// after sets a timer of a pod, after a delay that is drawn at this moment. nil sets none. Never sets none either, and
// the kubelet records the reason if the scenario gives one.
func (k *Kubelets) after(l *life, kind eventKind, delay behaviour.Delay) {
	if delay == nil {
		return
	}
	wait, never := k.kernel.Draw(delay)
	if never {
		k.complain(l, kind)
		return
	}
	k.setTimer(l, kind, wait)
}

// setTimer sets a timer of a pod for d from now. The timer of that kind must not be pending. The readiness of a pod
// that will only crash again is a background event.
func (k *Kubelets) setTimer(l *life, kind eventKind, d model.Time) {
	k.setOn(l, &l.timers[kind], d, kind == ready && l.idle(), l.event(kind))
}

// setOn sets a timer of a pod's kubelet, in a slot of the life. All timers of pods and containers are set here: if
// no kubelet looks after the pod, the timer is held until one does.
func (k *Kubelets) setOn(l *life, slot **kernel.Timer, d model.Time, background bool, e kernel.Event) {
	switch at := k.kernel.Now() + d; {
	case l.unattended():
		l.held = append(l.held, heldTimer{slot, d, background, e})
	case background:
		*slot = k.kernel.Behind(at, kernel.ByKubelet, e)
	default:
		*slot = k.kernel.At(at, kernel.ByKubelet, e)
	}
}

// complain records why a pod does not become Running or Ready, if the scenario gives a reason (ImagePullBackOff).
func (k *Kubelets) complain(l *life, kind eventKind) {
	if l.times.Reason == "" || kind != start && kind != ready {
		return
	}
	missed := "Running"
	if kind == ready {
		missed = "Ready"
	}
	k.warn(l, l.times.Reason, l.Key.Name+" does not become "+missed)
}

// warn records a warning of a pod's kubelet.
func (k *Kubelets) warn(l *life, reason, message string) {
	k.kernel.Record(timeline.Entry{
		Kind: timeline.KindK8sEvent, Actor: timeline.Kubelet, Set: l.Set, Pod: l.Key.Name, UID: l.UID, Warning: true,
		Reason: reason, Message: message,
	})
}

// cancel drops timers of a pod, in the queue or held.
func (k *Kubelets) cancel(l *life, kinds ...eventKind) {
	for _, kind := range kinds {
		k.disarm(l, &l.timers[kind])
	}
}

// cancelAll drops all timers of a pod and its containers, so that nothing happens to it any more by itself.
func (k *Kubelets) cancelAll(l *life) {
	for _, timer := range l.timers {
		k.kernel.Cancel(timer)
	}
	for c := range l.containers {
		k.cancelIn(l, c)
	}
	l.held = nil
}

// neverMind drops the timers for the failure of containers, because the pod has become Ready in time.
func (k *Kubelets) neverMind(l *life) {
	for c := range l.containers {
		k.disarm(l, &c.timers[giveUp-firstContainerEvent])
	}
}
