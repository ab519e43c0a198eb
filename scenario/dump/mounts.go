package dump

import (
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

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
