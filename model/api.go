package model

// APIRules is what one version's API server does with a StatefulSet, as far as versions differ. The simulated API
// server is given it as a value.
type APIRules struct {
	// MaxUnavailable: spec.updateStrategy.rollingUpdate.maxUnavailable is kept, and defaulted to 1 (gate
	// MaxUnavailableStatefulSet). Otherwise it is dropped unless the old object has it.
	MaxUnavailable bool
	// MinReadySeconds: the field is kept (gate StatefulSetMinReadySeconds).
	MinReadySeconds bool
	// StartOrdinal: spec.ordinals is kept (gate StatefulSetStartOrdinal, KEP-3335).
	StartOrdinal bool
	// Retention: spec.persistentVolumeClaimRetentionPolicy is kept and defaulted (gate StatefulSetAutoDeletePVC).
	Retention bool
	// Recreate: the strategy Recreate is accepted (gate StatefulSetRecreateStrategy, KEP-3541).
	Recreate bool
	// Mutable lists the spec fields that an update may change, in the words and the order of the refusal.
	Mutable string
	// MutableMinReadySeconds and the others say which of the later fields may really change.
	MutableMinReadySeconds, MutableOrdinals, MutableRetention, MutableHistoryLimit bool
	// FieldErrors: each immutable field that changed gives its own error, `field is immutable`, instead of one with the
	// list (1.37).
	FieldErrors bool
}
