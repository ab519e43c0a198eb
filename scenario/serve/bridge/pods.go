package bridge

import (
	"cmp"
	"encoding/json"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/container"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/sim"
)

// started follows a change of a pod: its readiness probes look at files, it may name its node, and the kubelet of that
// node refuses it if a host port is taken. It is called within the write.
func (c *Cluster) started(change *sim.Change, o *objects.Object) {
	pod := change.Pod
	if pod.Node == "" && change.OldPod == nil {
		if node := cmp.Or(o.Fields.Text("spec", "nodeName"), nodeOf(pod.Template)); node != "" {
			c.User.PinPod(pod, node)
		} else if name := o.Fields.Text("spec", "schedulerName"); name != "" && name != corev1.DefaultSchedulerName &&
			len(pod.Owners) == 0 {
			c.User.LeavePod(pod) // The pods of a set are bound, whichever scheduler they name.
		}
	}
	if pod.Node == "" || pod.Finished() || pod.Terminating() {
		return
	}
	if change.OldPod != nil && change.OldPod.Node == "" && container.PortTaken(o, c.Objects.List(kinds.Pod, "")) {
		c.User.RefusePod(o.Key, "NodePorts")
		return
	}
	c.User.ShutPod(o.Key, c.Files.Shut(&c.Objects, o))
}

// nodeOf returns the node that a template names.
func nodeOf(template *model.Template) string {
	var read struct{ Spec struct{ NodeName string } }
	if template == nil || !strings.Contains(template.Data, `"nodeName"`) ||
		json.Unmarshal([]byte(template.Data), &read) != nil {
		return ""
	}
	return read.Spec.NodeName
}
