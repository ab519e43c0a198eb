package dump

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/sim"
)

// converter turns the API's objects into the model's, once. It takes raw over and changes it.
type converter struct {
	*raw
	*Dump
	// uids are the model's uids by those of the API, or by KIND/NAMESPACE/NAME without one. All are above 0 and differ.
	uids map[string]model.UID
	// templates are the templates of the revisions, by namespace and name of the revision: pods of one revision share it.
	templates map[model.Key]*model.Template
	// setNames has the sets of the state, revisionNames its revisions.
	setNames, revisionNames map[model.Key]bool
	// wanted are the containers of templates.
	wanted map[*model.Template][]corev1.Container
	// earlier are the UIDs of sets that have had the names of those of the dump; see remade.
	earlier map[types.UID]bool
}

// dump converts the objects that were read. The order matters: uids first, since owners refer to them; sets and
// revisions before the pods, whose templates they have; pods before nodes, about which they tell; assumptions last,
// but for budgets.
func (r *raw) dump(at time.Time, from string) *Dump {
	c := &converter{
		raw: r, uids: map[string]model.UID{}, templates: map[model.Key]*model.Template{},
		setNames: map[model.Key]bool{}, revisionNames: map[model.Key]bool{},
		wanted:  map[*model.Template][]corev1.Container{},
		earlier: map[types.UID]bool{},
		Dump: &Dump{
			State: &sim.State{From: from}, At: at, Facts: map[model.Key]*Facts{},
			works: map[added]bool{},
			Sets:  map[model.Key]SetFacts{}, Claims: claimFacts(r.claims, r.volumes), Nodes: map[string]NodeFacts{},
			Going:   map[string]*Namespace{},
			places:  placesOf(&sim.State{}),
			filters: &placement.Memory{},
			limits:  r.quotas,
			ranges:  r.ranges,
		},
	}
	c.identify()
	for _, object := range r.sets {
		set := c.set(object)
		c.State.Sets, c.setNames[set.Key()] = append(c.State.Sets, set), true
	}
	for _, object := range r.revisions {
		c.revision(object)
	}
	c.Foreign = foreignOf(c.raw.pods)
	c.managers()
	c.assumeBudgets()
	c.leaveOut()
	c.assumeHistories()
	for _, object := range r.pods {
		c.pod(object)
	}
	c.goingNamespaces()
	for _, object := range r.classes {
		c.Classes = c.Classes.With(object)
	}
	for _, object := range c.raw.volumes {
		// Volumes that somebody has made need no class of that name.
		if name := object.Spec.StorageClassName; name != "" && len(c.Classes) > 0 && c.Classes[name] == nil {
			class := &storagev1.StorageClass{Provisioner: noProvision}
			class.Name = name
			c.Classes = c.Classes.With(class)
		}
	}
	for _, object := range r.claims {
		c.keepClaim(c.claim(object))
	}
	// Of several budgets for one pod, the disruption controller mostly takes the oldest.
	slices.SortStableFunc(r.budgets, func(a, b *policyv1.PodDisruptionBudget) int {
		return a.CreationTimestamp.Compare(b.CreationTimestamp.Time)
	})
	for _, object := range r.budgets {
		c.State.Budgets = append(c.State.Budgets, manifest.LiveBudget(object))
	}
	for _, object := range r.services {
		if len(object.Spec.Selector) > 0 && object.Spec.Type != corev1.ServiceTypeExternalName {
			c.State.Services = append(c.State.Services, manifest.LiveService(object))
		}
	}
	c.Attachments = r.attached
	c.nodesOf()
	c.outside()
	c.scales()
	c.placeVolumes()
	c.failures()
	c.resizes()
	c.assumeKinds()
	c.assumeFits()
	return c.Dump
}

// identify gives all objects their uids. An owner may be read after what it owns.
func (c *converter) identify() {
	know(c, kindSet, c.sets)
	know(c, kindRevision, c.revisions)
	know(c, kindPod, c.pods)
	know(c, kindClaim, c.claims)
}

// know gives objects their uids, and a namespace if they have none. That of a namesake in another kind is another one.
func know[O metav1.Object](c *converter, kind string, objects []O) {
	for _, o := range objects {
		o.SetNamespace(cmp.Or(o.GetNamespace(), metav1.NamespaceDefault))
		uid := model.UID(len(c.uids) + 1)
		c.uids[kind+"/"+o.GetNamespace()+"/"+o.GetName()] = uid
		if of := o.GetUID(); of != "" {
			c.uids[string(of)] = uid
		}
	}
}

