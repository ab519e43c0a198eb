package dump

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// provisioning is the time after which a claim that is still not Bound is assumed never to be, and one that is still
// terminating never to be gone.
const provisioning = time.Minute

// unprovided matches the claims that are assumed never to get a volume. If a claim of a storage class has waited for
// too long, these are all claims of the class; but if another claim of the class has a volume, only the one that waits.
// A claim without a class, and one that an event complains about, count as having waited for too long from the start.
//
// A claim that asks for a volume by its name gets that one or none, so it says nothing about its class. A new claim
// that asks for a volume which another claim has, or which the dump shows not to be there, gets none.
func (d *Dump) unprovided() func(*model.Claim) bool {
	var classes, taken []string
	var waiting []model.UID
	for _, claim := range d.State.Claims {
		if slices.Contains(d.volumes, claim.Key()) {
			continue
		}
		class, volume, waits, f := ClassOf(claim), VolumeOf(claim), d.Waits(claim), d.Claims[claim.Key()]
		lost := f.Lost || f.Wrong != ""
		if volume != "" && (f.Wrong != "" || !waits) {
			taken = append(taken, volume)
		}
		switch failed := lost || f.Failed != "" || claim.Created.Add(provisioning) < 0; {
		case lost, waits && volume != "" && failed:
			waiting = append(waiting, claim.UID)
		case !waits, volume != "":
		case symptom.Claim(f.Failed).Refused, d.NoClass(claim) != "", d.untaken(claim):
			classes = append(classes, class)
		case !failed && class != "", d.waitsForPod(claim), d.podless(claim):
		case !d.provides(class):
			classes = append(classes, class)
		case failed:
			waiting = append(waiting, claim.UID)
		}
	}
	return func(claim *model.Claim) bool {
		if volume := VolumeOf(claim); volume != "" {
			return claim.Phase == model.ClaimPending && (slices.Contains(taken, volume) || slices.Contains(waiting, claim.UID))
		}
		return slices.Contains(classes, ClassOf(claim)) || slices.Contains(waiting, claim.UID)
	}
}

// noProvision is the provisioner of the classes of volumes that somebody makes.
const noProvision = "kubernetes.io/no-provisioner"

// NoClass returns the storage class of a claim that waits for a volume, if it does not exist: an event says so, or the
// dump has StorageClasses without it, and no claim has a volume of it.
func (d *Dump) NoClass(claim *model.Claim) string {
	if class := ClassOf(claim); d.Waits(claim) && class != "" && VolumeOf(claim) == "" && len(d.Classes) > 0 &&
		d.Classes[class] == nil && !d.provides(class) {
		return class
	}
	says := d.Claims[claim.Key()].Failed
	row := symptom.Claim(says)
	if class := row.Found(says); row.Name == symptom.NoClass && d.Waits(claim) && ClassOf(claim) == class {
		return class
	}
	return ""
}

// Waits says whether a claim waits for a volume.
func (d *Dump) Waits(claim *model.Claim) bool {
	return claim.Phase == model.ClaimPending && !claim.Terminating()
}

// untaken says whether nobody has taken it on to give a claim a volume, although a pod waits for that: the cluster
// writes the provisioner of the claim's storage class into the claim as soon as it finds the class. Where the class
// waits for a pod to get a node, the scheduler does not wait for the claim.
func (d *Dump) untaken(claim *model.Claim) bool {
	const soon = 5 * time.Second
	class := ClassOf(claim)
	if !d.Waits(claim) || VolumeOf(claim) != "" || class == "" || d.provides(class) || claim.Created.Add(soon) >= 0 ||
		claim.Annotations[provisionerOf] != "" || claim.Annotations[betaProvisionerOf] != "" {
		return false
	}
	return slices.ContainsFunc(d.Users(claim.Key()), func(p *Pod) bool {
		return d.Facts[p.Key()].Unplaced().Has(symptom.Unbound)
	})
}

// The annotations with the provisioner and the node of a claim.
const (
	provisionerOf     = "volume.kubernetes.io/storage-provisioner"
	betaProvisionerOf = "volume.beta.kubernetes.io/storage-provisioner"
	selectedNode      = "volume.kubernetes.io/selected-node"
)

// waitsForPod says whether a claim waits for its pod, and not the pod for it: the scheduler finds no node for the pod
// for another reason, and a claim of a storage class with WaitForFirstConsumer gets its volume when the pod has a node.
func (d *Dump) waitsForPod(claim *model.Claim) bool {
	return slices.ContainsFunc(d.Users(claim.Key()), func(p *Pod) bool {
		f := d.Facts[p.Key()]
		return f.Unschedulable != "" && !f.Unplaced().OfVolumes()
	})
}

