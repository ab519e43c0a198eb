package bridge

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
	"github.com/statefulsim/statefulsim/sim"
)

// Deletion is how an object is deleted; Grace is nil for the object's own. Cascades is true if the client named its
// cascade.
type Deletion struct {
	Grace    *time.Duration
	Cascade  sim.DeletionPolicy
	Cascades bool
}

// actor carries out client writes to the objects of a kind. Each actor reads the typed object, fills in its
// defaults, and returns the call of the world's user that makes it so, or what is wrong with the object. old is the
// object that the API has, nil for a new one.
type actor struct {
	write  func(typed any, old *objects.Object) (Call, error)
	remove func(u *sim.User, key model.Key, how Deletion) *model.APIError
}

// Call is a call of the world's user.
type Call func(*sim.User) *model.APIError

// Simulated reports whether the world knows a kind. The objects of others are only stored.
func Simulated(kind *kinds.Kind) bool {
	_, is := actors[kind]
	return is
}

// Write returns the call of the world's user that creates or changes an object of a simulated kind for a client, or
// what is wrong with the object. Defaults are filled in. old is the object that the API has, nil for a new one.
func Write(kind *kinds.Kind, typed any, old *objects.Object) (Call, error) {
	return actors[kind].write(typed, old)
}

// actors has the actors of the kinds that the world knows. Objects of other kinds are only stored.
var actors = map[*kinds.Kind]actor{
	kinds.StatefulSet: {writeSet, func(u *sim.User, key model.Key, how Deletion) *model.APIError {
		return u.DeleteSet(key, how.Cascade)
	}},
	kinds.Pod: {writePod, func(u *sim.User, key model.Key, how Deletion) *model.APIError {
		if how.Grace == nil {
			return u.DeletePod(key, false)
		}
		return u.DeletePodWithin(key, *how.Grace)
	}},
	kinds.Claim: {writeClaim, func(u *sim.User, key model.Key, _ Deletion) *model.APIError {
		return u.DeleteClaim(key, false)
	}},
	kinds.Service: {writeService, func(u *sim.User, key model.Key, _ Deletion) *model.APIError {
		u.DeleteService(key)
		return nil
	}},
	kinds.Budget: {writeBudget, func(u *sim.User, key model.Key, _ Deletion) *model.APIError {
		u.DeleteBudget(key)
		return nil
	}},
	kinds.Node: {writeNode, func(u *sim.User, key model.Key, _ Deletion) *model.APIError {
		u.DeleteNode(key.Name)
		return nil
	}},
	kinds.Revision: {writeRevision, func(u *sim.User, key model.Key, _ Deletion) *model.APIError {
		return u.DeleteRevision(key)
	}},
}

func writeSet(typed any, old *objects.Object) (Call, error) {
	object := typed.(*appsv1.StatefulSet)
	wanted := ModelOf(object)
	manifest.Default(object)
	return func(u *sim.User) *model.APIError {
		if old == nil {
			_, err := u.Create(wanted)
			return err
		}
		changed := *u.Set(old.Key)
		changed.ResourceVersion = 0
		changed.Spec, changed.Labels, changed.Annotations = wanted.Spec, wanted.Labels, wanted.Annotations
		_, err := u.Update(&changed)
		return err
	}, nil
}

// ModelOf turns a set into the model's, with the owners of its templates of claims.
func ModelOf(object *appsv1.StatefulSet) *model.StatefulSet {
	set := manifest.Model(object)
	for i := range object.Spec.VolumeClaimTemplates {
		if template := &object.Spec.VolumeClaimTemplates[i]; len(template.OwnerReferences) > 0 {
			set.Spec.ClaimTemplates[i].Facts.Owners = project.Owners(project.Fields(template).Map("metadata"))
		}
	}
	return set
}

func writePod(typed any, old *objects.Object) (Call, error) {
	object := typed.(*corev1.Pod)
	ephemeral := object.Spec.EphemeralContainers
	if old != nil { // A template has none: they are given to a pod that is there.
		object.Spec.EphemeralContainers = nil
	}
	wanted, errs := manifest.ServedPod(object)
	object.Spec.EphemeralContainers = ephemeral
	if len(errs) > 0 {
		return nil, refuse.Invalid(kinds.Pod, object.Name, errs)
	}
	restartAs(wanted.Template, object.Spec.RestartPolicy)
	wanted.Owners, wanted.Finalizers = project.Owners(project.Fields(object).Map("metadata")), object.Finalizers
	return func(u *sim.User) *model.APIError {
		if old == nil {
			return u.CreatePod(wanted)
		}
		return u.MarkPod(old.Key, sim.MarksOf(&wanted.Meta))
	}, nil
}

