package dump

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// outside notes what the dump shows beside the objects of the model: who owns sets, and which Services there are.
func (c *converter) outside() {
	for _, object := range c.sets {
		note(c.Sets, model.Key{Namespace: object.Namespace, Name: object.Name}, func(f *SetFacts) {
			at, tool := writtenAt(&object.ObjectMeta)
			f.Owner, f.Written, f.Dated, f.Tool = ownedBy(&object.ObjectMeta), c.instant(at), !at.IsZero(), tool
		})
	}
	for _, object := range c.services {
		key := model.Key{Namespace: object.Namespace, Name: object.Name}
		c.Services = append(c.Services, key)
		if object.Spec.ClusterIP == corev1.ClusterIPNone && !object.Spec.PublishNotReadyAddresses {
			c.Hiding = append(c.Hiding, key)
		}
	}
}

// managers are the programs that write sets again and again, by their names in managedFields.
var managers = map[string]string{"helm": "Helm", "argocd-controller": "Argo CD", "helm-controller": "Flux",
	"kustomize-controller": "Flux", "fleetagent": "Fleet", "kapp": "kapp", "pulumi-kubernetes": "Pulumi",
	"terraform": "Terraform", "Terraform": "Terraform", "HashiCorp": "Terraform"}

// writtenAt returns when an object was last changed but for its status, and the last of the managers that has done so;
// zero if its managedFields do not say so.
func writtenAt(meta *metav1.ObjectMeta) (newest time.Time, tool string) {
	for _, entry := range meta.ManagedFields {
		if entry.Subresource == "" && entry.Time != nil {
			tool = cmp.Or(managers[entry.Manager], tool)
			newest = later(newest, entry.Time.Time)
		}
	}
	return newest, tool
}

// ownedBy returns the controller of an object that is no StatefulSet, nil if it has none.
func ownedBy(meta *metav1.ObjectMeta) *Owner {
	owner := metav1.GetControllerOfNoCopy(meta)
	if owner == nil || isSet(owner) {
		return nil
	}
	return NewOwner(owner.APIVersion, owner.Kind, owner.Name)
}

// Owner is the controller of a set or of a pod that is no StatefulSet: of a set it is the custom resource of an
// operator, which writes the set. group is that of its apiVersion, without the version.
type Owner struct{ group, kind, name string }

// NewOwner returns the owner that an owner reference names.
func NewOwner(apiVersion, kind, name string) *Owner {
	return &Owner{group: groupOf(apiVersion), kind: kind, name: name}
}

// String returns KIND NAME, "" for no owner. A kind of which Kubernetes has a namesake has its group too.
func (o *Owner) String() string {
	if o == nil {
		return ""
	}
	if groupsOf(o.kind) != nil && o.group != "" && !isKubernetes(o.kind, o.group+"/") {
		return o.kind + "." + o.group + " " + o.name
	}
	return o.kind + " " + o.name
}

// Reverts says of a change of an owned set that it does not last, and what to change instead; "" if nobody owns it.
func (o *Owner) Reverts(namespace string) string {
	if o == nil {
		return ""
	}
	resource := strings.TrimSuffix(strings.ToLower(o.kind)+"."+o.group, ".")
	return fmt.Sprintf("The operator of the %s most likely reverts this: change the %[1]s instead (%s)", o,
		shell.In(namespace, "edit", resource, o.name))
}

// The kinds that write the replicas of a set. No world plays them.
const (
	kindAutoscaler   = "HorizontalPodAutoscaler"
	kindScaledObject = "ScaledObject"
)

// scaler is an object that writes the replicas of another one, as far as all versions of both kinds agree.
type scaler struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		ScaleTargetRef ScaleTarget `json:"scaleTargetRef"`
	} `json:"spec"`
}

// ScaleTarget is the object whose replicas an autoscaler writes.
type ScaleTarget struct {
	APIVersion string `json:"apiVersion" yaml:"apiVersion"`
	Kind       string `json:"kind" yaml:"kind"`
	Name       string `json:"name" yaml:"name"`
}

// ScaledSet returns the name of the StatefulSet whose replicas an object of a kind writes; "" if it writes none. A kind
// of another API group is another kind.
func ScaledSet(apiVersion, kind string, target ScaleTarget) string {
	known := (kind == kindAutoscaler || kind == kindScaledObject) && isKubernetes(kind, apiVersion)
	if !known || target.Kind != kindSet || !isKubernetes(kindSet, target.APIVersion) {
		return ""
	}
	return target.Name
}

