package builtin

import (
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateRules returns what is wrong with the rules of a role.
func validateRules(rules []rbacv1.PolicyRule, namespaced bool) (errs field.ErrorList) {
	for i := range rules {
		rule, path := &rules[i], field.NewPath("rules").Index(i)
		if len(rule.Verbs) == 0 {
			errs = append(errs, field.Required(path.Child("verbs"), ""))
		}
		if len(rule.NonResourceURLs) > 0 {
			urls := path.Child("nonResourceURLs")
			switch {
			case namespaced:
				errs = append(errs, field.Invalid(urls, rule.NonResourceURLs, "namespaced rules cannot apply to non-resource URLs"))
			case len(rule.APIGroups)+len(rule.Resources)+len(rule.ResourceNames) > 0:
				errs = append(errs, field.Invalid(urls, rule.NonResourceURLs,
					"rules cannot apply to both regular resources and non-resource URLs"))
			}
			continue
		}
		if len(rule.APIGroups) == 0 {
			errs = append(errs, field.Required(path.Child("apiGroups"), "resource rules must supply at least one api group"))
		}
		if len(rule.Resources) == 0 {
			errs = append(errs, field.Required(path.Child("resources"), "resource rules must supply at least one resource"))
		}
	}
	return errs
}

// validateBinding returns what is wrong with a binding to a role of one of some kinds. The role must never change.
func validateBinding(role rbacv1.RoleRef, was *rbacv1.RoleRef, subjects []rbacv1.Subject, of []string, namespaced bool) (
	errs field.ErrorList,
) {
	path := field.NewPath("roleRef")
	if was != nil && *was != role {
		errs = append(errs, field.Invalid(path, role, "cannot change roleRef"))
	}
	if role.APIGroup != rbacv1.GroupName {
		errs = append(errs, field.NotSupported(path.Child("apiGroup"), role.APIGroup, []string{rbacv1.GroupName}))
	}
	if !contains(of, role.Kind) {
		errs = append(errs, field.NotSupported(path.Child("kind"), role.Kind, of))
	}
	if role.Name == "" {
		errs = append(errs, field.Required(path.Child("name"), ""))
	}
	for i := range subjects {
		subject, at := &subjects[i], field.NewPath("subjects").Index(i)
		kinds := []string{rbacv1.ServiceAccountKind, rbacv1.UserKind, rbacv1.GroupKind}
		if subject.Name == "" {
			errs = append(errs, field.Required(at.Child("name"), ""))
		}
		switch {
		case !contains(kinds, subject.Kind):
			errs = append(errs, field.NotSupported(at.Child("kind"), subject.Kind, kinds))
		case subject.Kind == rbacv1.ServiceAccountKind && !namespaced && subject.Namespace == "":
			errs = append(errs, field.Required(at.Child("namespace"), ""))
		}
	}
	return errs
}