// uid returns the model's uid of an object, a new one if it is not in the dump: two references to one missing owner get
// the same one, by its uid or, without one, by its name.
func (c *converter) uid(key string) model.UID {
	if c.uids[key] == 0 {
		c.uids[key] = model.UID(len(c.uids) + 1)
	}
	return c.uids[key]
}

// instant returns a time relative to that of the dump, so mostly below 0; 0 if it is not given.
func (c *converter) instant(t time.Time) model.Time {
	if t.IsZero() {
		return 0
	}
	return model.Time(t.Sub(c.At))
}

// kinds are the kinds of owners that the model knows; any other is KindNone.
var kinds = map[string]model.Kind{
	kindSet: model.KindStatefulSet, kindPod: model.KindPod, kindClaim: model.KindClaim, kindRevision: model.KindRevision,
}

// meta reads the metadata. The deletion of the model begins when it was asked for: the API's deletionTimestamp is the
// end of the grace period.
func (c *converter) meta(kind string, m *metav1.ObjectMeta) model.Meta {
	meta := model.Meta{
		Namespace: m.Namespace, Name: m.Name, Generation: m.Generation,
		UID:    c.uids[kind+"/"+m.Namespace+"/"+m.Name],
		Labels: m.Labels, Annotations: m.Annotations, Finalizers: m.Finalizers, Created: c.instant(m.CreationTimestamp.Time),
	}
	for _, owner := range m.OwnerReferences {
		kind := kinds[owner.Kind]
		if !isKubernetes(owner.Kind, owner.APIVersion) {
			kind = model.KindNone
		}
		meta.Owners = append(meta.Owners, model.Owner{
			Kind: kind, Name: owner.Name, Controller: owner.Controller != nil && *owner.Controller,
			UID: c.uid(cmp.Or(string(owner.UID), owner.Kind+"/"+m.Namespace+"/"+owner.Name)),
		})
	}
	if m.DeletionTimestamp != nil {
		grace := time.Duration(0)
		if m.DeletionGracePeriodSeconds != nil {
			grace = model.Seconds(*m.DeletionGracePeriodSeconds)
		}
		meta.Deletion = &model.Deletion{At: c.instant(m.DeletionTimestamp.Add(-grace)), Grace: grace}
	}
	return meta
}

// set reads a StatefulSet. Its template is that of its update revision, if the controller has seen the newest spec.
func (c *converter) set(object *appsv1.StatefulSet) *model.StatefulSet {
	set := manifest.Live(object)
	set.Meta = c.meta(kindSet, &object.ObjectMeta)
	status := &object.Status
	set.Status = manifest.LiveStatus(status)
	if status.UpdateRevision != "" && status.ObservedGeneration == object.Generation {
		c.templates[model.Key{Namespace: set.Namespace, Name: status.UpdateRevision}] = set.Spec.Template
	}
	return set
}

// revision reads a ControllerRevision. It skips one that does not hold a pod template, such as that of a DaemonSet.
func (c *converter) revision(object *appsv1.ControllerRevision) {
	var data struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Spec struct {
			Template *struct {
				corev1.PodTemplateSpec
				// Patch is "replace" in every revision: a revision is a patch of its set.
				Patch string `json:"$patch"`
			} `json:"template"`
		} `json:"spec"`
	}
	owner := metav1.GetControllerOfNoCopy(&object.ObjectMeta)
	others := owner != nil && !isSet(owner)
	if kube.Unmarshal(object.Data.Raw, &data) != nil || data.Spec.Template == nil || others {
		return
	}
	revision := &model.Revision{
		Meta: c.meta(kindRevision, &object.ObjectMeta), Number: object.Revision,
		Template: manifest.LiveTemplate(&data.Spec.Template.PodTemplateSpec),
	}
	if owner != nil && data.Metadata.Name != owner.Name {
		revision.SetName = data.Metadata.Name
	}
	c.templates[revision.Key()], c.revisionNames[revision.Key()] = revision.Template, true
	c.State.Revisions = append(c.State.Revisions, revision)
}

// holds notes a pod of another owner that uses claims. The pods of a ReplicaSet are those of a Deployment, if they have
// the label of one: their ReplicaSet is named after it.
func (c *converter) holds(pod *corev1.Pod, owner *metav1.OwnerReference) {
	if pod.Spec.NodeName == "" || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return
	}
	h := Holder{Pod: pod.Name, Node: pod.Spec.NodeName, Kind: owner.Kind, Name: owner.Name}
	hash := pod.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
	if name, cut := strings.CutSuffix(owner.Name, "-"+hash); cut && owner.Kind == "ReplicaSet" && hash != "" {
		h.Kind, h.Name = "Deployment", name
	}
	for i := range pod.Spec.Volumes {
		if claim := pod.Spec.Volumes[i].PersistentVolumeClaim; claim != nil {
			note(c.Claims, model.Key{Namespace: pod.Namespace, Name: claim.ClaimName}, func(f *ClaimFacts) {
				f.Holders = append(f.Holders, h)
			})
		}
	}
}

