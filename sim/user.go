package sim

import (
	"maps"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kubelet"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// User has a method for each thing that a step can do to the world: acts of kubectl, and events of pods. Steps,
// faults and tests act through it, so there is one place for each act. It is only valid during its act. Its methods
// write at once; the controller answers when the act is over.
type User struct{ w *World }

// byUser is the actor of these writes. It is one variable, so that a write allocates nothing, and never changes.
var byUser = store.By{Actor: timeline.User}

// write returns the writer of all users.
func (u *User) write() store.Writer { return u.w.store.In(&byUser) }

// Now returns the current instant.
func (u *User) Now() model.Time { return u.w.Now() }

// Set returns a set as the API server holds it, or nil. The user may keep it, and must not change it.
func (u *User) Set(key model.Key) *model.StatefulSet { return u.w.store.Give(key) }

// Sets returns all sets in the order of their keys.
func (u *User) Sets() []*model.StatefulSet { return u.w.Sets() }

// Pod returns a pod as the API server holds it, or nil. The user may keep it, and must not change it.
func (u *User) Pod(key model.Key) *model.Pod { return u.w.store.GivePod(key) }

// PodsOf returns the pods that a set owns, in the order of their keys.
func (u *User) PodsOf(set *model.StatefulSet) []*model.Pod {
	return slices.DeleteFunc(slices.Clone(u.w.store.Pods()), func(pod *model.Pod) bool {
		owner := pod.Controller()
		return owner == nil || owner.UID != set.UID
	})
}

// Written returns the sets that the last step with any has written.
func (u *User) Written() []model.Key {
	events := u.w.Events()
	for i := range slices.Backward(events) {
		if step := events[i].Step; step != nil && len(step.Sets) > 0 {
			var keys []model.Key
			for _, set := range step.Sets {
				keys = append(keys, set.Key())
			}
			return keys
		}
	}
	return nil
}

// Revisions returns the revisions that a set owns, in the history's order, as a new slice; nil if the set does not
// exist.
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

// Create sends a new set to the API server, which fills in what depends on the version, and validates. Claims that
// its pod template names and that do not exist are assumed (assumeClaims).
func (u *User) Create(set *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
	return u.written(u.write().CreateSet(set))
}

// Create returns the answer of an empty API server with these rules to a new set: the set as stored, or the
// refusal.
func Create(rules model.APIRules, set *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
	_, stored, err := CreateAndChange(rules, set, nil)
	return stored, err
}

// CreateAndChange returns the answers of an empty API server with these rules to a new set and then to a change of
// it: the set as stored before and after, and a refusal. The refusal is of the change if there is a set before. A
// nil change leaves the set as it is.
func CreateAndChange(rules model.APIRules, set *model.StatefulSet,
	change func(*model.StatefulSet) (*model.StatefulSet, *model.APIError)) (before, after *model.StatefulSet,
	refusal *model.APIError) {
	api := store.New(rules, func() model.Time { return 0 }).As(byUser)
	if before, refusal = api.CreateSet(set); refusal != nil || change == nil {
		return before, before, refusal
	}
	next, refusal := change(before)
	if refusal == nil {
		after, refusal = api.UpdateSet(next)
	}
	return before, after, refusal
}

// Update returns the answer of an API server with these rules to a change of an existing set: the set as stored, or
// the refusal.
func Update(rules model.APIRules, set, changed *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
	api := store.New(rules, func() model.Time { return 0 }).As(byUser)
	if _, err := api.CreateSet(set); err != nil {
		// It was accepted once, by another version perhaps.
		return changed, nil
	}
	next := *changed
	next.ResourceVersion, next.UID = 0, 0
	return api.UpdateSet(&next)
}

// WrongClaim returns how an API server with these rules refuses a new claim; nil if it takes it.
func WrongClaim(rules model.APIRules, claim *model.Claim) *model.APIError {
	_, err := store.New(rules, func() model.Time { return 0 }).As(byUser).CreateClaim(claim)
	return err
}

// WrongChange returns the API server's refusal, under these rules, of a change of an existing claim that has these
// problems; nil if the server accepts it.
func WrongChange(rules model.APIRules, claim, changed *model.Claim, problems []string) *model.APIError {
	api := store.New(rules, func() model.Time { return 0 }).As(byUser)
	if _, err := api.CreateClaim(claim); err != nil {
		return nil // It was accepted once.
	}
	_, err := api.ChangeClaim(changed, problems)
	return err
}

// Update sends a changed set: its spec, labels and annotations. If nothing changes, it returns the stored object as
// it is. The version of the set that is sent is a precondition unless it is 0.
func (u *User) Update(set *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
	return u.written(u.write().UpdateSet(set))
}

// DeleteSet deletes a set. The garbage collector deals with its dependents.
func (u *User) DeleteSet(key model.Key, policy DeletionPolicy) *model.APIError {
	return u.w.gc.Delete(byUser, key, policy)
}

// DeletePod asks for a pod's deletion, as kubectl delete does. With force the object is gone at once, whatever its
// process does: --force --grace-period=0.
func (u *User) DeletePod(key model.Key, force bool) *model.APIError {
	// People ask for deletions in the background, which end one in the foreground; but a pod that has some of its grace
	// period left only heeds a shorter one.
	if pod := u.w.store.Pod(key); pod != nil && pod.Terminating() && store.InForeground(&pod.Meta) {
		if pod.Deletion.Grace == 0 {
			u.write().LetPodGo(key)
			return nil
		}
		if force {
			u.write().LetPodGo(key)
		}
	}
	return u.write().DeletePod(key, 0, force)
}

// Evict asks the Eviction API for a pod's deletion. Unlike a deletion it may be refused by a PodDisruptionBudget.
func (u *User) Evict(key model.Key) *model.APIError { return u.w.disruption.Evict(key) }

// MayEvict returns the refusal that an eviction of a pod would get, and nil if it would be allowed. It changes
// nothing.
func (u *User) MayEvict(key model.Key) *model.APIError { return u.w.disruption.MayEvict(key) }

// LabelPod sets labels of a pod, and removes others. found reports whether the pod exists, changed whether anything
// changed.
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
	stored, err := u.write().UpdatePod(&next)
	return err == nil, stored != pod
}

