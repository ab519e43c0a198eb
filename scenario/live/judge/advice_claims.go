package judge

import (
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
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
		add := func(row, found string) {
			list = append(list, symptom.Names{"claim": claim.Name, "found": found}.In(symptom.Named(row).Ends))
		}
		if users := d.UsersOf(claim.Key()); len(users) > 0 {
			add("claim in use", render.And(users)+render.Agree(len(users), " uses", " use"))
		}
		if own := symptom.OwnFinalizers(claim.Finalizers); len(own) > 0 {
			add("claim-finalizer", render.And(own)+render.Agree(len(own), " keeps", " keep"))
		}
	}
	return list
}

// claims says which of its claims have no volume, and why.
func (x *shown) claims() {
	p, d := x.p, x.d
	for _, claim := range d.ClaimsOf(p.Pod) {
		is, long := dump.Lasting(claim.Created, claim.Created < 0)
		f, names := d.Claims[claim.Key()], d.Names(p).With(symptom.Names{"claim": claim.Name, "is": is, "long": long})
		add := func(row, volume, says, see string) {
			x.add("%s", names.With(symptom.Names{"volume": volume, "says": says, "see": see, "class": dump.ClassOf(claim)}).
				In(symptom.Named(row).Ends))
		}
		switch {
		case f.Lost:
			add(symptom.Lost, f.Volume, "", "")
			continue
		case !d.Waits(claim):
			continue
		}
		add("claim-pending", "", dump.OneLine(d.WaitingFor(claim)), shell.In(p.Namespace, "describe", "pvc", claim.Name))
		switch {
		case f.Released != "":
			add(symptom.Released, f.Released, "", shell.FreeVolume(f.Released))
		case d.NoClass(claim) != "":
			add(symptom.NoClass, "", "", "")
		case f.Failed != "":
			row := symptom.Claim(f.Failed)
			if row.Ends == "" || row.Name == symptom.NoClass {
				row = symptom.Named("no volume")
			}
			x.add("%s", names.With(symptom.Names{"found": row.Found(f.Failed)}).In(row.Ends))
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
	if d.Unmounted(p) && (d.Facts[p.Key()].NotStarted() == nil || d.Attached(p.Key())) {
		list = append(list, d.Names(p).In(symptom.Named("volume-not-mounted").Ends))
	}
	if d.Ungrown(p) {
		list = append(list, "When the kubelet has made the file system grow, "+p.Name+" starts by itself.")
	}
	return list
}
