package sim

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// The words that kubectl shows of an image that cannot be pulled: of an attempt that has failed, and while the kubelet
// waits for the next.
const (
	shownErrImagePull     = "ErrImagePull"
	shownImagePullBackOff = "ImagePullBackOff"
)

// bound begins what a kubelet does for a pod that it has been given.
func (w *World) bound(l *life, pod *model.Pod) {
	w.watchOthers(l)
	if w.config.Kubelet.Probes != nil {
		w.unpack(l, pod)
	}
	if l.times.Pull == nil {
		w.after(l, start, l.times.Start)
		return
	}
	if l.boxes != nil {
		w.pull(l, l.boxes.first())
		return
	}
	w.pull(l, l.app(pod))
}

// pull begins an attempt to pull the pod's image.
func (w *World) pull(l *life, c *container) {
	takes := l.times.Pull.Takes
	if takes == nil {
		takes = behaviour.Constant(0)
	}
	w.afterIn(l, c, pulled, takes)
}

// pulled ends an attempt. The kubelet tries again after waits that double; where no attempt can succeed they change
// nothing after the first.
func (w *World) pulled(l *life, c *container) {
	pod := w.store.Pod(l.key)
	if pod == nil || pod.UID != l.uid {
		return
	}
	image := pod.Template.Image()
	if !l.times.Pull.FailsAt(c.pulls.Failed, w.Now()) {
		c.idle = false
		if c.pulls.Failed > 0 {
			w.show(l, c, "", fmt.Sprintf("image %s is pulled", image))
		}
		w.after(l, start, l.times.Start)
		return
	}
	wait := c.pulls.Fail(behaviour.ImageBackOff)
	c.idle = l.times.Pull.Never()
	w.show(l, c, shownErrImagePull, fmt.Sprintf("failed to pull image %s", image))
	w.show(l, c, shownImagePullBackOff, fmt.Sprintf("back-off %s pulling image %s", wait, image))
	w.scheduleIn(l, c, pullAgain, w.Now().Add(wait))
}
