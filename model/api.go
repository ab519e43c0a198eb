package model

// APIRules describe how the API server of one version treats a StatefulSet, as far as versions differ. The
// simulated API server gets it as a value.
type APIRules struct {
	// Minor is the minor version, 37 for 1.37: it has the fields and the defaults of pod templates (Template.In).
	Minor int
	// MaxUnavailable: spec.updateStrategy.rollingUpdate.maxUnavailable is kept, and defaulted to 1 (gate
	// MaxUnavailableStatefulSet). Otherwise it is dropped unless the old object has it. MaxUnavailableField: the field is
	// part of the API.
	MaxUnavailable, MaxUnavailableField bool
	// MinReadySeconds: the field is kept (gate StatefulSetMinReadySeconds). MinReadySecondsField: it is part of the API;
	// without the gate it is dropped when a set is created, but not when one is updated.
	MinReadySeconds, MinReadySecondsField bool
	// StartOrdinal: spec.ordinals is kept (gate StatefulSetStartOrdinal, KEP-3335).
	StartOrdinal bool
	// Retention: spec.persistentVolumeClaimRetentionPolicy is kept and defaulted (gate StatefulSetAutoDeletePVC).
	Retention bool
	// Recreate: the strategy Recreate is accepted (gate StatefulSetRecreateStrategy, KEP-3541).
	Recreate bool
	// Mutable lists the spec fields that an update may change, in the words and the order of the refusal.
	Mutable string
	// MutableMinReadySeconds and the others are true if that later field may really change.
	MutableMinReadySeconds, MutableOrdinals, MutableRetention, MutableHistoryLimit bool
	// FieldErrors: each immutable field that changed gives its own error, `field is immutable`, instead of one with the
	// list (1.37).
	FieldErrors bool
	// NameConflicts: a creation with a generateName whose name is taken fails with AlreadyExists (1.23). Before, it failed
	// with ServerTimeout, which does not say why.
	NameConflicts bool
	// LabelName: the name of a new set must be a DNS label, as the names of its pods must (1.27). Before, it could be a
	// DNS subdomain, with dots, and every pod was refused.
	LabelName bool
	// LabelService: so must spec.serviceName of a new set (1.33).
	LabelService bool
	// CheckClaims: the claim templates of a new set are validated like claims, and its pod template like a pod
	// (1.34).
	CheckClaims bool
	// OwnPlaces: the refusals of shareProcessNamespace together with hostPID, and of an owner, name their own
	// fields, instead of the security context and of all owners (1.37).
	OwnPlaces bool
	// JSONValues: a refusal shows a wrong value of several fields as JSON; before 1.34 as Go prints it.
	JSONValues bool
	// Declarative: the rules that are declared with the fields are enforced (1.38): immutable fields and a required
	// selector. Their errors come last, and the error for an immutable field shows null and no value.
	Declarative bool
}

// Wrong lists the mistakes in a set that the model has no fields for, in the words of the API: FIELD: what is wrong.
// The package that reads a manifest finds them. The API server refuses the set with them, each in its place among the
// other errors.
type Wrong struct {
	// Meta is about the metadata, Policy about spec.podManagementPolicy, Strategy about the type of the update
	// strategy, Retention about the policy of claims, Selector about the selector, Labels about the labels and
	// annotations of the pod template, and Rest is what comes last.
	Meta, Policy, Strategy, Retention, Selector, Labels, Rest []string
	// MetaBefore is Meta as a version without APIRules.OwnPlaces words it; nil if it is the same.
	MetaBefore []string
	// Printed has, by their other words, those mistakes that a version without APIRules.JSONValues words as it has them.
	Printed map[string]string
}
