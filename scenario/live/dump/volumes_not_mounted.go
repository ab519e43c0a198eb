package dump

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
)

// Attachment is a VolumeAttachment: the volume is attached to the node, or was.
type Attachment struct {
	Name, Node, Volume string
	// Going is true if it is being deleted. Error is why the driver does not detach the volume; "" if it does not say.
	Going bool
	Error string
}

// attachmentsOf returns those of a dump, in the order of their names.
func attachmentsOf(objects []*storagev1.VolumeAttachment) []Attachment {
	var list []Attachment
	for _, object := range objects {
		volume := object.Spec.Source.PersistentVolumeName
		if volume == nil || *volume == "" {
			continue
		}
		a := Attachment{Name: object.Name, Node: object.Spec.NodeName, Volume: *volume,
			Going: object.DeletionTimestamp != nil}
		if e := object.Status.DetachError; e != nil {
			a.Error = OneLine(e.Message)
		}
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b Attachment) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// AttachedElsewhere returns the attachments of the volumes of a pod to other nodes than its own.
func (d *Dump) AttachedElsewhere(p *Pod) []Attachment {
	var list []Attachment
	for _, claim := range d.ClaimsOf(p.Pod) {
		for _, a := range d.Attachments {
			if a.Volume == VolumeOf(claim) && a.Node != p.Node {
				list = append(list, a)
			}
		}
	}
	return list
}

// Stranded reports whether the node of an attachment does not exist: the dump has nodes, and it is not among them.
func (d *Dump) Stranded(a *Attachment) bool {
	return !d.Nodeless && !slices.ContainsFunc(d.State.Nodes, func(n sim.NodeState) bool { return n.Name == a.Node })
}

// where says where the volume is attached, and why it stays there, in a sentence.
func (d *Dump) where(a *Attachment) string {
	text := fmt.Sprintf("The VolumeAttachment %s attaches it to %s", a.Name, a.Node)
	switch {
	case d.Stranded(a):
		text += ", which is not among the nodes of the dump"
	case a.Error != "":
		text += ", and the driver of the volume does not detach it: " + a.Error
	case a.Going:
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

// unmounted returns the volume of Unmounted; "" if there is none.
func (d *Dump) unmounted(p *Pod) string {
	event := d.Facts[p.Key()].Event
	if p.Phase != model.Pending || !symptom.Unmounted(event) {
		return ""
	}
	for _, claim := range d.ClaimsOf(p.Pod) {
		if volume := VolumeOf(claim); volume != "" && strings.Contains(event, strconv.Quote(volume)) {
			return volume
		}
	}
	return ""
}

// Attached says whether the volume of a pod is said to be attached to another node: no change of the StatefulSet helps.
func (d *Dump) Attached(pod model.Key) bool {
	f := d.Facts[pod]
	return f != nil && strings.Contains(f.Event, symptom.MultiAttach)
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
