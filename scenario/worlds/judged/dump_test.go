package judged_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/sim"
)

// taken is the time at which each world is dumped.
var taken = time.Date(2026, time.November, 1, 12, 0, 0, 0, time.UTC)

// parts are what people dump of a cluster, each with the kinds that are left out.
var parts = map[string][]string{
	"everything":         nil,
	"without events":     {"Event"},
	"without nodes":      {"Node"},
	"without claims":     {"PersistentVolumeClaim"},
	"without revisions":  {"ControllerRevision"},
	"pods and sets":      {"Event", "Node", "PersistentVolumeClaim", "ControllerRevision"},
	"pods, sets, events": {"Node", "PersistentVolumeClaim", "ControllerRevision"},
	"a namespace":        {"Node"},
}

// partNames are the parts, everything more often.
var partNames = strings.Split("everything|everything|everything|without events|without nodes|without claims|"+
	"without revisions|pods and sets|pods, sets, events|a namespace", "|")

// dumped prints a state of the world as kubectl prints that of a cluster: with what the kubelets, the scheduler and the
// controllers say of its trouble in statuses and events.
func (w *judged) dumped(t require.TestingT, state *sim.State, now model.Time) []byte {
	return w.dumpedAt(t, state, now, taken)
}

// dumpedAt is dumped at another time.
func (w *judged) dumpedAt(t require.TestingT, state *sim.State, now model.Time, taken time.Time) []byte {
	s := shower{judged: w, now: now, state: state}
	var items []any
	for _, o := range printing.Objects(state, taken) {
		switch o := o.(type) {
		case *corev1.Pod:
			s.pod(o)
		case *corev1.Node:
			s.node(o)
		case *corev1.PersistentVolumeClaim:
			s.claim(o)
		case *appsv1.StatefulSet:
			s.set(o)
		}
		items = append(items, o)
	}
	for _, e := range s.events {
		items = append(items, e)
	}
	items = slices.DeleteFunc(items, func(o any) bool {
		kind, namespace := kindOf(o)
		return slices.Contains(parts[w.part], kind) ||
			w.part == "a namespace" && namespace != "default" && namespace != ""
	})
	data, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	require.NoError(t, err)
	return data
}

// kindOf returns the kind and the namespace of an object of k8s.io/api.
func kindOf(o any) (kind, namespace string) {
	of := o.(interface {
		GetNamespace() string
		GetObjectKind() schema.ObjectKind
	})
	return of.GetObjectKind().GroupVersionKind().Kind, of.GetNamespace()
}

// shower adds to the objects what a cluster says of the trouble.
type shower struct {
	*judged
	now    model.Time
	state  *sim.State
	events []*corev1.Event
}

// met says whether the trouble is about a pod, and is not over yet.
func (s *shower) met(p *model.Pod, kinds ...string) bool {
	of := &s.trouble
	return slices.Contains(kinds, of.kind) && of.meets(p) && (of.ends == 0 || s.now < model.Time(of.ends))
}

// stateOf returns a pod of the state.
func (s *shower) stateOf(object *corev1.Pod) *sim.PodState {
	at := slices.IndexFunc(s.state.Pods, func(p sim.PodState) bool {
		return p.Namespace == object.Namespace && p.Name == object.Name
	})
	return &s.state.Pods[at]
}

// pod adds what the scheduler and the kubelet say of a pod.
func (s *shower) pod(object *corev1.Pod) {
	p := s.stateOf(object)
	if p.Node == "" {
		s.unplaced(object, p)
		return
	}
	for i := range object.Status.Conditions {
		c := &object.Status.Conditions[i]
		if c.Type == corev1.PodReady && c.Status == corev1.ConditionFalse && !p.Silenced {
			c.Reason = "ContainersNotReady"
		}
	}
	if p.Phase != model.Pending || p.Terminating() {
		if s.met(p.Pod, "unready") && s.trouble.says != "" && p.Phase == model.Running && !p.Ready {
			s.event(object.Namespace, "Pod", p.Name, "Unhealthy", s.trouble.says)
		}
		return
	}
	long := p.Bound < model.Time(-2*time.Second)
	for i := range object.Status.ContainerStatuses {
		status := &object.Status.ContainerStatuses[i]
		switch {
		case s.met(p.Pod, "image") && long:
			reason := "ErrImagePull"
			if p.Bound < model.Time(-15*time.Second) {
				reason = "ImagePullBackOff"
			}
			status.State.Waiting = &corev1.ContainerStateWaiting{Reason: reason,
				Message: fmt.Sprintf("failed to pull and unpack image %q: %s", status.Image, s.trouble.says)}
		case s.met(p.Pod, "secret") && long:
			status.State.Waiting = &corev1.ContainerStateWaiting{Reason: "CreateContainerConfigError", Message: s.trouble.says}
		}
	}
	reason := map[string]string{"mount": "FailedMount", "sandbox": "FailedCreatePodSandBox", "attach": "FailedAttachVolume"}[s.trouble.kind]
	if reason != "" && s.met(p.Pod, s.trouble.kind) && long {
		s.event(object.Namespace, "Pod", p.Name, reason, s.trouble.says)
	}
}

