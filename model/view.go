package model

import "time"

// View is the state that one sync sees: the set, its pods and its revisions, as cached when the sync started. It
// does not change while the sync runs. As upstream, only claims are read live from their cache, and so is the set
// if a sync asks for it again.
//
// It answers questions instead of returning slices, so an implementation may keep the answers up to date. Pods are in
// two groups: Replicas, at their index (ordinal - start), which may be missing, and Condemned, the pods whose ordinal
// is out of range, from the highest ordinal down, as upstream sorts them. Only pods that the set owns, and that match
// its selector and its name, count for these answers; Orphans and Strays return the others.
type View interface {
	// Set returns the set as its cache holds it at this moment. As upstream, a sync asks for it when it starts, and
	// again before it repeats a status update after a conflict.
	Set() *StatefulSet
	// Now is the instant of the sync: what counts as available is judged by it.
	Now() Time

	// Len returns the number of positions in the group: spec.replicas, or the number of condemned pods.
	Len(Group) int
	// Pod returns the pod at a position, or nil if the replica is missing.
	Pod(Group, int) *Pod
	// Traits returns the traits of the pod at a position; 0 if the replica is missing.
	Traits(Group, int) Traits
	// First returns the lowest position >= from whose pod is as wanted, or Len.
	First(g Group, from int, w Want) int
	// FirstNot returns the lowest position >= from whose pod is missing or not as wanted, or Len.
	FirstNot(g Group, from int, w Want) int
	// Last returns the highest position < below whose pod is as wanted, or -1.
	Last(g Group, below int, w Want) int
	// LastNot returns the highest position < below whose pod is missing or not as wanted, or -1.
	LastNot(g Group, below int, w Want) int
	// Count returns the number of positions whose pod is as wanted.
	Count(Group, Want) int
	// Tally counts the pods of both groups for a status, by the names of two revisions. With unnamed it also counts the
	// set's pods that have no ordinal, which are in neither group.
	Tally(current, update string, unnamed bool) Tally
	// NextAvailable returns how long it takes from Now until the next Ready pod becomes available, whatever its
	// group; false if no pod will.
	NextAvailable() (time.Duration, bool)

	// Orphans returns the pods that the set may adopt: they match its selector and its name, have no controller and are
	// not terminating. Strays returns those that the set owns although they do not match (any more). Both are in the order
	// of names, and the caller must not change them.
	Orphans() []*Pod
	Strays() []*Pod
	// With returns a view in which these pods also belong to the set. It is valid as long as this one.
	With(adopted []*Pod) View
	// Latest returns the pod of that name as the cache holds it at this moment, even if the set does not own it, or nil.
	// After a conflict the controller asks here.
	Latest(name string) *Pod

	// Revisions returns the revisions that match the set's selector and whose controller is the set or missing, in
	// the history's order. The caller must not change the slice.
	Revisions() []*Revision
	// RevisionUsed reports whether any of the set's pods carries that revision's name.
	RevisionUsed(name string) bool
	// Claim returns the claim of that name in the set's namespace as the cache holds it at this moment, or nil.
	Claim(name string) *Claim
	// OwnedClaims reports whether any claim of the set's namespace has an owner at this moment. If none has an
	// owner, none has a superfluous one.
	OwnedClaims() bool

	// Stale reports whether the caches have not yet seen one of the controller's own writes (KEP-5647).
	Stale() bool
}

// Group is one of the two groups of pods in a View.
type Group uint8

// The groups.
const (
	Replicas Group = iota
	Condemned
)

// Traits is a set of facts about a pod of a set.
type Traits uint16

// The traits. A pod that exists has at least Exists.
const (
	Exists Traits = 1 << iota
	// IsCreated: the pod has a phase.
	IsCreated
	// IsPending, IsRunning, IsFailed and IsSucceeded are its phase.
	IsPending
	IsRunning
	IsFailed
	IsSucceeded
	// IsReady is its Ready condition, whatever its phase.
	IsReady
	// IsAvailable: it has been Ready for minReadySeconds, whatever its phase.
	IsAvailable
	// IsTerminating: its deletion has been asked for.
	IsTerminating
	// HasIdentity: its name, namespace and pod-name label are what they should be.
	HasIdentity
	// HasStorage: it has a volume for each of the set's claim templates, with the right claim.
	HasStorage
)

