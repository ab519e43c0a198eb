package dump

import (
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Unbegun says whether the kubelet of a pod's node has not begun with it, although it has been there for a long time.
func (d *Dump) Unbegun(p *Pod) bool {
	f := d.Facts[p.Key()]
	return p.Phase == model.Pending && p.Node != "" && f.Unbegun && f.Event == "" && p.Bound.Add(patience) < 0
}

// Unmounted says whether the containers of a pod are not created because a volume of one of its claims is not attached
// or not mounted: no change of the template alters that.
func (d *Dump) Unmounted(p *Pod) bool {
	event := d.Facts[p.Key()].Event
	failed := strings.HasPrefix(event, "FailedMount: ") || strings.HasPrefix(event, "FailedAttachVolume: ")
	return p.Phase == model.Pending && failed && slices.ContainsFunc(d.ClaimsOf(p.Pod), func(claim *model.Claim) bool {
		volume := VolumeOf(claim)
		return volume != "" && strings.Contains(event, strconv.Quote(volume))
	})
}