// scales notes which sets have their replicas written, and by what: "HorizontalPodAutoscaler web". KEDA makes an
// autoscaler for a ScaledObject; both are named, since people change the latter.
func (c *converter) scales() {
	for _, object := range c.scalers {
		set := ScaledSet(object.APIVersion, object.Kind, object.Spec.ScaleTargetRef)
		if set == "" {
			continue
		}
		key := model.Key{Namespace: cmp.Or(object.Namespace, metav1.NamespaceDefault), Name: set}
		note(c.Sets, key, func(f *SetFacts) {
			f.Scalers = append(f.Scalers, object.Kind+" "+object.Name)
			slices.Sort(f.Scalers)
		})
	}
}

// Foreign are pods that are named like those of a StatefulSet and belong to something else, such as a StrimziPodSet.
type Foreign struct {
	// Namespace and Owner are where they belong to.
	Namespace string
	Owner     *Owner
	// Pods counts them, Ready those that are Ready; Restarts counts those of all their containers.
	Pods, Ready, Restarts int
}

// String says in a sentence how they are.
func (f *Foreign) String() string {
	text := fmt.Sprintf("%s: %s %s to the %s, which is no StatefulSet: sim does not know its controller. "+
		"%d of %d %s Ready",
		f.Namespace, render.Count(f.Pods, "pod"), render.Agree(f.Pods, "belongs", "belong"), f.Owner, f.Ready, f.Pods,
		render.Agree(f.Ready, "is", "are"))
	if f.Restarts > 0 {
		text += fmt.Sprintf(", and their containers were restarted %s", render.Count(f.Restarts, "time"))
	}
	return text + "."
}

// usual are the kinds of owners whose pods are never named by an ordinal of their own, or are no service.
var usual = []string{"ReplicaSet", "DaemonSet", "Job", "ReplicationController", "Node"}

// foreignOf returns the pods with ordinals in their names that belong to no StatefulSet, by namespace and owner.
func foreignOf(pods []*corev1.Pod) []*Foreign {
	var list []*Foreign
	for _, pod := range pods {
		owner := metav1.GetControllerOfNoCopy(&pod.ObjectMeta)
		if _, ordinal := model.SplitPodName(pod.Name); owner == nil || ordinal < 0 || isSet(owner) ||
			slices.Contains(usual, owner.Kind) {
			continue
		}
		of := NewOwner(owner.APIVersion, owner.Kind, owner.Name)
		at := slices.IndexFunc(list, func(f *Foreign) bool { return f.Namespace == pod.Namespace && *f.Owner == *of })
		if at < 0 {
			at, list = len(list), append(list, &Foreign{Namespace: pod.Namespace, Owner: of})
		}
		list[at].Pods++
		if is(pod, corev1.PodReady) {
			list[at].Ready++
		}
		for i := range pod.Status.ContainerStatuses {
			list[at].Restarts += int(pod.Status.ContainerStatuses[i].RestartCount)
		}
	}
	slices.SortStableFunc(list, func(a, b *Foreign) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Owner.String(), b.Owner.String()))
	})
	return list
}

// groups are the API groups of kinds that other objects name, and that are not read.
var groups = map[string][]string{
	"Secret": {""}, "ConfigMap": {""}, "ServiceAccount": {""}, "PriorityClass": {"scheduling.k8s.io"},
}

// groupsOf returns the API groups in which Kubernetes has a kind, or KEDA; nil if it is not known.
func groupsOf(kind string) []string {
	if as, read := reads[kind]; read {
		return as.groups
	}
	return groups[kind]
}

// groupOf returns the group of an apiVersion; "" is the core group.
func groupOf(apiVersion string) string {
	group, _, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		return ""
	}
	return group
}

// isKubernetes says whether a kind of an apiVersion is Kubernetes' own. One without apiVersion counts.
func isKubernetes(kind, apiVersion string) bool {
	own, group := groupsOf(kind), groupOf(apiVersion)
	return apiVersion == "" || own == nil && group == "" || slices.Contains(own, group)
}

// KindOf returns the kind of an object, with its group behind it if that is not the one in which Kubernetes has a kind
// of the name: Service.serving.knative.dev.
func KindOf(kind, apiVersion string) string {
	if groupsOf(kind) == nil || isKubernetes(kind, apiVersion) {
		return kind
	}
	return kind + "." + groupOf(apiVersion)
}

// isSet says whether an owner is a StatefulSet of Kubernetes.
func isSet(owner *metav1.OwnerReference) bool {
	return owner != nil && owner.Kind == kindSet && isKubernetes(kindSet, owner.APIVersion)
}

// setOf returns the name of the StatefulSet that controls an object; "" if none does.
func setOf(meta *metav1.ObjectMeta) string {
	if owner := metav1.GetControllerOfNoCopy(meta); isSet(owner) {
		return owner.Name
	}
	return ""
}
