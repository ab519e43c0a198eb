package explain

import "github.com/statefulsim/statefulsim/scenario/dump"

// claims says which of its claims have no volume, and why.
func (x *facts) claims() {
	p, d := x.p, x.d
	for _, claim := range d.ClaimsOf(p.Pod) {
		if volume, is := d.LostClaims[claim.Key()]; is {
			x.add("Its PVC %s is Lost: its PersistentVolume %s does not exist any more. Unless somebody creates it again for "+
				"the same disk, its data is gone, and a new PVC gets an empty volume.", claim.Name, volume)
		} else if d.Waits(claim) {
			is, long := lasting(claim.Created, claim.Created < 0)
			x.add("Its PVC %s %s Pending%s: %s. To see more: kubectl -n %s describe pvc %[1]s", claim.Name, is, long,
				dump.OneLine(d.WaitingFor(claim)), p.Namespace)
			if class := d.NoClass(claim); class != "" {
				x.add("When the StorageClass %s exists again, the PVC gets a volume by itself, and %s starts. A new PVC has the "+
					"same class.", class, p.Name)
			} else if d.FailedClaims[claim.Key()] != "" {
				x.add("The provisioner of the volumes tries again by itself: when it succeeds, %s starts.", p.Name)
			}
		}
	}
}
