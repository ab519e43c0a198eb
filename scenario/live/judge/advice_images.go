package judge

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// admitted says what admission has done to the container that does not run.
func (x *shown) admitted() {
	f := x.f
	switch {
	case f.Added:
		x.add("The template has no container %s: admission adds it (a mutating webhook, for example that of a service "+
			"mesh). No change of the StatefulSet repairs it. When it is repaired there, delete %s: the new pod gets the "+
			"new container.", f.Container, x.p.Name)
	case f.Replaced != "":
		x.add("The template names the image %s. Admission has replaced it by %s (a mutating webhook, for example that of a "+
			"registry mirror), or somebody has edited the pod.", f.Replaced, f.Image)
	}
}

// image says why its image cannot be pulled.
func (x *shown) image() {
	f := x.f
	if f.PullSecret != "" && f.Waiting != "" {
		x.add("The Secret that imagePullSecrets names does not exist in the namespace %s %s. When it does, the kubelet "+
			"pulls by itself, after at most 5m.", x.p.Namespace, f.PullSecret)
	} else if symptom.Unauthorized(f.Message) {
		x.add("The registry refuses the credentials, or there are none. Correct the Secret that imagePullSecrets names, in " +
			"the pod or in its ServiceAccount. The kubelet then pulls by itself, after at most 5m.")
	}
	if symptom.RateLimited(f.Message) {
		x.add("The registry limits how often images are pulled. The kubelet tries again by itself, after at most 5m, and " +
			"succeeds when the limit allows it. Credentials (imagePullSecrets) raise the limit.")
	}
	if symptom.NoImage(f.Waiting) && symptom.Throttled(f.Message) {
		x.add("The kubelet of %s limits how often it pulls (registryPullQPS). It tries again by itself, after at most 5m.",
			x.p.Node)
	}
	if symptom.NoImage(f.Waiting) && symptom.Diskless(f.Message+f.Event) {
		x.add("The disk of %s has no room for the image: no pod starts there whose image it does not have yet. When there "+
			"is room (%s shows DiskPressure), the kubelet pulls by itself, after at most 5m.",
			x.p.Node, shell.Kubectl("describe", "node", x.p.Node))
	}
	if symptom.NoImage(f.Waiting) && symptom.OtherPlatform(f.Message) {
		x.add("The image has no variant for the platform of %s (%s). Pods of it have to stay away from such nodes (a "+
			"nodeSelector with kubernetes.io/arch and kubernetes.io/os in the template), or the image needs that variant.",
			x.p.Node, x.platform())
	}
	if symptom.NoImage(f.Waiting) && symptom.Unreached(f.Message) {
		x.add("The registry was not reached, or has not answered. The kubelet tries again by itself, after at most 5m.")
	}
}

// platform returns the operating system and the architecture of the node of the pod, as its labels have them.
func (x *shown) platform() string {
	for i := range x.d.State.Nodes {
		if n := &x.d.State.Nodes[i]; n.Name == x.p.Node && n.Labels[corev1.LabelArchStable] != "" {
			return n.Labels[corev1.LabelOSStable] + "/" + n.Labels[corev1.LabelArchStable]
		}
	}
	return shell.Kubectl("get", "node", x.p.Node, "--show-labels")
}
