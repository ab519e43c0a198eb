package judge

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
)

// running says whether the containers of the pod run, and the pod is not Ready.
func (b *blocked) running() bool {
	return b.p != nil && b.p.Phase == model.Running && !b.p.Ready && !b.p.Terminating()
}

// readinessGate: the containers are ready, and somebody has to set a condition.
func readinessGate(b *blocked) *Cause {
	if !b.running() || b.f.Gate == "" {
		return nil
	}
	return saying("a readiness gate of "+b.name+" is not True", false, b.f.Gate)
}

// notReported: the kubelet of a node that answers does not report the pod.
func notReported(b *blocked) *Cause {
	if !b.running() || !b.f.Unreported {
		return nil
	}
	return saying(fmt.Sprintf("the kubelet of %s does not report %s", b.p.Node, b.name), false, b.f.Status).
		at(podObject(b.key.Namespace, b.name), nodeObject(b.p.Node))
}

// serviceHidesPods: a headless Service shows only Ready pods, so a pod that needs its peers to become Ready finds none.
func serviceHidesPods(b *blocked) *Cause {
	if !b.running() || b.f.Waiting != "" {
		return nil
	}
	service := b.hiding()
	if service == "" {
		return nil
	}
	return saying(fmt.Sprintf("%s is not Ready, and the Service %s hides it from its peers until it is: it does not set "+
		"publishNotReadyAddresses", b.name, service), false, b.f.Event).
		at(podObject(b.key.Namespace, b.name), Object{Kind: kindService, Namespace: b.key.Namespace, Name: service}).told()
}

// hiding returns the headless Service of the set, if it shows only Ready pods no pod of the set is Ready, and there
// are several; else "".
func (b *blocked) hiding() string {
	name := b.spec.Spec.ServiceName
	if b.spec.Spec.Replicas < 2 || b.now.Serving() > 0 ||
		!slices.Contains(b.Hiding, model.Key{Namespace: b.key.Namespace, Name: name}) {
		return ""
	}
	return name
}

// serviceMissing: the Service that gives the pods their names does not seem to exist.
func serviceMissing(b *blocked) *Cause {
	if !b.running() || !b.ServiceMissing(b.spec) {
		return nil
	}
	return saying(fmt.Sprintf("the Service %s, which serviceName names, is not in the dump, but others are",
		b.spec.Spec.ServiceName), false).at(podObject(b.key.Namespace, b.name),
		Object{Kind: kindService, Namespace: b.key.Namespace, Name: b.spec.Spec.ServiceName})
}

// notReady: the containers run, and nothing shows why the pod is not Ready.
func notReady(b *blocked) *Cause {
	if !b.running() {
		return nil
	}
	if b.f.Lost {
		return saying(b.name+" was Ready before, and is not Ready now", false, b.f.Event)
	}
	is, long := dump.Lasting(b.p.Started, Dated(b.p))
	return saying(fmt.Sprintf("%s %s Running%s, and is not Ready", b.name, is, long), false, b.f.Event)
}