// podless reports whether a claim waits for a pod that does not exist, so that its age says nothing: the controller
// makes the claims of a pod before the pod, and a storage class with WaitForFirstConsumer gives a claim its volume when
// a pod that uses it has a node. A class that is not in the dump may be one if the pod is known to be refused. Where a
// node was chosen for the claim before, it is overdue all the same.
func (d *Dump) podless(claim *model.Claim) bool {
	if claim.Annotations[selectedNode] != "" || d.Claims[claim.Key()].Failed != "" || len(d.Users(claim.Key())) > 0 {
		return false
	}
	if class := d.Classes.Of(claim.Data); class != nil {
		return manifest.WaitsForPod(class)
	}
	parent, _ := model.SplitPodName(claim.Name)
	return slices.ContainsFunc(d.State.Sets, func(set *model.StatefulSet) bool {
		says := d.Sets[set.Key()].FailedCreate
		return set.Namespace == claim.Namespace && says != "" && !symptom.ClaimRefused.In(says) &&
			slices.ContainsFunc(set.Spec.ClaimTemplates, func(t model.ClaimTemplate) bool {
				return t.Name+"-"+set.Name == parent
			})
	})
}

// Unproven returns the storage class of a claim that waits for its volume, if the dump does not show that the class
// gives any: no claim has a volume of it. It is "" for a claim without a class.
func (d *Dump) Unproven(claim *model.Claim) string {
	if class := ClassOf(claim); d.Waits(claim) && VolumeOf(claim) == "" && !d.provides(class) && !d.untaken(claim) {
		return class
	}
	return ""
}

// WaitingFor says what the dump shows of the volume that a claim waits for, as the rest of a sentence about the claim.
func (d *Dump) WaitingFor(claim *model.Claim) string {
	class, of := claimSpec(claim).StorageClassName, d.Classes.Of(claim.Data)
	switch {
	case d.Claims[claim.Key()].Failed != "":
		return "its last event says: " + d.Claims[claim.Key()].Failed
	case d.Claims[claim.Key()].Wrong != "":
		return "it asks for the PersistentVolume " + VolumeOf(claim) + ", " + d.Claims[claim.Key()].Wrong
	case VolumeOf(claim) != "":
		return "it asks for the PersistentVolume " + VolumeOf(claim) + ", which may not exist, belong to another PVC or " +
			"not fit (" + shell.Kubectl("get", "pv", VolumeOf(claim)) + ")"
	case of != nil && of.Provisioner == noProvision && !manifest.WaitsForPod(of):
		return "its storage class " + of.Name + " makes no volumes (" + noProvision + "): somebody has to create a " +
			"PersistentVolume of it"
	case of != nil && manifest.WaitsForPod(of) && d.pinned(claim):
		return "the scheduler would choose a node for it (its storage class " + of.Name + " is WaitForFirstConsumer), but " +
			"the nodeName of the template passes the scheduler by: a nodeSelector does not"
	case d.waitsForPod(claim) && of != nil && manifest.WaitsForPod(of):
		return "it waits for its pod to get a node (its storage class " + of.Name + " is WaitForFirstConsumer)"
	case d.NoClass(claim) != "":
		return "its storage class " + *class + " does not exist"
	case d.waitsForPod(claim):
		return "it may wait for its pod to get a node (WaitForFirstConsumer)"
	case class == nil:
		return "it names no storage class, and the cluster has no default one, which would be written into it"
	case *class == "":
		return "it asks for a PersistentVolume without a storage class, which somebody has to create"
	case d.provides(*class):
		return "other PVCs of its storage class " + *class + " have volumes"
	}
	if d.untaken(claim) {
		return "nobody has begun to give it a volume, so its storage class " + *class + " most likely does not exist " +
			"(" + shell.Kubectl("get", "storageclass", *class) + ")"
	}
	says := "no PVC in the dump has a volume of its storage class " + *class
	if of == nil {
		says += ", which may not exist (" + shell.Kubectl("get", "storageclass", *class) + ")"
	}
	return says
}

// pinned says whether the template of a pod that uses a claim names its node.
func (d *Dump) pinned(claim *model.Claim) bool {
	return slices.ContainsFunc(d.Users(claim.Key()), func(p *Pod) bool {
		return strings.Contains(specOf(p.Template), `"nodeName":`)
	})
}

