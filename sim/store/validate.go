package store

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// invalid words a refusal as the API does: one problem as it is, several in brackets, each once, but not none.
func invalid(kind model.Kind, name string, problems []string) *model.APIError {
	var distinct []string
	for _, problem := range problems {
		if !slices.Contains(distinct, problem) {
			distinct = append(distinct, problem)
		}
	}
	text := distinct[0]
	if len(distinct) > 1 {
		text = "[" + strings.Join(distinct, ", ") + "]"
	}
	message := fmt.Sprintf("%s %q is invalid: %s", qualified[kind], name, text)
	return &model.APIError{Reason: model.Invalid, Message: message}
}

// InvalidPod returns the refusal of a pod for the problems that the API server finds; there must be at least one.
func InvalidPod(name string, problems []string) *model.APIError {
	return invalid(model.KindPod, name, problems)
}

// notNegative adds the API's complaint about a negative number to the problems.
func notNegative(problems []string, field string, value int32) []string {
	if value >= 0 {
		return problems
	}
	return append(problems, fmt.Sprintf("%s: Invalid value: %d: must be greater than or equal to 0", field, value))
}

// validateCreate returns what is wrong with a new set, in the API's words and order, or nil. admit must have run.
func validateCreate(set *model.StatefulSet, rules model.APIRules) []string {
	problems := metaProblems(&set.Spec, rules)
	if rules.LabelName && !slices.ContainsFunc(problems, ofName) {
		problems = dnsLabel(problems, "metadata.name", set.Name, rules)
	}
	return worded(append(problems, validateSpec(&set.Spec, rules, rules.CheckClaims)...), &set.Spec, rules)
}

// worded puts mistakes into the words and the order of the version.
func worded(problems []string, spec *model.Spec, rules model.APIRules) []string {
	if before := wrongOf(spec).Printed; before != nil && !rules.JSONValues {
		problems = slices.Clone(problems)
		for i, problem := range problems {
			problems[i] = cmp.Or(before[problem], problem)
		}
	}
	return declared(problems, rules)
}

// declared puts the mistakes last that an API server with declared rules finds by these, in the order of the fields, and
// takes away what else was said of them.
func declared(problems []string, rules model.APIRules) []string {
	if !rules.Declarative {
		return problems
	}
	var others, last []string
	for _, problem := range problems {
		if field, is := strings.CutSuffix(problem, ": must not be empty"); is && strings.HasPrefix(field, "metadata.ownerReferences[") {
			last = append(last, field)
			continue
		}
		others = append(others, problem)
	}
	if n := len(others) - 1; n >= 0 && others[n] == noSelector {
		others, last = others[:n], append(last, noSelector)
	}
	return append(others, last...)
}

// ofName reports whether a problem is about the object's own name. An object that was read with a bad name is not
// checked for it again.
func ofName(problem string) bool { return strings.HasPrefix(problem, "metadata.name: ") }

// wrongOf returns the mistakes that were found when the set's manifest was read.
func wrongOf(spec *model.Spec) *model.Wrong {
	if spec.Wrong == nil {
		return &model.Wrong{}
	}
	return spec.Wrong
}

// metaProblems returns what is wrong with the metadata of a set, as the version words it.
func metaProblems(spec *model.Spec, rules model.APIRules) []string {
	wrong := wrongOf(spec)
	if wrong.MetaBefore != nil && !rules.OwnPlaces {
		return wrong.MetaBefore
	}
	return wrong.Meta
}

// validateSpec returns what is wrong with a set's spec, in the API's order, and with the pods of its template if
// pods is true. Mistakes that the model cannot express were found when the manifest was read (model.Wrong) and have
// their places among the others.
func validateSpec(spec *model.Spec, rules model.APIRules, pods bool) []string {
	wrong := wrongOf(spec)
	problems := slices.Clone(wrong.Policy)
	if len(wrong.Strategy) > 0 {
		problems = append(problems, strategyProblems(wrong.Strategy, rules)...)
	} else {
		problems = validateStrategy(problems, &spec.Strategy, rules)
	}
	problems = append(problems, wrong.Retention...)
	if rules.CheckClaims {
		problems = append(problems, claimProblems(spec.ClaimTemplates)...)
	}
	problems = notNegative(problems, "spec.replicas", spec.Replicas)
	if rules.MinReadySeconds {
		problems = notNegative(problems, "spec.minReadySeconds", spec.MinReadySeconds)
	}
	if spec.Ordinals != nil {
		problems = notNegative(problems, "spec.ordinals.start", spec.Ordinals.Start)
	}
	if rules.LabelService && spec.ServiceName != "" {
		problems = dnsLabel(problems, "spec.serviceName", spec.ServiceName, rules)
	}
	if problems = append(problems, wrong.Selector...); len(wrong.Selector) == 0 {
		problems = append(problems, validateSelector(spec, rules)...)
	}
	problems = append(problems, wrong.Labels...)
	// If the selector cannot be read, the template is not checked.
	if pods && spec.Template != nil && len(wrong.Selector) == 0 {
		problems = append(problems, templateProblems(spec.Template, rules)...)
	}
	problems = append(problems, wrong.Rest...)
	if rules.Declarative && len(wrong.Selector) == 0 && selectsNothing(spec) {
		problems = append(problems, noSelector)
	}
	return problems
}

