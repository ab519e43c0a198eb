package sim

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/queue"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// A pod is an object of the API server and a process on a node. A deletion by force removes the object and asks nobody:
// the process lives on until its kubelet, if it is there at all, finds out and stops it.

// stray is a process whose pod's object is gone.
type stray struct {
	key   model.Key
	uid   model.UID
	set   model.Key
	nth   int
	node  *node
	since model.Time
	// ends is how long the process still runs once its kubelet has begun to stop it; never says that it does not stop.
	ends  model.Time
	never bool
	timer *queue.Entry[event]
}

// outlived notes that the process of a pod lives on whose object was removed without its kubelet's word.
func (w *World) outlived(l *life, pod *model.Pod) {
	if l.ended || pod.Phase != model.Running || l.node == nil || l.node.off {
		return
	}
	left, stops := w.stopsIn(l)
	s := &stray{
		key: l.key, uid: l.uid, set: l.set, nth: l.nth, node: l.node,
		since: w.Now(), ends: left, never: !stops || l.hung,
	}
	w.cluster.strays = append(w.cluster.strays, s)
	w.recordStray(s, false)
	// It changes nothing of its set any more, so nobody has to wait for its end.
	const background = true
	w.stopStray(s, background)
}

// stopStray lets the kubelet stop a process, if there is a kubelet.
func (w *World) stopStray(s *stray, background bool) {
	if s.never || s.node.down {
		return
	}
	s.timer = w.at(w.Now()+s.ends, background, func() { w.endStray(s) })
}

func (w *World) endStray(s *stray) {
	w.actor = timeline.Kubelet
	w.cluster.strays = slices.DeleteFunc(w.cluster.strays, func(other *stray) bool { return other == s })
	w.queue.Cancel(s.timer)
	w.recordStray(s, true)
	w.countTwins(s.key, s.set)
	w.settleVolumes()
}

func (w *World) recordStray(s *stray, ended bool) {
	message := fmt.Sprintf("the process of %s on %s still runs, though its pod is gone", s.key.Name, s.node.name)
	if ended {
		message = fmt.Sprintf("the process of %s on %s has ended", s.key.Name, s.node.name)
	}
	w.record(timeline.Event{
		Kind: timeline.KindProcess, Actor: timeline.Kubelet, Set: s.set, Pod: s.key.Name, UID: s.uid, Nth: s.nth,
		Node: s.node.name, Reason: timeline.ReasonStray, Message: message,
		Process: &timeline.Process{Ended: ended, Since: s.since},
	})
}

// freezeStrays keeps the processes of a node that goes down as they are; where it is off they end.
func (w *World) freezeStrays(n *node) {
	for _, s := range slices.Clone(w.cluster.strays) {
		switch {
		case s.node != n:
		case n.off:
			w.endStray(s)
		case s.timer.Pending():
			s.ends = s.timer.At - w.Now()
			w.queue.Cancel(s.timer)
		}
	}
}

// thawStrays lets the kubelet of a node that is back stop what runs there without a pod.
func (w *World) thawStrays(n *node) {
	for _, s := range slices.Clone(w.cluster.strays) {
		if s.node == n {
			w.stopStray(s, false)
		}
	}
}

// processesOf counts the processes that have the identity of a pod's name.
func (w *World) processesOf(key model.Key) int {
	n := 0
	for _, s := range w.cluster.strays {
		if s.key == key {
			n++
		}
	}
	if pod := w.store.Pod(key); pod != nil && pod.Phase == model.Running {
		if l := w.pods.byUID[pod.UID]; l.node != nil && !l.node.off {
			n++
		}
	}
	return n
}

// countTwins notes when two processes of one identity begin to run beside each other, and when that ends.
func (w *World) countTwins(key, set model.Key) {
	since, were := w.cluster.twins[key]
	are := w.processesOf(key) > 1
	if are == were {
		return
	}
	message := "two processes are " + key.Name + " from now on: each may take itself for the only one"
	if are {
		since = w.Now()
		w.cluster.twins[key] = since
	} else {
		delete(w.cluster.twins, key)
		message = fmt.Sprintf("there is one %s again, after %s of two", key.Name, w.Now().Sub(since))
	}
	w.record(timeline.Event{
		Kind: timeline.KindProcess, Actor: timeline.Kubelet, Set: set, Pod: key.Name, Reason: timeline.ReasonTwins,
		Message: message, Process: &timeline.Process{Ended: !are, Since: since},
	})
}

// warnOfTwins tells at the end of a run which identities were two processes at a time, and which still are.
func (w *World) warnOfTwins() {
	type span struct {
		from, to model.Time
		over     bool
	}
	spans := map[string][]span{}
	var names []string
	for i := range w.events {
		e := &w.events[i]
		if e.Kind != timeline.KindProcess || e.Reason != timeline.ReasonTwins {
			continue
		}
		name := model.Key{Namespace: e.Set.Namespace, Name: e.Pod}.String()
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if e.Process.Ended {
			spans[name][len(spans[name])-1].to, spans[name][len(spans[name])-1].over = e.T, true
			continue
		}
		spans[name] = append(spans[name], span{from: e.T})
	}
	for _, name := range names {
		text := ""
		for _, s := range spans[name] {
			until := " to " + time.Duration(s.to).String()
			if !s.over {
				until = w.stillTwins(name)
			}
			text += ", from " + time.Duration(s.from).String() + until
		}
		w.warnings = append(w.warnings, TwinWarning+" "+name+text)
	}
}

// stillTwins says until when an identity that is two processes at the end of a run would be so.
func (w *World) stillTwins(name string) string {
	end := model.Time(0)
	for _, s := range w.cluster.strays {
		switch {
		case s.key.String() != name:
		case !s.timer.Pending():
			return " on"
		default:
			end = max(end, s.timer.At)
		}
	}
	return " to " + time.Duration(end).String()
}

// TwinWarning is how the warning begins that one identity was two processes at a time.
const TwinWarning = "two processes were"
