package statefulset

import (
	"errors"

	"github.com/statefulsim/statefulsim/model"
)

// sync is one sync of one set: what it sees, what it has decided so far, and the slices that are used again by the
// next.
//
// Invariants: what is seen (view, set) does not change while the sync runs, except what adopted pods add (adopt.go),
// so a position means the same pod from beginning to end; and whatever a sync decides it has decided from the view, the
// profile and the replies to its calls alone, so that two syncs that are given the same do the same.
type sync struct {
	profile *Profile
	// view is the state of the caches when the sync began. Positions in its groups stay valid until the sync ends.
	view model.View
	// calls carries out what the sync wants done, in the order in which it asks; only what runs in a fork has no order.
	calls model.Calls
	// set is the set as the view had it first. It is shared with the caches: never written.
	set *model.StatefulSet
	// replicas is the number of replicas wanted, which is the length of that group.
	replicas int
	// retains: the owners of claims are looked after.
	retains bool
	// monotonic is upstream's word for OrderedReady; its opposite is burst.
	monotonic bool

	// history has the set's revisions, the oldest number first. It is shared with the view unless something was adopted.
	history []*model.Revision
	// current and update are the two revisions of the set: nil until chooseRevisions, never nil after it. They are the
	// same object if no rollout is under way.
	current, update *model.Revision
	// collisions is status.collisionCount, and never falls.
	collisions int32
	// status is the status that is counted. It is written at the end if it differs from the set's.
	status model.Status

	// wants are the questions by which the sync looks for pods.
	wants *wants
	// claimBlocks: the sync fails because a claim of a pod is being deleted, and says so by itself.
	claimBlocks bool
	// waits are the reasons why the sync leaves work undone: at most waitLimit, the first found first.
	waits []model.Why
	// batch and errs belong to the batch that is worked on, with one error for each of its positions; see batches.go.
	batch []int
	errs  []error
	// drafts are pods whose memory is used again, sent is the object of a status update: the implementation of a call
	// must have made copies when it returns. owned is the reference to the set; see owners.
	drafts []*model.Pod
	sent   model.StatefulSet
	owned  []model.Owner
	// names are those of pods, and labels those of the last template, which all syncs of a controller share.
	names  *podNames
	labels *labels
	texts  *texts
}

func (s *sync) start(profile *Profile, view model.View, calls model.Calls) {
	s.profile, s.view, s.calls = profile, view, calls
	s.set = view.Set()
	s.replicas = view.Len(model.Replicas)
	s.monotonic = s.set.Spec.PodManagement != model.Parallel
	s.retains = s.retainsClaims()
	s.history, s.current, s.update = nil, nil, nil
	s.claimBlocks = false
	s.waits, s.batch, s.errs = s.waits[:0], s.batch[:0], s.errs[:0]
}

// end drops what belongs to the world, so that nothing is kept alive by a sync that waits to be used again.
func (s *sync) end() {
	clear(s.errs)
	s.view, s.calls, s.set, s.history, s.current, s.update = nil, nil, nil, nil, nil, nil
	if s.status.Conditions = nil; s.sent.Name != "" {
		s.sent = model.StatefulSet{}
	}
}

// errStale is the error of a sync that the stale-cache guard refused.
var errStale = errors.New("the caches have not seen the controller's own last writes yet")

// run is one sync, from the guard to the requeue.
func (s *sync) run() model.Result {
	if s.profile.StaleGuard && s.view.Stale() {
		s.wait(model.Why{Code: model.StaleCache})
		return model.Result{Err: errStale, Waits: s.waits}
	}
	if err := s.takeOwnership(); err != nil {
		s.wait(model.Why{Code: model.SyncError})
		return model.Result{Err: err, Waits: s.waits}
	}
	err := s.performUpdate()
	if err == nil || s.profile.TruncateOnError {
		err = join(err, s.truncateHistory())
	}
	if err != nil {
		if !s.claimBlocks {
			s.wait(model.Why{Code: model.SyncError})
		}
		return model.Result{Err: err, Waits: s.waits}
	}
	result := s.requeue()
	result.Waits = s.waits
	return result
}

// performUpdate does everything but the truncation of the history.
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

// updateStatefulSet acts on the pods: replicas upwards, then condemned pods downwards, then the update downwards. A
// phase that ends the sync, as OrderedReady does at a blocker and after each act, keeps the later ones from running. A
// set that is being deleted keeps its pods: the garbage collector deletes them.
func (s *sync) updateStatefulSet() error {
	if s.set.Terminating() {
		s.wait(model.Why{Code: model.SetDeleting, Object: s.set.Name})
		return nil
	}
	if end, err := s.recreate(); end || err != nil {
		return err
	}
	if end, err := s.processReplicas(); end || err != nil {
		return err
	}
	if err := s.retainCondemned(); err != nil {
		return err
	}
	if end, err := s.processCondemned(); end || err != nil {
		return err
	}
	if err := s.processUpdate(); err != nil {
		return err
	}
	s.waitInParallel()
	return nil
}

// start ordinal plus position is the ordinal of a replica.
func (s *sync) ordinal(i int) int { return s.set.Start() + i }

// key names an object in the set's namespace.
func (s *sync) key(name string) model.Key { return model.Key{Namespace: s.set.Namespace, Name: name} }
