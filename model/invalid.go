package model

// Wrong is what is wrong in a set that the model has no words for, in those of the API: FIELD: what is wrong. Whoever
// reads a manifest finds it, and the API server refuses the set with it, each part at its place among the rest.
type Wrong struct {
	// Meta is of the metadata, Policy of spec.podManagementPolicy, Strategy of the type of the update strategy, Retention
	// of the policy of claims, Selector of the selector, Labels of the labels and annotations of the pod template, and
	// Rest what comes last.
	Meta, Policy, Strategy, Retention, Selector, Labels, Rest []string
}
