package model

// Wrong lists the mistakes in a set that the model has no fields for, in the words of the API: FIELD: what is wrong.
// The package that reads a manifest finds them. The API server refuses the set with them, each in its place among the
// other errors.
type Wrong struct {
	// Meta is of the metadata, Policy of spec.podManagementPolicy, Strategy of the type of the update strategy, Retention
	// of the policy of claims, Selector of the selector, Labels of the labels and annotations of the pod template, and
	// Rest what comes last.
	Meta, Policy, Strategy, Retention, Selector, Labels, Rest []string
	// MetaBefore is Meta as a version without APIRules.OwnPlaces words it; nil if it is the same.
	MetaBefore []string
}
