package sim

import (
	"cmp"
	"slices"

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
		if len(w.names.services) > 0 {
			w.names.see(change)
		}
	case model.KindStatefulSet:
		w.observeSet(change)
	case model.KindRevision:
		w.observeRevision(change)
	case model.KindClaim:
		w.observeClaim(change)
	}
	w.see(change)
}

func (w *World) observePod(change store.Change) {
	w.countBudgets(change.OldPod, change.Pod)
	switch change.Type {
	case model.Added:
		l := w.born(change.Pod)
		w.recordPod(l, change.Pod, timeline.Pending)
		w.dangle(object{model.KindPod, change.Pod.Key(), change.Pod.UID}, change.Pod.Owners)
	case model.Modified:
		l := w.pods.byUID[change.Pod.UID]
		w.observeOwner(l, change.OldPod, change.Pod)
		if state := entered(change.OldPod, change.Pod); state != timeline.NoState {
			w.recordPod(l, change.Pod, state)
			w.blameContainers(change)
		} else if change.Pod.Containers != change.OldPod.Containers {
			w.recordContainers(l, change.Pod, change.Pod.Containers)
		} else if w.why.Code == model.CodeRepairIdentity {
			w.recordRepair(l, change.Pod)
		}
		w.follow(l, change.OldPod, change.Pod)
		w.followOwners(change.OldPod, change.Pod)
	case model.Deleted:
		l := w.pods.byUID[change.OldPod.UID]
		w.recordPod(l, change.OldPod, timeline.Gone)
		w.died(l, change.OldPod)
		w.releaseClaimsOf(change.OldPod)
		w.lost(model.KindPod, &change.OldPod.Meta)
	}
}

// followOwners lets the collector and the protection of claims follow what an update of a pod may change.
func (w *World) followOwners(old, pod *model.Pod) {
	if !slices.Equal(old.Owners, pod.Owners) {
		w.dangle(object{model.KindPod, pod.Key(), pod.UID}, pod.Owners)
	}
	if !slices.Equal(old.Volumes, pod.Volumes) {
		w.releaseClaimsOf(old)
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
	case pod.Terminating():
		return timeline.NoState
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
	e := w.podEvent(timeline.KindPod, l, pod, state)
	if w.why.Code == "" {
		e.Reason = cmp.Or(w.reason, pod.Reason)
	}
	w.record(e)
	if len(w.podFaults) > 0 {
		w.faultsAtPod(&w.events[len(w.events)-1])
	}
}

func (w *World) podEvent(kind timeline.Kind, l *life, pod *model.Pod, state timeline.State) timeline.Event {
	e := timeline.Event{
		Kind: kind, Actor: w.actor, Set: l.set,
		Pod: pod.Name, UID: pod.UID, Nth: l.nth, State: state,
		Image: pod.Template.Image(), Node: pod.Node, Bare: l.bare, Why: w.why, Containers: pod.Containers,
	}
	if pod.Template != nil {
		e.Template = pod.Template.ID
	}
	if revision := w.store.Revision(model.Key{Namespace: pod.Namespace, Name: pod.Revision()}); revision != nil {
		e.Revision = revision.Number
	}
	if state == timeline.Running && len(w.names.services) > 0 {
		e.IP = w.names.addressOf(pod)
	}
	return e
}

// blameContainers gives the last event the reason that is in the pod's containers, where these have changed with it.
func (w *World) blameContainers(change store.Change) {
	e := &w.events[len(w.events)-1]
	if c := change.Pod.Containers; c != change.OldPod.Containers && e.Why.Code == "" {
		e.Reason, e.Message = c.Shown, c.Message
	}
}

// recordContainers tells what the containers of a pod are in, where the pod has entered no other state with it.
func (w *World) recordContainers(l *life, pod *model.Pod, c *model.Containers) {
	w.record(timeline.Event{
		Kind: timeline.KindContainer, Actor: w.actor, Set: l.set, Pod: pod.Name, UID: pod.UID, Nth: l.nth,
		Node: pod.Node, Reason: c.Shown, Message: c.Message, Containers: c,
	})
}

func (w *World) observeSet(change store.Change) {
	switch change.Type {
	case model.Added:
		w.replicas += int(change.Set.Spec.Replicas)
		w.bareOf(change.Set)
	case model.Deleted:
		w.replicas -= int(change.OldSet.Spec.Replicas)
		if w.actor != timeline.User {
			w.record(timeline.Event{
				Kind: timeline.KindStatus, Actor: timeline.APIServer, Set: change.OldSet.Key(), Reason: timeline.ReasonDeleted,
				Message: whyGone(change.OldSet),
			})
		}
		w.lost(model.KindStatefulSet, &change.OldSet.Meta)
	case model.Modified:
		w.replicas += int(change.Set.Spec.Replicas - change.OldSet.Spec.Replicas)
		if change.Set.Spec.MinReadySeconds != change.OldSet.Spec.MinReadySeconds {
			w.ripenAgain(change.Set.Key())
		}
		if store.InForeground(&change.Set.Meta) && !store.InForeground(&change.OldSet.Meta) {
			w.deleteForeground(change.Set)
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
	if change.Type == model.Modified && w.observeRevisionOwner(change.OldRevision, change.Revision) {
		return
	}
	revision := change.Revision
	if revision == nil {
		revision = change.OldRevision
		w.lost(model.KindRevision, &revision.Meta)
	} else if change.OldRevision == nil || !slices.Equal(change.OldRevision.Owners, revision.Owners) {
		w.dangle(object{model.KindRevision, revision.Key(), revision.UID}, revision.Owners)
	}
	w.record(timeline.Event{
		Kind: timeline.KindRevision, Actor: w.actor, Set: ownerOf(&revision.Meta), Why: w.why,
		Rev: &timeline.Rev{
			Type: change.Type, Name: revision.Name, Number: revision.Number, Template: revision.Template.ID,
			Cause: revision.Annotations[model.AnnotationChangeCause],
		},
	})
}
