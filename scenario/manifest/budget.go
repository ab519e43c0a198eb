package manifest

import (
	"encoding/json"
	"reflect"

	"gopkg.in/yaml.v3"
	policyv1 "k8s.io/api/policy/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// IsBudget says whether the object is a PodDisruptionBudget: of policy/v1, or of policy/v1beta1, which was served
// before 1.25 and has the same fields.
func (o Other) IsBudget() bool {
	return o.Kind == "PodDisruptionBudget" && (o.APIVersion == "policy/v1" || o.APIVersion == "policy/v1beta1")
}

// Budget reads a PodDisruptionBudget. What is wrong with it becomes a problem of the reader, and then it is nil. Its
// namespace is "" where the manifest names none.
func (o Other) Budget(r *strict.Reader) *model.Budget {
	before := len(r.Problems)
	nodes := map[string]*yaml.Node{}
	reader := typed{r: r, nodes: nodes}
	given := reader.value(withoutServerOnly(o.Node), "", reflect.TypeFor[policyv1.PodDisruptionBudget]())
	if len(r.Problems) > before {
		return nil
	}
	var object policyv1.PodDisruptionBudget
	data, err := json.Marshal(given)
	if err == nil {
		err = json.Unmarshal(data, &object)
	}
	spec := &object.Spec
	switch {
	case err != nil:
		r.Problem(o.Node, "the PodDisruptionBudget cannot be decoded", err.Error())
	case object.Name == "":
		r.Problem(o.Node, "the PodDisruptionBudget has no name", "give it metadata.name")
	case spec.MinAvailable != nil && spec.MaxUnavailable != nil:
		r.Problem(nodes["spec.maxUnavailable"], "minAvailable and maxUnavailable cannot be both set", "leave one of them out")
	case spec.UnhealthyPodEvictionPolicy != nil && *spec.UnhealthyPodEvictionPolicy != policyv1.AlwaysAllow &&
		*spec.UnhealthyPodEvictionPolicy != policyv1.IfHealthyBudget:
		r.Problem(nodes["spec.unhealthyPodEvictionPolicy"], "unhealthyPodEvictionPolicy is "+
			strict.Shorten(string(*spec.UnhealthyPodEvictionPolicy)), "it must be one of AlwaysAllow, IfHealthyBudget")
	default:
		return modelBudget(&object)
	}
	return nil
}

func modelBudget(object *policyv1.PodDisruptionBudget) *model.Budget {
	spec := &object.Spec
	b := &model.Budget{
		Namespace: object.Namespace, Name: object.Name,
		MinAvailable: modelMaxUnavailable(spec.MinAvailable), MaxUnavailable: modelMaxUnavailable(spec.MaxUnavailable),
		AlwaysAllow: spec.UnhealthyPodEvictionPolicy != nil && *spec.UnhealthyPodEvictionPolicy == policyv1.AlwaysAllow,
	}
	if spec.Selector != nil {
		selector := modelSelector(spec.Selector)
		b.Selects = &selector
	}
	return b
}
