package sim

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// budget is a PodDisruptionBudget with the counts of its pods, and its status as the timeline last had it.
type budget struct {
	spec *model.Budget
	told timeline.Budget
	// pods counts the pods that it covers, healthy those that are Ready and not Terminating.
	pods, healthy int32
	owners        []ownerCount
}

// ownerCount counts the pods of one controller.
type ownerCount struct {
	key  model.Key
	uid  model.UID
	pods int32
}

// Budget returns a PodDisruptionBudget, or nil.
func (u *User) Budget(key model.Key) *model.Budget {
	if b := u.w.budget(key); b != nil {
		return b.spec
	}
	return nil
}

// PutBudget stores a PodDisruptionBudget in the place of the one of its name, if there is one.
func (u *User) PutBudget(spec *model.Budget) {
	b := &budget{spec: spec}
	for _, pod := range u.w.store.Pods() {
		b.count(pod, 1)
	}
	u.w.budgets = slices.DeleteFunc(u.w.budgets, func(other *budget) bool { return other.spec.Key() == spec.Key() })
	u.w.budgets = append(u.w.budgets, b)
	slices.SortFunc(u.w.budgets, func(a, b *budget) int { return a.spec.Key().Compare(b.spec.Key()) })
}

// DeleteBudget removes a PodDisruptionBudget. It returns false if there is none of that name.
func (u *User) DeleteBudget(key model.Key) bool {
	before := len(u.w.budgets)
	u.w.budgets = slices.DeleteFunc(u.w.budgets, func(b *budget) bool { return b.spec.Key() == key })
	return len(u.w.budgets) < before
}

func (w *World) budget(key model.Key) *budget {
	for _, b := range w.budgets {
		if b.spec.Key() == key {
			return b
		}
	}
	return nil
}

// countBudgets keeps the counts of all budgets when a pod has changed. Old is nil for a new pod, pod for one that is
// gone.
func (w *World) countBudgets(old, pod *model.Pod) {
	for _, b := range w.budgets {
		if old != nil {
			b.count(old, -1)
		}
		if pod != nil {
			b.count(pod, 1)
		}
	}
}

// count adds a pod to the counts, or takes it out of them.
func (b *budget) count(pod *model.Pod, by int32) {
	if !b.spec.Covers(pod.Namespace, pod.Labels) {
		return
	}
	b.pods += by
	if pod.Serving() {
		b.healthy += by
	}
	owner := pod.Controller()
	if owner == nil {
		return
	}
	at := slices.IndexFunc(b.owners, func(c ownerCount) bool { return c.uid == owner.UID })
	if at < 0 {
		at = len(b.owners)
		b.owners = append(b.owners, ownerCount{key: model.Key{Namespace: pod.Namespace, Name: owner.Name}, uid: owner.UID})
	}
	if b.owners[at].pods += by; b.owners[at].pods == 0 {
		b.owners = slices.Delete(b.owners, at, at+1)
	}
}

// budgetStatus says what the disruption controller says. It does so at once, so an eviction never sees a status that is
// out of date.
func (w *World) budgetStatus(b *budget) timeline.Budget {
	status := timeline.Budget{Namespace: b.spec.Namespace, Name: b.spec.Name, Healthy: b.healthy, Expected: b.pods}
	known := true
	if b.spec.CountsScale() {
		status.Expected = 0
		for _, owner := range b.owners {
			set := w.store.Set(owner.key)
			if set == nil || set.UID != owner.uid {
				known = false
				continue
			}
			status.Expected += set.Spec.Replicas
		}
	}
	status.Desired = b.spec.Desired(status.Expected)
	// Where a controller cannot be found the disruption controller allows nothing, to be safe.
	if status.Expected > 0 && known {
		status.Allowed = max(0, status.Healthy-status.Desired)
	}
	return status
}

// noteBudgets puts the status of each budget that has changed into the timeline.
func (w *World) noteBudgets() {
	for _, b := range w.budgets {
		if status := w.budgetStatus(b); status != b.told {
			b.told = status
			w.record(timeline.Event{Kind: timeline.KindBudget, Actor: timeline.APIServer, Budget: &status})
		}
	}
}
