package sim

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/queue"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// claimLife is one life of a claim: from its creation until it is gone.
type claimLife struct {
	key   model.Key
	uid   model.UID
	set   model.Key
	nth   int
	times ClaimTimes
	// binding is the timer of its volume, release that of its end. sought is true once somebody has asked for the volume.
	binding, release *queue.Entry[event]
	sought           bool
}

// claimLives are the lives of the claims that there are, and what depends on them.
type claimLives struct {
	byUID map[model.UID]*claimLife
	nth   map[model.Key]int
	// waiting are the pods that the scheduler holds back, by the claim that is in the way.
	waiting map[model.Key][]*life
	// terminating counts the claims that are being deleted: while there is none no pod has to be looked at.
	terminating int
	// owned are the claims that an owner reference points from, by the uid of the owner, in the order in which they came.
	owned map[model.UID][]model.Key
}

func newClaimLives() claimLives {
	return claimLives{
		byUID: map[model.UID]*claimLife{}, nth: map[model.Key]int{},
		waiting: map[model.Key][]*life{}, owned: map[model.UID][]model.Key{},
	}
}

// observeClaim puts a change of a claim into the timeline and lets the binder, the scheduler, the protection and the
// garbage collector follow.
func (w *World) observeClaim(change store.Change) {
	switch change.Type {
	case model.Added:
		l := w.bornClaim(change.Claim)
		w.recordClaim(l, change.Type, change.Claim)
		w.own(change.Claim, nil)
		if l.times.Mode != WaitForFirstConsumer && change.Claim.Phase != model.ClaimBound {
			w.provide(l)
		}
	case model.Modified:
		l := w.claims.byUID[change.Claim.UID]
		w.recordClaim(l, change.Type, change.Claim)
		w.own(change.Claim, change.OldClaim)
		if change.Claim.Terminating() && !change.OldClaim.Terminating() {
			w.claims.terminating++
			w.queue.Cancel(l.binding)
			w.releaseClaim(change.Claim)
		}
	case model.Deleted:
		l := w.claims.byUID[change.OldClaim.UID]
		w.recordClaim(l, change.Type, change.OldClaim)
		w.endClaim(l, change.OldClaim)
	}
	if claim := change.Claim; claim != nil && claim.Phase == model.ClaimBound && !claim.Terminating() {
		w.wakeWaiting(claim.Key())
	}
}

func (w *World) bornClaim(claim *model.Claim) *claimLife {
	key := claim.Key()
	w.claims.nth[key]++
	l := &claimLife{key: key, uid: claim.UID, set: w.claimSet(key), nth: w.claims.nth[key]}
	l.times = w.config.Volumes.of(l, claim)
	w.claims.byUID[claim.UID] = l
	return l
}

func (w *World) endClaim(l *claimLife, claim *model.Claim) {
	if claim.Terminating() {
		w.claims.terminating--
	}
	w.queue.Cancel(l.binding)
	w.queue.Cancel(l.release)
	w.disown(claim)
	delete(w.claims.byUID, l.uid)
	w.lost(model.KindClaim, &claim.Meta)
}

func (w *World) recordClaim(l *claimLife, change model.ChangeType, claim *model.Claim) {
	phase := claim.Phase.String()
	if claim.Terminating() {
		phase = timeline.PhaseTerminating
	}
	var owners []string
	for _, owner := range claim.Owners {
		owners = append(owners, owner.Kind.String()+"/"+owner.Name)
	}
	w.record(timeline.Event{
		Kind: timeline.KindClaim, Actor: w.actor, Why: w.why, Set: l.set,
		Claim: &timeline.Claim{Type: change, Name: claim.Name, Phase: phase, Owners: owners},
	})
}

// claimSet returns the set that a claim was made for: the one whose name, with an ordinal, ends the claim's.
func (w *World) claimSet(claim model.Key) model.Key {
	prefix, ordinal := model.SplitPodName(claim.Name)
	for _, set := range w.store.Sets() {
		for i := range set.Spec.ClaimTemplates {
			if ordinal >= 0 && set.Namespace == claim.Namespace && prefix == set.Spec.ClaimTemplates[i].Name+"-"+set.Name {
				return set.Key()
			}
		}
	}
	return model.Key{Namespace: claim.Namespace}
}

// provide lets the binder look for a claim's volume. Where there is no storage the claim says so, once.
func (w *World) provide(l *claimLife) {
	if l.sought {
		return
	}
	l.sought = true
	wait, never := w.draw(l.times.Bind)
	if never {
		w.record(timeline.Event{
			Kind: timeline.KindK8sEvent, Actor: timeline.APIServer, Set: l.set, Warning: true,
			Reason: "ProvisioningFailed", Message: "there is no storage for the claim " + l.key.Name,
		})
		return
	}
	l.binding = w.later(byBinder, wait, func() { w.store.BindClaim(l.key) })
}

