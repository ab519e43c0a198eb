package kubelet

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// A pod is an object in the API server and a process on a node. A forced deletion removes the object without asking
// anybody: the process lives on until its kubelet, if it runs at all, notices and stops it.

// stray is a process whose pod's object is gone.
type stray struct {
	key   model.Key
	uid   model.UID
	set   model.Key
	nth   int
	node  *nodes.Node
	since model.Time `print:"-"`
	// ends is how long the process still runs once its kubelet has begun to stop it; never means that it does not stop.
	ends  model.Time `print:"span"`
	never bool
	timer *kernel.Timer
}

// outlived notes that the process of a pod lives on whose object was removed without its kubelet. It returns whether
// the process lives on.
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
	// It no longer affects its set, so nobody has to wait for its end.
	const background = true
	k.stopStray(s, background)
	return true
}

// stopStray lets the kubelet stop a process, if there is a kubelet.
func (k *Kubelets) stopStray(s *stray, background bool) {
	if s.never || s.node.Down {
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

func (k *Kubelets) endStray(s *stray) {
	k.strays = slices.DeleteFunc(k.strays, func(other *stray) bool { return other == s })
	k.kernel.Cancel(s.timer)
	k.recordStray(s, true)
	k.countTwins(s.key, s.set)
	k.Start(k.volumes.Ended(s.uid))
}

// stray returns the process of a pod that is gone.
func (k *Kubelets) stray(pod model.UID) *stray {
	at := slices.IndexFunc(k.strays, func(s *stray) bool { return s.uid == pod })
	return k.strays[at]
}

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

// freezeStrays keeps the processes of a node that goes down as they are; if the node is off they end.
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

// thawStrays makes the kubelet of a node that is back stop the processes without a pod.
func (k *Kubelets) thawStrays(n *nodes.Node) {
	for _, s := range slices.Clone(k.strays) {
		if s.node == n {
			k.stopStray(s, false)
		}
	}
}

// processesOf counts the processes that have the identity of a pod's name.
func (k *Kubelets) processesOf(key model.Key) int {
	n := 0
	for _, s := range k.strays {
		if s.key == key {
			n++
		}
	}
	if pod := k.store.Pod(key); pod != nil && pod.Phase == model.Running {
		if l := k.lives.Get(pod.UID); l.node != nil && !l.node.Off {
			n++
		}
	}
	return n
}

// countTwins notes when two processes with one identity begin to run at the same time, and when that ends.
func (k *Kubelets) countTwins(key, set model.Key) {
	since, were := k.twins[key]
	are := k.processesOf(key) > 1
	if are == were {
		return
	}
	message := "two processes are " + key.Name + " from now on: each may take itself for the only one"
	if are {
		since = k.kernel.Now()
		k.twins[key] = since
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
// two still have.
func (k *Kubelets) WarnOfTwins() {
	type span struct {
		from, to model.Time
		over     bool
	}
	spans := map[string][]span{}
	var names []string
	for i := range k.kernel.Events() {
		e := &k.kernel.Events()[i]
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
				until = k.stillTwins(name)
			}
			text += ", from " + time.Duration(s.from).String() + until
		}
		k.kernel.Warn("%s", TwinWarning+" "+name+text)
	}
}

// stillTwins says how long two processes with one identity at the end of a run would still run.
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
	return " to " + time.Duration(end).String()
}

// TwinWarning is the beginning of the warning that two processes had one identity at the same time.
const TwinWarning = "two processes were"