// Want selects pods: those that have all of Has and none of Lacks, and whose revision label is Revision. With Other,
// the revision label must be any other than Revision. If Revision is "" and Other is false, any label matches.
type Want struct {
	Has, Lacks Traits
	Revision   string
	Other      bool
}

// Tally is a count of pods, as a status holds it.
type Tally struct {
	// Replicas counts created pods; Ready counts the Running and Ready ones; Available counts the available ones
	// among these; terminating pods are included. Current and Updated count created pods that are not terminating
	// by revision.
	Replicas, Ready, Available, Current, Updated int32
}

// Add counts n pods that are alike.
func (t *Tally) Add(n int32, traits Traits, isCurrent, isUpdate bool) {
	if traits&IsCreated == 0 {
		return
	}
	t.Replicas += n
	if traits&(IsRunning|IsReady) == IsRunning|IsReady {
		t.Ready += n
		if traits&IsAvailable != 0 {
			t.Available += n
		}
	}
	if traits&IsTerminating != 0 {
		return
	}
	if isCurrent {
		t.Current += n
	}
	if isUpdate {
		t.Updated += n
	}
}

// AvailableAt returns the instant when a Ready pod is available. With minReadySeconds 2, a two-second-old pod is
// available, in every version (before 1.34 the code compares with <, but a real clock is always a little past the
// instant).
func AvailableAt(pod *Pod, minReadySeconds int32) Time {
	return pod.ReadySince.Add(time.Duration(minReadySeconds) * time.Second)
}

// TraitsOf returns the traits of a pod that its set owns.
func TraitsOf(set *StatefulSet, pod *Pod, now Time) Traits {
	return StateTraits(set, pod, now) | identityTraits(set, pod)
}

// Fixed are the traits that depend on nothing but a pod's name, its labels and its volumes, and on the spec of its
// set. As long as these do not change, only the other traits, which StateTraits returns, have to be looked at again.
const Fixed = HasIdentity | HasStorage

// StateTraits returns the traits of a pod that are not Fixed.
func StateTraits(set *StatefulSet, pod *Pod, now Time) Traits {
	traits := Exists | phaseTraits[pod.Phase]
	if pod.Ready {
		traits |= IsReady
		if AvailableAt(pod, set.Spec.MinReadySeconds) <= now {
			traits |= IsAvailable
		}
	}
	if pod.Terminating() {
		traits |= IsTerminating
	}
	return traits
}

func identityTraits(set *StatefulSet, pod *Pod) (traits Traits) {
	ordinal := set.OrdinalOf(pod.Name)
	if ordinal < 0 {
		return 0
	}
	if hasIdentity(set, pod) {
		traits |= HasIdentity
	}
	if hasStorage(set, pod, ordinal) {
		traits |= HasStorage
	}
	return traits
}

var phaseTraits = [...]Traits{
	NoPhase:   0,
	Pending:   IsCreated | IsPending,
	Running:   IsCreated | IsRunning,
	Succeeded: IsCreated | IsSucceeded,
	Failed:    IsCreated | IsFailed,
}

func hasIdentity(set *StatefulSet, pod *Pod) bool {
	// Of the names with an ordinal, those with a leading zero are none that the controller makes.
	digits := pod.Name[len(set.Name)+1:]
	return (digits[0] != '0' || len(digits) == 1) && pod.Namespace == set.Namespace && pod.Labels[LabelPodName] == pod.Name
}

func hasStorage(set *StatefulSet, pod *Pod, ordinal int) bool {
	for i := range set.Spec.ClaimTemplates {
		template := &set.Spec.ClaimTemplates[i]
		if claimOf(pod, template.Name) != ClaimName(set, template, ordinal) {
			return false
		}
	}
	return true
}

// claimOf returns the claim of a volume of the pod. If several volumes have the name, the last one counts.
func claimOf(pod *Pod, volume string) string {
	claim := ""
	for i := range pod.Volumes {
		if pod.Volumes[i].Name == volume {
			claim = pod.Volumes[i].Claim
		}
	}
	return claim
}