// noSelector is the refusal of a set without a selector.
const noSelector = "spec.selector: Required value"

// selectsNothing reports whether a set has no selector. An empty one selects everything.
func selectsNothing(spec *model.Spec) bool {
	return spec.Selector.Data == "" && len(spec.Selector.Needs) == 0
}

// withoutRecreate and withRecreate are the strategies that a refusal names, by the gate of Recreate.
const (
	withoutRecreate = "must be 'RollingUpdate' or 'OnDelete'"
	withRecreate    = "must be 'RollingUpdate', 'OnDelete', or 'Recreate'"
)

// strategyProblems returns what is wrong with the type of a strategy, which was found when the manifest was read.
func strategyProblems(wrong []string, rules model.APIRules) []string {
	if !rules.Recreate {
		return wrong
	}
	var problems []string
	for _, problem := range wrong {
		problems = append(problems, strings.Replace(problem, withoutRecreate, withRecreate, 1))
	}
	return problems
}

// templateProblems returns what is wrong with the pods of a template, worded for the set.
func templateProblems(template *model.Template, rules model.APIRules) []string {
	var problems []string
	for _, problem := range podProblems(template, rules) {
		if rules.Minor >= profilesOfOCI {
			problem = model.WithOCI(problem)
		}
		problems = append(problems, "spec.template."+problem)
	}
	return problems
}

// profilesOfOCI is the first minor version whose seccomp profiles have the field oci.
const profilesOfOCI = 38

// podProblems returns what is wrong with the pods of a template, as the version finds it.
func podProblems(template *model.Template, rules model.APIRules) []string {
	if rules.OwnPlaces {
		return template.Wrong
	}
	return template.WrongBefore
}

// validateSelector returns what is wrong with a selector: it must exist, must not be empty, and must match the labels
// of the template. Without a selector the set selects nothing; with an empty one it would select everything.
func validateSelector(spec *model.Spec, rules model.APIRules) []string {
	var problems []string
	show, none := valuesOf(rules), selectsNothing(spec)
	switch {
	case none && rules.Declarative:
		// It comes last.
	case none:
		problems = append(problems, noSelector)
	case len(spec.Selector.Needs) == 0:
		problems = append(problems, fmt.Sprintf(
			"spec.selector: Invalid value: %s: empty selector is invalid for statefulset", show.emptySelector()))
	}
	if none || !spec.Selector.Matches(spec.Template.Labels) {
		problems = append(problems, fmt.Sprintf(
			"spec.template.metadata.labels: Invalid value: %s: `selector` does not match template `labels`",
			show.labels(spec.Template.Labels)))
	}
	return problems
}

// validateStrategy adds what is wrong with an update strategy. maxUnavailable is looked at even by a version whose
// gate is off, since only a value that the old object has gets this far.
func validateStrategy(problems []string, strategy *model.Strategy, rules model.APIRules) []string {
	show := valuesOf(rules)
	if strategy.Type == model.RecreateStrategy && !rules.Recreate {
		return append(problems, fmt.Sprintf("spec.updateStrategy: Invalid value: %s: %s",
			show.strategy(strategy), withoutRecreate))
	}
	block := strategy.RollingUpdate
	switch {
	case block == nil:
		return problems
	case strategy.Type != model.RollingUpdateStrategy:
		return append(problems, fmt.Sprintf(
			"spec.updateStrategy.rollingUpdate: Invalid value: %s: only allowed for updateStrategy 'RollingUpdate'",
			show.block(block)))
	}
	const path = "spec.updateStrategy.rollingUpdate"
	problems = notNegative(problems, path+".partition", block.Partition)
	if block.MaxUnavailable != nil {
		problems = validateMaxUnavailable(problems, path+".maxUnavailable", block.MaxUnavailable, show)
	}
	return problems
}

