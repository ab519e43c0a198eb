package dump

import (
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
)

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
	return f != nil && strings.Contains(f.Event, multiAttach)
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

// multiAttach is the beginning of the message about a volume that is attached to another node.
const multiAttach = "Multi-Attach"
