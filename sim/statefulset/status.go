package statefulset

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// statusAttempts is the number of times that a status is written if it gets conflicts (client-go: retry.DefaultRetry).
const statusAttempts = 5

// startStatus counts the pods as the view has them. That is the status of this sync, except what the update deletes:
// a pod that is created by this sync counts from the next one on, one that is deleted counts as before.
//
// Pods without an ordinal only count if nothing else is done. Versions that update the counts as they act (see
// status_acts.go) always count them. In every version terminating pods count in replicas, ready and available, but
// not in current and updated.
func (s *sync) startStatus() {
	unnamed := s.set.Terminating() || !s.profile.SlowStart
	tally := s.view.Tally(s.current.Name, s.update.Name, unnamed)
	status := &s.status
	status.ObservedGeneration = s.set.Generation
	status.Replicas, status.Ready, status.Available = tally.Replicas, tally.Ready, s.available(&tally)
	status.Current, status.Updated = tally.Current, tally.Updated
	status.CurrentRevision, status.UpdateRevision = s.current.Name, s.update.Name
	status.CollisionCount = s.collisions
	status.Conditions = nil
	if s.profile.KeepConditions {
		status.Conditions = s.set.Status.Conditions
	}
}

// available returns status.availableReplicas: 0 as long as the field does not exist, and the ready replicas while the
// gate of minReadySeconds is off.
func (s *sync) available(tally *model.Tally) int32 {
	switch {
	case !s.profile.AvailableReplicas:
		return 0
	case !s.profile.MinReadySeconds:
		return tally.Ready
	}
	return tally.Available
}

// writeStatus writes the status if it differs from the set's, based on the set from the start of the sync. After a
// conflict it is written again, based on the set in the cache by then: the counts are not recomputed. A status that
// the API server refuses, such as one with a negative count, is an error of the sync.
func (s *sync) writeStatus() error {
	s.completeUpdate()
	if !s.inconsistentStatus() {
		return nil
	}
	var refused *model.APIError
	over := s.set
	for attempt := 0; attempt < statusAttempts; attempt++ {
		s.sent = *over
		s.sent.Status = s.status
		refused = s.calls.Do(model.Call{
			Verb: model.UpdateStatus, Kind: model.KindStatefulSet, Key: s.sent.Key(), Set: &s.sent,
			Why: model.Why{Code: model.CodeStatus, Object: s.sent.Name},
		}).Err
		if refused == nil {
			return nil
		}
		if refused.Reason != model.Conflict {
			break
		}
		over = s.view.Set()
	}
	return refused
}

// completeUpdate makes the update revision the current one when all pods are updated and ready. It never asks for
// availability (issue 136831), nor for the partition: below one, some pods are not updated. A set scaled to 0
// completes at once (issue 121534). With the old rule, against status.replicas, and the new way of counting, missing
// pods are overlooked and a rollout may complete too early (1.27.4 to 1.27.7, issue 119684).
func (s *sync) completeUpdate() {
	strategy := s.set.Spec.Strategy.Type
	if strategy != model.RollingUpdateStrategy && !s.profile.CompleteAnyStrategy {
		return
	}
	wanted := s.status.Replicas
	if s.profile.CompleteBySpec {
		wanted = s.set.Spec.Replicas
	}
	if s.status.Updated != wanted || s.status.Ready != wanted || s.status.Replicas != wanted {
		return
	}
	s.status.Current, s.status.CurrentRevision = s.status.Updated, s.status.UpdateRevision
	if s.recreates() && s.progressing() >= 0 {
		s.setProgressing(false, "RecreateCompleted", "All pods recreated successfully")
	}
}

// inconsistentStatus reports whether the status must be written. The collision count is never compared: a change of
// it alone is written with the next change of something else.
func (s *sync) inconsistentStatus() bool {
	next, old := &s.status, &s.set.Status
	return next.ObservedGeneration > old.ObservedGeneration ||
		next.Replicas != old.Replicas ||
		next.Current != old.Current ||
		next.Ready != old.Ready ||
		next.Updated != old.Updated ||
		next.CurrentRevision != old.CurrentRevision ||
		next.Available != old.Available ||
		next.UpdateRevision != old.UpdateRevision ||
		s.profile.KeepConditions && !slices.Equal(next.Conditions, old.Conditions)
}

// requeue sets, in the result of a sync without an error, when the set must be synced again, so that the controller
// sees pods become available, which causes no watch event. An exact time belongs to the pod, however long this sync
// takes, so it counts from the start. Without minReadySeconds there is no such sync, and before 1.35.1 one comes
// every minReadySeconds until all replicas are available.
func (s *sync) requeue(result *model.Result) {
	seconds := s.set.Spec.MinReadySeconds
	if !s.profile.MinReadySeconds || seconds <= 0 {
		return
	}
	complete := s.status.Available == s.set.Spec.Replicas
	if s.profile.ExactRequeue {
		complete = s.status.Available == s.status.Ready
	}
	if complete {
		return
	}
	result.Requeue, result.After = true, time.Duration(seconds)*time.Second
	if !s.profile.ExactRequeue {
		return
	}
	if next, found := s.view.NextAvailable(); found {
		result.After, result.FromStart = next, true
	}
}
