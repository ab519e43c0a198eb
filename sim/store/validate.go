package store

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// invalid words a refusal as the API does: one problem as it is, several in brackets.
func invalid(name string, problems []string) *model.APIError {
	text := problems[0]
	if len(problems) > 1 {
		text = "[" + strings.Join(problems, ", ") + "]"
	}
	return &model.APIError{Reason: model.Invalid, Message: fmt.Sprintf("StatefulSet.apps %q is invalid: %s", name, text)}
}

func notNegative(problems []string, field string, value int32) []string {
	if value >= 0 {
		return problems
	}
	return append(problems, fmt.Sprintf("%s: Invalid value: %d: must be greater than or equal to 0", field, value))
}

// validateCreate returns what is wrong with a new set, in the API's words and order.
func validateCreate(set *model.StatefulSet, rules model.APIRules) []string {
	problems := validateStrategy(nil, &set.Spec.Strategy, rules)
	problems = notNegative(problems, "spec.replicas", set.Spec.Replicas)
	problems = notNegative(problems, "spec.minReadySeconds", set.Spec.MinReadySeconds)
	if set.Spec.Ordinals != nil {
		problems = notNegative(problems, "spec.ordinals.start", set.Spec.Ordinals.Start)
	}
	if len(set.Spec.Selector.Needs) == 0 {
		problems = append(problems, "spec.selector: Required value")
	} else if !set.Spec.Selector.Matches(set.Spec.Template.Labels) {
		problems = append(problems, fmt.Sprintf(
			"spec.template.metadata.labels: Invalid value: %s: `selector` does not match template `labels`",
			labelsJSON(set.Spec.Template.Labels)))
	}
	return problems
}

func validateStrategy(problems []string, strategy *model.Strategy, rules model.APIRules) []string {
	if strategy.Type == model.RecreateStrategy && !rules.Recreate {
		return append(problems, fmt.Sprintf(
			"spec.updateStrategy: Invalid value: {\"Type\":%q,\"RollingUpdate\":null}: must be 'RollingUpdate' or 'OnDelete'",
			strategy.Type))
	}
	block := strategy.RollingUpdate
	switch {
	case block == nil:
		return problems
	case strategy.Type != model.RollingUpdateStrategy:
		return append(problems, fmt.Sprintf(
			"spec.updateStrategy.rollingUpdate: Invalid value: %s: only allowed for updateStrategy 'RollingUpdate'",
			blockJSON(block)))
	}
	const path = "spec.updateStrategy.rollingUpdate"
	problems = notNegative(problems, path+".partition", block.Partition)
	if block.MaxUnavailable != nil {
		problems = validateMaxUnavailable(problems, path+".maxUnavailable", *block.MaxUnavailable)
	}
	return problems
}

func validateMaxUnavailable(problems []string, path string, value model.IntOrPercent) []string {
	switch {
	case value.Percent && value.Value > 100:
		return append(problems, fmt.Sprintf("%s: Invalid value: %q: must not be greater than 100%%", path, value))
	case !value.Percent && value.Value < 0:
		return append(problems, fmt.Sprintf("%s: Invalid value: %s: must be greater than or equal to 0", path, value))
	case value.Value == 0 && value.Percent:
		return append(problems, fmt.Sprintf("%s: Invalid value: %q: cannot be 0", path, value))
	case value.Value == 0:
		return append(problems, fmt.Sprintf("%s: Invalid value: %s: cannot be 0", path, value))
	}
	return problems
}

// validateUpdate returns what is wrong with a change of a set: with the new object, and with what changed.
func validateUpdate(set, old *model.StatefulSet, rules model.APIRules) []string {
	problems := validateCreate(set, rules)
	if rules.FieldErrors {
		return append(problems, immutableFields(&set.Spec, &old.Spec)...)
	}
	if !sameImmutable(set, old, rules) {
		problems = append(problems, fmt.Sprintf(
			"spec: Forbidden: updates to statefulset spec for fields other than %s are forbidden", rules.Mutable))
	}
	return problems
}

// immutableFields words each forbidden change by itself, as 1.37 does.
func immutableFields(spec, old *model.Spec) []string {
	var problems []string
	changed := func(field, value string, differs bool) {
		if differs {
			problems = append(problems, fmt.Sprintf("spec.%s: Invalid value: %s: field is immutable", field, value))
		}
	}
	changed("selector", spec.Selector.Data, spec.Selector.Data != old.Selector.Data)
	changed("volumeClaimTemplates", claimTemplatesJSON(spec.ClaimTemplates),
		!reflect.DeepEqual(spec.ClaimTemplates, old.ClaimTemplates))
	changed("serviceName", fmt.Sprintf("%q", spec.ServiceName), spec.ServiceName != old.ServiceName)
	changed("podManagementPolicy", fmt.Sprintf("%q", spec.PodManagement), spec.PodManagement != old.PodManagement)
	return problems
}

// sameImmutable says whether nothing but the fields that the version lets users change has changed.
func sameImmutable(set, old *model.StatefulSet, rules model.APIRules) bool {
	a, b := set.Spec, old.Spec
	a.Replicas, a.Template, a.Strategy = b.Replicas, b.Template, b.Strategy
	if rules.MutableMinReadySeconds {
		a.MinReadySeconds = b.MinReadySeconds
	}
	if rules.MutableOrdinals {
		a.Ordinals = b.Ordinals
	}
	if rules.MutableRetention {
		a.Retention = b.Retention
	}
	if rules.MutableHistoryLimit {
		a.RevisionHistoryLimit = b.RevisionHistoryLimit
	}
	return reflect.DeepEqual(a, b)
}

// validateStatus returns what is wrong with a status. A controller that counts wrongly is refused here: a currentReplicas
// of -1 makes its sync fail (issues 121397, 58347).
func validateStatus(status, old *model.Status) []string {
	var problems []string
	problems = notNegative(problems, "status.replicas", status.Replicas)
	problems = notNegative(problems, "status.readyReplicas", status.Ready)
	problems = notNegative(problems, "status.currentReplicas", status.Current)
	problems = notNegative(problems, "status.updatedReplicas", status.Updated)
	problems = notNegative(problems, "status.availableReplicas", status.Available)
	above := func(field string, value, limit int32, than string) {
		if value > limit {
			problems = append(problems, fmt.Sprintf(
				"status.%s: Invalid value: %d: cannot be greater than status.%s", field, value, than))
		}
	}
	above("readyReplicas", status.Ready, status.Replicas, "replicas")
	above("currentReplicas", status.Current, status.Replicas, "replicas")
	above("updatedReplicas", status.Updated, status.Replicas, "replicas")
	above("availableReplicas", status.Available, status.Replicas, "replicas")
	above("availableReplicas", status.Available, status.Ready, "readyReplicas")
	if status.CollisionCount < old.CollisionCount {
		problems = append(problems, fmt.Sprintf(
			"status.collisionCount: Invalid value: %d: cannot be decremented", status.CollisionCount))
	}
	return problems
}
