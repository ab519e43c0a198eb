package manifest

import (
	"fmt"

	"gopkg.in/yaml.v3"
	policyv1 "k8s.io/api/policy/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// IsBudget reports whether the object is a PodDisruptionBudget: of policy/v1, or of policy/v1beta1, which was
// served before 1.25 and has the same fields.
func (o Other) IsBudget() bool {
	return o.Kind == "PodDisruptionBudget" && (o.APIVersion == "policy/v1" || o.APIVersion == "policy/v1beta1")
}

// Budget reads a PodDisruptionBudget. A budget that cannot be read becomes a problem of the reader, and nil is
// returned. If the API server refuses it, Wrong has the message of the refusal; such a budget has nothing else but
// its name. Its namespace is "" if the manifest has none.
func (o Other) Budget(r *strict.Reader) *model.Budget {
	object, _ := o.budget(r)
	if object == nil {
		return nil
	}
	if errs := refuseBudget(object); len(errs) > 0 {
		// The words come from NewInvalid in k8s.io/apimachinery/pkg/api/errors.
		wrong := fmt.Sprintf("PodDisruptionBudget.policy %q is invalid: %v", object.Name, errs.ToAggregate())
		return &model.Budget{Namespace: object.Namespace, Name: object.Name, Wrong: wrong}
	}
	return modelBudget(object)
}

// modelBudget turns a valid PodDisruptionBudget into the model's. A nil Selects is a budget without a selector, which
// selects no pod; an empty selector selects all pods of the namespace (policy/v1).
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

// CheckBudget notes as problems what the API server refuses in a readable PodDisruptionBudget; it ignores
// unreadable parts, because Budget has noted them.
func (o Other) CheckBudget(r *strict.Reader) {
	object, nodes := o.budget(&strict.Reader{})
	if object == nil {
		return
	}
	for _, err := range refuseBudget(object) {
		n := nodes[err.Field]
		if n == nil {
			n = o.Node
		}
		r.Problem(n, err.Error(), "no version of Kubernetes accepts this")
	}
}

// budget decodes the object, and returns the node of each field for messages; nil if there is a problem.
func (o Other) budget(r *strict.Reader) (*policyv1.PodDisruptionBudget, map[string]*yaml.Node) {
	var object policyv1.PodDisruptionBudget
	nodes := readTyped(r, WithoutServerOnly(o.Node), &object)
	if nodes != nil && object.Name == "" {
		r.Problem(o.Node, "the PodDisruptionBudget has no name", "give it metadata.name")
		nodes = nil
	}
	if nodes == nil {
		return nil, nil
	}
	return &object, nodes
}

// budgetValue is printed as the API server prints its own type in a refusal: its fields in its order.
type budgetValue struct {
	MinAvailable               *intstr.IntOrString
	Selector                   *metav1.LabelSelector
	MaxUnavailable             *intstr.IntOrString
	UnhealthyPodEvictionPolicy *policyv1.UnhealthyPodEvictionPolicyType
}

// refuseBudget returns what the API server refuses in a budget. It looks at labels and annotations only if the spec
// is valid.
func refuseBudget(object *policyv1.PodDisruptionBudget) field.ErrorList {
	if errs := validateBudget(&object.Spec); len(errs) > 0 {
		return errs
	}
	return validateMarks(&object.ObjectMeta)
}

// validateMarks checks labels and annotations.
func validateMarks(meta *metav1.ObjectMeta) field.ErrorList {
	path := field.NewPath("metadata")
	errs := metavalidation.ValidateLabels(meta.Labels, path.Child("labels"))
	return append(errs, apivalidation.ValidateAnnotations(meta.Annotations, path.Child("annotations"))...)
}

// validateBudget returns what the API server refuses in the spec, in its words and its order.
func validateBudget(spec *policyv1.PodDisruptionBudgetSpec) field.ErrorList {
	path := field.NewPath("spec")
	var errs field.ErrorList
	if spec.MinAvailable != nil && spec.MaxUnavailable != nil {
		shown := budgetValue{spec.MinAvailable, spec.Selector, spec.MaxUnavailable, spec.UnhealthyPodEvictionPolicy}
		errs = append(errs, field.Invalid(path, shown, "minAvailable and maxUnavailable cannot be both set"))
	}
	errs = append(errs, validateAmount(spec.MinAvailable, path.Child("minAvailable"))...)
	errs = append(errs, validateAmount(spec.MaxUnavailable, path.Child("maxUnavailable"))...)
	errs = append(errs, metavalidation.ValidateLabelSelector(spec.Selector,
		metavalidation.LabelSelectorValidationOptions{}, path.Child("selector"))...)
	policy := spec.UnhealthyPodEvictionPolicy
	if policy != nil && *policy != policyv1.AlwaysAllow && *policy != policyv1.IfHealthyBudget {
		errs = append(errs, field.NotSupported(path.Child("unhealthyPodEvictionPolicy"), *policy,
			[]policyv1.UnhealthyPodEvictionPolicyType{policyv1.AlwaysAllow, policyv1.IfHealthyBudget}))
	}
	return errs
}

// validateAmount checks a number, or a percentage of at most 100.
func validateAmount(amount *intstr.IntOrString, path *field.Path) field.ErrorList {
	if amount == nil {
		return nil
	}
	if amount.Type == intstr.Int {
		return nonNegative(int64(amount.IntVal), path)
	}
	errs := invalidBecause(path, amount.StrVal, validation.IsValidPercent(amount.StrVal))
	if parsed := modelMaxUnavailable(amount); parsed.Percent && parsed.Value > 100 {
		errs = append(errs, field.Invalid(path, *amount, "must not be greater than 100%"))
	}
	return errs
}
