package judge

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// podFinalizer: a finalizer keeps a pod that is being deleted.
func podFinalizer(b *blocked) *Cause {
	if b.p == nil || !b.p.Terminating() {
		return nil
	}
	own := b.p.Pod.BlockingFinalizers()
	if len(own) == 0 {
		return nil
	}
	return saying(fmt.Sprintf("%s is being deleted, and the finalizer %s keeps it", b.name, strings.Join(own, ", ")),
		false, own...)
}

// nodeDown: the node of the pod does not answer. It may come back.
func nodeDown(b *blocked) *Cause {
	if b.p == nil {
		return nil
	}
	node := b.node(b.p.Node)
	if node == nil || !node.Down {
		return nil
	}
	return saying("node "+node.Name+" does not answer", false).
		at(nodeObject(node.Name), podObject(b.key.Namespace, b.name))
}

// kubeletCannotStop: the grace period of a pod is over, its node answers, and it is still there.
func kubeletCannotStop(b *blocked) *Cause {
	if b.p == nil || !b.p.Terminating() {
		return nil
	}
	if !b.p.Hung {
		return saying(b.stuck.Why.Sentence(), false)
	}
	return saying(fmt.Sprintf("the grace period of %s is over, and the kubelet of %s does not stop it", b.name, b.p.Node),
		false, b.f.Event).at(podObject(b.key.Namespace, b.name), nodeObject(b.p.Node))
}

// nodeNotReady: the kubelet of the node says that the node is not Ready.
func nodeNotReady(b *blocked) *Cause {
	if b.p == nil || b.p.Ready || b.NotReady[b.p.Node] == "" {
		return nil
	}
	return saying("node "+b.p.Node+" is not Ready", false, b.NotReady[b.p.Node]).
		at(nodeObject(b.p.Node), podObject(b.key.Namespace, b.name))
}

// drainBlocked: a budget refuses an eviction.
func drainBlocked(b *blocked) *Cause {
	if b.stuck.Why.Code != model.DrainBlocked {
		return nil
	}
	return saying(reasons.Named(b.stuck.Why), false, b.stuck.Error)
}

// nodeCannotStart: no pod starts on that node, whatever its template.
func nodeCannotStart(b *blocked) *Cause {
	if !b.starts() || !b.f.OfNode() {
		return nil
	}
	return saying("pods do not start on node "+b.p.Node, false, b.f.Event).
		at(nodeObject(b.p.Node), podObject(b.key.Namespace, b.name))
}
