//go:build real

package conformance_test

import (
	"encoding/json"
	"fmt"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	core "k8s.io/client-go/testing"

	"github.com/statefulsim/statefulsim/model"
)

// react answers what the real code asks of the API server: it turns the action into a call and the reply back.
func (c *Controller) react(action core.Action) (bool, runtime.Object, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sync
	call, sent := s.callOf(action)
	if call.Key.Name == "" {
		return true, emptyOf(call.Kind), fmt.Errorf("resource name may not be empty")
	}
	reply := s.calls.Do(call)
	if reply.Err != nil {
		return true, emptyOf(call.Kind), apiError(reply.Err)
	}
	if call.Kind == model.KindRevision && call.Verb == model.Adopt {
		s.adopted = append(s.adopted, reply.Revision)
	}
	if object := c.answerOf(s, &reply); object != nil && sent == nil {
		return true, object, nil
	}
	return true, sent, nil
}

// answerOf returns the object of a reply, or nil.
func (c *Controller) answerOf(s *session, reply *model.Reply) runtime.Object {
	switch {
	case reply.Pod != nil:
		return c.convertPod(reply.Pod)
	case reply.Revision != nil:
		s.templates = append(s.templates, reply.Revision.Template)
		return c.revisionOf(reply.Revision)
	case reply.Set != nil:
		return c.setOf(reply.Set)
	}
	return nil
}

// emptyOf returns what a client returns beside an error.
func emptyOf(kind model.Kind) runtime.Object {
	switch kind {
	case model.KindPod:
		return &v1.Pod{}
	case model.KindClaim:
		return &v1.PersistentVolumeClaim{}
	case model.KindRevision:
		return &apps.ControllerRevision{}
	}
	return &apps.StatefulSet{}
}

// apiError turns an error into that of a client: the model has the names of the API.
func apiError(err *model.APIError) error {
	return &errors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Reason: metav1.StatusReason(err.Reason.String()), Message: err.Message,
	}}
}

var kinds = map[string]model.Kind{
	"pods": model.KindPod, "persistentvolumeclaims": model.KindClaim,
	"controllerrevisions": model.KindRevision, "statefulsets": model.KindStatefulSet,
}

// callOf turns an action of the client into a call.
func (s *session) callOf(action core.Action) (model.Call, runtime.Object) {
	call := model.Call{Kind: kinds[action.GetResource().Resource]}
	call.Key.Namespace = action.GetNamespace()
	switch a := action.(type) {
	case core.CreateActionImpl:
		call.Verb = model.Create
		s.fill(&call, a.GetObject())
		return call, a.GetObject()
	case core.UpdateActionImpl:
		call.Verb = model.Update
		if a.GetSubresource() == "status" {
			call.Verb = model.UpdateStatus
		}
		s.fill(&call, a.GetObject())
		return call, a.GetObject()
	case core.DeleteActionImpl:
		call.Verb, call.Key.Name = model.Delete, a.GetName()
		return call, nil
	case core.GetActionImpl:
		call.Verb, call.Key.Name = model.Get, a.GetName()
		return call, nil
	case core.PatchActionImpl:
		call.Key.Name = a.GetName()
		patchOf(&call, a.GetPatch())
		return call, nil
	}
	panic(fmt.Sprintf("%s %s: %T", action.GetVerb(), action.GetResource().Resource, action))
}

// patchOf reads a patch of owner references.
func patchOf(call *model.Call, patch []byte) {
	var object struct {
		Metadata struct {
			UID             types.UID
			OwnerReferences []struct {
				Patch string `json:"$patch"`
				metav1.OwnerReference
			}
		}
	}
	if err := json.Unmarshal(patch, &object); err != nil || len(object.Metadata.OwnerReferences) != 1 {
		panic(fmt.Sprintf("a patch %s: %v", patch, err))
	}
	reference := &object.Metadata.OwnerReferences[0]
	call.UID = uidOf(object.Metadata.UID)
	if reference.Patch == "delete" {
		call.Verb, call.Owner = model.Release, model.Owner{UID: uidOf(reference.UID)}
		return
	}
	if reference.BlockOwnerDeletion == nil || !*reference.BlockOwnerDeletion {
		panic(fmt.Sprintf("an owner that does not block its deletion: %s", patch))
	}
	call.Verb, call.Owner = model.Adopt, modelOwner(&reference.OwnerReference)
}

// fill gives a call the object that it writes.
func (s *session) fill(call *model.Call, object runtime.Object) {
	switch o := object.(type) {
	case *v1.Pod:
		call.Pod = &model.Pod{
			Meta: modelMeta(&o.ObjectMeta), Template: s.templateByImage(o.Spec.Containers[0].Image),
			Hostname: o.Spec.Hostname, Subdomain: o.Spec.Subdomain, Volumes: modelVolumes(o.Spec.Volumes),
		}
		call.Key.Name = o.Name
	case *v1.PersistentVolumeClaim:
		call.Claim = &model.Claim{Meta: modelMeta(&o.ObjectMeta), Data: "{}"}
		call.Key.Name = o.Name
	case *apps.ControllerRevision:
		call.Key.Name = o.Name
		if o.Name != "" {
			call.Revision = &model.Revision{
				Meta: modelMeta(&o.ObjectMeta), Number: o.Revision, Template: s.templateOf(templateData(o.Data.Raw)),
			}
			call.Revision.Namespace = call.Key.Namespace
		}
	case *apps.StatefulSet:
		set := *s.view.Set()
		set.Meta.ResourceVersion = modelMeta(&o.ObjectMeta).ResourceVersion
		set.Status = modelStatus(&o.Status)
		call.Set, call.Key.Name = &set, o.Name
	}
}
