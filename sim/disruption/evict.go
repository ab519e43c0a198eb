package disruption

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Evict asks the Eviction API for a pod's deletion, as a user does. Unlike a deletion it may be refused by a
// PodDisruptionBudget: TooManyRequests, or InternalError if several budgets cover the pod. If there is no such pod,
// the deletion fails with NotFound.
func (c *Controller) Evict(key model.Key) *model.APIError {
	b, err := c.admits(key)
	if err != nil {
		return err
	}
	if b != nil && c.away() {
		c.charge(b)
	}
	return c.store.As(byEviction).DeletePod(key, 0, false)
}

// charge takes a disruption from the status of a budget, as the Eviction API does. It is only needed while the
// disruption controller is away: otherwise that controller counts the pod within the same write.
func (c *Controller) charge(b *budget) {
	b.told.Allowed--
	status := b.told
	c.kernel.Record(timeline.Entry{Kind: timeline.KindBudget, Actor: timeline.APIServer, Budget: &status})
}

// MayEvict returns the refusal of the Eviction API to delete a pod, nil if it would not refuse.
func (c *Controller) MayEvict(key model.Key) *model.APIError {
	_, err := c.admits(key)
	return err
}

// admits reports whether the Eviction API deletes a pod, and its refusal if not. The budget is the one whose
// disruption count the eviction uses, or nil. It changes nothing, so it can be asked hypothetically.
func (c *Controller) admits(key model.Key) (*budget, *model.APIError) {
	pod := c.store.Pod(key)
	// A pod that does not serve, or will soon stop serving, is deleted without asking a budget.
	if pod == nil || pod.Finished() || pod.Phase == model.Pending || pod.Terminating() {
		return nil, nil
	}
	covering := c.covering(pod)
	switch len(covering) {
	case 0:
		return nil, nil
	case 1:
		return c.askBudget(covering[0], pod)
	}
	return nil, model.TwoBudgets()
}

// askBudget decides whether a budget lets a pod be evicted. A pod that is not Ready may be evicted if enough others
// are healthy, or always with unhealthyPodEvictionPolicy AlwaysAllow (KEP-3017); that does not use up a disruption
// of the budget.
func (c *Controller) askBudget(b *budget, pod *model.Pod) (*budget, *model.APIError) {
	status := c.status(b)
	counts := model.BudgetCounts{Name: b.spec.Name, Healthy: status.Healthy, Desired: status.Desired,
		Allowed: status.Allowed, Unseen: c.unseen(b)}
	switch {
	case counts.Spares(pod.Ready, b.spec.AlwaysAllow && !c.nodes.Rules().IgnoresUnhealthyPolicy):
		return nil, nil
	case counts.Allows():
		return b, nil
	}
	if b.refusal.error == nil || b.refusal.counts != counts {
		b.refusal = refusal{counts, counts.Refusal()}
	}
	return nil, b.refusal.error
}

// refusal is how a budget refused an eviction last, and when it does so again. A drain asks for thousands at once.
type refusal struct {
	counts model.BudgetCounts
	error  *model.APIError
}

// unseen reports whether the disruption controller has not seen the spec of a budget yet.
func (c *Controller) unseen(b *budget) bool { return b.unseen && c.away() }

// drainRetry is the time that kubectl drain waits before it repeats an eviction that was refused. All refused pods of
// a drain are asked for again together.
const drainRetry = 5 * time.Second

// drain is a kubectl drain. It ends when it has no pods left, or when its time is over.
type drain struct {
	// node is the node being drained; it is cordoned from the start, unless a user uncordons it.
	node *nodes.Node
	// since is the instant when it started, total the number of pods that it had to evict then.
	since model.Time `print:"-"`
	total int
	// timeout is how long it tries; 0 means forever.
	timeout time.Duration
	// pods are the pods that still exist and whose evictions were granted or refused by a budget, in the order of
	// their keys.
	pods []*drained
	// failed are the pods whose evictions were refused with an error other than a budget's. kubectl does not ask
	// for them again: it waits for the other pods, and then ends with these errors.
	failed []*drained
	// retry is the timer of the next attempt; pending as long as an eviction is refused.
	retry *kernel.Timer
	// limit is the timer for giving up; nil without a timeout.
	limit *kernel.Timer
}

// drained is a pod that a drain has to evict. kubectl goes by its name: after a refusal it evicts whatever pod has
// that name then, on whichever node (evictPods in k8s.io/kubectl/pkg/drain). So a StatefulSet may recreate the pod
// elsewhere and lose it again.
type drained struct {
	// key is the key of the pod, and set the key of its StatefulSet when the drain started.
	key, set model.Key
	// evicted is the pod whose eviction was granted and whose end is awaited; 0 while the eviction is still asked for.
	evicted model.UID
	// refused is the refusal of the last try, or nil; since is the instant of the first refusal in a row. At most one of
	// evicted and refused is set.
	refused *model.APIError
	since   model.Time `print:"-"`
}