func writeClaim(typed any, old *objects.Object) (Call, error) {
	object := typed.(*corev1.PersistentVolumeClaim)
	if old == nil && object.Spec.StorageClassName == nil {
		class := project.DefaultClass
		object.Spec.StorageClassName = &class
	}
	wanted := manifest.ServedClaim(object)
	owners := project.Owners(project.Fields(object).Map("metadata"))
	return func(u *sim.User) *model.APIError {
		if old == nil {
			wanted.Owners = owners
			return u.CreateClaim(wanted)
		}
		live := u.Claim(old.Key)
		changed, problems := manifest.ChangeClaim(live, manifest.ServedClaim(unshown(object, old, live)), false)
		if _, err := u.ChangeClaim(changed, problems); err != nil {
			return err
		}
		return u.MarkClaim(old.Key, sim.Marks{Labels: object.Labels, Annotations: object.Annotations, Owners: owners,
			Finalizers: object.Finalizers})
	}, nil
}

// unshown returns a claim as a client sends it, without what only the API shows of it: its volume and its class.
func unshown(sent *corev1.PersistentVolumeClaim, old *objects.Object, live *model.Claim) *corev1.PersistentVolumeClaim {
	sent = sent.DeepCopy()
	spec, shown := &sent.Spec, old.Fields.Map("spec")
	if spec.VolumeName == shown.Text("volumeName") && !strings.Contains(live.Data, `"volumeName"`) {
		spec.VolumeName = ""
	}
	if class := spec.StorageClassName; class != nil && *class == shown.Text("storageClassName") &&
		!strings.Contains(live.Data, `"storageClassName"`) {
		spec.StorageClassName = nil
	}
	return sent
}

func writeService(typed any, old *objects.Object) (Call, error) {
	object := typed.(*corev1.Service)
	if old != nil && object.Spec.ClusterIP == "" {
		object.Spec.ClusterIP = old.Fields.Text("spec", "clusterIP")
	}
	wanted, errs := manifest.ServedService(object)
	if len(errs) > 0 {
		return nil, refuse.Invalid(kinds.Service, object.Name, errs)
	}
	return func(u *sim.User) *model.APIError {
		switch live := u.Service(wanted.Key()); {
		case len(wanted.Selector.Needs) == 0:
			return nil // As upstream, its endpoints stay as they are.
		case live == nil:
			u.CreateService(wanted)
		default:
			if wanted.ClusterIP = live.ClusterIP; !reflect.DeepEqual(live, wanted) {
				u.UpdateService(wanted)
			}
		}
		if ip := u.Service(wanted.Key()).ClusterIP; ip != "" {
			object.Spec.ClusterIP = ip
		}
		object.Spec.ClusterIPs = []string{object.Spec.ClusterIP}
		return nil
	}, nil
}

func writeBudget(typed any, _ *objects.Object) (Call, error) {
	object := typed.(*policyv1.PodDisruptionBudget)
	wanted, errs := manifest.ServedBudget(object)
	if len(errs) > 0 {
		return nil, refuse.Invalid(kinds.Budget, object.Name, errs)
	}
	return func(u *sim.User) *model.APIError {
		if live := u.Budget(wanted.Key()); live == nil || !reflect.DeepEqual(live, wanted) {
			u.PutBudget(wanted)
		}
		return nil
	}, nil
}

// taintOut is the taint of a node whose pods must be deleted at once.
const taintOut = "node.kubernetes.io/out-of-service"

func writeNode(typed any, old *objects.Object) (Call, error) {
	object := typed.(*corev1.Node)
	if old == nil {
		return nil, refuse.With(405, "MethodNotAllowed", "the nodes of a simulated cluster are those with which it begins")
	}
	out := false
	for _, taint := range object.Spec.Taints {
		out = out || taint.Key == taintOut
	}
	return func(u *sim.User) *model.APIError {
		u.Cordon(object.Name, object.Spec.Unschedulable)
		u.OutOfService(object.Name, out)
		return nil
	}, nil
}

func writeRevision(typed any, old *objects.Object) (Call, error) {
	return func(*sim.User) *model.APIError { return nil }, nil
}

// does words the effect of a request, for the timeline.
func does(verb string, kind *kinds.Kind, key model.Key) string {
	if key.Namespace == "" || key.Namespace == "default" {
		return fmt.Sprintf("%s %s %s", verb, kind.Kind, key.Name)
	}
	return fmt.Sprintf("%s %s %s", verb, kind.Kind, key)
}

// StatusCall returns the call that replaces the status of a set.
func StatusCall(typed any, old *objects.Object) Call {
	object := typed.(*appsv1.StatefulSet)
	sent := object.Status
	return func(u *sim.User) *model.APIError {
		return u.WriteStatus(old.Key, manifest.ServedStatus(&sent, u.Now()), object.Labels, object.Annotations)
	}
}

// Resizes returns the call that gives the containers of a pod the resources that they have in a changed object.
func Resizes(pod *corev1.Pod, old *objects.Object) Call {
	return func(u *sim.User) *model.APIError {
		for _, list := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
			for i := range list {
				live := u.Pod(old.Key)
				if live == nil || live.Template == nil || live.Template.Data == "" {
					continue
				}
				template, restarts, problems := manifest.Resized(live.Template, list[i].Name, &list[i].Resources)
				if template != nil && template.Data == live.Template.Data && len(problems) == 0 {
					continue
				}
				if err := u.ResizePod(old.Key, template, list[i].Name, restarts, problems); err != nil {
					return err
				}
			}
		}
		return nil
	}
}
