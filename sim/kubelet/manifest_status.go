package kubelet

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
)

// report writes the state of a pod's containers into its status: its phase, readiness and the line of kubectl. The
// message is about the container that has changed. A pod becomes Running in a write of its own, before it becomes
// Ready. It is called after each change of a container.
func (k *Kubelets) report(l *life, c *container, message string) {
	b := l.manifest
	status := &model.Containers{Name: c.name, Shown: b.shown(), Message: message, Restarts: b.restarts()}
	status.Ready, status.All = b.readiness()
	if pod := k.store.Pod(l.Key); pod != nil && pod.Phase == model.Pending && b.initialized() {
		// A pod is Running before it is Ready. Both are recorded, even if they come at the same instant.
		k.write().ChangePod(l.Key, func(p *model.Pod) { p.Phase, p.Containers = model.Running, status })
	}
	isReady := b.ready() && (l.gate == nil || l.gate.open)
	k.write().ChangePod(l.Key, func(p *model.Pod) {
		p.Containers = status
		if p.Ready != isReady {
			p.Ready, p.ReadySince = isReady, k.kernel.Now()
		}
	})
}

// shown returns the word that kubectl shows as STATUS, "" if it shows the phase (printPod of kubectl's printers):
// before the pod is initialized that of the init container that holds the others up, then that of the first container
// in the manifest that does not run.
func (b *manifest) shown() string {
	word := ""
	for i, c := range b.init {
		if c.state == isDone || c.probed.up {
			continue
		}
		word = fmt.Sprintf("Init:%d/%d", i, len(b.init))
		if c.word != "" {
			word = "Init:" + c.word
		}
		break
	}
	// Before that none of these has a word.
	for i := len(b.main) - 1; i >= 0; i-- {
		if b.main[i].word != "" {
			word = b.main[i].word
		}
	}
	return word
}

// restarts returns the column RESTARTS as kubectl counts it: the restarts of init containers until the pod is
// initialized, then those of sidecars and the other containers.
func (b *manifest) restarts() int {
	n := 0
	for c := range b.all {
		if b.initialized() != c.probed.regular() {
			n += c.started
		}
	}
	return n
}

// ready says whether all containers that have to be ready are, and the pod is initialized. A gate is not looked at.
func (b *manifest) ready() bool {
	n, all := b.readiness()
	return b.initialized() && n == all
}

// readiness counts the containers that are ready, and those that have to be: init containers that complete do not.
func (b *manifest) readiness() (ready, all int) {
	for c := range b.all {
		if c.probed.regular() {
			continue
		}
		all++
		if c.probed.ready {
			ready++
		}
	}
	return ready, all
}
