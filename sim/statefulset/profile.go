package statefulset

// Profile is a version of the StatefulSet controller and of the API server's rules for StatefulSets, as a value
// whose fields the algorithm reads. Each field is one difference between versions. Next to it is the name under
// which Differences describes it, with its versions and its source.
//
// The zero value is not a version; Lookup returns profiles. A profile is a plain value: copies may be changed with
// Difference.With and WithGates, and nothing else has to be updated.
type Profile struct {
	// level is the entry of versions.go that the profile was built from; nil in the zero value. It has the name of
	// the version and the gates that it knows, so a profile with changed fields still reports its own version.
	level *level

	// Availability, and the time of the next sync.

	AvailableReplicas bool // available-replicas
	MinReadySeconds   bool // min-ready-seconds
	Availability      bool // availability
	ExactRequeue      bool // exact-requeue

	// Finished pods.

	RestartSucceeded bool // restart-succeeded
	NextSync         bool // next-sync

	// How Parallel works, and how the status is counted.

	SlowStart      bool // slow-start
	CondemnedFirst bool // condemned-first

	// The status.

	CompleteBySpec      bool // complete-by-spec
	CompleteAnyStrategy bool // complete-any-strategy
	StatusOnError       bool // status-on-error
	KeepConditions      bool // keep-conditions

	// The update.

	MaxUnavailable        bool // max-unavailable
	BudgetAtLeastOne      bool // budget-at-least-one
	BrokenFirst           bool // broken-first
	BudgetFromPartition   bool // budget-from-partition
	PercentFromPartition  bool // percent-from-partition
	CountFailedDelete     bool // count-failed-delete
	UpdateIgnoresNotFound bool // update-ignores-not-found
	DeleteIgnoresNotFound bool // delete-ignores-not-found
	KnowsRecreate         bool // knows-recreate
	Recreate              bool // recreate

	// Revisions and their history.

	HashLabel         bool // hash-label
	NullTimestamps    bool // null-timestamps
	SemanticRevisions bool // semantic-revisions
	TruncateOnError   bool // truncate-on-error
	RecheckRevisions  bool // recheck-revisions
	OrphanRevisions   bool // orphan-revisions
	RestoreSpec       bool // restore-spec

	// Claims, ordinals and labels.

	TerminatingClaims bool // terminating-claims
	PendingClaims     bool // pending-claims
	Retention         bool // retention
	ControllerRefs    bool // controller-refs
	StartOrdinal      bool // start-ordinal
	PodIndex          bool // pod-index
	ExactNames        bool // exact-names

	// The sync itself.

	StaleGuard    bool // stale-guard
	CapitalEvents bool // capital-events

	// The API server alone.

	MinReadySecondsField bool // min-ready-seconds-field
	MaxUnavailableField  bool // max-unavailable-field
	RetentionField       bool // retention-field
	MutableInOrder       bool // mutable-in-order
	OrdinalsField        bool // ordinals-field
	NameConflicts        bool // name-conflicts
	LabelName            bool // label-name
	MutableHistoryLimit  bool // mutable-history-limit
	LabelService         bool // label-service
	CheckClaims          bool // check-claims
	JSONValues           bool // json-values
	FieldErrors          bool // field-errors
	OwnPlaces            bool // own-places
	Declarative          bool // declarative-validation
}
