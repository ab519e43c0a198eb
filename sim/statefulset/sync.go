package statefulset

import "github.com/statefulsim/statefulsim/model"

// sync is one sync of one set: what it sees, what it has decided so far, and the slices that are used again by the
// next.
type sync struct {
	profile *Profile
	view    model.View
	calls   model.Calls
	set     *model.StatefulSet
	// replicas is the number of replicas wanted, which is the length of that group.
	replicas int
	// retains: the owners of claims are looked after.
	retains bool
	// monotonic is upstream's word for OrderedReady; its opposite is burst.
	monotonic bool

	// history has the set's revisions, in their order.
	history []*model.Revision
	// current and update are the two revisions of the set. They are nil until they are chosen.
	current, update *model.Revision
	collisions      int32
	// status is what is counted, and written at the end.
	status model.Status

	wants wants
	// claimBlocks: the sync fails because a claim of a pod is being deleted, and says so by itself.
	claimBlocks bool
	waits       []model.Why
	batch       []int
	errs        []error
}

// wants are the questions that a sync asks its view about pods, by the profile's rules.
type wants struct {
	// going: a pod above which OrderedReady goes on.
	going model.Want
	// sound: a pod for which OrderedReady does nothing, and goes on.
	sound model.Want
	// kept: a pod for which Parallel does nothing.
	kept model.Want
	// healthy: a pod that neither holds up an update nor counts as unavailable.
	healthy model.Want
	// replaced are the traits of pods that are deleted and created again in one sync, so that a draft stands in their
	// place afterwards.
	replaced model.Traits
	// finished are the traits of pods that have ended and are made again.
	finished model.Traits
}

const running = model.IsRunning | model.IsReady

func (s *sync) start(profile *Profile, view model.View, calls model.Calls) {
	s.profile, s.view, s.calls = profile, view, calls
	s.set = view.Set()
	s.replicas = view.Len(model.Replicas)
	s.monotonic = s.set.Spec.PodManagement != model.Parallel
	s.retains = s.retainsClaims()
	s.history, s.current, s.update = nil, nil, nil
	s.claimBlocks = false
	s.waits, s.batch, s.errs = s.waits[:0], s.batch[:0], s.errs[:0]
	s.wants = profile.wants(s.set)
}

// end drops what belongs to the world, so that nothing is kept alive by a sync that waits to be used again.
func (s *sync) end() {
	clear(s.errs)
	s.view, s.calls, s.set, s.history, s.current, s.update = nil, nil, nil, nil, nil, nil
	s.status = model.Status{}
}

func (p *Profile) wants(set *model.StatefulSet) wants {
	const identity = model.HasIdentity | model.HasStorage
	w := wants{finished: model.IsFailed}
	if p.RestartSucceeded {
		w.finished |= model.IsSucceeded
	}
	if !p.NextSync {
		w.replaced = w.finished
	}
	w.going = model.Want{Has: running, Lacks: model.IsTerminating}
	if p.MinReadySeconds {
		w.going.Has |= model.IsAvailable
	}
	w.sound = w.going
	w.sound.Has |= identity
	w.kept = model.Want{Has: model.IsCreated | identity, Lacks: w.finished}
	if p.PendingClaims && len(set.Spec.ClaimTemplates) > 0 {
		w.kept.Lacks |= model.IsPending
	}
	w.healthy = model.Want{Has: running, Lacks: model.IsTerminating}
	if p.Availability {
		w.healthy.Has = model.IsAvailable
	}
	return w
}

// is says whether the traits are as wanted, whatever the revision.
func is(traits model.Traits, w model.Want) bool { return traits&w.Has == w.Has && traits&w.Lacks == 0 }

// start ordinal plus position is the ordinal of a replica.
func (s *sync) ordinal(i int) int { return s.set.Start() + i }

// key names an object in the set's namespace.
func (s *sync) key(name string) model.Key { return model.Key{Namespace: s.set.Namespace, Name: name} }