// unplaced adds what the scheduler says of a pod without a node; a scheduler that is down says nothing.
func (s *shower) unplaced(object *corev1.Pod, p *sim.PodState) {
	says := p.Unscheduled
	switch {
	case s.trouble.kind == "scheduler" && p.Created.Add(time.Duration(s.now)) >= model.Time(s.trouble.from):
		object.Status.Conditions = nil
		return
	case s.met(p.Pod, "unschedulable"):
		says = "0/2 nodes are available: " + s.trouble.says + " preemption: 0/2 nodes are available: 2 No preemption victims found."
	case says == "" && s.unbound(p):
		says = "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: not eligible."
	case says == "":
		object.Status.Conditions = nil
		return
	}
	object.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse,
		Reason: "Unschedulable", Message: says, LastTransitionTime: object.CreationTimestamp}}
	s.event(object.Namespace, "Pod", p.Name, "FailedScheduling", says)
}

// unbound says whether a claim of a pod has no volume.
func (s *shower) unbound(p *sim.PodState) bool {
	return slices.ContainsFunc(p.Volumes, func(v model.Volume) bool {
		return slices.ContainsFunc(s.state.Claims, func(c *model.Claim) bool {
			return c.Namespace == p.Namespace && c.Name == v.Claim && c.Phase != model.ClaimBound
		})
	})
}

// claim adds what the provisioner says of a claim, and the volume of one that has one.
func (s *shower) claim(object *corev1.PersistentVolumeClaim) {
	if object.Status.Phase == corev1.ClaimBound {
		object.Spec.VolumeName = "pv-" + object.Name
		return
	}
	ends := s.trouble.ends > 0 && s.now >= model.Time(s.trouble.ends)
	if s.trouble.kind == "claim" && s.trouble.says != "" && !ends && s.trouble.meetsClaim(&model.Claim{Meta: model.Meta{Name: object.Name}}) {
		s.event(object.Namespace, "PersistentVolumeClaim", object.Name, "ProvisioningFailed", s.trouble.says)
	}
}

// node adds what a kubelet writes into the status of its node every few minutes.
func (s *shower) node(object *corev1.Node) {
	object.Status.NodeInfo.KubeletVersion = "v" + s.version + ".0"
	object.Labels = map[string]string{corev1.LabelHostname: object.Name}
	c := &object.Status.Conditions[0]
	beat, since := taken.Add(-time.Minute), taken.Add(-time.Hour)
	if c.Status == corev1.ConditionTrue {
		beat = taken.Add(-3 * time.Second)
	}
	for i := range s.state.Nodes {
		if n := &s.state.Nodes[i]; n.Name == object.Name && n.NotReady {
			since = taken.Add(min(0, time.Duration(n.Tainted)))
		}
	}
	c.LastHeartbeatTime, c.LastTransitionTime = metav1.NewTime(beat), metav1.NewTime(since)
}

// set adds the event about pods that are refused.
func (s *shower) set(object *appsv1.StatefulSet) {
	of := &s.trouble
	if of.kind != "quota" && of.kind != "webhook" || s.now < model.Time(of.from) || of.ends > 0 && s.now >= model.Time(of.ends) {
		return
	}
	replicas := int(*object.Spec.Replicas)
	for i := range replicas {
		name := fmt.Sprintf("%s-%d", object.Name, i)
		if slices.ContainsFunc(s.state.Pods, func(p sim.PodState) bool { return p.Namespace == object.Namespace && p.Name == name }) {
			continue
		}
		if of.ordinal >= 0 && of.ordinal != i || of.image != "" && object.Spec.Template.Spec.Containers[0].Image != of.image {
			continue
		}
		s.event(object.Namespace, "StatefulSet", object.Name, "FailedCreate", fmt.Sprintf("create Pod %s in StatefulSet %s failed error: %s",
			name, object.Name, strings.ReplaceAll(of.says, "POD", name)))
		return
	}
}

// event adds a warning.
func (s *shower) event(namespace, kind, name, reason, message string) {
	last, version := metav1.NewTime(taken.Add(-time.Second)), "v1"
	if kind == "StatefulSet" {
		version = "apps/v1"
	}
	s.events = append(s.events, &corev1.Event{
		TypeMeta:       metav1.TypeMeta{APIVersion: "v1", Kind: "Event"},
		ObjectMeta:     metav1.ObjectMeta{Namespace: namespace, Name: fmt.Sprintf("%s.%d", name, len(s.events))},
		InvolvedObject: corev1.ObjectReference{APIVersion: version, Kind: kind, Namespace: namespace, Name: name},
		Type:           corev1.EventTypeWarning, Reason: reason, Message: message, LastTimestamp: last,
	})
}
