package sim

import (
	"fmt"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// What people do to nodes and to the control plane, and what happens to them.

// NodeDown stops the kubelet of a node: the kubelet does nothing and reports nothing. Its processes keep running,
// as after a network failure; with off they are dead, as after a power failure. It returns false if there is no
// such node, or it is down already.
func (u *User) NodeDown(name string, off bool) bool {
	n := u.w.nodes.Down(name, off)
	if n == nil {
		return false
	}
	u.w.kubelet.Pause(n)
	u.w.nodes.Listen(n)
	return true
}

// NodeUp lets the kubelet of a node continue. It reports its pods as they are, ends those that were deleted
// meanwhile, and kills the processes of pods that no longer exist. A node whose object was deleted registers
// itself. It returns false if there is no such node, or it is up. The order of the rooms matters: the kubelet
// reports before the controllers decide again.
func (u *User) NodeUp(name string) bool {
	n, off := u.w.nodes.Up(name)
	if n == nil {
		return false
	}
	u.w.kubelet.Resume(n, off)
	u.w.nodes.Balance()
	u.w.scheduler.Retry()
	u.w.kubelet.Start(u.w.storage.Settle())
	return true
}

// Cordon sets whether the scheduler may bind pods to a node: cordoned means that it may not. It returns false if that
// changes nothing.
func (u *User) Cordon(name string, cordoned bool) bool {
	changed := u.w.nodes.Cordon(name, cordoned)
	if changed && !cordoned {
		u.w.scheduler.Retry()
	}
	return changed
}

// Drain cordons a node and evicts its pods, as kubectl drain does: all at the same time, each again and again until
// the eviction is allowed. It continues while other steps act. A timeout of 0 means none. It returns false if there is
// no such node, or it is already being drained. If a pod of the node has no controller, kubectl refuses without force,
// in the words of the error: the node is cordoned then, and no pod is evicted.
func (u *User) Drain(name string, timeout time.Duration, force bool) (bool, *model.APIError) {
	pods := u.unmanaged(name)
	if force || len(pods) == 0 {
		return u.w.disruption.Drain(name, timeout), nil
	}
	return u.Cordon(name, true), &model.APIError{Reason: model.Invalid, Message: fmt.Sprintf(
		"unable to drain node %q due to error: cannot delete Pods that declare no controller (use --force to override): %s",
		name, strings.Join(pods, ", "))}
}

// unmanaged lists the pods that keep kubectl drain from starting without --force: the pods on the node that no
// controller would create again, unless they have ended (unreplicatedFilter in k8s.io/kubectl/pkg/drain).
// Terminating pods count too.
func (u *User) unmanaged(node string) []string {
	n := u.w.nodes.Node(node)
	if n == nil || n.Gone {
		return nil
	}
	var names []string
	for _, pod := range u.w.nodes.PodsOn(n) {
		if pod.Controller() == nil && !pod.Finished() {
			names = append(names, pod.Namespace+"/"+pod.Name)
		}
	}
	return names
}

// OutOfService puts the taint node.kubernetes.io/out-of-service:NoExecute on a node, or removes it. Its pods are
// deleted at once, and the pod garbage collector does not wait for a kubelet that is down (KEP-2268). It returns
// false if that changes nothing.
func (u *User) OutOfService(name string, out bool) bool {
	changed := u.w.nodes.OutOfService(name, out)
	switch {
	case changed && out:
		u.w.kubelet.Start(u.w.storage.Settle())
	case changed:
		u.w.scheduler.Retry()
	}
	return changed
}

// DeleteNode deletes the object of a node. The pod garbage collector finds its pods orphaned and, after a quarantine,
// deletes them by force. It returns false if there is no such node.
func (u *User) DeleteNode(name string) bool { return u.w.nodes.Delete(name) }

// Hang makes the kubelet forget a pod: none of its changes happen any more, not even its end. It returns false if
// there is no such pod, or it is forgotten already.
func (u *User) Hang(key model.Key) bool { return u.w.kubelet.Hang(key) }

// AddRule makes pods behave as a rule says from now on, for a time or, if that is 0, permanently. It takes
// precedence over the existing rules, and replaces one with the same name.
func (u *User) AddRule(rule behaviour.Named, d time.Duration) { u.w.kubelet.AddRule(rule, d) }

// RemoveRule takes back the rule of that name, or all that were added if it is "". It reports whether there was one.
func (u *User) RemoveRule(name string) bool { return u.w.kubelet.RemoveRule(name) }

// RestartController lets the controller die at this moment, even in the middle of its syncs, and starts another one
// after a time; see manager.Restart.
func (u *User) RestartController(next Beginning) {
	u.w.disruption.Restart()
	u.w.manager.Restart(next)
	u.w.nodes.Restart()
}

// SlowWatch makes the controller's watch of a kind of object slower: what changes within d from now arrives by delay
// later. KindNone means all kinds.
func (u *User) SlowWatch(kind model.Kind, delay, d time.Duration) {
	u.w.manager.SlowWatch(kind, delay, d)
}

// BreakWatch breaks the controller's watch of a kind of object for a time, after which everything is listed. KindNone
// means all kinds.
func (u *User) BreakWatch(kind model.Kind, d time.Duration) { u.w.manager.BreakWatch(kind, d) }

// ControlPlane holds everything that a version of Kubernetes decides: the StatefulSet controller, the rules of the
// API server for a StatefulSet, and the rules about nodes. All three are of one version.
type ControlPlane struct {
	Controller model.Controller
	API        model.APIRules
	Nodes      NodeRules
}

// ReplaceControlPlane replaces the control plane by another version, as an upgrade does. Stored objects do not
// change until they are written. The old controller dies as in RestartController, and the new one starts at once.
func (u *User) ReplaceControlPlane(next ControlPlane) {
	u.ReplacePart(APIServer, next)
	u.ReplacePart(ControllerManager, next)
	u.ReplacePart(Scheduler, next)
}

// Part is a part of the control plane that is upgraded by itself.
type Part uint8

// The parts. NoPart is for everything outside the control plane.
const (
	NoPart Part = iota
	APIServer
	ControllerManager
	Scheduler
)

// ReplacePart replaces one part of the control plane by another version. The other parts stay as they are, so the
// versions may differ.
func (u *User) ReplacePart(part Part, next ControlPlane) {
	rules := *u.w.nodes.Rules()
	switch part {
	case APIServer:
		u.w.store.SetRules(next.API)
		rules.APIServer = next.Nodes.APIServer
	case ControllerManager:
		keepFor(next.Controller, u.w.store)
		u.w.manager.Replace(next.Controller)
		rules.Manager = next.Nodes.Manager
	case Scheduler:
		rules.Scheduler = next.Nodes.Scheduler
	}
	u.w.nodes.SetRules(rules)
	u.w.kubelet.Start(u.w.storage.Settle())
}
