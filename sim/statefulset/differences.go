package statefulset

// Difference is one thing that versions of Kubernetes do differently.
type Difference struct {
	// Name is the difference's own word.
	Name string
	// Sentence says what is so where the difference is on, and what was before.
	Sentence string
	// Links are the pull requests and enhancement proposals that it came with.
	Links []string

	field func(*Profile) *bool
}

// On says whether the profile has the difference.
func (d Difference) On(p Profile) bool { return *d.field(&p) }

// With returns the profile with the difference applied or reverted.
func (d Difference) With(p Profile, on bool) Profile {
	*d.field(&p) = on
	return p
}

const (
	pull = "https://github.com/kubernetes/kubernetes/pull/"
	kep  = "https://github.com/kubernetes/enhancements/issues/"
)

// Differences lists all that profiles differ in, roughly in the order of their first versions.
var Differences = []Difference{
	{"truncate-on-error", "The history is cut to its limit even if the sync has failed.",
		[]string{pull + "86097"}, func(p *Profile) *bool { return &p.TruncateOnError }},
	{"recheck-revisions", "A set that is being deleted adopts no revisions; before it took back those left behind.",
		[]string{pull + "84984"}, func(p *Profile) *bool { return &p.RecheckRevisions }},
	{"orphan-revisions", "Orphan revisions are adopted beside others that are owned; before such a mixture was an error.",
		[]string{pull + "86801"}, func(p *Profile) *bool { return &p.OrphanRevisions }},
	{"terminating-claims", "A claim that is being deleted keeps its pod from being created.",
		[]string{pull + "93457"}, func(p *Profile) *bool { return &p.TerminatingClaims }},
	{"available-replicas", "The status counts available replicas.",
		[]string{pull + "100842"}, func(p *Profile) *bool { return &p.AvailableReplicas }},
	{"min-ready-seconds", "spec.minReadySeconds is obeyed.",
		[]string{pull + "101316", kep + "2599"}, func(p *Profile) *bool { return &p.MinReadySeconds }},
	{"hash-label", "Two revisions of one template differ if their hash labels are numbers and differ.",
		nil, func(p *Profile) *bool { return &p.HashLabel }},
	{"count-failed-delete", "status.currentReplicas falls with an update's deletion even if that fails.",
		[]string{pull + "113834"}, func(p *Profile) *bool { return &p.CountFailedDelete }},
	{"retention-field", "spec.persistentVolumeClaimRetentionPolicy is a field, and may be changed.",
		[]string{kep + "1847"}, func(p *Profile) *bool { return &p.RetentionField }},
	{"max-unavailable", "An update may take down as many pods as maxUnavailable says; the gate is on by default.",
		[]string{pull + "82162", pull + "133153", pull + "137904", pull + "139466", kep + "961"},
		func(p *Profile) *bool { return &p.MaxUnavailable }},
	{"status-on-error", "The status is written even if the sync has failed.",
		[]string{pull + "109694"}, func(p *Profile) *bool { return &p.StatusOnError }},
	{"budget-at-least-one", "A maxUnavailable percentage of less than one pod counts as one pod; before as none.",
		[]string{pull + "110069"}, func(p *Profile) *bool { return &p.BudgetAtLeastOne }},
	{"ordinals-field", "spec.ordinals is a field, and may be changed.",
		[]string{pull + "112744", kep + "3335"}, func(p *Profile) *bool { return &p.OrdinalsField }},
	{"start-ordinal", "spec.ordinals.start is obeyed.",
		[]string{pull + "112744", kep + "3335"}, func(p *Profile) *bool { return &p.StartOrdinal }},
	{"retention", "spec.persistentVolumeClaimRetentionPolicy is obeyed.",
		[]string{kep + "1847"}, func(p *Profile) *bool { return &p.Retention }},
	{"pending-claims", "Missing claims of a Pending pod are created again.",
		[]string{pull + "113270"}, func(p *Profile) *bool { return &p.PendingClaims }},
	{"update-ignores-not-found", "An update takes a pod that is gone already for deleted; before its sync failed.",
		[]string{pull + "113834"}, func(p *Profile) *bool { return &p.UpdateIgnoresNotFound }},
	{"slow-start", "Parallel works in batches of 1, 2, 4, ...; before on one pod after the other, up to the first error.",
		[]string{pull + "117865"}, func(p *Profile) *bool { return &p.SlowStart }},
	{"recount-status", "The status is counted from the pods in the cache; before it changed with every act of the sync.",
		[]string{pull + "117865"}, func(p *Profile) *bool { return &p.RecountStatus }},
	{"complete-by-spec", "A rollout is complete when spec.replicas pods are updated and ready; before status.replicas.",
		[]string{pull + "120731"}, func(p *Profile) *bool { return &p.CompleteBySpec }},
	{"pod-index", "New pods have a label with their ordinal.",
		[]string{pull + "119232", kep + "4017"}, func(p *Profile) *bool { return &p.PodIndex }},
	{"restart-succeeded", "A pod that has Succeeded is made again; before it stayed for ever.",
		[]string{pull + "121389"}, func(p *Profile) *bool { return &p.RestartSucceeded }},
	{"next-sync", "A pod that has ended is deleted, and created again by a later sync; before by the same sync.",
		[]string{pull + "123809"}, func(p *Profile) *bool { return &p.NextSync }},
	{"controller-refs",
		"The retention policy makes the set or a pod control its claims; before it made a plain owner of it.",
		[]string{pull + "122499"}, func(p *Profile) *bool { return &p.ControllerRefs }},
	{"label-name", "The name of a new set must be a DNS label; before it could have dots, and its pods were refused.",
		[]string{pull + "114172"}, func(p *Profile) *bool { return &p.LabelName }},
	{"label-service", "spec.serviceName of a new set must be a DNS label; before its pods were refused.",
		[]string{pull + "130233"}, func(p *Profile) *bool { return &p.LabelService }},
	{"mutable-history-limit", "spec.revisionHistoryLimit may be changed.",
		[]string{pull + "129017"}, func(p *Profile) *bool { return &p.MutableHistoryLimit }},
	{"availability", "Updates and scale-downs go by pods that are available; before by pods that are Running and Ready.",
		[]string{pull + "130909"}, func(p *Profile) *bool { return &p.Availability }},
	{"check-claims", "The claim templates of a new set are checked; before its claims were refused.",
		[]string{pull + "132212"}, func(p *Profile) *bool { return &p.CheckClaims }},
	{"json-values", "Refusals show values of several fields as JSON; before as Go prints them.",
		nil, func(p *Profile) *bool { return &p.JSONValues }},
	{"null-timestamps",
		"Revisions are written with creationTimestamp: null; those that are written without it are others.",
		[]string{"https://github.com/kubernetes/kubernetes/issues/134773"},
		func(p *Profile) *bool { return &p.NullTimestamps }},
	{"semantic-revisions", "A template that only reads differently in its revision makes no new one.",
		[]string{pull + "135017", pull + "135087"}, func(p *Profile) *bool { return &p.SemanticRevisions }},
	{"capital-events", "Messages of events begin with a capital letter.",
		nil, func(p *Profile) *bool { return &p.CapitalEvents }},
	{"exact-requeue", "The next sync comes just when the next pod becomes available; before up to a second later.",
		[]string{pull + "135428", pull + "136097"}, func(p *Profile) *bool { return &p.ExactRequeue }},
	{"delete-ignores-not-found", "Any deletion takes a pod that is gone already for deleted; before it failed.",
		[]string{pull + "136812"}, func(p *Profile) *bool { return &p.DeleteIgnoresNotFound }},
	{"stale-guard", "A sync fails at once while the caches lack the controller's own writes.",
		[]string{pull + "137254", kep + "5647"}, func(p *Profile) *bool { return &p.StaleGuard }},
	{"complete-any-strategy", "OnDelete completes as well; before status.currentRevision stayed.",
		[]string{pull + "136833"}, func(p *Profile) *bool { return &p.CompleteAnyStrategy }},
	{"broken-first", "A Parallel set replaces all outdated pods that are unavailable at once, whatever maxUnavailable.",
		[]string{pull + "137666"}, func(p *Profile) *bool { return &p.BrokenFirst }},
	{"keep-conditions", "Conditions in the status that others have set are kept.",
		[]string{pull + "137187"}, func(p *Profile) *bool { return &p.KeepConditions }},
	{"knows-recreate", "The strategy Recreate is known, and refused or obeyed by its gate.",
		[]string{pull + "137187", kep + "3541"}, func(p *Profile) *bool { return &p.KnowsRecreate }},
	{"recreate", "The strategy Recreate is obeyed.",
		[]string{pull + "137187", kep + "3541"}, func(p *Profile) *bool { return &p.Recreate }},
	{"field-errors", "Each immutable field that was changed is refused by itself; before all were refused at once.",
		nil, func(p *Profile) *bool { return &p.FieldErrors }},
}