// why returns the reason why a pod is not evicted, in the form of a wait of a controller.
func (p *drained) why() model.Why {
	return model.Why{Code: model.DrainBlocked, Object: p.key.Name, Rule: model.RuleDisruptionBudget}
}

// Drain cordons a node and evicts its pods as kubectl drain --force does: all at the same time, and each again and
// again until the budgets allow it. It continues on its own: when Drain returns, the first attempts have been made.
// A timeout of 0 means none. It returns false if there is no such node, or it is being drained already. It ignores
// pods that are bound to the node later, because the node is cordoned. It replaces a failed drain.
func (c *Controller) Drain(name string, timeout time.Duration) bool {
	n := c.nodes.Node(name)
	if n == nil || n.Gone || c.drainOf(name) != nil {
		return false
	}
	c.failed = slices.DeleteFunc(c.failed, func(d *drain) bool { return d.node == n })
	c.nodes.Cordon(name, true)
	d := &drain{node: n, since: c.kernel.Now(), timeout: timeout}
	for _, pod := range c.nodes.PodsOn(n) {
		d.pods = append(d.pods, &drained{key: pod.Key(), set: c.log.Pod(pod.Key()).Set})
	}
	d.total = len(d.pods)
	c.drains = append(c.drains, d)
	c.tryEvictions(d)
	if timeout > 0 && len(d.pods) > 0 {
		d.limit = c.kernel.At(c.kernel.Now().Add(timeout), kernel.ByCluster, d.event(giveUp))
	}
	return true
}

// drainOf returns the unfinished drain of a node, or nil.
func (c *Controller) drainOf(node string) *drain {
	for _, d := range c.drains {
		if d.node.Name == node {
			return d
		}
	}
	return nil
}

// event returns an event about a drain.
func (d *drain) event(kind uint8) kernel.Event {
	return kernel.Event{Room: kernel.Disruption, Kind: kind, Key: model.Key{Name: d.node.Name}}
}

// tryEvictions asks for the eviction of each pod whose eviction has not been granted yet. If no pod has the name at
// that moment, the pod counts as gone. Only evictions that a budget refused are asked for again: any other error is
// final.
func (c *Controller) tryEvictions(d *drain) {
	again := false
	for _, p := range slices.Clone(d.pods) {
		if p.evicted != 0 {
			continue
		}
		pod := c.store.Pod(p.key)
		if pod == nil {
			d.leave(p)
			continue
		}
		switch c.ask(d, p); {
		case p.refused == nil:
			p.evicted = pod.UID
		case p.refused.Reason == model.TooManyRequests:
			again = true
		default:
			d.leave(p)
			d.failed = append(d.failed, p)
		}
	}
	if again {
		// A retry keeps no run open by itself: see DrainMayHelp.
		d.retry = c.kernel.Behind(c.kernel.Now().Add(drainRetry), kernel.ByCluster, d.event(retry))
	}
	c.proceed(d, model.Why{})
}

// mayStart reports whether a pod that should be evicted is Pending, since no budget protects such a pod. It may be
// Running in this very instant, and kubectl comes after that: the retry of a real drain is later than 5s after the
// last try, by the time that its calls take (seen on 1.36.3).
func (c *Controller) mayStart(d *drain) bool {
	return slices.ContainsFunc(d.pods, func(p *drained) bool {
		pod := c.store.Pod(p.key)
		return p.evicted == 0 && pod != nil && pod.Phase == model.Pending
	})
}

// leave takes a pod out of those that the drain still has to evict.
func (d *drain) leave(p *drained) {
	d.pods = slices.DeleteFunc(d.pods, func(other *drained) bool { return other == p })
}

// ask asks for the eviction of a pod, and records the first refusal in a row, and each that is final.
func (c *Controller) ask(d *drain, p *drained) {
	err, before := c.Evict(p.key), p.refused
	p.refused = err
	if err == nil || before != nil && err.Reason == before.Reason {
		return
	}
	p.since = c.kernel.Now()
	message := p.failure()
	if err.Reason == model.TooManyRequests {
		message = fmt.Sprintf("%s (will retry after %s): %s", p.when(), drainRetry, err.Message)
	}
	c.noteDrain(d, p.why(), "", message)
}

// when is the start of kubectl's messages about the eviction of a pod, failure its message about the refusal.
func (p *drained) when() string {
	return fmt.Sprintf("error when evicting pods/%q -n %q", p.key.Name, p.key.Namespace)
}

