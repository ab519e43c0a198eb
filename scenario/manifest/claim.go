package manifest

import (
	"encoding/json"
	"reflect"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	corev1 "github.com/statefulsim/statefulsim/scenario/kube/api/core/v1"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// IsClaim says whether the object is a PersistentVolumeClaim.
func (o Other) IsClaim() bool { return o.Kind == "PersistentVolumeClaim" && o.APIVersion == "v1" }

// Claim reads a PersistentVolumeClaim. What is wrong with it becomes a problem of the reader, and then it is nil. Its
// namespace is "" if the manifest names none. It has no phase: whoever creates it decides that.
func (o Other) Claim(r *strict.Reader) *model.Claim {
	before := len(r.Problems)
	reader := typed{r: r, nodes: map[string]*yaml.Node{}}
	given := reader.value(withoutServerOnly(o.Node), "", reflect.TypeFor[corev1.PersistentVolumeClaim]())
	if len(r.Problems) > before {
		return nil
	}
	var object corev1.PersistentVolumeClaim
	data, err := json.Marshal(given)
	if err == nil {
		err = json.Unmarshal(data, &object)
	}
	switch {
	case err != nil:
		r.Problem(o.Node, "the PersistentVolumeClaim cannot be decoded", err.Error())
	case object.Name == "":
		r.Problem(o.Node, "the PersistentVolumeClaim has no name", "give it metadata.name")
	default:
		defaultClaimSpec(&object.Spec)
		return &model.Claim{
			Meta: model.Meta{
				Namespace: object.Namespace, Name: object.Name, Labels: object.Labels, Annotations: object.Annotations,
			},
			Data: string(mustJSON(&object.Spec)), Facts: modelClaimFacts(&object),
		}
	}
	return nil
}

// ClaimsNamed returns the claims that the set's pod template names by itself, besides those of volumeClaimTemplates.
// All pods share them.
func (s *Set) ClaimsNamed() []string {
	var names []string
	for i := range s.Object.Spec.Template.Spec.Volumes {
		if claim := s.Object.Spec.Template.Spec.Volumes[i].PersistentVolumeClaim; claim != nil {
			names = append(names, claim.ClaimName)
		}
	}
	return names
}
