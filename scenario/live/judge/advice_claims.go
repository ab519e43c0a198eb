package judge

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// keptClaims says which finalizers keep the claims of a pod that cannot be created before they are gone. That of the
// API server goes by itself when no pod uses the claim.
func keptClaims(pod model.Key, d *dump.Dump) []string {
	var list []string
	for _, claim := range d.State.Claims {
		if claim.Namespace != pod.Namespace || !strings.HasSuffix(claim.Name, "-"+pod.Name) || !claim.Terminating() {
			continue
		}
		own := dump.OwnFinalizers(claim)
		if users := d.UsersOf(claim.Key()); len(users) > 0 {
			list = append(list, fmt.Sprintf("Its PVC %s is being deleted, and is gone only when no pod uses it any more: %s %s "+
				"it.", claim.Name, render.And(users), render.Agree(len(users), "uses", "use")))
		}
		if len(own) > 0 {
			list = append(list, fmt.Sprintf("Its PVC %s is being deleted, and %s %s it. Whoever has set that removes it when "+
				"its work is done.", claim.Name, render.And(own), render.Agree(len(own), "keeps", "keep")))
		}
	}
	return list
}

// claims says which of its claims have no volume, and why.
func (x *shown) claims() {
	p, d := x.p, x.d
	for _, claim := range d.ClaimsOf(p.Pod) {
		if volume, is := d.LostClaims[claim.Key()]; is {
			x.add("Its PVC %s is Lost: its PersistentVolume %s does not exist any more. Unless somebody creates it again for "+
				"the same disk, its data is gone, and a new PVC gets an empty volume.", claim.Name, volume)
		} else if d.Waits(claim) {
			is, long := dump.Lasting(claim.Created, claim.Created < 0)
			x.add("Its PVC %s %s Pending%s: %s. To see more: %s", claim.Name, is, long,
				dump.OneLine(d.WaitingFor(claim)), shell.In(p.Namespace, "describe", "pvc", claim.Name))
			if volume := d.Released[claim.Key()]; volume != "" {
				x.add("The PersistentVolume %s is Released: it has the data of an earlier PVC of this name, and takes no "+
					"other PVC. To give it to the new one: %s", volume, shell.FreeVolume(volume))
			} else if class := d.NoClass(claim); class != "" {
				x.add("When the StorageClass %s exists again, the PVC gets a volume by itself, and %s starts. A new PVC has the "+
					"same class.", class, p.Name)
			} else if d.FailedClaims[claim.Key()] != "" {
				x.add("The provisioner of the volumes tries again by itself: when it succeeds, %s starts.", p.Name)
			}
		}
	}
}

// enlarging says whether the volume of a pod can grow, as far as the dump shows its StorageClass.
func enlarging(p *dump.Pod, d *dump.Dump) string {
	for _, claim := range d.ClaimsOf(p.Pod) {
		switch class := d.Classes.Of(claim.Data); {
		case class != nil && manifest.Expands(class):
			return "enlarge the PVC, which its StorageClass " + class.Name + " allows"
		case class != nil:
			return "its StorageClass " + class.Name + " does not let the PVC grow: move the data to a new PVC"
		}
	}
	return "enlarge the PVC, if its StorageClass allows that"
}

// space says what a full disk of a pod needs, and what comes of the claims of the pod that are to grow.
func space(p *dump.Pod, d *dump.Dump) []string {
	var list []string
	switch {
	case d.Regrows(p):
		list = append(list, "A disk is full. Its volume has grown, and the file system grows when a new "+p.Name+" starts "+
			"(FileSystemResizePending), but not when the kubelet starts the container again.")
	case d.Full(p.Key()):
		list = append(list, "A disk is full: that of its volume ("+enlarging(p, d)+", or free space), or that of its node.")
	}
	for _, claim := range d.ClaimsOf(p.Pod) {
		if r := d.ResizeOf(claim.Key()); r != nil && !r.Restart {
			list = append(list, r.String())
		}
	}
	if d.Unmounted(p) && d.Facts[p.Key()].NotStarted() == nil {
		list = append(list, "The kubelet tries again by itself: when the volume is mounted, "+p.Name+" starts.")
	}
	if d.Ungrown(p) {
		list = append(list, "When the kubelet has made the file system grow, "+p.Name+" starts by itself.")
	}
	return list
}
