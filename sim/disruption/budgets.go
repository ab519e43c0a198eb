package disruption

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// budget is a PodDisruptionBudget with the counts of its pods, and its status as the timeline last had it. The counts
// are of all pods in the store that its selector covers, at any time.
type budget struct {
	// spec is the object as a user has stored it. It is not changed: Put replaces the whole budget.
	spec *model.Budget
	// told is the status that was last recorded. Unless due is true, or while the disruption controller is away, it is
	// also what an eviction sees.
	told timeline.Budget
	// pods counts the pods that it covers, including terminating ones; healthy counts those pods that are Ready and
	// not Terminating. 0 <= healthy <= pods.
	pods, healthy int32
	// age is less than the age of each budget that was created later. A new spec of a budget keeps its age.
	age int `print:"-"`
	// owners has the number of its pods by their controllers; no count is 0. Pods without a controller are in pods only.
	// managed is the sum of its counts.
	owners  map[model.UID]ownerCount `print:"-"`
	managed int32                    `print:"-"`
	// due is true from a change that wakes the disruption controller for this budget until its status is written.
	// Some changes do not wake the controller and leave the status as it was: a set that is scaled, a pod whose
	// labels do not match any more, a change of a pod that several budgets share.
	due bool
	// touched is true for a budget that Note has to look at: one that is due, or whose counts have changed.
	touched bool `print:"-"`
	// fresh is true until the first status of a spec is recorded, which is done even if it is the old one.
	fresh bool
	// unseen is true for a spec that was written while the disruption controller was away: no eviction is granted until
	// the controller is back and has seen it.
	unseen bool
	// unmanaged is true while an event has said that it covers pods without a controller. lost is the pod that an
	// event has named because the pod's set is gone.
	unmanaged bool      `print:"-"`
	lost      model.UID `print:"-"`
	// without are its pods whose sets are gone.
	without lostPods `print:"-"`
	refusal refusal  `print:"-"`
}

// ownerCount counts the pods of one controller of a budget. A set that is created again is another one.
type ownerCount struct {
	key  model.Key
	pods int32
}

// status returns the status that the disruption controller would write: how many pods must be healthy, and how many
// may be disrupted. The counts are up to date within each write, so an eviction sees an old status only if budgets
// share pods, or while the controller is away. The real controller lags a little behind; a real eviction counts
// itself in status.disruptedPods meanwhile, with the same result.
//
// If the budget counts by scale, the expected pods are spec.replicas of the sets that own the covered pods. If one
// of these sets is gone, the controller cannot count: it allows no disruptions, to be safe, and the rest stays as
// it was.
func (c *Controller) status(b *budget) timeline.Budget {
	if c.away() || !b.due && !c.nodes.Rules().ResyncsBudgets {
		return b.told
	}
	c.countNew()
	status := timeline.Budget{Namespace: b.spec.Namespace, Name: b.spec.Name, Healthy: b.healthy, Expected: b.pods}
	// With neither number the controller expects no pods, and so nothing is allowed.
	if b.spec.CountsScale() || b.spec.MinAvailable == nil && b.spec.MaxUnavailable == nil {
		status.Expected = 0
	}
	if b.spec.CountsScale() {
		c.uids = slices.AppendSeq(c.uids[:0], maps.Keys(b.owners))
		slices.Sort(c.uids)
		for _, uid := range c.uids {
			set := c.setOf(b.owners[uid].key, uid)
			if set == nil {
				status = b.told
				status.Allowed = 0
				return status
			}
			status.Expected += set.Spec.Replicas
		}
	}
	status.Desired = b.spec.Desired(status.Expected)
	if status.Expected > 0 {
		status.Allowed = max(0, status.Healthy-status.Desired)
	}
	return status
}

// setOf returns the set that an owner reference names, or nil if the set no longer exists.
func (c *Controller) setOf(key model.Key, uid model.UID) *model.StatefulSet {
	if set := c.store.Set(key); set != nil && set.UID == uid {
		return set
	}
	return nil
}

// wake makes the budgets of a pod that has changed due, as the disruption controller does. Up to 1.37 that is one
// budget: if several budgets select the pod, the controller chooses one "arbitrarily", and the status of the others
// stays as it is until a change of a pod that they are first for. It takes the first one of a list, which is
// usually the oldest, and always is here. From 1.38 on it is all of them, and the budgets that selected the pod's
// old labels. A pod that several budgets select gets one warning in its life.
func (c *Controller) wake(change *store.Change) {
	pod, old, all := cmp.Or(change.Pod, change.OldPod), change.OldPod, c.nodes.Rules().UpdatesAllBudgets
	if all && change.Pod != nil && old != nil && !maps.Equal(old.Labels, pod.Labels) {
		c.makeDue(c.covering(old))
	}
	covering := c.covering(pod)
	if all {
		c.makeDue(covering)
	} else {
		c.makeDue(covering[:min(1, len(covering))])
	}
	if len(covering) < 2 || c.shared[pod.UID] {
		return
	}
	keyed.Put(&c.shared, pod.UID, true)
	c.kernel.Record(timeline.Entry{
		Kind: timeline.KindK8sEvent, Actor: timeline.APIServer, Set: c.log.Pod(pod.Key()).Set, Pod: pod.Name, UID: pod.UID,
		Warning: true, Reason: "MultiplePodDisruptionBudgets", Message: multiple(pod, covering, all),
	})
}

