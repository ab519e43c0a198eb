package dump

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

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
	at := slices.IndexFunc(d.Resizes, func(r *Resize) bool { return r.Claim == claim })
	if at < 0 {
		return nil
	}
	return d.Resizes[at]
}

// Full says whether the container of a pod that ends again and again says that a disk is full.
func (d *Dump) Full(pod model.Key) bool {
	f := d.Facts[pod]
	return f != nil && symptom.NoSpace(f.ExitMessage)
}

// Ungrown says whether the containers of a pod are not created because a file system on its node does not grow.
func (d *Dump) Ungrown(p *Pod) bool {
	return p.Phase == model.Pending && symptom.WarnsOfResize(d.Facts[p.Key()].Event)
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

// resizeFails says why a claim does not grow that should: what its conditions, the events, or its status say; "" if
// nothing says so.
func (c *converter) resizeFails(object *corev1.PersistentVolumeClaim, conditions map[string]string) string {
	key := model.Key{Namespace: object.Namespace, Name: object.Name}
	for _, kind := range symptom.ResizeFailures {
		if conditions[kind] != "" {
			return oneSentence(conditions[kind])
		}
	}
	at := slices.IndexFunc(c.State.Pods, func(p sim.PodState) bool {
		return p.Namespace == key.Namespace && symptom.WarnsOfResize(c.Facts[p.Key()].Event) &&
			slices.ContainsFunc(p.Volumes, func(v model.Volume) bool { return v.Claim == key.Name })
	})
	status := string(object.Status.AllocatedResourceStatuses[corev1.ResourceStorage])
	switch {
	case c.Claims[key].NotResized != "":
		return oneSentence(c.Claims[key].NotResized)
	case at >= 0:
		return oneSentence(c.Facts[c.State.Pods[at].Key()].Event)
	case symptom.GivenUp(status):
		return status
	}
	return ""
}

// oneSentence returns a message that a sentence can end with.
func oneSentence(message string) string { return strings.TrimRight(OneLine(message), ". ") }