// retained matches claims that are being deleted and that no pod uses, if a finalizer of some other controller keeps
// them: one that is shown, or one that must be there since they still exist some time later. A claim that goes with its
// owner may have one for as long as somebody still works on it.
func (d *Dump) retained() func(*model.Claim) bool {
	var held []model.UID
	for _, claim := range d.State.Claims {
		foreign := len(claim.Owners) == 0 && len(symptom.OwnFinalizers(claim.Finalizers)) > 0
		if !claim.Terminating() || !foreign && claim.Deletion.At.Add(provisioning) >= 0 {
			continue
		}
		if len(d.Users(claim.Key())) == 0 {
			held = append(held, claim.UID)
		}
	}
	return func(claim *model.Claim) bool { return slices.Contains(held, claim.UID) }
}

// provides says whether a claim of the class has a volume, or gets one since a change brings what it lacks.
func (d *Dump) provides(class string) bool {
	return slices.ContainsFunc(d.State.Claims, func(claim *model.Claim) bool {
		bound := claim.Phase == model.ClaimBound && claim.Data != ""
		return ClassOf(claim) == class && (bound || slices.Contains(d.volumes, claim.Key()))
	})
}

// ClassOf returns the storage class that a claim names, "" if it names none.
func ClassOf(claim *model.Claim) string {
	if class := claimSpec(claim).StorageClassName; class != nil {
		return *class
	}
	return ""
}

// VolumeOf returns the name of the PersistentVolume of a claim, "" if it has none or it is not known.
func VolumeOf(claim *model.Claim) string {
	if !strings.Contains(claim.Data, `"volumeName"`) {
		return ""
	}
	return claimSpec(claim).VolumeName
}

// claimSpec returns the spec of a claim, an empty one if it is not known.
func claimSpec(claim *model.Claim) (spec corev1.PersistentVolumeClaimSpec) {
	if claim.Data == "" || kube.Unmarshal([]byte(claim.Data), &spec) != nil {
		return corev1.PersistentVolumeClaimSpec{}
	}
	return spec
}

// claimFacts returns what volumes show of claims: which had them before, and which ask for one by its name
// (spec.volumeName) and do not get it. Then nobody provides another one.
func claimFacts(claims []*corev1.PersistentVolumeClaim, volumes []*corev1.PersistentVolume) map[model.Key]ClaimFacts {
	facts, named := map[model.Key]ClaimFacts{}, map[string]*corev1.PersistentVolume{}
	for _, volume := range volumes {
		named[volume.Name] = volume
		of := volume.Spec.ClaimRef
		if of == nil {
			continue
		}
		note(facts, model.Key{Namespace: of.Namespace, Name: of.Name}, func(f *ClaimFacts) {
			if volume.Status.Phase == symptom.Released {
				f.Released = volume.Name
			}
			if csi := volume.Spec.CSI; csi != nil {
				f.Handle = "kubernetes.io/csi/" + csi.Driver + "^" + csi.VolumeHandle
			}
			if host, local := volume.Spec.HostPath, volume.Spec.Local; host != nil {
				f.Bound, f.Path = volume.Name, host.Path
			} else if local != nil {
				f.Bound, f.Path = volume.Name, local.Path
			}
			// The first volume of a claim that says so counts.
			if affinity := volume.Spec.NodeAffinity; affinity != nil && f.reach == nil {
				f.reach = affinity.Required
			}
		})
	}
	for _, claim := range claims {
		if claim.Spec.VolumeName == "" || claim.Status.Phase != corev1.ClaimPending || len(volumes) == 0 {
			continue
		}
		wrong := "which does not exist"
		if volume := named[claim.Spec.VolumeName]; volume != nil {
			wrong = claimedBy(volume.Spec.ClaimRef, claim)
		}
		note(facts, model.Key{Namespace: claim.Namespace, Name: claim.Name}, func(f *ClaimFacts) { f.Wrong = wrong })
	}
	return facts
}

// claimedBy says to whom a volume belongs, if not to a claim that asks for it.
func claimedBy(of *corev1.ObjectReference, claim *corev1.PersistentVolumeClaim) string {
	switch {
	case of == nil:
		return ""
	case of.Namespace != claim.Namespace || of.Name != claim.Name:
		return "which belongs to the PVC " + of.Namespace + "/" + of.Name
	case of.UID != "" && of.UID != claim.UID:
		return "which still belongs to an earlier PVC of this name"
	}
	return ""
}
