package sim

import (
	"cmp"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// observe is told of every write to the API server, when it is made: it puts it into the timeline, lets the kubelets
// follow, and hands it to the watches.
func (w *World) observe(change store.Change) {
	switch change.Kind {
	case model.KindPod:
		w.observePod(change)
	case model.KindStatefulSet:
		w.observeSet(change)
	case model.KindRevision:
		w.observeRevision(change)
	case model.KindClaim:
		w.observeClaim(change)
	}
	w.watched = append(w.watched, change)
}

func (w *World) observePod(change store.Change) {
	w.countBudgets(change.OldPod, change.Pod)
	switch change.Type {
	case model.Added:
		l := w.born(change.Pod, ownerOf(&change.Pod.Meta))
		w.recordPod(l, change.Pod, timeline.Pending)
	case model.Modified:
		l := w.pods.byUID[change.Pod.UID]
		if state := entered(change.OldPod, change.Pod); state != timeline.NoState {
			w.recordPod(l, change.Pod, state)
		}
		w.follow(l, change.OldPod, change.Pod)
	case model.Deleted:
		l := w.pods.byUID[change.OldPod.UID]
		w.recordPod(l, change.OldPod, timeline.Gone)
		w.died(l, change.OldPod)
		w.collect(&change.OldPod.Meta)
	}
}

// ownerOf returns the set that controls an object, by name.
func ownerOf(meta *model.Meta) model.Key {
	if owner := meta.Controller(); owner != nil {
		return model.Key{Namespace: meta.Namespace, Name: owner.Name}
	}
	return model.Key{}
}

// entered returns the state that a pod has entered with a change, or NoState. A pod that fails is not Ready any more,
// which is not told apart.
func entered(old, pod *model.Pod) timeline.State {
	switch {
	case pod.Terminating() != old.Terminating():
		return timeline.Terminating
	case pod.Phase != old.Phase:
		return phaseStates[pod.Phase]
	case pod.Ready && !old.Ready:
		return timeline.Ready
	case old.Ready && !pod.Ready:
		return timeline.Unready
	}
	return timeline.NoState
}

var phaseStates = [...]timeline.State{
	model.NoPhase: timeline.NoState, model.Pending: timeline.Pending, model.Running: timeline.Running,
	model.Succeeded: timeline.Succeeded, model.Failed: timeline.Failed,
}

func (w *World) recordPod(l *life, pod *model.Pod, state timeline.State) {
	e := timeline.Event{
		Kind: timeline.KindPod, Actor: w.actor, Set: l.set,
		Pod: pod.Name, UID: pod.UID, Nth: l.nth, State: state,
		Image: pod.Template.Image(), Node: pod.Node, Why: w.why,
	}
	if pod.Template != nil {
		e.Template = pod.Template.ID
	}
	if revision := w.store.Revision(model.Key{Namespace: pod.Namespace, Name: pod.Revision()}); revision != nil {
		e.Revision = revision.Number
	}
	if w.why.Code == "" {
		e.Reason = cmp.Or(w.reason, pod.Reason)
	}
	w.record(e)
}

func (w *World) observeSet(change store.Change) {
	switch change.Type {
	case model.Added:
		w.replicas += int(change.Set.Spec.Replicas)
	case model.Deleted:
		w.replicas -= int(change.OldSet.Spec.Replicas)
		if w.actor != timeline.User {
			w.record(timeline.Event{
				Kind: timeline.KindStatus, Actor: timeline.APIServer, Set: change.OldSet.Key(), Reason: timeline.ReasonDeleted,
				Message: "the last of its pods is gone",
			})
		}
	case model.Modified:
		w.replicas += int(change.Set.Spec.Replicas - change.OldSet.Spec.Replicas)
		if change.Set.Spec.MinReadySeconds != change.OldSet.Spec.MinReadySeconds {
			w.ripenAgain(change.Set.Key())
		}
		if change.Set.Generation == change.OldSet.Generation && w.actor == timeline.Controller {
			// A copy, so that the timeline does not keep every version of the set alive.
			status := change.Set.Status
			w.record(timeline.Event{
				Kind: timeline.KindStatus, Actor: w.actor, Set: change.Set.Key(), Why: w.why, Status: &status,
			})
		}
	}
}

func (w *World) observeRevision(change store.Change) {
	revision := change.Revision
	if revision == nil {
		revision = change.OldRevision
	}
	w.record(timeline.Event{
		Kind: timeline.KindRevision, Actor: w.actor, Set: ownerOf(&revision.Meta), Why: w.why,
		Rev: &timeline.Rev{
			Type: change.Type, Name: revision.Name, Number: revision.Number, Template: revision.Template.ID,
		},
	})
}

func (w *World) observeClaim(change store.Change) {
	claim := change.Claim
	if claim == nil {
		claim = change.OldClaim
	}
	w.record(timeline.Event{
		Kind: timeline.KindClaim, Actor: w.actor, Why: w.why, Set: w.claimSet(claim),
		Claim: &timeline.Claim{Type: change.Type, Name: claim.Name, Phase: claim.Phase.String()},
	})
}

// claimSet returns the set that a claim was made for: the one whose name, with an ordinal, ends the claim's.
func (w *World) claimSet(claim *model.Claim) model.Key {
	for _, set := range w.store.Sets() {
		for i := range set.Spec.ClaimTemplates {
			prefix, ordinal := model.SplitPodName(claim.Name)
			if ordinal >= 0 && set.Namespace == claim.Namespace && prefix == set.Spec.ClaimTemplates[i].Name+"-"+set.Name {
				return set.Key()
			}
		}
	}
	return model.Key{}
}