// resizes is the first minor version whose pods have the subresource resize without a feature gate.
const resizes = 33

// ResizePod gives a pod that runs another template, which differs in the resources of a container. restarts names
// the container that has to restart for that; "" is the only one. problems are the API server's objections. The
// node is assumed to have room for it.
func (u *User) ResizePod(
	key model.Key, template *model.Template, container string, restarts bool, problems []string,
) *model.APIError {
	if minor := u.w.store.Rules().Minor; minor != 0 && minor < resizes {
		return &model.APIError{Reason: model.NotFound, Message: "the server could not find the requested resource"}
	}
	if len(problems) > 0 {
		return store.InvalidPod(key.Name, problems)
	}
	u.write().ChangePod(key, func(pod *model.Pod) { pod.Template = template })
	if restarts {
		u.w.kubelet.RestartContainer(key, container)
	}
	return nil
}

// FreePod removes the finalizers of a pod, whatever they wait for. It returns false if the pod does not exist or
// has no finalizers.
func (u *User) FreePod(key model.Key) bool {
	pod := u.w.store.Pod(key)
	if pod == nil || len(pod.Finalizers) == 0 {
		return false
	}
	u.write().FreePod(key)
	return true
}

// FreeSet removes the finalizers of a set that is being deleted: the set is then gone, and the garbage collector
// deletes its dependents. It returns false if there is no such set, or it has no finalizers.
func (u *User) FreeSet(key model.Key) bool {
	set := u.w.store.Set(key)
	if set == nil || len(set.Finalizers) == 0 {
		return false
	}
	if set.Terminating() {
		u.write().RemoveSet(key)
	}
	return true
}

