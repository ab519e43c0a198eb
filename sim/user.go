package sim

import (
	"maps"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// User is what a step can do to the world: what kubectl does to a cluster, and what happens to pods.
type User struct{ w *World }

// Now returns the current instant.
func (u *User) Now() model.Time { return u.w.Now() }

// Set returns a set as the API server holds it, or nil.
func (u *User) Set(key model.Key) *model.StatefulSet { return u.w.store.Set(key) }

// Sets returns all sets in the order of their keys.
func (u *User) Sets() []*model.StatefulSet { return u.w.store.Sets() }

// Pod returns a pod as the API server holds it, or nil.
func (u *User) Pod(key model.Key) *model.Pod { return u.w.store.Pod(key) }

// Revisions returns the revisions that a set owns, in the history's order.
func (u *User) Revisions(key model.Key) []*model.Revision {
	set := u.w.store.Set(key)
	if set == nil {
		return nil
	}
	var owned []*model.Revision
	for _, revision := range u.w.store.Revisions() {
		if owner := revision.Controller(); owner != nil && owner.UID == set.UID {
			owned = append(owned, revision)
		}
	}
	slices.SortFunc(owned, model.CompareRevisions)
	return owned
}

// Create sends a new set to the API server, which fills in what depends on the version, and validates.
func (u *User) Create(set *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
	return u.written(u.w.store.CreateSet(set))
}

// Update sends a changed set: its spec, labels and annotations. Where nothing changes the stored object comes back as
// it is.
func (u *User) Update(set *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
	return u.written(u.w.store.UpdateSet(set))
}

// DeletePod asks for a pod's deletion. With force the object goes at once, whatever its process does.
func (u *User) DeletePod(key model.Key, force bool) *model.APIError {
	// People ask for deletions in the background, which end one in the foreground; but a pod that has some of its grace
	// period left only heeds a shorter one.
	if pod := u.w.store.Pod(key); pod != nil && store.InForeground(&pod.Meta) {
		if pod.Deletion.Grace == 0 {
			u.w.store.LetPodGo(key)
			return nil
		}
		if force {
			u.w.store.LetPodGo(key)
		}
	}
	return u.w.store.DeletePod(key, 0, force)
}

// LabelPod sets labels of a pod, and removes others. It says whether there is such a pod, and whether that changed
// anything.
func (u *User) LabelPod(key model.Key, labels map[string]string, removed []string) (found, changed bool) {
	pod := u.w.store.Pod(key)
	if pod == nil {
		return false, false
	}
	next := *pod
	next.Labels = map[string]string{}
	maps.Copy(next.Labels, pod.Labels)
	maps.Copy(next.Labels, labels)
	for _, name := range removed {
		delete(next.Labels, name)
	}
	stored, err := u.w.store.UpdatePod(&next)
	return err == nil, stored != pod
}

// CreatePod sends a new pod to the API server, one without an owner.
func (u *User) CreatePod(pod *model.Pod) *model.APIError {
	_, err := u.w.store.CreatePod(pod)
	return err
}

// FreePod takes the finalizers of a pod away, whatever they wait for. It returns false if there is no such pod, or it
// has none.
func (u *User) FreePod(key model.Key) bool {
	pod := u.w.store.Pod(key)
	if pod == nil || len(pod.Finalizers) == 0 {
		return false
	}
	u.w.store.FreePod(key)
	return true
}

// FreeSet takes the finalizers of a set away. One that is being deleted is gone then, and what it owned goes after it.
// It returns false if there is no such set, or it has none.
func (u *User) FreeSet(key model.Key) bool {
	set := u.w.store.Set(key)
	if set == nil || len(set.Finalizers) == 0 {
		return false
	}
	if set.Terminating() {
		u.w.store.RemoveSet(key)
	}
	return true
}

// Claim returns a claim as the API server holds it, or nil.
func (u *User) Claim(key model.Key) *model.Claim { return u.w.store.Claim(key) }

// CreateClaim sends a new claim to the API server.
func (u *User) CreateClaim(claim *model.Claim) *model.APIError {
	_, err := u.w.store.CreateClaim(claim)
	return err
}

// DeleteClaim asks for a claim's deletion. It stays, terminating, while a pod on a node uses it; with force its
// finalizers are taken away, so that the object goes at once, whatever uses its volume.
func (u *User) DeleteClaim(key model.Key, force bool) *model.APIError {
	err := u.w.store.DeleteClaim(key, 0)
	if err == nil && force {
		u.w.store.RemoveClaim(key)
	}
	return err
}

// FailPod gives a pod that is not terminating the phase Failed, for the reason given. It returns false if there is no
// such pod.
func (u *User) FailPod(key model.Key, reason string) bool {
	return u.finishPod(key, model.Failed, reason)
}

// SucceedPod gives a pod that is not terminating the phase Succeeded: its containers have ended with exit code 0, as on
// a node that shuts down. It returns false if there is no such pod.
func (u *User) SucceedPod(key model.Key, reason string) bool {
	return u.finishPod(key, model.Succeeded, reason)
}

func (u *User) finishPod(key model.Key, phase model.Phase, reason string) bool {
	pod := u.w.store.Pod(key)
	if pod == nil || pod.Terminating() || pod.Finished() {
		return false
	}
	u.asKubelet(func() {
		u.w.store.ChangePod(key, func(p *model.Pod) {
			p.Phase, p.Ready, p.ReadySince, p.Reason = phase, false, u.w.Now(), reason
		})
	})
	return true
}

// UnreadyPod takes the Ready condition of a Ready pod that is not terminating away, for the time given or, if that is
// 0, for good. It returns false if there is no such pod.
func (u *User) UnreadyPod(key model.Key, d time.Duration) bool {
	pod := u.w.store.Pod(key)
	if pod == nil || pod.Terminating() || !pod.Ready {
		return false
	}
	u.asKubelet(func() {
		u.w.store.ChangePod(key, func(p *model.Pod) { p.Ready, p.ReadySince = false, u.w.Now() })
	})
	if d > 0 {
		l := u.w.pods.byUID[pod.UID]
		u.w.setTimer(l, heal, model.Time(d))
	}
	return true
}

// Crash is how a container ends.
type Crash struct {
	// Container is its name, "" is the pod's first. Others are only known where the kubelet follows the manifest.
	Container string
	// Word is what kubectl shows of it, "" is Error.
	Word string
	// Again is how long after each restart the container ends once more, nil is never; Times is how often it ends in all,
	// 0 is for ever.
	Again behaviour.Delay
	Times int
}

// CrashPod ends the container of a pod that runs: the pod stays Running and is not Ready until the kubelet has started
// the container again. It returns false if there is no such pod, or its container does not run.
func (u *User) CrashPod(key model.Key, how Crash) bool {
	pod := u.w.store.Pod(key)
	if pod == nil || pod.Terminating() || pod.Phase != model.Running {
		return false
	}
	l := u.w.pods.byUID[pod.UID]
	c := l.app(pod)
	if how.Container != "" {
		c = l.named(how.Container)
	}
	if c == nil || c.state != isRunning {
		return false
	}
	c.times.Reason = how.Word
	if how.Again != nil {
		c.times.Crash, c.times.Crashes = how.Again, 0
		if how.Times > 0 {
			c.times.Crashes = c.ended + how.Times
		}
	}
	u.asKubelet(func() {
		u.w.crashed(l, c, c.times.ErrorWord(), "container "+c.name+" ended with an error")
	})
	return true
}

// as lets something be done by another actor than the user, for the timeline.
func (u *User) as(actor timeline.Actor, do func()) {
	saved := u.w.actor
	u.w.actor = actor
	do()
	u.w.actor = saved
}

func (u *User) asKubelet(do func()) { u.as(timeline.Kubelet, do) }
