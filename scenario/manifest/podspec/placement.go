package podspec

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// affinity checks node affinity, pod affinity and pod anti-affinity, in this order.
func (v *validator) affinity(path *field.Path) {
	a := v.spec.Affinity
	if a == nil {
		return
	}
	const (
		required  = "requiredDuringSchedulingIgnoredDuringExecution"
		preferred = "preferredDuringSchedulingIgnoredDuringExecution"
	)
	if n := a.NodeAffinity; n != nil {
		path := path.Child("nodeAffinity")
		if selector := n.RequiredDuringSchedulingIgnoredDuringExecution; selector != nil {
			v.nodeSelector(selector, path.Child(required))
		}
		for i := range n.PreferredDuringSchedulingIgnoredDuringExecution {
			term, at := &n.PreferredDuringSchedulingIgnoredDuringExecution[i], path.Child(preferred).Index(i)
			v.weight(term.Weight, at)
			v.nodeTerm(&term.Preference, at.Child("preference"), false)
		}
	}
	if p := a.PodAffinity; p != nil {
		path := path.Child("podAffinity")
		v.podTerms(p.RequiredDuringSchedulingIgnoredDuringExecution, path.Child(required))
		v.weightedTerms(p.PreferredDuringSchedulingIgnoredDuringExecution, path.Child(preferred))
	}
	if p := a.PodAntiAffinity; p != nil {
		path := path.Child("podAntiAffinity")
		v.podTerms(p.RequiredDuringSchedulingIgnoredDuringExecution, path.Child(required))
		v.weightedTerms(p.PreferredDuringSchedulingIgnoredDuringExecution, path.Child(preferred))
	}
}

// weight checks the weight of a preference.
func (v *validator) weight(weight int32, path *field.Path) {
	v.must(weight > 0 && weight <= 100, path.Child("weight"), weight, "must be in the range 1-100")
}

// nodeSelector checks required node affinity, which must have a term.
func (v *validator) nodeSelector(selector *corev1.NodeSelector, path *field.Path) {
	path = path.Child("nodeSelectorTerms")
	if len(selector.NodeSelectorTerms) == 0 {
		v.add(field.Required(path, "must have at least one node selector term"))
	}
	for i := range selector.NodeSelectorTerms {
		v.nodeTerm(&selector.NodeSelectorTerms[i], path.Index(i), true)
	}
}

// nodeTerm checks a requirement for nodes. The values of a preference may be anything: values is false for them.
func (v *validator) nodeTerm(term *corev1.NodeSelectorTerm, path *field.Path, values bool) {
	for i := range term.MatchExpressions {
		need, at := &term.MatchExpressions[i], path.Child("matchExpressions").Index(i)
		v.nodeOperator(need, at)
		v.add(metavalidation.ValidateLabelName(need.Key, at.Child("key"))...)
		for j, value := range need.Values {
			if values {
				v.invalid(at.Child("values").Index(j), value, validation.IsValidLabelValue(value))
			}
		}
	}
}

