package storage

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// claim is one life of a claim: from the write that creates it to the write that removes it. There is one for each
// claim of the store. Its two timers exclude each other: a claim that is being deleted is not bound any more.
type claim struct {
	*audit.Life
	// times are the times of the first rule that matched when the claim was created; they do not change.
	times ClaimTimes
	// binding is the timer for the claim to get its volume, release the timer for its end; nil or expired if none
	// is set. sought is true once the binder has started to look for a volume, which it does once in the claim's
	// life.
	binding, release *kernel.Timer
	sought           bool
	// reach is model.Claim.Reach, or the reach of the volume that was created in this world (placeVolumes). Once set it
	// does not change: a volume stays in its zone.
	reach string
}

// SeeClaim shows the binder and the PVC protection a write of a claim. It sets timers and does not write. A claim
// whose deletion is asked for is not bound any more.
func (c *Controller) SeeClaim(change *store.Change) {
	switch change.Type {
	case model.Added:
		switch l := c.begin(change.Claim); {
		case change.Claim.Terminating():
			c.terminating++
			c.unprotect(change.Claim, kernel.ByBinder)
		case !l.waitsForPod(change.Claim) && change.Claim.Phase != model.ClaimBound:
			c.provide(l, change.Claim)
			// A claim of a dump has waited since it was created.
			l.binding = c.kernel.Hasten(l.binding, time.Duration(c.kernel.Now()-change.Claim.Created))
		}
	case model.Modified:
		switch began := !change.OldClaim.Terminating(); {
		case !change.Claim.Terminating():
		case began:
			c.terminating++
			c.kernel.Cancel(c.claims[change.Claim.UID].binding)
			fallthrough
		case len(change.Claim.Finalizers) < len(change.OldClaim.Finalizers):
			c.unprotect(change.Claim, kernel.ByBinder)
		}
	case model.Deleted:
		l := c.claims[change.OldClaim.UID]
		if change.OldClaim.Terminating() {
			c.terminating--
		}
		c.kernel.Cancel(l.binding)
		c.kernel.Cancel(l.release)
		delete(c.claims, l.UID)
	}
}

// begin starts the life of a claim.
func (c *Controller) begin(stored *model.Claim) *claim {
	l := &claim{Life: c.log.Claim(stored.Key()), reach: stored.Reach}
	l.times = c.config.of(l.Life, stored)
	keyed.Put(&c.claims, stored.UID, l)
	return l
}

// provide makes the binder look for a volume for a claim, once in the claim's life. If there is no storage (Bind is
// Never), or another claim has the requested volume, it records a warning, and the claim stays Pending.
func (c *Controller) provide(l *claim, stored *model.Claim) {
	if l.sought {
		return
	}
	l.sought = true
	wait, never := c.kernel.Draw(l.times.Bind)
	switch {
	case never:
		c.warn(l, "ProvisioningFailed", "there is no storage for the claim "+l.Key.Name)
	case c.taken(stored):
		c.warn(l, "FailedBinding", fmt.Sprintf("volume %q already bound to a different claim.", asked(stored)))
	default:
		l.binding = c.later(wait, bind, l, kernel.ByBinder)
	}
}

// warn records a warning about a claim.
func (c *Controller) warn(l *claim, reason, message string) {
	c.kernel.Record(timeline.Entry{
		Kind: timeline.KindK8sEvent, Actor: timeline.APIServer, Set: l.Set, Warning: true, Reason: reason, Message: message,
	})
}

// asked returns the volume that a claim asks for by its name, "" if it takes any.
func asked(stored *model.Claim) string {
	if stored.Facts == nil {
		return ""
	}
	return stored.Facts.Volume
}

// taken reports whether an earlier claim of any namespace asks for the same volume. Whether such a volume exists is
// unknown here: it is assumed to exist, and to be free once its claim is gone.
func (c *Controller) taken(stored *model.Claim) bool {
	volume := asked(stored)
	return volume != "" && slices.ContainsFunc(c.store.Claims(), func(other *model.Claim) bool {
		return asked(other) == volume && other.UID < stored.UID
	})
}

// waitsForPod reports whether a claim gets its volume only once a pod uses it. A claim that asks for a volume by
// name does not wait (GetPodVolumeClaims upstream).
func (l *claim) waitsForPod(stored *model.Claim) bool {
	return l.times.Mode == WaitForFirstConsumer && asked(stored) == ""
}

// later schedules an event about a claim.
func (c *Controller) later(wait model.Time, kind uint8, l *claim, by kernel.Actor) *kernel.Timer {
	e := kernel.Event{Room: kernel.Storage, Kind: kind, UID: l.UID, Key: l.Key}
	return c.kernel.At(c.kernel.Now()+wait, by, e)
}

