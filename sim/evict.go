package sim

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/queue"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// The Eviction API, and kubectl drain, which is made of it.

// Evict asks the Eviction API for a pod's deletion. Unlike a deletion it may be refused by a PodDisruptionBudget.
func (u *User) Evict(key model.Key) *model.APIError { return u.w.evict(key) }

func (w *World) evict(key model.Key) *model.APIError {
	if err := w.mayEvict(key); err != nil {
		return err
	}
	w.reason = timeline.ReasonEvicted
	err := w.store.DeletePod(key, 0, false)
	w.reason = ""
	return err
}

// mayEvict says whether the Eviction API deletes a pod, and if not, how it refuses.
func (w *World) mayEvict(key model.Key) *model.APIError {
	pod := w.store.Pod(key)
	// A pod that serves nobody, or will not much longer, is deleted without a question.
	if pod == nil || pod.Finished() || pod.Phase == model.Pending || pod.Terminating() {
		return nil
	}
	var covering []*budget
	for _, b := range w.budgets {
		if b.spec.Covers(pod.Namespace, pod.Labels) {
			covering = append(covering, b)
		}
	}
	switch len(covering) {
	case 0:
		return nil
	case 1:
		return w.askBudget(covering[0], pod)
	}
	return &model.APIError{Reason: model.InternalError,
		Message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."}
}

// askBudget says whether a budget lets a pod be evicted.
func (w *World) askBudget(b *budget, pod *model.Pod) *model.APIError {
	status := w.budgetStatus(b)
	if !pod.Ready {
		always := b.spec.AlwaysAllow && !w.config.Cluster.Rules.IgnoresUnhealthyPolicy
		if always || status.Healthy >= status.Desired && status.Desired > 0 {
			return nil
		}
	}
	if status.Allowed > 0 {
		return nil
	}
	cause := fmt.Sprintf("The disruption budget %s does not allow evicting pods currently", b.spec.Name)
	if status.Healthy <= status.Desired {
		cause = fmt.Sprintf("The disruption budget %s needs %d healthy pods and has %d currently",
			b.spec.Name, status.Desired, status.Healthy)
	}
	return &model.APIError{Reason: model.TooManyRequests,
		Message: "Cannot evict pod as it would violate the pod's disruption budget. " + cause}
}

// drainRetry is how long kubectl drain waits before it asks again for an eviction that was refused.
const drainRetry = 5 * time.Second

// drain is a kubectl drain that has not come to its end.
type drain struct {
	node  *node
	since model.Time
	total int
	pods  []*drained
	retry *queue.Entry[event]
	// limit is the timer at which it gives up.
	limit *queue.Entry[event]
}

// drained is a pod that a drain wants away.
type drained struct {
	key, set model.Key
	uid      model.UID
	// refused is the budget's answer to the last try, or nil, and since when it is so.
	refused *model.APIError
	since   model.Time
}

// why is the reason why a pod is not evicted.
func (p *drained) why() model.Why {
	return model.Why{Code: model.DrainBlocked, Object: p.key.Name, Rule: model.RuleDisruptionBudget}
}

// Drain cordons a node and evicts its pods, as kubectl drain does: all at the same time, each again and again until it
// may go. It goes on while other steps act. A timeout of 0 is none. It returns false if there is no such node, or it is
// being drained already.
func (u *User) Drain(name string, timeout time.Duration) bool {
	w := u.w
	n := w.cluster.node(name)
	if n == nil || n.gone || slices.ContainsFunc(w.drains, func(d *drain) bool { return d.node == n }) {
		return false
	}
	u.Cordon(name, true)
	d := &drain{node: n, since: w.Now()}
	for _, l := range w.livesOn(n) {
		d.pods = append(d.pods, &drained{key: l.key, set: l.set, uid: l.uid})
	}
	d.total = len(d.pods)
	w.drains = append(w.drains, d)
	w.tryEvictions(d)
	if timeout > 0 && len(d.pods) > 0 {
		d.limit = w.at(w.Now().Add(timeout), false, func() { w.giveUp(d, timeout) })
	}
	return true
}

// tryEvictions asks for the eviction of each pod that is not on its way yet.
func (w *World) tryEvictions(d *drain) {
	w.actor = timeline.User
	again := false
	for _, p := range slices.Clone(d.pods) {
		if !w.wanted(p) {
			p.refused = nil
			continue
		}
		err := w.evict(p.key)
		if err != nil && p.refused == nil {
			p.since = w.Now()
			w.why = p.why()
			w.noteDrain(d, "", fmt.Sprintf("error when evicting pods/%q -n %q (will retry after %s): %s",
				p.key.Name, p.key.Namespace, drainRetry, err.Message))
			w.why = model.Why{}
		}
		p.refused = err
		again = again || err != nil
	}
	if again {
		// A retry keeps no run open by itself: see drainMayHelp.
		d.retry = w.at(w.Now().Add(drainRetry), true, func() { w.tryEvictions(d) })
	}
	w.proceed(d)
}

// wanted says whether a drain still has to ask for a pod's eviction: it is there, and nobody has deleted it.
func (w *World) wanted(p *drained) bool {
	pod := w.store.Pod(p.key)
	return pod != nil && pod.UID == p.uid && !pod.Terminating()
}

// proceed drops the pods of a drain that are gone, and ends it with the last of them.
func (w *World) proceed(d *drain) {
	d.pods = slices.DeleteFunc(d.pods, func(p *drained) bool {
		pod := w.store.Pod(p.key)
		return pod == nil || pod.UID != p.uid
	})
	if len(d.pods) > 0 || !slices.Contains(w.drains, d) {
		return
	}
	w.endDrain(d)
	w.noteDrain(d, timeline.ReasonDrained, fmt.Sprintf("%s is drained: %d of its pods are gone, after %s",
		d.node.name, d.total, w.Now().Sub(d.since)))
}

func (w *World) endDrain(d *drain) {
	w.queue.Cancel(d.retry)
	w.queue.Cancel(d.limit)
	w.drains = slices.DeleteFunc(w.drains, func(other *drain) bool { return other == d })
}

func (w *World) giveUp(d *drain, timeout time.Duration) {
	w.actor = timeline.User
	w.endDrain(d)
	w.noteDrain(d, timeline.ReasonDrainGivenUp, fmt.Sprintf(
		"error when draining %s: global timeout reached: %s; %d of its pods are left", d.node.name, timeout, len(d.pods)))
}

func (w *World) noteDrain(d *drain, reason, message string) {
	w.noteNodeAs(timeline.User, d.node, reason, message)
}

// drainMayHelp says whether a drain that only retries would be heard now. One that would not keeps no run open.
func (w *World) drainMayHelp() bool {
	for _, d := range w.drains {
		for _, p := range d.pods {
			if d.retry.Pending() && p.refused != nil && w.wanted(p) && w.mayEvict(p.key) == nil {
				return true
			}
		}
	}
	return false
}

// blockedDrains lists, for the end of a run, the evictions that a budget refuses for ever.
func (w *World) blockedDrains() []timeline.Stuck {
	var list []timeline.Stuck
	for _, d := range w.drains {
		for _, p := range d.pods {
			if p.refused != nil && w.wanted(p) {
				list = append(list, timeline.Stuck{Set: p.set, Since: p.since, Error: p.refused.Message, Why: p.why()})
			}
		}
	}
	return list
}