// failure is kubectl's message about a refusal that is final; refused must be set.
func (p *drained) failure() string { return p.when() + ": " + p.refused.Message }

// proceed removes the evicted pods that are gone from a drain, and ends the drain after the last of them: with an
// error if evictions have failed. why is the reason of the write that removed the last one.
func (c *Controller) proceed(d *drain, why model.Why) {
	d.pods = slices.DeleteFunc(d.pods, func(p *drained) bool {
		pod := c.store.Pod(p.key)
		return p.evicted != 0 && (pod == nil || pod.UID != p.evicted)
	})
	if len(d.pods) > 0 || !slices.Contains(c.drains, d) {
		return
	}
	c.endDrain(d)
	if len(d.failed) > 0 {
		c.noteDrain(d, model.Why{}, timeline.ReasonDrainGivenUp, d.pending(d.errors()))
		return
	}
	c.noteDrain(d, why, timeline.ReasonDrained, fmt.Sprintf("%s is drained after %s; pods evicted: %d",
		d.node.Name, c.kernel.Now().Sub(d.since), d.total))
}

// errors returns the errors of the failed evictions, in the order in which they failed.
func (d *drain) errors() []string {
	var list []string
	for _, p := range d.failed {
		list = append(list, p.failure())
	}
	return list
}

// pending is kubectl's message when a drain ends with errors: several are listed in brackets.
func (d *drain) pending(errors []string) string {
	text := strings.Join(errors, ", ")
	if len(errors) > 1 {
		text = "[" + text + "]"
	}
	return fmt.Sprintf("There are pending pods in node %q when an error occurred: %s", d.node.Name, text)
}

// endDrain takes a drain out of the list, with its timers. One with evictions that have failed is remembered.
func (c *Controller) endDrain(d *drain) {
	c.kernel.Cancel(d.retry)
	c.kernel.Cancel(d.limit)
	c.drains = slices.DeleteFunc(c.drains, func(other *drain) bool { return other == d })
	if len(d.failed) > 0 {
		d.pods = nil
		c.failed = append(c.failed, d)
	}
}

// giveUp ends a drain whose time is over, with kubectl's errors: one for each pod. The node stays cordoned, and
// granted evictions continue.
func (c *Controller) giveUp(d *drain) {
	errors, refused := d.errors(), []string(nil)
	for _, p := range d.pods {
		if p.refused != nil {
			refused = append(refused, fmt.Sprintf("%s: global timeout reached: %s", p.when(), d.timeout))
			continue
		}
		errors = append(errors, fmt.Sprintf("error when waiting for pod %q in namespace %q to terminate: context deadline "+
			"exceeded", p.key.Name, p.key.Namespace))
	}
	c.endDrain(d)
	// kubectl hears of the end of its time at once where it waits for a pod, and with the next retry where it does not.
	c.noteDrain(d, model.Why{}, timeline.ReasonDrainGivenUp, d.pending(append(errors, refused...)))
}

// noteDrain records the outcome of a drain, in an event about its node.
func (c *Controller) noteDrain(d *drain, why model.Why, reason, message string) {
	c.nodes.Note(store.By{Actor: timeline.User, Why: why}, d.node, reason, message)
}

// DrainMayHelp reports whether the pending retry of a drain would succeed at this moment. A drain that would only
// be refused again keeps no run open.
func (c *Controller) DrainMayHelp() bool {
	for _, d := range c.drains {
		for _, p := range d.pods {
			if !d.retry.Pending() || p.refused == nil {
				continue
			}
			if c.MayEvict(p.key) == nil {
				return true
			}
		}
	}
	return false
}

// Stuck lists the evictions that are refused, drain by drain. It is meant for the end of a run, when nothing is
// left that could end the refusal. The evictions that made a drain fail count as long as the node is cordoned, so
// that a drain is still intended, the pod exists, and its eviction would fail again.
func (c *Controller) Stuck() []timeline.Stuck {
	var list []timeline.Stuck
	for _, d := range slices.Concat(c.drains, c.failed) {
		for _, p := range slices.Concat(d.failed, d.pods) {
			if p.refused != nil && (p.refused.Reason == model.TooManyRequests || c.failsAgain(d, p)) {
				list = append(list, timeline.Stuck{Set: p.set, Since: p.since, Error: p.refused.Whole(), Why: p.why()})
			}
		}
	}
	return list
}

// failsAgain reports whether another drain of the node would fail with the same error.
func (c *Controller) failsAgain(d *drain, p *drained) bool {
	pod, err := c.store.Pod(p.key), c.MayEvict(p.key)
	return d.node.Cordoned && pod != nil && pod.Node == d.node.Name && err != nil && err.Reason == p.refused.Reason
}