// unbound is the scheduler's message about a claim that has no volume and does not wait for a pod.
const unbound = "pod has unbound immediate PersistentVolumeClaims"

// Ready reports whether a claim lets its pod be bound to a node, and if not, the scheduler's complaint in its own
// words; there is no complaint if it waits for the volume itself. The scheduler calls it for each claim of a pod
// that it tries, and that call gives a claim with WaitForFirstConsumer its consumer: so it has a side effect.
//
// A claim that is as new as its volume is ready with a complaint: no binder is as fast as the first look of a
// scheduler (each of the recorded sets with such claims has that warning).
func (c *Controller) Ready(key model.Key) (ready bool, complaint string) {
	stored := c.store.Claim(key)
	switch {
	case stored == nil:
		return false, fmt.Sprintf("persistentvolumeclaim %q not found", key.Name)
	case stored.Terminating():
		return false, fmt.Sprintf("persistentvolumeclaim %q is being deleted", key.Name)
	}
	l := c.claims[stored.UID]
	switch {
	case stored.Phase != model.ClaimBound && l.waitsForPod(stored):
		c.provide(l, stored)
		return false, ""
	case stored.Phase != model.ClaimBound:
		return false, unbound
	case l.sought && !l.waitsForPod(stored) && stored.Created == c.kernel.Now():
		return true, unbound
	}
	return true, ""
}

// Reach returns the NodeSelector of the nodes that can use the volume of a claim, as JSON. "" means any node, or
// that there is no volume yet.
func (c *Controller) Reach(key model.Key) string {
	stored := c.store.Claim(key)
	if stored == nil || stored.Phase != model.ClaimBound {
		return ""
	}
	return c.claims[stored.UID].reach
}

// placeVolumes is called when the scheduler has chosen a node for a pod. The volumes that have waited for their
// first consumer are created in the node's zone, and stay there. It is unknown where a volume of the mode Immediate
// is created; it is assumed to be where it is wanted.
func (c *Controller) placeVolumes(pod *model.Pod) {
	node := c.nodes.Node(pod.Node)
	if node == nil || node.Zone == "" {
		return
	}
	for i := range pod.Volumes {
		stored := c.store.Claim(model.Key{Namespace: pod.Namespace, Name: pod.Volumes[i].Claim})
		if stored == nil {
			continue
		}
		if l := c.claims[stored.UID]; l.sought && l.reach == "" && l.waitsForPod(stored) {
			l.reach = fmt.Sprintf(`{"nodeSelectorTerms":[{"matchExpressions":`+
				`[{"key":"topology.kubernetes.io/zone","operator":"In","values":[%q]}]}]}`, node.Zone)
		}
	}
}

// unprotect removes the protection of a claim that is being deleted, after the time Release, if no pod uses it. It
// does nothing if that has started already. It is called at the start of the deletion, each time a pod that uses
// the claim is gone, and when another finalizer has been removed, since that keeps the claim too.
func (c *Controller) unprotect(stored *model.Claim, by kernel.Actor) {
	l := c.claims[stored.UID]
	if l.release.Pending() || c.store.InUse(l.Key) || len(stored.Finalizers) > 1 {
		return
	}
	if wait, never := c.kernel.Draw(l.times.Release); !never {
		l.release = c.later(wait, release, l, by)
	}
}

// SeePod looks at the claims of a pod that has been bound to a node, and at the deleted claims of a pod that is gone.
// While no claim is being deleted it costs one comparison.
func (c *Controller) SeePod(change *store.Change) {
	if change.Type == model.Modified && change.Pod.Node != change.OldPod.Node {
		c.placeVolumes(change.Pod)
	}
	if c.terminating == 0 || change.Type != model.Deleted {
		return
	}
	pod := change.OldPod
	by := c.afterEnd(pod)
	for i := range pod.Volumes {
		stored := c.store.Claim(model.Key{Namespace: pod.Namespace, Name: pod.Volumes[i].Claim})
		if stored != nil && stored.Terminating() {
			c.unprotect(stored, by)
		}
	}
}

// afterEnd returns the actor whose turn the protection takes when a pod is gone. It takes 5 ms, and the
// controller's sync comes within 1 ms (observed on 1.36.3 and 1.37.1). So if a sync may create another pod, the
// protection acts when no sync waits, and the controller finds a claim that is being deleted. A set that is gone or
// being deleted has no such sync.
func (c *Controller) afterEnd(pod *model.Pod) kernel.Actor {
	if set := c.store.Set(c.log.Pod(pod.Key()).Set); set == nil || set.Terminating() {
		return kernel.ByBinder
	}
	return kernel.AfterSyncs
}
