package statefulset

import "github.com/statefulsim/statefulsim/model"

// wants are the questions that a sync asks its view about pods, by the profile's rules. They contain no revision; a
// caller that needs one adds it to a copy.
type wants struct {
	// runningAndAvailable: a pod that lets OrderedReady continue with the next ordinal (upstream:
	// isRunningAndAvailable).
	runningAndAvailable model.Want
	// availableAndMatching: a pod that OrderedReady leaves alone before it continues: identity and storage match as
	// well (upstream: identityMatches, storageMatches).
	availableAndMatching model.Want
	// createdAndMatching: a pod that Parallel leaves alone.
	createdAndMatching model.Want
	// countedAvailable: a pod that neither holds up an update nor counts in maxUnavailable (upstream: not isUnavailable).
	countedAvailable model.Want
	// replaced are the traits of pods that are deleted and recreated in one sync, so that a draft takes their
	// place.
	replaced model.Traits
	// finished are the traits of finished pods, which are recreated. replaced is either the same or 0.
	finished model.Traits
}

// running is upstream's isRunningAndReady, without a look at the deletion.
const running = model.IsRunning | model.IsReady

// wants returns the questions for sets with claims, or for sets without: only those with claims look at Pending pods.
func (p *Profile) wants(claims bool) wants {
	const identity = model.HasIdentity | model.HasStorage
	w := wants{finished: model.IsFailed}
	if p.RestartSucceeded {
		w.finished |= model.IsSucceeded
	}
	if !p.NextSync {
		w.replaced = w.finished
	}
	w.runningAndAvailable = model.Want{Has: running, Lacks: model.IsTerminating}
	if p.MinReadySeconds {
		w.runningAndAvailable.Has |= model.IsAvailable
	}
	w.availableAndMatching = w.runningAndAvailable
	w.availableAndMatching.Has |= identity
	w.createdAndMatching = model.Want{Has: model.IsCreated | identity, Lacks: w.finished}
	if p.PendingClaims && claims {
		w.createdAndMatching.Lacks |= model.IsPending
	}
	w.countedAvailable = model.Want{Has: running, Lacks: model.IsTerminating}
	if p.Availability {
		w.countedAvailable.Has = model.IsAvailable
	}
	return w
}

// is reports whether the traits are as wanted, whatever the revision.
func is(traits model.Traits, w model.Want) bool { return traits&w.Has == w.Has && traits&w.Lacks == 0 }
