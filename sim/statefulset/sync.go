package statefulset

import (
	"errors"

	"github.com/statefulsim/statefulsim/model"
)

// sync is one sync of one set: what it sees, and what it has decided so far.
//
// Invariants: the input (view, set) does not change while the sync runs, except for adopted pods (adopt.go), so a
// position means the same pod from start to end; and everything that a sync decides follows from the view, the
// profile and the replies to its calls alone, so two syncs with the same input do the same.
type sync struct {
	profile *Profile
	// view is the state of the caches at the start of the sync. Positions in its groups stay valid until the sync
	// ends.
	view model.View
	// calls carries out the sync's calls in the order in which it makes them; only calls within a fork have no
	// order.
	calls model.Calls
	// set is the set as the view had it first. It is shared with the caches: never written.
	set *model.StatefulSet
	// replicas is the number of replicas wanted, spec.replicas, which is the length of that group, drafts included.
	replicas int
	// retains is true if the sync manages the owners of claims. It is decided once, at the start.
	retains bool
	// monotonic is upstream's word for OrderedReady; its opposite is burst.
	monotonic bool

	// history has the set's revisions, the oldest number first. It is shared with the view unless something was adopted.
	history []*model.Revision
	// current and update are the two revisions of the set: nil until chooseRevisions, never nil after it. They are the
	// same object if no rollout is under way.
	current, update *model.Revision
	// collisions is status.collisionCount, raised by the names that were taken in this sync; it never falls.
	collisions int32
	// status is this sync's counts, from startStatus on; before that it is the status that an earlier sync left. It
	// is written at the end if it differs from the set's.
	status model.Status

	// wants are the questions that the sync uses to look for pods.
	wants *wants
	// claimBlocks is true if the sync fails because a claim of a pod is being deleted. It has reported that wait
	// itself, so the failure needs no other.
	claimBlocks bool
	// waits are the reasons why the sync leaves work undone: at most waitLimit, the first found first. They do not keep
	// the sync from acting: in Parallel a wait and an act may name the same pod.
	waits []model.Why
	// sent is the set of the last status update: the receiver of a call makes copies before it returns.
	sent model.StatefulSet
}

// errStale is the error of a sync that the stale-cache guard refused (1.36, KEP-5647). The set comes back after its
// back-off; the caches have usually caught up by then.
var errStale = errors.New("the caches have not seen the controller's own last writes yet")

// run is one sync, from the guard to the requeue (upstream: sync and UpdateStatefulSet). The result of a sync that
// fails has its error and the waits so far.
func (s *sync) run() (result model.Result) {
	if result.Err = s.perform(); result.Err == nil {
		s.requeue(&result)
	}
	result.Waits = s.waits
	return result
}

// perform does all of a sync but the requeue. Each phase that fails says so in a wait. The history is cut even after
// an error, from the versions with PR 86097 on.
func (s *sync) perform() error {
	if s.profile.StaleGuard && s.view.Stale() {
		s.wait(model.Why{Code: model.StaleCache})
		return errStale
	}
	if err := s.takeOwnership(); err != nil {
		s.wait(model.Why{Code: model.SyncError})
		return err
	}
	err := s.performUpdate()
	if err == nil || s.profile.TruncateOnError {
		err = join(err, s.truncateHistory())
	}
	if err != nil && !s.claimBlocks {
		s.wait(model.Why{Code: model.SyncError})
	}
	return err
}

// performUpdate does everything but the truncation of the history. From 1.24.10 on the status is written even if a
// phase failed (status-on-error); the error of the phase takes precedence over the error of the status.
func (s *sync) performUpdate() error {
	if err := s.chooseRevisions(); err != nil {
		return err
	}
	if err := s.refuseUnknownStrategy(); err != nil {
		return err
	}
	s.startStatus()
	err := s.updateStatefulSet()
	if err != nil && !s.profile.StatusOnError {
		return err
	}
	if statusErr := s.writeStatus(); err == nil {
		err = statusErr
	}
	return err
}

// updateStatefulSet acts on the pods: replicas upwards, then condemned pods downwards, then the update downwards.
// From 1.38 on Parallel starts with the condemned pods, so that they make room for missing ones (PR 141057).
//
// A phase that ends the sync, as OrderedReady does at a blocker and after each act, keeps the later ones from
// running. So in OrderedReady a scale-down comes before an update; Parallel may do both in one sync. A set that is
// being deleted keeps its pods: the garbage collector deletes them.
func (s *sync) updateStatefulSet() error {
	if s.set.Terminating() {
		s.wait(model.Why{Code: model.SetDeleting, Object: s.set.Name})
		return nil
	}
	if end, err := s.recreate(); end || err != nil {
		return err
	}
	surplusFirst := s.profile.CondemnedFirst && !s.monotonic
	if surplusFirst {
		if _, err := s.removeSurplus(); err != nil {
			return err
		}
	}
	if end, err := s.processReplicas(); end || err != nil {
		return err
	}
	if !surplusFirst {
		if end, err := s.removeSurplus(); end || err != nil {
			return err
		}
	}
	if err := s.processUpdate(); err != nil {
		return err
	}
	s.waitInParallel()
	return nil
}

// removeSurplus gives the claims of condemned pods their owners and then removes the pods.
func (s *sync) removeSurplus() (end bool, err error) {
	if err := s.retainCondemned(); err != nil {
		return true, err
	}
	return s.processCondemned()
}

// ordinal returns the ordinal of the replica at a position.
func (s *sync) ordinal(i int) int { return s.set.Start() + i }

// key names an object in the set's namespace.
func (s *sync) key(name string) model.Key { return model.Key{Namespace: s.set.Namespace, Name: name} }
