package container

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
)

// Running returns the container of a pod that a client names, or the only one, or the default one. It must run.
func Running(pod *objects.Object, name string) (kinds.Fields, error) {
	container, err := named(pod, name)
	if err != nil {
		return nil, err
	}
	name = container.Text("name")
	switch phase := pod.Fields.Text("status", "phase"); {
	case phase == "Failed" || phase == "Succeeded":
		return nil, apierrors.NewBadRequest(fmt.Sprintf(
			"cannot exec into a container in a completed pod; current phase is %s", phase))
	case phase != "Running" || !runs(pod, name):
		return nil, apierrors.NewBadRequest(fmt.Sprintf("container not found (%q): it does not run now", name))
	}
	return container, nil
}

// named returns the container of a pod that a client names, or the default one if the client does not name one.
func named(pod *objects.Object, name string) (kinds.Fields, error) {
	all := containersOf(pod)
	if name == "" {
		name = pod.Fields.Texts("metadata", "annotations")["kubectl.kubernetes.io/default-container"]
	}
	if own := pod.Fields.List("spec", "containers"); name == "" && len(own) > 0 {
		name = own[0].Text("name")
	}
	at := slices.IndexFunc(all, func(c kinds.Fields) bool { return c.Text("name") == name })
	if at < 0 {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("container %s is not valid for pod %s", name, pod.Key.Name))
	}
	return all[at], nil
}

// Begun returns the container of a pod whose output a client wants to read: it is running, or it ran before.
func Begun(pod *objects.Object, name string) (kinds.Fields, error) {
	container, err := named(pod, name)
	if err != nil {
		return nil, err
	}
	state := statusOf(pod, container.Text("name"))
	switch phase := pod.Fields.Text("status", "phase"); {
	case phase == "Failed" || phase == "Succeeded", state.Map("state", "running") != nil,
		state.Map("state", "terminated") != nil, state.Map("lastState", "terminated") != nil:
		return container, nil
	}
	reason := cmp.Or(state.Text("state", "waiting", "reason"), "ContainerCreating")
	return nil, apierrors.NewBadRequest(fmt.Sprintf("container %q in pod %q is waiting to start: %s",
		container.Text("name"), pod.Key.Name, reason))
}

// containersOf returns the containers of a pod.
func containersOf(pod *objects.Object) []kinds.Fields {
	return slices.Concat(pod.Fields.List("spec", "containers"), pod.Fields.List("spec", "initContainers"),
		pod.Fields.List("spec", "ephemeralContainers"))
}

// statusOf returns the status of a container, nil if it has none.
func statusOf(pod *objects.Object, name string) kinds.Fields {
	for _, list := range []string{"containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"} {
		for _, c := range pod.Fields.List("status", list) {
			if c.Text("name") == name {
				return c
			}
		}
	}
	return nil
}

// runs reports whether a container of a pod is running.
func runs(pod *objects.Object, name string) bool {
	return statusOf(pod, name).Map("state", "running") != nil
}

// Has reports whether a pod has a container of a name.
func Has(pod *objects.Object, name string) bool {
	return slices.ContainsFunc(containersOf(pod), func(c kinds.Fields) bool { return c.Text("name") == name })
}

// Log returns a container's log: only a line that says that there is no more, from its start.
func Log(pod *objects.Object, container kinds.Fields) string {
	state := statusOf(pod, container.Text("name")).Map("state")
	if end := state.Text("terminated", "finishedAt"); end != "" {
		return fmt.Sprintf("container %s of image %s ran until %s; a simulated container writes nothing else\n",
			container.Text("name"), container.Text("image"), end)
	}
	since := cmp.Or(state.Text("running", "startedAt"), pod.Fields.Text("status", "startTime"))
	return fmt.Sprintf("container %s of image %s runs since %s; a simulated container writes nothing else\n",
		container.Text("name"), container.Text("image"), since)
}

// PortTaken reports whether another one of the pods on the node of a pod has one of its host ports.
func PortTaken(pod *objects.Object, pods []*objects.Object) bool {
	ports := hostPorts(pod)
	if len(ports) == 0 {
		return false
	}
	for _, other := range pods {
		if phase := other.Fields.Text("status", "phase"); other.UID() == pod.UID() || phase == "Failed" ||
			phase == "Succeeded" || other.Fields.Text("spec", "nodeName") != pod.Fields.Text("spec", "nodeName") {
			continue
		}
		for _, port := range slices.Sorted(maps.Keys(hostPorts(other))) {
			if ports[port] {
				return true
			}
		}
	}
	return false
}

func hostPorts(pod *objects.Object) map[string]bool {
	ports := map[string]bool{}
	for _, c := range pod.Fields.List("spec", "containers") {
		for _, port := range c.List("ports") {
			if n := port.Number("hostPort"); n > 0 {
				ports[cmp.Or(port.Text("protocol"), "TCP")+strconv.FormatInt(n, 10)] = true
			}
		}
	}
	return ports
}
