package promise

// Name is the public word for a promise.
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

// Promise is one of them, as people read it.
type Promise struct {
	Name Name
	// Says is the promise in one sentence.
	Says string
	// Grave is true where a breach costs what serves, what is stored, or that the rollout ends: such findings come first.
	Grave bool
	// OnRequest is true where the documentation does not promise it, though many expect it: it is only judged when it
	// is named.
	OnRequest bool
}

// All are the promises in the order of their documentation.
var All = []Promise{
	{Name: OnePodAName, Grave: true, Says: "At no time are there two pods of one name."},
	{Name: OneProcessAnIdentity, Grave: true, Says: "At no time do two processes run that have the same identity, " +
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
	{Name: KeepsServing, Grave: true, Says: "An update never has more than maxUnavailable of the pods " +
		"down that served; without the field that is one."},
	{Name: ClaimsCreated, Says: "A pod is created only when it has a claim for each claim template."},
	{Name: ClaimsKept, Grave: true, Says: "A claim is deleted only where the retention policy says so, " +
		"and never that of a replica that is wanted."},
	{Name: ClaimsGo, Says: "Where whenScaled is Delete, the claims of a replica that a scale-down has removed are " +
		"deleted."},
	{Name: SameClaimAgain, Grave: true, Says: "A replica that comes back finds the claim that it had."},
	{Name: HistoryKept, Says: "No revision is deleted that a pod runs; of the others as many are kept as " +
		"revisionHistoryLimit says."},
	{Name: StatusCounts, Says: "The status counts the pods that the controller has seen, and no count is ever negative."},
	{Name: CompleteWhenReady, Says: "The update revision becomes the current one only when all pods are updated and " +
		"Ready."},
	{Name: NoDoubleDelete, Says: "An update deletes no pod that is at the new revision already."},
	{Name: NoPodWhileDeleted, Says: "No pod is created for a StatefulSet that is being deleted: its pods are on their " +
		"way out."},
	{Name: ComesToRest, Grave: true, Says: "When nobody changes anything any more, the controller stops writing."},
	{Name: Arrives, Grave: true, Says: "When nothing fails any more, and every image works, each " +
		"StatefulSet gets all that its spec asks for."},
	{Name: Stays, Says: "A StatefulSet at rest stays as it is when the controller looks at it again."},
	{Name: OneRestartAChange, OnRequest: true, Says: "Each change of the template restarts a pod at most once."},
	{Name: RightRevisionAtOnce, OnRequest: true, Says: "A pod that is created during an update has the revision " +
		"that it is going to have."},
	{Name: RevertHeals, OnRequest: true, Says: "Taking a change of the template back heals the rollout that it has " +
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

// Default are the names of those that are judged where nobody asks for others.
func Default() []Name {
	var names []Name
	for _, p := range All {
		if !p.OnRequest {
			names = append(names, p.Name)
		}
	}
	return names
}
