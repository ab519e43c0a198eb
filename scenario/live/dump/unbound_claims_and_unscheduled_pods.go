package dump

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// provisioning is the time after which a claim is assumed never to be Bound, or, if it is terminating, never to be gone.
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

// unscheduled returns the rule for a pod that no node takes. If the nodes and claims of the dump do not explain why,
// the pod stays unscheduled whatever the simulated scheduler finds; if they do, there is no rule.
func (s *stays) unscheduled(p *sim.PodState, f *Facts) (rule behaviour.Rule, is bool) {
	if f.Unschedulable == "" || f.Nominated != "" || s.explained(p, f) {
		return rule, false
	}
	rule.Times.Schedule, rule.Times.Reason = behaviour.Never, symptom.FailedScheduling
	rule.Match.That, rule.Of = s.alikeUnbound(p)
	// Somebody else gives the gates to the pods of that name, and the pods of other names have other volumes.
	why := f.Unplaced()
	gated := why.Has(symptom.Gated) && !strings.Contains(specOf(p.Template), `"schedulingGates"`)
	volumes := why.Has(symptom.Misplaced, symptom.VolumeRoom, symptom.UsedAlone) || s.Claimless && why.OfVolumes()
	switch {
	case gated, volumes && !why.Has(symptom.NoRoom):
		rule.Of = ofSet(p)
		rule.Match.That = func(pod *model.Pod) bool { return pod.Key() == p.Key() }
	case s.Nodeless && why.Closed():
		rule.Of, rule.Match.That = behaviour.Whose{}, func(*model.Pod) bool { return true }
	}
	return rule, true
}

// KeptFrom returns why each node of a dump does not take a pod that waits for one; nil for any other pod.
func (d *Dump) KeptFrom(p *Pod) []placement.Kept {
	if says := d.Facts[p.Key()].Unschedulable; says != "" && p.Node == "" {
		return d.memory().KeptFrom(d.State, p.Pod, says)
	}
	return nil
}

// memory returns what the worlds of the dump, and of its parts, share.
func (d *Dump) memory() *placement.Memory { return cmp.Or(d.filters, &placement.Memory{}) }

// alikeUnbound matches the pods that ask the same of nodes as the given pod. If some pod that does has a node, it
// matches only pods with the given pod's name.
func (s *stays) alikeUnbound(p *sim.PodState) (func(*model.Pod) bool, behaviour.Whose) {
	asks := s.asks(p.Template)
	if s.bound == nil {
		for i := range s.State.Pods {
			if other := &s.State.Pods[i]; other.Node != "" {
				keyed.Put(&s.bound, s.asks(other.Template), true)
			}
		}
	}
	if s.bound[asks] {
		return func(pod *model.Pod) bool { return pod.Key() == p.Key() && s.asks(pod.Template) == asks }, ofSet(p)
	}
	return func(pod *model.Pod) bool {
		return pod.Namespace == p.Namespace && s.asks(pod.Template) == asks
	}, behaviour.Whose{Namespace: p.Namespace, Word: asks}
}

// asked is what a pod spec asks of nodes, and askingContainer what a container of it does.
type (
	asked struct {
		NodeSelector, Affinity, TopologySpreadConstraints, SchedulingGates, ResourceClaims, Tolerations any

		RuntimeClassName           string
		Containers, InitContainers []askingContainer
	}
	askingContainer struct {
		Resources struct{ Requests, Limits map[string]string }
		Ports     []struct{ HostPort int }
	}
)

// asks returns what a template asks of nodes, as text. If it asks for nothing, it is the whole spec: nobody knows what
// of it the scheduler goes by. The rules of a run ask this for each pod, so each template is read once.
func (s *stays) asks(template *model.Template) string {
	if _, known := s.askings[template]; !known {
		keyed.Put(&s.askings, template, asksOf(specOf(template)))
	}
	return s.askings[template]
}

// asking are the fields of which a spec has one if it asks nodes for something.
var asking = []string{`"nodeSelector"`, `"affinity"`, `"topologySpreadConstraints"`, `"schedulingGates"`,
	`"resourceClaims"`, `"tolerations"`, `"runtimeClassName"`, `"requests"`, `"limits"`, `"hostPort"`}

// asksOf is asks for a pod spec.
func asksOf(spec string) string {
	var a asked
	has := func(field string) bool { return strings.Contains(spec, field) }
	if !slices.ContainsFunc(asking, has) || json.Unmarshal([]byte(spec), &a) != nil {
		return spec
	}
	for _, list := range []*[]askingContainer{&a.Containers, &a.InitContainers} {
		*list = slices.DeleteFunc(*list, func(c askingContainer) bool {
			return len(c.Resources.Requests)+len(c.Resources.Limits) == 0 &&
				!slices.ContainsFunc(c.Ports, func(port struct{ HostPort int }) bool { return port.HostPort != 0 })
		})
	}
	text := fmt.Sprint(a)
	if text == fmt.Sprint(asked{}) {
		return spec
	}
	return text
}

// aside is a configuration for a world that is asked one question at its first instant: nobody else sees it.
func aside(config sim.Config) sim.Config {
	config.Until, config.Watch, config.Written, config.NoHistory = time.Nanosecond, nil, nil, false
	return config
}

// places says whether the simulated scheduler gives the pod a node at once, by what the dump shows.
func (s *stays) places(p *sim.PodState) bool {
	if s.placed == nil {
		s.placed = map[model.Key]bool{}
		config, start := s.config, s.WithoutServices()
		start.Budgets, config.Start = nil, start
		// A pod that has a node runs in the same instant.
		config.Kubelet.Default.Schedule, config.Kubelet.Default.Start = behaviour.Constant(0), behaviour.Constant(0)
		config = aside(config)
		for _, set := range timeline.EndOf(sim.New(config).Run(nil)).Sets() {
			for pod := range set.Pods.All {
				s.placed[model.Key{Namespace: set.Key.Namespace, Name: pod.Name}] = pod.Node != ""
			}
		}
	}
	return s.placed[p.Key()]
}

// explained says whether the dump itself explains why the pod is not scheduled: no node takes pods, or none takes this
// one, a claim is missing, terminating or not Bound, or its volume can be used on other nodes only.
func (s *stays) explained(p *sim.PodState, f *Facts) bool {
	if len(s.State.Nodes) > 0 && !slices.ContainsFunc(s.State.Nodes, func(n sim.NodeState) bool {
		return !n.NotReady && !n.Cordoned && !n.OutOfService
	}) {
		return true
	}
	if !s.Nodeless && !s.places(p) {
		return true
	}
	return slices.ContainsFunc(p.Volumes, func(volume model.Volume) bool {
		claim := s.Claim(model.Key{Namespace: p.Namespace, Name: volume.Claim})
		return volume.Claim != "" && (claim == nil || claim.Terminating() || claim.Phase != model.ClaimBound)
	})
}

// Unplaced returns why nodes do not take the pod, as the scheduler says; nil if it says nothing.
func (f *Facts) Unplaced() symptom.Reasons { return symptom.Unplaced(f.Unschedulable) }

// Imposed says whether what the scheduler finds comes from elsewhere than the template of the pod: a claim that is in
// the way of its ephemeral volume, or requests that an autoscaler gives to the pods of any template.
func (f *Facts) Imposed() bool {
	return f.Unplaced().Has(symptom.Taken) || f.Recommended && f.Unplaced().Has(symptom.NoRoom)
}
