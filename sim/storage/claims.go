package storage

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// claim is one life of a claim: from its creation until it is gone.
type claim struct {
	*audit.Life
	times ClaimTimes
	// binding is the timer of its volume, release that of its end. sought is true once somebody has asked for the volume.
	binding, release *kernel.Timer
	sought           bool
}

// SeeClaim lets the binder and the protection follow a write of a claim.
func (c *Controller) SeeClaim(change store.Change) {
	switch change.Type {
	case model.Added:
		switch l := c.begin(change.Claim); {
		case change.Claim.Terminating():
			c.terminating++
			c.unprotect(change.Claim)
		case l.times.Mode != WaitForFirstConsumer && change.Claim.Phase != model.ClaimBound:
			c.provide(l)
		}
	case model.Modified:
		if change.Claim.Terminating() && !change.OldClaim.Terminating() {
			c.terminating++
			c.kernel.Cancel(c.claims[change.Claim.UID].binding)
			c.unprotect(change.Claim)
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

// begin begins the life of a claim.
func (c *Controller) begin(stored *model.Claim) *claim {
	l := &claim{Life: c.log.Claim(stored.Key())}
	l.times = c.config.of(l.Life, stored)
	c.claims[stored.UID] = l
	return l
}

// provide lets the binder look for a claim's volume. Where there is no storage the claim says so, once.
func (c *Controller) provide(l *claim) {
	if l.sought {
		return
	}
	l.sought = true
	wait, never := c.kernel.Draw(l.times.Bind)
	if never {
		c.kernel.Record(timeline.Entry{
			Kind: timeline.KindK8sEvent, Actor: timeline.APIServer, Set: l.Set, Warning: true,
			Reason: "ProvisioningFailed", Message: "there is no storage for the claim " + l.Key.Name,
		})
		return
	}
	l.binding = c.later(wait, bind, l)
}

func (c *Controller) later(wait model.Time, kind uint8, l *claim) *kernel.Timer {
	e := kernel.Event{Room: kernel.Storage, Kind: kind, UID: l.UID, Key: l.Key}
	return c.kernel.At(c.kernel.Now()+wait, kernel.ByBinder, e)
}

// Ready says whether a claim lets its pod be bound to a node, and if not what the scheduler has to say of it in its own
// words; nothing where it waits for the volume itself. A claim that waits for its first consumer has one now.
func (c *Controller) Ready(key model.Key) (ready bool, complaint string) {
	stored := c.store.Claim(key)
	switch {
	case stored == nil:
		return false, fmt.Sprintf("persistentvolumeclaim %q not found", key.Name)
	case stored.Terminating():
		return false, fmt.Sprintf("persistentvolumeclaim %q is being deleted", key.Name)
	case stored.Phase == model.ClaimBound:
		return true, ""
	}
	l := c.claims[stored.UID]
	if l.times.Mode == WaitForFirstConsumer {
		c.provide(l)
		return false, ""
	}
	return false, "pod has unbound immediate PersistentVolumeClaims"
}

// unprotect takes the protection of a claim that is being deleted away, if no pod uses it. It is asked again when a pod
// that uses it goes.
func (c *Controller) unprotect(stored *model.Claim) {
	l := c.claims[stored.UID]
	if l.release.Pending() || c.store.InUse(l.Key) {
		return
	}
	if wait, never := c.kernel.Draw(l.times.Release); !never {
		l.release = c.later(wait, release, l)
	}
}

// SeePod looks at the claims that a pod has used which is gone, and that are being deleted.
func (c *Controller) SeePod(change store.Change) {
	if c.terminating == 0 || change.Type != model.Deleted {
		return
	}
	pod := change.OldPod
	for i := range pod.Volumes {
		stored := c.store.Claim(model.Key{Namespace: pod.Namespace, Name: pod.Volumes[i].Claim})
		if stored != nil && stored.Terminating() {
			c.unprotect(stored)
		}
	}
}
