package kubelet

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// A pod is an object in the API server and a process on a node. A forced deletion removes the object without asking
// the kubelet: the process lives on until its kubelet, if it runs at all, notices and stops it.

// stray is a process whose pod's object is gone. It has the identity of the pod: a new pod with the same name and
// the stray are twins. key, uid, set and nth are copied from the pod, and node is where it runs; none of them
// changes.
type stray struct {
	key  model.Key
	uid  model.UID
	set  model.Key
	nth  int `print:"nth"`
	node *nodes.Node
	// since is the instant when the object was removed.
	since model.Time `print:"-"`
	// ends is how long the process still runs once its kubelet stops it, while timer is not pending. never means that it
	// does not stop by itself: it ends when its node is off.
	ends  model.Time `print:"span"`
	never bool
	// timer is the event strayEnds; nil or not pending while its node is down, or if never is true.
	timer *kernel.Timer
}

// outlived makes a stray of the process of a pod whose object was removed without its kubelet, and reports whether
// there is one: the pod must have been Running, on a node that is not off. If a deletion had begun to stop the
// process, the stop continues.
func (k *Kubelets) outlived(l *life, pod *model.Pod) bool {
	if pod.Phase != model.Running || l.node == nil || l.node.Off {
		return false
	}
	left, stops := k.stopsIn(l)
	s := &stray{
		key: l.Key, uid: l.UID, set: l.Set, nth: l.Nth, node: l.node,
		since: k.kernel.Now(), ends: left, never: !stops || l.hung,
	}
	k.strays = append(k.strays, s)
	k.recordStray(s, false)
	// The stray no longer affects its set, so the run does not wait for its end.
	const background = true
	k.stopStray(s, background)
	return true
}

// stopStray lets the kubelet stop a process, if its node is up and the process stops at all. background is true if
// the run does not wait for it. A process that is being stopped already is left alone: a node whose object was
// deleted comes back with a kubelet that has been running all along.
func (k *Kubelets) stopStray(s *stray, background bool) {
	if s.never || s.node.Down || s.timer.Pending() {
		return
	}
	at := k.kernel.Now() + s.ends
	e := kernel.Event{Room: kernel.Kubelet, Kind: uint8(strayEnds), UID: s.uid, Key: s.key}
	if background {
		s.timer = k.kernel.Behind(at, kernel.ByCluster, e)
		return
	}
	s.timer = k.kernel.At(at, kernel.ByCluster, e)
}

// endStray ends a process: its volumes are free, and the pods that waited for them start.
func (k *Kubelets) endStray(s *stray) {
	k.strays = slices.DeleteFunc(k.strays, func(other *stray) bool { return other == s })
	k.kernel.Cancel(s.timer)
	k.recordStray(s, true)
	k.countTwins(s.key, s.set)
	k.Start(k.volumes.Ended(s.uid))
}

// stray returns the process of a deleted pod, which must exist.
func (k *Kubelets) stray(pod model.UID) *stray {
	at := slices.IndexFunc(k.strays, func(s *stray) bool { return s.uid == pod })
	return k.strays[at]
}

// recordStray records that a process has outlived its pod or, with ended, that such a process has ended: these are
// two events, and the second has the since of the first.
func (k *Kubelets) recordStray(s *stray, ended bool) {
	message := fmt.Sprintf("the process of %s on %s still runs, though its pod is gone", s.key.Name, s.node.Name)
	if ended {
		message = fmt.Sprintf("the process of %s on %s has ended", s.key.Name, s.node.Name)
	}
	k.kernel.Record(timeline.Entry{
		Kind: timeline.KindProcess, Actor: timeline.Kubelet, Set: s.set, Pod: s.key.Name, UID: s.uid, Nth: s.nth,
		Node: s.node.Name, Reason: timeline.ReasonStray, Message: message,
		Process: &timeline.Process{Ended: ended, Since: s.since},
	})
}

// freezeStrays stops the timers of the processes on a node that goes down: they keep running, and no kubelet stops
// them. If the node is off, they end at once.
func (k *Kubelets) freezeStrays(n *nodes.Node) {
	for _, s := range slices.Clone(k.strays) {
		switch {
		case s.node != n:
		case n.Off:
			k.endStray(s)
		case s.timer.Pending():
			s.ends = s.timer.At - k.kernel.Now()
			k.kernel.Cancel(s.timer)
		}
	}
}

// thawStrays makes the kubelet of a node that is back stop the processes without a pod. That keeps the run open,
// unlike their first stop: a user who brings a node back waits for it.
func (k *Kubelets) thawStrays(n *nodes.Node) {
	for _, s := range slices.Clone(k.strays) {
		if s.node == n {
			k.stopStray(s, false)
		}
	}
}

// processesOf counts the processes with the identity of a pod's name: strays, and the pod of the name if it runs.
func (k *Kubelets) processesOf(key model.Key) int {
	n := 0
	for _, s := range k.strays {
		if s.key == key {
			n++
		}
	}
	if pod := k.store.Pod(key); pod != nil && pod.Phase == model.Running {
		if l := k.lives[pod.UID]; l.node != nil && !l.node.Off {
			n++
		}
	}
	return n
}

// countTwins notes when two processes with one identity start to run at the same time, and when that ends. It must
// be called after each start of a pod while there are strays, and after each end of a stray. This is the split
// brain that the StatefulSet documentation warns about for forced deletion.
func (k *Kubelets) countTwins(key, set model.Key) {
	since, were := k.twins[key]
	are := k.processesOf(key) > 1
	if are == were {
		return
	}
	message := "two processes are " + key.Name + " from now on: each may take itself for the only one"
	if are {
		since = k.kernel.Now()
		keyed.Put(&k.twins, key, since)
	} else {
		delete(k.twins, key)
		message = fmt.Sprintf("there is one %s again, after %s of two", key.Name, k.kernel.Now().Sub(since))
	}
	k.kernel.Record(timeline.Entry{
		Kind: timeline.KindProcess, Actor: timeline.Kubelet, Set: set, Pod: key.Name, Reason: timeline.ReasonTwins,
		Message: message, Process: &timeline.Process{Ended: !are, Since: since},
	})
}

// WarnOfTwins warns at the end of a run of the identities that two processes had at the same time, and of those that
// two still have. It reads the events about them, the forgotten ones included, in the order of the first times.
func (k *Kubelets) WarnOfTwins() {
	type span struct {
		from, to model.Time
		over     bool
	}
	spans := map[string][]span{}
	var names []string
	for _, e := range k.pastTwins() {
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
			until := " to " + s.to.Clock()
			if !s.over {
				until = k.stillTwins(name)
			}
			text += ", from " + s.from.Clock() + until
		}
		k.kernel.Warn("%s", TwinWarning+" "+name+text)
	}
}

// stillTwins says up to when two processes with one identity would run after the end of a run, for the warning.
func (k *Kubelets) stillTwins(name string) string {
	end := model.Time(0)
	for _, s := range k.strays {
		switch {
		case s.key.String() != name:
		case !s.timer.Pending():
			return " on"
		default:
			end = max(end, s.timer.At)
		}
	}
	return " to " + end.Clock()
}

// TwinWarning is the start of the warning that two processes had one identity at the same time.
const TwinWarning = "two processes were"