// CreatePod sends a new pod to the API server, one without an owner.
func (u *User) CreatePod(pod *model.Pod) *model.APIError {
	_, err := u.write().CreatePod(pod)
	return err
}

// Claim returns a claim as the API server holds it, or nil.
func (u *User) Claim(key model.Key) *model.Claim { return u.w.store.Claim(key) }

// CreateClaim sends a new claim to the API server.
func (u *User) CreateClaim(claim *model.Claim) *model.APIError {
	_, err := u.write().CreateClaim(claim)
	return err
}

// ChangeClaim sends a claim that exists, with another spec; see store.Writer.ChangeClaim.
func (u *User) ChangeClaim(claim *model.Claim, problems []string) (*model.Claim, *model.APIError) {
	return u.write().ChangeClaim(claim, problems)
}

// DeleteClaim asks for a claim's deletion. It stays, terminating, while a pod on a node uses it; with force its
// finalizers are removed, so that the object is gone at once, even if its volume is in use.
func (u *User) DeleteClaim(key model.Key, force bool) *model.APIError {
	err := u.write().DeleteClaim(key, 0)
	if err == nil && force {
		u.write().RemoveClaim(key)
	}
	return err
}

// Budget returns a PodDisruptionBudget, or nil.
func (u *User) Budget(key model.Key) *model.Budget { return u.w.disruption.Budget(key) }

// PutBudget stores a PodDisruptionBudget in the place of the one of its name, if there is one.
func (u *User) PutBudget(spec *model.Budget) { u.w.disruption.Put(spec) }

// WriteBudget is PutBudget for a budget that changes at least in its metadata: the disruption controller counts its
// pods again.
func (u *User) WriteBudget(spec *model.Budget) { u.w.disruption.Write(spec) }

// DeleteBudget removes a PodDisruptionBudget. It returns false if there is none of that name.
func (u *User) DeleteBudget(key model.Key) bool { return u.w.disruption.Delete(key) }

// Service returns a Service as the API server holds it, or nil.
func (u *User) Service(key model.Key) *model.Service { return u.w.dns.Service(key) }

// CreateService sends a new Service to the API server, which gives it a cluster IP unless it is headless. There must be
// none of its name.
func (u *User) CreateService(draft *model.Service) { u.w.dns.Create(draft) }

// UpdateService sends a changed Service, which must exist. Its cluster IP does not change.
func (u *User) UpdateService(draft *model.Service) { u.w.dns.Update(draft) }

// DeleteService deletes a Service and reports whether there was one.
func (u *User) DeleteService(key model.Key) bool { return u.w.dns.Delete(key) }

// FailPod gives a pod that is not terminating the phase Failed, for the reason given, as an eviction under pressure
// does. It returns false if there is no such pod.
func (u *User) FailPod(key model.Key, reason string) bool {
	return u.w.kubelet.Finish(key, kubelet.End{Phase: model.Failed, Reason: reason})
}

// SucceedPod gives a pod that is not terminating the phase Succeeded: its containers ended with exit code 0, as on
// a node that shuts down. It returns false if there is no such pod.
func (u *User) SucceedPod(key model.Key, reason string) bool {
	return u.w.kubelet.Finish(key, kubelet.End{Phase: model.Succeeded, Reason: reason})
}

// UnreadyPod makes a Ready pod that is not terminating not Ready, for the time given or, if that is 0, until
// something makes it Ready again. It returns false if there is no such pod.
func (u *User) UnreadyPod(key model.Key, d time.Duration) bool { return u.w.kubelet.Unready(key, d) }

// RecoverPod makes a pod Ready again after UnreadyPod. It returns false if there is no such pod.
func (u *User) RecoverPod(key model.Key) bool { return u.w.kubelet.Recover(key) }

// CrashPod ends the container of a pod that runs: the pod stays Running and is not Ready until the kubelet has started
// the container again. It returns false if there is no such pod, or its container does not run.
func (u *User) CrashPod(key model.Key, how Crash) bool { return u.w.kubelet.Crash(key, how) }