// leaveOut removes the pods of other controllers and of sets that are not in the dump, unless they concern a set of
// the dump: they have one of its pod names, or it owns them. Pods without an owner stay.
func (c *converter) leaveOut() {
	var others []string
	c.pods = slices.DeleteFunc(c.pods, func(pod *corev1.Pod) bool {
		owner := metav1.GetControllerOfNoCopy(&pod.ObjectMeta)
		if owner != nil && !isSet(owner) {
			c.holds(pod, owner)
		}
		if owner == nil || c.concerns(pod) {
			return false
		}
		if isSet(owner) && !slices.Contains(others, owner.Name) {
			others = append(others, owner.Name)
		}
		return true
	})
	c.State.Revisions = slices.DeleteFunc(c.State.Revisions, func(r *model.Revision) bool {
		owner := r.Controller()
		return owner != nil && !c.setNames[model.Key{Namespace: r.Namespace, Name: owner.Name}]
	})
	for _, name := range others {
		c.assume("The pods of %s are ignored: the StatefulSet itself is not in the dump. Dump it too: %s", name, Command)
	}
	c.Ignored = len(others) > 0
}

// concerns reports whether a set of the dump owns a pod, has pods of its name, or has made a claim that the pod uses.
func (c *converter) concerns(pod *corev1.Pod) bool {
	owner := metav1.GetControllerOfNoCopy(&pod.ObjectMeta)
	parent, _ := model.SplitPodName(pod.Name)
	return isSet(owner) && c.setNames[model.Key{Namespace: pod.Namespace, Name: owner.Name}] ||
		c.setNames[model.Key{Namespace: pod.Namespace, Name: parent}] ||
		slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool {
			claim := v.PersistentVolumeClaim
			return claim != nil && slices.ContainsFunc(c.State.Sets, func(set *model.StatefulSet) bool {
				return set.Namespace == pod.Namespace && ReplicaOf(set, claim.ClaimName) >= 0
			})
		})
}

// claim reads a claim. Owners of unknown kinds are left out; a claim that is Lost counts as Pending.
func (c *converter) claim(object *corev1.PersistentVolumeClaim) *model.Claim {
	claim := &model.Claim{Meta: c.meta(kindClaim, &object.ObjectMeta)}
	claim.Owners = slices.DeleteFunc(claim.Owners, func(o model.Owner) bool { return o.Kind == model.KindNone })
	if object.Status.Phase == corev1.ClaimBound {
		claim.Phase, claim.Unclassed = model.ClaimBound, object.Status.CurrentVolumeAttributesClassName == nil
	}
	if object.Status.Phase == symptom.Lost {
		note(c.Claims, claim.Key(), func(f *ClaimFacts) { f.Lost, f.Volume = true, object.Spec.VolumeName })
	}
	claim.Data = encode(&object.Spec)
	if reach := c.Claims[claim.Key()].reach; reach != nil {
		claim.Reach = encode(reach)
	}
	return claim
}

// encode returns a part of an object that was read as JSON, which cannot fail.
func encode(part any) string {
	data, err := kube.Marshal(part)
	if err != nil {
		panic(fmt.Sprintf("dump: %#v cannot be encoded: %v", part, err))
	}
	return string(data)
}

// keepClaim adds a claim to the state.
func (c *converter) keepClaim(claim *model.Claim) {
	c.places.addClaim(claim, len(c.State.Claims))
	c.State.Claims = append(c.State.Claims, claim)
}

// sortByName brings objects of one kind into the order of kubectl, by namespace and name, but for ordinals: web-2 is
// before web-10. What is said of a dump does not depend on how it was put together. An object without a namespace is in
// default.
func sortByName[P interface {
	GetName() string
	GetNamespace() string
}](list []P) {
	slices.SortFunc(list, func(a, b P) int {
		inNamespace := cmp.Compare(cmp.Or(a.GetNamespace(), metav1.NamespaceDefault),
			cmp.Or(b.GetNamespace(), metav1.NamespaceDefault))
		nameOfA, ordinalOfA := model.SplitPodName(a.GetName())
		nameOfB, ordinalOfB := model.SplitPodName(b.GetName())
		return cmp.Or(inNamespace, cmp.Compare(nameOfA, nameOfB), cmp.Compare(ordinalOfA, ordinalOfB),
			cmp.Compare(a.GetName(), b.GetName()))
	})
}
