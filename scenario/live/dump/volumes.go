package dump

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// AttachedElsewhere returns the attachments of the volumes of a pod to other nodes than its own.
func (d *Dump) AttachedElsewhere(p *Pod) []*storagev1.VolumeAttachment {
	return d.attachments(p, func(a *storagev1.VolumeAttachment) bool { return a.Spec.NodeName != p.Node })
}

// attachments returns those of the attachments of the volumes of a pod that are meant.
func (d *Dump) attachments(p *Pod, is func(*storagev1.VolumeAttachment) bool) (list []*storagev1.VolumeAttachment) {
	for _, claim := range d.ClaimsOf(p.Pod) {
		for _, a := range d.Attachments {
			if of := a.Spec.Source.PersistentVolumeName; of != nil && *of != "" && *of == VolumeOf(claim) && is(a) {
				list = append(list, a)
			}
		}
	}
	return list
}

// undetached returns why the driver does not detach the volume of an attachment; "" if it does not say.
func undetached(a *storagev1.VolumeAttachment) string {
	if a.Status.DetachError == nil {
		return ""
	}
	return OneLine(a.Status.DetachError.Message)
}

// inUse names the volumes of a pod that its node has in use, in a sentence; "" if its node shows none.
func (d *Dump) inUse(p *Pod) string {
	var names []string
	for _, claim := range d.ClaimsOf(p.Pod) {
		if handle := d.Claims[claim.Key()].Handle; handle != "" && slices.Contains(d.Nodes[p.Node].InUse, handle) {
			names = append(names, VolumeOf(claim))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" %s still has %s in use (volumesInUse).", p.Node, render.And(names))
}

// detaching says in sentences that the volumes of a pod are being detached from its own node, and why that does not end.
func (d *Dump) detaching(p *Pod) []string {
	var list []string
	for _, a := range d.attachments(p, func(a *storagev1.VolumeAttachment) bool {
		return a.Spec.NodeName == p.Node && a.DeletionTimestamp != nil
	}) {
		text := fmt.Sprintf("The VolumeAttachment %s, which attaches its volume to its own node %s, has been terminating for "+
			"%s", a.Name, p.Node, Age(model.Time(a.DeletionTimestamp.Sub(d.At))))
		if len(a.Finalizers) > 0 {
			text += ", and the finalizer " + strings.Join(a.Finalizers, ", ") + " keeps it"
		}
		if says := undetached(a); says != "" {
			text += ": " + strings.TrimRight(says, ". ")
		}
		list = append(list, text+". The volume is attached anew only when it is gone, and it may not go while the pod wants the "+
			"volume there: scale the StatefulSet below that pod until the VolumeAttachment is gone, and back. If it stays, look "+
			"at the attacher and the driver of the volume; its finalizer is not for people to remove while the disk is attached.")
	}
	return list
}

// Stranded reports whether the node of an attachment does not exist: the dump has nodes, and it is not among them.
func (d *Dump) Stranded(a *storagev1.VolumeAttachment) bool {
	return !d.Nodeless && d.Node(a.Spec.NodeName) == nil
}

// where says where the volume is attached, and why it stays there, in a sentence.
func (d *Dump) where(a *storagev1.VolumeAttachment) string {
	text := fmt.Sprintf("The VolumeAttachment %s attaches it to %s", a.Name, a.Spec.NodeName)
	switch says := undetached(a); {
	case d.Stranded(a):
		text += ", which is not among the nodes of the dump"
	case says != "":
		text += ", and the driver of the volume does not detach it: " + says
	case a.DeletionTimestamp != nil:
		text += ", and is being deleted: the driver of the volume has not detached it yet"
	}
	return text + "."
}

// Unbegun says whether the kubelet of a pod's node has not begun with it, although it has been there for a long time.
func (d *Dump) Unbegun(p *Pod) bool {
	f := d.Facts[p.Key()]
	return p.Phase == model.Pending && p.Node != "" && f.Unbegun && f.Event == "" && p.Bound.Add(patience) < 0
}

// Unmounted says whether the containers of a pod are not created because a volume of one of its claims is not attached
// or not mounted: no change of the template alters that.
func (d *Dump) Unmounted(p *Pod) bool { return d.unmounted(p) != "" }

// unmounted returns the claim of Unmounted; "" if there is none.
func (d *Dump) unmounted(p *Pod) string {
	event := d.Facts[p.Key()].Event
	if p.Phase != model.Pending || !symptom.Unmounted.In(event) {
		return ""
	}
	for _, claim := range d.ClaimsOf(p.Pod) {
		if volume := VolumeOf(claim); volume != "" && strings.Contains(event, strconv.Quote(volume)) {
			return claim.Name
		}
	}
	return ""
}

// Attached says whether the volume of a pod is said to be attached to another node: no change of the StatefulSet helps.
func (d *Dump) Attached(pod model.Key) bool {
	f := d.Facts[pod]
	return f != nil && symptom.MultiAttach.In(f.Event)
}

// users returns the pods on other nodes that use a claim of a pod, and have not ended.
func (s *stays) users(p *Pod) []*Pod {
	var users []*Pod
	for _, v := range p.Volumes {
		for _, other := range s.Users(model.Key{Namespace: p.Namespace, Name: v.Claim}) {
			if other.Node != "" && other.Node != p.Node && !other.Finished() && !slices.Contains(users, other) {
				users = append(users, other)
			}
		}
	}
	return users
}

// Holders returns the pods of other owners than sets that use a claim of a pod on other nodes.
func (d *Dump) Holders(p *Pod) []Holder {
	var list []Holder
	for _, claim := range d.ClaimsOf(p.Pod) {
		for _, h := range d.Claims[claim.Key()].Holders {
			if h.Node != p.Node && !slices.Contains(list, h) {
				list = append(list, h)
			}
		}
	}
	slices.SortFunc(list, func(a, b Holder) int { return cmp.Compare(a.Pod, b.Pod) })
	return list
}

// Scaled reports whether kubectl scale takes the pods of the owner away.
func (h *Holder) Scaled() bool { return h.Kind == "Deployment" || h.Kind == "ReplicaSet" }

// String says in sentences that one that is Scaled has the volume, and what ends that.
func (h *Holder) String(namespace string) string {
	return fmt.Sprintf("The pod %s of the %s %s uses it on %s. If nobody needs it any more: %s. A pod that is only deleted "+
		"comes back.", h.Pod, h.Kind, h.Name, h.Node, h.Scale(namespace))
}

// Scale is the command that takes the pods of the owner away.
func (h *Holder) Scale(namespace string) string {
	return shell.In(namespace, "scale", strings.ToLower(h.Kind), h.Name, "--replicas=0")
}

// Resize is a change of the volume of a claim that has not come to its end.
type Resize struct {
	Claim model.Key
	// Wanted is the size that the claim asks for, Has that of its volume. Class is the VolumeAttributesClass that the
	// volume does not get; "" if it is about its size.
	Wanted, Has, Class string
	// Restart is true if the volume has grown, and its file system does when a pod that uses the claim starts again.
	Restart bool
	// Failed says what keeps it from succeeding, as whoever tries it says; "" if nothing fails.
	Failed string
}

// String says in sentences what comes of it.
func (r *Resize) String() string {
	switch {
	case r.Class != "":
		return fmt.Sprintf("The PVC %s does not get the VolumeAttributesClass %s: %s. Its volume works as before.",
			r.Claim.Name, r.Class, r.Failed)
	case r.Failed != "":
		return fmt.Sprintf("The PVC %s asks for %s and has %s, and it does not grow: %s. Whoever resizes volumes tries "+
			"again by itself. If that cannot succeed, let the PVC ask for less, but for more than %[3]s (possible from "+
			"Kubernetes 1.32 on).", r.Claim.Name, r.Wanted, r.Has, r.Failed)
	}
	return fmt.Sprintf("The PVC %s asks for %s and has %s: it is being enlarged. What is known of it: %s",
		r.Claim.Name, r.Wanted, r.Has, shell.In(r.Claim.Namespace, "describe", "pvc", r.Claim.Name))
}

// ResizeOf returns what comes of the size of a claim, nil if there is nothing to say.
func (d *Dump) ResizeOf(claim model.Key) *Resize {
	for _, r := range d.Resizes {
		if r.Claim == claim {
			return r
		}
	}
	return nil
}

// Full says whether the container of a pod that ends again and again says that a disk is full.
func (d *Dump) Full(pod model.Key) bool {
	f := d.Facts[pod]
	return f != nil && symptom.NoSpace.In(f.ExitMessage)
}

// Ungrown says whether the containers of a pod are not created because a file system on its node does not grow.
func (d *Dump) Ungrown(p *Pod) bool {
	return p.Phase == model.Pending && symptom.WarnsOfResize.In(d.Facts[p.Key()].Event)
}

// Regrows says whether the file system of a full disk grows when a new pod starts in place of this one.
func (d *Dump) Regrows(p *Pod) bool {
	return d.Full(p.Key()) && slices.ContainsFunc(d.ClaimsOf(p.Pod), func(claim *model.Claim) bool {
		r := d.ResizeOf(claim.Key())
		return r != nil && r.Restart
	})
}

// resizes notes what becomes of claims that ask for more, or for another class of volume. It comes after the events.
func (c *converter) resizes() {
	for _, object := range c.claims {
		if r := c.resize(object); r != nil {
			c.Resizes = append(c.Resizes, r)
		}
	}
}

// resize returns what becomes of a claim's volume, nil if nothing does.
func (c *converter) resize(object *corev1.PersistentVolumeClaim) *Resize {
	conditions := map[string]string{}
	for _, condition := range object.Status.Conditions {
		if condition.Status == corev1.ConditionTrue {
			conditions[string(condition.Type)] = cmp.Or(condition.Message, string(condition.Type))
		}
	}
	wanted, has := object.Spec.Resources.Requests[corev1.ResourceStorage], object.Status.Capacity[corev1.ResourceStorage]
	r := &Resize{
		Claim: model.Key{Namespace: object.Namespace, Name: object.Name}, Wanted: wanted.String(), Has: has.String(),
	}
	grows := conditions[symptom.RestartPending] + conditions[symptom.Resizing]
	if larger := !has.IsZero() && wanted.Cmp(has) > 0; larger {
		r.Failed = c.resizeFails(object, conditions)
	}
	switch message := conditions[symptom.ModifyFailed]; {
	case r.Failed != "":
	case message != "" && object.Status.ModifyVolumeStatus != nil:
		r.Class, r.Failed = object.Status.ModifyVolumeStatus.TargetVolumeAttributesClassName, oneSentence(message)
	case grows == "":
		return nil
	default:
		r.Restart = conditions[symptom.RestartPending] != ""
	}
	return r
}

// resizeFails says why a claim does not grow: what its conditions, the events, or its status say; "" for nothing.
func (c *converter) resizeFails(object *corev1.PersistentVolumeClaim, conditions map[string]string) string {
	key := model.Key{Namespace: object.Namespace, Name: object.Name}
	for _, kind := range symptom.ResizeFailures {
		if conditions[kind] != "" {
			return oneSentence(conditions[kind])
		}
	}
	at := slices.IndexFunc(c.State.Pods, func(p sim.PodState) bool {
		return p.Namespace == key.Namespace && symptom.WarnsOfResize.In(c.Facts[p.Key()].Event) &&
			slices.ContainsFunc(p.Volumes, func(v model.Volume) bool { return v.Claim == key.Name })
	})
	status := string(object.Status.AllocatedResourceStatuses[corev1.ResourceStorage])
	switch left := symptom.Expanding.In(c.Claims[key].NotResized); {
	case left && conditions[symptom.Resizing] == "" && status == "":
		return "no resizer of its driver has begun: " + oneSentence(c.Claims[key].NotResized)
	case !left && c.Claims[key].NotResized != "":
		return oneSentence(c.Claims[key].NotResized)
	case at >= 0:
		return oneSentence(c.Facts[c.State.Pods[at].Key()].Event)
	case symptom.GivenUp.In(status):
		return status
	}
	return ""
}

// oneSentence returns a message that a sentence can end with.
func oneSentence(message string) string { return strings.TrimRight(OneLine(message), ". ") }