// nodeOperator checks that an operator has as many values as it needs.
func (v *validator) nodeOperator(need *corev1.NodeSelectorRequirement, path *field.Path) {
	switch need.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(need.Values) == 0 {
			v.add(field.Required(path.Child("values"), "must be specified when `operator` is 'In' or 'NotIn'"))
		}
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		if len(need.Values) > 0 {
			v.add(field.Forbidden(path.Child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		if len(need.Values) != 1 {
			v.add(field.Required(path.Child("values"), "must be specified single value when `operator` is 'Lt' or 'Gt'"))
		}
	default:
		v.add(field.Invalid(path.Child("operator"), need.Operator, "not a valid selector operator"))
	}
}

// podTerms checks required terms of pod affinity, weightedTerms preferred ones.
func (v *validator) podTerms(terms []corev1.PodAffinityTerm, path *field.Path) {
	for i := range terms {
		v.podTerm(&terms[i], path.Index(i))
	}
}

// weightedTerms checks preferences: the weight of each, and its term.
func (v *validator) weightedTerms(terms []corev1.WeightedPodAffinityTerm, path *field.Path) {
	for i := range terms {
		v.weight(terms[i].Weight, path.Index(i))
		v.podTerm(&terms[i].PodAffinityTerm, path.Index(i).Child("podAffinityTerm"))
	}
}

// podTerm checks one term of pod affinity.
func (v *validator) podTerm(term *corev1.PodAffinityTerm, path *field.Path) {
	v.selector(term.LabelSelector, path.Child("labelSelector"))
	v.selector(term.NamespaceSelector, path.Child("namespaceSelector"))
	for _, name := range term.Namespaces {
		v.invalid(path.Child("namespace"), name, apivalidation.ValidateNamespaceName(name, false))
	}
	if term.TopologyKey == "" {
		v.add(field.Required(path.Child("topologyKey"), "can not be empty"))
	}
	v.add(metavalidation.ValidateLabelName(term.TopologyKey, path.Child("topologyKey"))...)
}

// selector checks a label selector; nil is valid.
func (v *validator) selector(selector *metav1.LabelSelector, path *field.Path) {
	v.add(metavalidation.ValidateLabelSelector(selector, metavalidation.LabelSelectorValidationOptions{}, path)...)
}

// topologySpread checks the topology spread constraints; no two may have the same key and action.
func (v *validator) topologySpread(path *field.Path) {
	all := v.spec.TopologySpreadConstraints
	for i := range all {
		c, at := &all[i], path.Index(i)
		v.must(c.MaxSkew > 0, at.Child("maxSkew"), int64(c.MaxSkew), "must be greater than zero")
		if c.TopologyKey == "" {
			v.add(field.Required(at.Child("topologyKey"), "can not be empty"))
		}
		if c.WhenUnsatisfiable != corev1.DoNotSchedule && c.WhenUnsatisfiable != corev1.ScheduleAnyway {
			v.add(field.NotSupported(at.Child("whenUnsatisfiable"), c.WhenUnsatisfiable,
				[]corev1.UnsatisfiableConstraintAction{corev1.DoNotSchedule, corev1.ScheduleAnyway}))
		}
		for j := range all[i+1:] {
			if other := &all[i+1+j]; other.TopologyKey == c.TopologyKey && other.WhenUnsatisfiable == c.WhenUnsatisfiable {
				v.add(field.Duplicate(at.Child("{topologyKey, whenUnsatisfiable}"),
					fmt.Sprintf("{%v, %v}", c.TopologyKey, c.WhenUnsatisfiable)))
				break
			}
		}
		v.minDomains(c, at.Child("minDomains"))
		v.inclusion(c.NodeAffinityPolicy, at.Child("nodeAffinityPolicy"))
		v.inclusion(c.NodeTaintsPolicy, at.Child("nodeTaintsPolicy"))
		v.selector(c.LabelSelector, at.Child("labelSelector"))
	}
}

// minDomains checks the least number of zones, which only a constraint that is strict can have; nil is not given.
func (v *validator) minDomains(c *corev1.TopologySpreadConstraint, path *field.Path) {
	if c.MinDomains == nil {
		return
	}
	v.must(*c.MinDomains > 0, path, int64(*c.MinDomains), "must be greater than zero")
	v.must(c.WhenUnsatisfiable == corev1.DoNotSchedule, path, *c.MinDomains,
		fmt.Sprintf("can only use minDomains if whenUnsatisfiable=%s, not %s", corev1.DoNotSchedule, c.WhenUnsatisfiable))
}

// inclusion checks which nodes a constraint counts; nil is not given.
func (v *validator) inclusion(policy *corev1.NodeInclusionPolicy, path *field.Path) {
	known := []corev1.NodeInclusionPolicy{corev1.NodeInclusionPolicyHonor, corev1.NodeInclusionPolicyIgnore}
	if policy != nil && !slices.Contains(known, *policy) {
		v.add(field.NotSupported(path, *policy, known))
	}
}

// tolerations checks the tolerations. An empty key means all taints, and needs the operator Exists.
func (v *validator) tolerations(path *field.Path) {
	for i := range v.spec.Tolerations {
		t, at := &v.spec.Tolerations[i], path.Index(i)
		if t.Key != "" {
			v.add(metavalidation.ValidateLabelName(t.Key, at.Child("key"))...)
		}
		v.must(t.Key != "" || t.Operator == corev1.TolerationOpExists, at.Child("operator"), t.Operator,
			"operator must be Exists when `key` is empty, which means \"match all values and all keys\"")
		v.must(t.TolerationSeconds == nil || t.Effect == corev1.TaintEffectNoExecute, at.Child("effect"), t.Effect,
			"effect must be 'NoExecute' when `tolerationSeconds` is set")
		v.tolerationValue(t, at)
		if t.Effect != "" {
			oneOf(v, at.Child("effect"), t.Effect, corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule,
				corev1.TaintEffectNoExecute)
		}
	}
}

// tolerationValue checks the value of a toleration by its operator. Lt and Gt need the feature gate
// TaintTolerationComparisonOperators, which no version has on by default.
func (v *validator) tolerationValue(t *corev1.Toleration, path *field.Path) {
	path = path.Child("operator")
	// These two are new in 1.35. The tests of older versions compile this with packages that have no names for them.
	const less, greater = corev1.TolerationOperator("Lt"), corev1.TolerationOperator("Gt")
	known := []corev1.TolerationOperator{corev1.TolerationOpEqual, corev1.TolerationOpExists}
	switch t.Operator {
	case corev1.TolerationOpEqual, "":
		if reasons := validation.IsValidLabelValue(t.Value); len(reasons) > 0 {
			v.add(field.Invalid(path, t.Value, strings.Join(reasons, ";")))
		}
	case corev1.TolerationOpExists:
		v.must(t.Value == "", path, t.Value, "value must be empty when `operator` is 'Exists'")
	case less, greater:
		v.add(field.NotSupported(path, t.Operator, append(known, less, greater)))
	default:
		v.add(field.NotSupported(path, t.Operator, known))
	}
}