// validateMaxUnavailable adds what is wrong with a maxUnavailable. A text that is not a percentage gives two
// problems, as upstream: it is not a percentage, and its value counts as 0.
func validateMaxUnavailable(problems []string, path string, value *model.IntOrPercent, show values) []string {
	if value.Text != "" {
		const why = "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', " +
			"regex used for validation is '[0-9]+%')"
		return append(problems, wrongText(path, value.Text, why), wrongText(path, value.Text, "cannot be 0"))
	}
	if !value.Percent {
		problems = notNegative(problems, path, value.Value)
	}
	wrong := ""
	switch {
	case value.Value == 0:
		wrong = "cannot be 0"
	case value.Percent && value.Value > 100:
		wrong = "must not be greater than 100%"
	default:
		return problems
	}
	return append(problems, fmt.Sprintf("%s: Invalid value: %s: %s", path, show.intOrPercent(value), wrong))
}

// validateUpdate returns what is wrong with a change of a set: with the new object, and with the changed fields.
// old passed the validation of its time, possibly in another version.
func validateUpdate(set, old *model.StatefulSet, rules model.APIRules) []string {
	asked := rules
	// An immutable field is not a reason to refuse a change of another field. A set that has Recreate keeps it,
	// also after its gate was turned off; versions before 1.37, which has FieldErrors, do not know it.
	asked.LabelService, asked.CheckClaims = false, false
	asked.Recreate = rules.Recreate || rules.FieldErrors && old.Spec.Strategy.Type == model.RecreateStrategy
	// A template is not refused if the old set was wrong too: the old version did not check templates.
	pods := rules.CheckClaims && len(validateSpec(&old.Spec, asked, true)) == 0
	problems := append(slices.Clone(metaProblems(&set.Spec, rules)), validateSpec(&set.Spec, asked, pods)...)
	problems = worded(problems, &set.Spec, rules)
	if rules.FieldErrors {
		return append(problems, immutableFields(&set.Spec, &old.Spec, rules.Declarative)...)
	}
	if !sameImmutable(set, old, rules) {
		problems = append(problems, fmt.Sprintf(
			"spec: Forbidden: updates to statefulset spec for fields other than %s are forbidden", rules.Mutable))
	}
	return problems
}

// immutableFields words each forbidden change by itself, as 1.37 does (FieldErrors). If the rule is declared, no value is
// shown.
func immutableFields(spec, old *model.Spec, declared bool) []string {
	var problems []string
	changed := func(field, value string) {
		if declared {
			value = "null"
		}
		problems = append(problems, fmt.Sprintf("spec.%s: Invalid value: %s: field is immutable", field, value))
	}
	if spec.Selector.Data != old.Selector.Data {
		changed("selector", cmp.Or(spec.Selector.Data, "null"))
	}
	if !sameClaimTemplates(spec.ClaimTemplates, old.ClaimTemplates) {
		changed("volumeClaimTemplates", claimTemplatesJSON(spec.ClaimTemplates))
	}
	if spec.ServiceName != old.ServiceName {
		changed("serviceName", fmt.Sprintf("%q", spec.ServiceName))
	}
	if spec.PodManagement != old.PodManagement {
		changed("podManagementPolicy", fmt.Sprintf("%q", spec.PodManagement))
	}
	for _, policy := range wrongOf(spec).Policy {
		// A policy that does not exist differs from the one before.
		value, _, _ := strings.Cut(policy, ": must be ")
		changed("podManagementPolicy", strings.TrimPrefix(value, "spec.podManagementPolicy: Invalid value: "))
	}
	return problems
}

// sameClaimTemplates is reflect.DeepEqual, which is dear, for two lists that mostly are both missing.
func sameClaimTemplates(a, b []model.ClaimTemplate) bool {
	return a == nil && b == nil || reflect.DeepEqual(a, b)
}

// sameImmutable reports whether only fields that the version allows users to change have changed.
func sameImmutable(set, old *model.StatefulSet, rules model.APIRules) bool {
	a, b := set.Spec, old.Spec
	if wrong := wrongOf(&a); len(wrong.Policy) > 0 || len(wrong.Selector) > 0 {
		return false
	}
	a.Wrong = b.Wrong
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

// validateStatus returns what is wrong with a status. A controller that counts wrongly is refused here: a
// currentReplicas of -1 makes its sync fail (issues 121397, 58347). Counts are compared with the other counts of the
// same status, never with pods.
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
