package statefulset

// Profile is a version of the StatefulSet controller and of the API server's rules for StatefulSets: a value whose
// fields are what the algorithm asks. Each is one named difference between versions (see Differences). The zero value
// is no version; Lookup returns profiles.
type Profile struct {
	level *level

	// AvailableReplicas: status.availableReplicas exists (1.22, PR 100842).
	AvailableReplicas bool
	// MinReadySeconds: spec.minReadySeconds is obeyed (gate StatefulSetMinReadySeconds, on from 1.23, KEP-2599).
	MinReadySeconds bool
	// Availability: what holds up an update, counts as unavailable or is the first bad pod, is a pod that is not
	// available; before it was one that is not Running and Ready (1.34, PR 130909).
	Availability bool
	// ExactRequeue: the next sync comes when the next pod becomes available, and only where one is on its way; before it
	// came after minReadySeconds as long as not all replicas were available, and one second later after a pod had become
	// Ready (1.36, PR 135428; 1.35.1, PR 136097).
	ExactRequeue bool

	// RestartSucceeded: a pod that has Succeeded is made again, like one that has Failed (1.29, PR 121389; 1.28.5;
	// 1.27.9).
	RestartSucceeded bool
	// NextSync: a pod that has ended is only deleted, and a later sync creates it again; before the same sync did (1.31,
	// PR 123809; 1.30.2, 1.29.6, 1.28.11).
	NextSync bool

	// SlowStart: Parallel works in batches of 1, 2, 4, ...; before on one pod after the other, up to the first error
	// (1.28, PR 117865; 1.27.4, 1.26.7).
	SlowStart bool
	// RecountStatus: the status is counted from the pods in the cache; before it was changed with every act (1.28,
	// PR 117865; 1.27.4, 1.26.7).
	RecountStatus bool
	// CompleteBySpec: a rollout is complete when as many pods as spec.replicas are updated and ready; before when as many
	// as status.replicas were (1.29, PR 120731; 1.28.4, 1.27.8).
	CompleteBySpec bool
	// CompleteAnyStrategy: OnDelete completes as well (1.37, PR 136833).
	CompleteAnyStrategy bool
	// StatusOnError: the status is written even if the sync has failed (1.25, PR 109694; 1.24.10).
	StatusOnError bool
	// KeepConditions: conditions that others have set are kept, and count for whether the status differs (1.37, PR
	// 137187).
	KeepConditions bool

	// MaxUnavailable: an update may take down maxUnavailable pods (gate MaxUnavailableStatefulSet, alpha from 1.24, on in
	// 1.35.0 to 1.35.3 and from 1.37, KEP-961).
	MaxUnavailable bool
	// BudgetAtLeastOne: a percentage that is less than one pod is one pod (1.25, PR 110069).
	BudgetAtLeastOne bool
	// BrokenFirst: with the gate on, a Parallel set replaces all outdated pods that are unavailable at once (1.37,
	// PR 137666).
	BrokenFirst bool
	// CountFailedDelete: status.currentReplicas falls with an update's deletion even if that fails (until 1.26, PR
	// 113834).
	CountFailedDelete bool
	// UpdateIgnoresNotFound: an update takes a pod that is gone already for deleted (1.27, PR 113834).
	UpdateIgnoresNotFound bool
	// DeleteIgnoresNotFound: so does every deletion of a pod (1.36, PR 136812).
	DeleteIgnoresNotFound bool
	// KnowsRecreate: the strategy Recreate is known (1.37, PR 137187), and Recreate: it is obeyed (gate
	// StatefulSetRecreateStrategy, alpha, KEP-3541).
	KnowsRecreate, Recreate bool

	// HashLabel: revisions of one template are different if their hash labels are decimal numbers and differ (until 1.33).
	HashLabel bool
	// NullTimestamps: a template is written into its revision with a creationTimestamp that is null, which versions from
	// 1.34 on leave out: a revision of the one form is another one than that of the other (issue 134773).
	NullTimestamps bool
	// SemanticRevisions: a template that only reads differently in its revision is the same (1.34.2, PR 135087; 1.35,
	// PR 135017; gate StatefulSetSemanticRevisionComparison). Without it 1.34.0 and 1.34.1 roll out every set once.
	SemanticRevisions bool
	// TruncateOnError: the history is cut even if the sync has failed (after 1.16, PR 86097).
	TruncateOnError bool

	// RecheckRevisions: a set that is being deleted adopts no revisions (after 1.16, PR 84984).
	RecheckRevisions bool
	// OrphanRevisions: revisions that belong to nobody are adopted beside others that the set has already; before such a
	// mixture failed every sync (after 1.16, PR 86801).
	OrphanRevisions bool

	// TerminatingClaims: a claim that is being deleted keeps its pod from being created (1.20, PR 93457).
	TerminatingClaims bool
	// PendingClaims: missing claims of a Pending pod are created again (1.27, PR 113270).
	PendingClaims bool
	// Retention: persistentVolumeClaimRetentionPolicy is obeyed (gate StatefulSetAutoDeletePVC, on from 1.27, KEP-1847).
	Retention bool
	// ControllerRefs: the owner that the policy gives a claim is its controller, and one that is recognised by its kind
	// and name; a claim that somebody else controls is left alone. Before it was a plain owner, recognised by its uid
	// (1.31, PR 122499).
	ControllerRefs bool
	// StartOrdinal: spec.ordinals is obeyed (gate StatefulSetStartOrdinal, on from 1.27, KEP-3335).
	StartOrdinal bool
	// PodIndex: new pods get a label with their ordinal (1.28, PR 119232, gate PodIndexLabel, KEP-4017).
	PodIndex bool
	// StaleGuard: a sync whose cache lacks the controller's own writes fails at once (1.36, PR 137254, gate
	// StaleControllerConsistencyStatefulSet, KEP-5647).
	StaleGuard bool
	// CapitalEvents: messages of events begin with a capital letter (1.35).
	CapitalEvents bool

	// RetentionField, OrdinalsField: the field is part of the API, whether it is obeyed or not, and may be changed (1.23
	// and 1.26).
	RetentionField, OrdinalsField bool
	// MutableHistoryLimit: spec.revisionHistoryLimit may be changed (1.33, PR 129017).
	MutableHistoryLimit bool
	// FieldErrors: each immutable field that was changed is refused by itself; before there was one refusal, with the list
	// of the fields that may be changed (1.37).
	FieldErrors bool
	// LabelName: a set's name must be a DNS label, and not only a subdomain (1.27, PR 114172).
	LabelName bool
	// LabelService: so must spec.serviceName, where a set is created (1.33, PR 130233).
	LabelService bool
	// CheckClaims: the claim templates of a new set are checked (1.34, PR 132212).
	CheckClaims bool
	// JSONValues: refusals show values of several fields as JSON; before as Go prints them (1.34).
	JSONValues bool
}
