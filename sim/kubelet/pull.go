package kubelet

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// These are the words that kubectl shows for an image that cannot be pulled: after a failed attempt, and while the
// kubelet waits for the next one.
const (
	shownErrImagePull     = "ErrImagePull"
	shownImagePullBackOff = "ImagePullBackOff"
)

// bound begins the work of the kubelet on a pod that was bound to its node and whose volumes are attached: the pull
// of its image, if that is modelled, and then its start. It is called once for each life.
func (k *Kubelets) bound(l *life, pod *model.Pod) {
	k.watchOthers(l)
	if k.behaviour.Probes != nil {
		k.unpack(l, pod)
		l.manifest.pass(k.memories[pod.UID].Passed)
	}
	if l.times.Pull == nil {
		k.after(l, start, l.times.Start)
		return
	}
	if l.manifest != nil {
		k.pull(l, l.manifest.next())
		return
	}
	k.pull(l, l.app(pod))
}

// pull begins an attempt to pull the pod's image. One image stands for those of all containers.
func (k *Kubelets) pull(l *life, c *container) {
	takes := l.times.Pull.Takes
	if takes == nil {
		takes = behaviour.Constant(0)
	}
	k.afterIn(l, c, pulled, takes)
}

// pulled ends an attempt. The kubelet tries again after waits that double (ImagePullBackOff), for ever. If no attempt
// can succeed, attempts after the first change nothing and do not keep the run open.
func (k *Kubelets) pulled(l *life, c *container) {
	image := k.store.Pod(l.Key).Template.Image()
	if !l.times.Pull.FailsAt(c.pulls.Failed, k.kernel.Now()) {
		c.idle = false
		if c.pulls.Failed > 0 {
			k.show(l, c, "", fmt.Sprintf("image %s is pulled", image))
		}
		k.after(l, start, l.times.Start)
		return
	}
	wait := c.pulls.Fail(behaviour.ImageBackOff)
	c.idle = l.times.Pull.Never()
	k.show(l, c, shownErrImagePull, fmt.Sprintf("failed to pull image %s", image))
	k.show(l, c, shownImagePullBackOff, fmt.Sprintf("back-off %s pulling image %s", wait, image))
	k.scheduleIn(l, c, pullAgain, k.kernel.Now().Add(wait))
}