// draw draws a delay. One that is not given is 0.
func (w *World) draw(delay behaviour.Delay) (wait model.Time, never bool) {
	if delay == nil {
		return 0, false
	}
	ns, never := delay.Draw(w.chooser)
	return model.Time(ns), never
}

// later lets one of the controllers beside the StatefulSet's do something after a while.
func (w *World) later(actor queue.Actor, wait model.Time, do func()) *queue.Entry[event] {
	return w.queue.Schedule(w.Now()+wait, actor, false, event{do: func() {
		w.actor = timeline.APIServer
		do()
	}})
}

// schedulable says whether the scheduler may bind a pod to a node: each of its claims is there, is not being deleted
// and has its volume. Otherwise the pod waits for the first of its claims that is in the way, and the binder is asked
// for the volumes of claims that wait for their first consumer. Pods that have ended the scheduler does not even see:
// its informer leaves them out.
func (w *World) schedulable(l *life) bool {
	pod := w.store.Pod(l.key)
	if pod.Finished() {
		return false
	}
	var inTheWay model.Key
	complaint := ""
	for i := len(pod.Volumes) - 1; i >= 0; i-- {
		key := model.Key{Namespace: pod.Namespace, Name: pod.Volumes[i].Claim}
		if key.Name == "" {
			continue
		}
		if ready, why := w.claimReady(key); !ready {
			inTheWay, complaint = key, why
		}
	}
	if inTheWay.Name == "" {
		return true
	}
	w.claims.waiting[inTheWay] = append(w.claims.waiting[inTheWay], l)
	if complaint != "" {
		w.failedScheduling(l, complaint)
	}
	return false
}

// claimReady says whether a claim lets its pod be bound to a node, and if not what the scheduler has to say of it in
// its own words; nothing where it waits for the volume itself.
func (w *World) claimReady(key model.Key) (ready bool, complaint string) {
	claim := w.store.Claim(key)
	switch {
	case claim == nil:
		return false, fmt.Sprintf("persistentvolumeclaim %q not found", key.Name)
	case claim.Terminating():
		return false, fmt.Sprintf("persistentvolumeclaim %q is being deleted", key.Name)
	case claim.Phase == model.ClaimBound:
		return true, ""
	}
	l := w.claims.byUID[claim.UID]
	if l.times.Mode == WaitForFirstConsumer {
		w.provide(l)
		return false, ""
	}
	return false, "pod has unbound immediate PersistentVolumeClaims"
}

// wakeWaiting lets the scheduler try the pods again that have waited for a claim. The real scheduler backs off between
// two tries of a pod, by a second and more; here it tries as soon as the claim allows it.
func (w *World) wakeWaiting(claim model.Key) {
	waiting := w.claims.waiting[claim]
	if len(waiting) == 0 {
		return
	}
	delete(w.claims.waiting, claim)
	for _, l := range waiting {
		if w.pods.byUID[l.uid] == l {
			w.setTimer(l, bind, 0)
		}
	}
}

// releaseClaim takes the protection of a claim that is being deleted away, if no pod uses it. It is asked again when a
// pod that uses it goes.
func (w *World) releaseClaim(claim *model.Claim) {
	l := w.claims.byUID[claim.UID]
	if l.release.Pending() || w.store.InUse(l.key) {
		return
	}
	wait, never := w.draw(l.times.Release)
	if never {
		return
	}
	l.release = w.later(byBinder, wait, func() {
		if stored := w.store.Claim(l.key); stored != nil && stored.UID == l.uid && !w.store.InUse(l.key) {
			w.store.RemoveClaim(l.key)
		}
	})
}

// releaseClaimsOf looks at the claims that a pod has used and that are being deleted.
func (w *World) releaseClaimsOf(pod *model.Pod) {
	if w.claims.terminating == 0 {
		return
	}
	for i := range pod.Volumes {
		claim := w.store.Claim(model.Key{Namespace: pod.Namespace, Name: pod.Volumes[i].Claim})
		if claim != nil && claim.Terminating() {
			w.releaseClaim(claim)
		}
	}
}

// own notes the owners of a claim, and lets the garbage collector look at it where they have changed.
func (w *World) own(claim, old *model.Claim) {
	if old != nil && slices.Equal(old.Owners, claim.Owners) || old == nil && len(claim.Owners) == 0 {
		return
	}
	if old != nil {
		w.disown(old)
	}
	for _, owner := range claim.Owners {
		w.claims.owned[owner.UID] = append(w.claims.owned[owner.UID], claim.Key())
	}
	w.dangle(object{model.KindClaim, claim.Key(), claim.UID}, claim.Owners)
}

func (w *World) disown(claim *model.Claim) {
	for _, owner := range claim.Owners {
		w.letGo(ownerObject(claim.Namespace, owner))
		rest := slices.DeleteFunc(w.claims.owned[owner.UID], func(key model.Key) bool { return key == claim.Key() })
		if len(rest) == 0 {
			delete(w.claims.owned, owner.UID)
			continue
		}
		w.claims.owned[owner.UID] = rest
	}
}
