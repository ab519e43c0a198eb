package promise

// Name is the public word for a promise. It is part of scenarios and reports, so it does not change.
type Name string

// The promises.
const (
	OnePodAName          Name = "one-pod-a-name"
	OneProcessAnIdentity Name = "one-process-an-identity"
	OrderedStart         Name = "ordered-start"
	OrderedStop          Name = "ordered-stop"
	UpdateFromTheTop     Name = "update-from-the-top"
	PartitionKept        Name = "partition-kept"
	OnDeleteUntouched    Name = "on-delete-untouched"
	KeepsServing         Name = "keeps-serving"
	ClaimsCreated        Name = "claims-created"
	ClaimsKept           Name = "claims-kept"
	ClaimsGo             Name = "claims-go"
	SameClaimAgain       Name = "same-claim-again"
	HistoryKept          Name = "history-kept"
	StatusCounts         Name = "status-counts"
	CompleteWhenReady    Name = "complete-when-ready"
	NoDoubleDelete       Name = "no-double-delete"
	NoPodWhileDeleted    Name = "no-pod-while-deleted"
	ComesToRest          Name = "comes-to-rest"
	Arrives              Name = "arrives"
	Stays                Name = "stays"
	OneRestartAChange    Name = "one-restart-a-change"
	RightRevisionAtOnce  Name = "right-revision-at-once"
	RevertHeals          Name = "revert-heals"
)

// Promise is one of them, in the words that people read.
type Promise struct {
	Name Name
	// Says is the promise in one sentence.
	Says string
	// Grave is true if a breach costs what serves, what is stored, or that the rollout ends: such findings come first.
	Grave bool
	// OnRequest is true if the documentation does not promise it, though it is expected: it is judged when it is named.
	OnRequest bool
}

// All are the promises in the order of their documentation, each name once. It is read only.
var All = []Promise{
	{Name: OnePodAName, Grave: true, Says: "Two pods never have the same name at the same time."},
	{Name: OneProcessAnIdentity, Grave: true, Says: "Two processes never run with the same identity, " +
		"unless somebody forces a deletion."},
	{Name: OrderedStart, Says: "With OrderedReady a pod is created only when all pods of lower ordinals are " +
		"Running and Ready."},
	{Name: OrderedStop, Says: "With OrderedReady a scale-down deletes a pod only when all pods of higher ordinals " +
		"are gone, " +
		"and all pods that stay are Running and Ready."},
	{Name: UpdateFromTheTop, Says: "A rolling update replaces pods from the largest ordinal to the smallest."},
	{Name: PartitionKept, Says: "Pods below the partition are not updated; one that is deleted comes back at the " +
		"old revision."},
	{Name: OnDeleteUntouched, Says: "With OnDelete an update deletes no pod."},
	{Name: KeepsServing, Grave: true, Says: "An update never takes down more than maxUnavailable " +
		"serving pods; the default is 1."},
	{Name: ClaimsCreated, Says: "A pod is created only when it has a claim for each claim template."},
	{Name: ClaimsKept, Grave: true, Says: "A claim is deleted only if the retention policy says so, " +
		"and never while spec.replicas includes its replica."},
	{Name: ClaimsGo, Says: "If whenScaled is Delete, the claims of a replica that a scale-down has removed are " +
		"deleted."},
	{Name: SameClaimAgain, Grave: true, Says: "A replica that comes back gets the claim that it had before."},
	{Name: HistoryKept, Says: "A revision that a pod runs is never deleted; of the others, the newest " +
		"revisionHistoryLimit are kept, and all if it is negative."},
	{Name: StatusCounts, Says: "The status counts the pods that the controller has seen, and no count is ever negative."},
	{Name: CompleteWhenReady, Says: "The update revision becomes the current one only when all pods are updated and " +
		"Ready."},
	{Name: NoDoubleDelete, Says: "An update deletes no pod that is already at the new revision."},
	{Name: NoPodWhileDeleted, Says: "No pod is created for a StatefulSet that is being deleted."},
	{Name: ComesToRest, Grave: true, Says: "Once nobody changes anything, the controller stops writing."},
	{Name: Arrives, Grave: true, Says: "Once nothing fails and every image works, each " +
		"StatefulSet reaches what its spec asks for."},
	{Name: Stays, Says: "A StatefulSet at rest does not change when the controller syncs it again."},
	{Name: OneRestartAChange, OnRequest: true, Says: "Each change of the template restarts a pod at most once."},
	{Name: RightRevisionAtOnce, OnRequest: true, Says: "A pod that is created during an update gets its final " +
		"revision at once."},
	{Name: RevertHeals, OnRequest: true, Says: "Reverting a change of the template heals the rollout that it " +
		"stopped (kubernetes#67250)."},
}

// Lookup finds a promise by its name.
func Lookup(name string) (Promise, bool) {
	for _, p := range All {
		if string(p.Name) == name {
			return p, true
		}
	}
	return Promise{}, false
}

// Default returns the names of the promises that are judged if nobody asks for others: all that the documentation
// gives. The slice is new.
func Default() []Name {
	var names []Name
	for _, p := range All {
		if !p.OnRequest {
			names = append(names, p.Name)
		}
	}
	return names
}