// makeDue makes budgets due.
func (c *Controller) makeDue(budgets []*budget) {
	for _, b := range budgets {
		b.due = true
		c.touch(b)
	}
}

// multiple words the warning about a pod that several budgets select. all is true if all of them are updated.
func multiple(pod *model.Pod, covering []*budget, all bool) string {
	if !all {
		return fmt.Sprintf("Pod %q/%q matches multiple PodDisruptionBudgets.  Chose %q arbitrarily.",
			pod.Namespace, pod.Name, covering[0].spec.Name)
	}
	var names []string
	for _, b := range covering {
		names = append(names, b.spec.Name)
	}
	slices.Sort(names)
	return fmt.Sprintf("Pod %q/%q matches multiple PodDisruptionBudgets %q. Overlapping PDBs are unsupported for eviction.",
		pod.Namespace, pod.Name, names)
}

// Note puts the status of each budget that has changed into the timeline. It is called at fixed points, so a status
// that only lasted within an instant is not recorded.
func (c *Controller) Note() {
	if c.away() {
		return
	}
	for _, b := range c.toNote() {
		c.noteUnmanaged(b)
		c.noteLost(b)
		b.unseen = false
		if status := c.status(b); status != b.told || b.fresh {
			b.told, b.fresh = status, false
			c.kernel.Record(timeline.Entry{Kind: timeline.KindBudget, Actor: timeline.APIServer, Budget: &status})
		}
		b.due, b.touched = false, false
	}
}

// touch lets Note look at a budget.
func (c *Controller) touch(b *budget) {
	if !b.touched {
		b.touched = true
		c.touched = append(c.touched, b)
	}
}

// toNote returns the budgets that Note has to look at, in the order of their keys: the changed ones, or all if the
// controller looks at each regardless of changes.
func (c *Controller) toNote() []*budget {
	c.countNew()
	list := c.touched
	c.touched = nil
	if c.nodes.Rules().ResyncsBudgets {
		return slices.Clone(c.budgets)
	}
	slices.SortFunc(list, func(a, b *budget) int { return a.spec.Key().Compare(b.spec.Key()) })
	return list
}

// noteUnmanaged warns of a budget whose pods the disruption controller counts by their controllers, and which covers
// some that have none. The controller warns of the budget each time it looks; the timeline has it once, with the
// first of the pods.
func (c *Controller) noteUnmanaged(b *budget) {
	before := b.unmanaged
	b.unmanaged = b.spec.CountsScale() && b.pods > b.managed && !c.nodes.Rules().SaysNothingOfUnmanaged
	if before || !b.unmanaged {
		return
	}
	at := slices.IndexFunc(c.store.Pods(), func(pod *model.Pod) bool {
		return pod.Controller() == nil && b.spec.Covers(pod.Namespace, pod.Labels)
	})
	pod := c.store.Pods()[at]
	c.kernel.Record(timeline.Entry{
		Kind: timeline.KindK8sEvent, Actor: timeline.APIServer, Set: c.log.Pod(pod.Key()).Set, Pod: pod.Name, UID: pod.UID,
		Warning: true, Reason: "UnmanagedPods",
		Message: "Pods selected by this PodDisruptionBudget (selector: " + printed(b.spec.Selects) + ") were found to be " +
			"unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined " +
			"behavior. To account for these pods please set \".spec.minAvailable\" field of the PDB to an integer value.",
	})
}

// operators are the operators of matchExpressions in the API's words.
var operators = [...]string{
	model.OpIn: "In", model.OpNotIn: "NotIn", model.OpExists: "Exists", model.OpDoesNotExist: "DoesNotExist",
}

// printed is a selector as Go prints the API's own type (LabelSelector.String), since that text is part of an event.
func printed(s *model.Selector) string {
	var labels, expressions strings.Builder
	for _, need := range s.Needs {
		if need.Op == model.OpEquals {
			labels.WriteString(need.Label + ": " + need.Values[0] + ",")
			continue
		}
		fmt.Fprintf(&expressions, "LabelSelectorRequirement{Key:%s,Operator:%s,Values:%v,},", need.Label, operators[need.Op],
			need.Values)
	}
	return "&LabelSelector{MatchLabels:map[string]string{" + labels.String() + "},MatchExpressions:" +
		"[]LabelSelectorRequirement{" + expressions.String() + "},}"
}
