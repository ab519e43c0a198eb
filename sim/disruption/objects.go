package disruption

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// find returns the place of a PodDisruptionBudget, or where it would be.
func (c *Controller) find(key model.Key) (at int, found bool) {
	return slices.BinarySearchFunc(c.budgets, key, func(b *budget, key model.Key) int { return b.spec.Key().Compare(key) })
}

// Budget returns a PodDisruptionBudget, or nil. The caller must not change it.
func (c *Controller) Budget(key model.Key) *model.Budget {
	if at, found := c.find(key); found {
		return c.budgets[at].spec
	}
	return nil
}

// Budgets returns all PodDisruptionBudgets, the oldest first: to put them in this order makes the same budgets again.
func (c *Controller) Budgets() []*model.Budget {
	var list []*model.Budget
	for _, b := range c.byAge() {
		list = append(list, b.spec)
	}
	return list
}

// byAge returns the budgets, the oldest first.
func (c *Controller) byAge() []*budget {
	list := slices.Clone(c.budgets)
	slices.SortFunc(list, func(a, b *budget) int { return cmp.Compare(a.age, b.age) })
	return list
}

// Put stores a PodDisruptionBudget, and replaces the one with its name, if there is one. One that is the same already
// stays as it is: a write that changes nothing wakes no controller.
func (c *Controller) Put(spec *model.Budget) {
	if at, found := c.find(spec.Key()); !found || !reflect.DeepEqual(c.budgets[at].spec, spec) {
		c.Write(spec)
	}
}

// Write is Put for a budget that changes, even if only in metadata that the model does not have. Its pods are
// counted before anything asks for the counts; the new status is recorded at the next fixed point with a running
// disruption controller.
func (c *Controller) Write(spec *model.Budget) {
	at, found := c.find(spec.Key())
	c.newest++
	b := &budget{
		spec: spec, due: true, fresh: true, unseen: c.away(), age: c.newest,
		told: timeline.Budget{Namespace: spec.Namespace, Name: spec.Name},
	}
	if found {
		b.told, b.age = c.budgets[at].told, c.budgets[at].age
		c.forget(c.budgets[at])
		c.budgets[at] = b
	} else {
		c.budgets = slices.Insert(c.budgets, at, b)
	}
	c.touch(b)
	if spec.Selects != nil {
		c.uncounted = append(c.uncounted, b)
	}
}

// Delete removes a PodDisruptionBudget. It returns false if there is none of that name.
func (c *Controller) Delete(key model.Key) bool {
	at, found := c.find(key)
	if found {
		c.forget(c.budgets[at])
		c.budgets = slices.Delete(c.budgets, at, at+1)
	}
	return found
}

// forget takes a budget out of everything that finds it, but the list of all.
func (c *Controller) forget(b *budget) {
	is := func(other *budget) bool { return other == b }
	c.touched = slices.DeleteFunc(c.touched, is)
	if slices.Contains(c.uncounted, b) {
		c.uncounted = slices.DeleteFunc(c.uncounted, is)
	} else if b.spec.Selects != nil {
		c.selectors.Remove(b.spec.Namespace, b.spec.Selects, b)
	}
}

// countNew counts the pods of the budgets that have come since the last call, with one look at all pods.
func (c *Controller) countNew() {
	if len(c.uncounted) == 0 {
		return
	}
	var fresh keyed.Selectors[*budget]
	for _, b := range c.uncounted {
		fresh.Add(b.spec.Namespace, b.spec.Selects, b)
		c.selectors.Add(b.spec.Namespace, b.spec.Selects, b)
	}
	c.uncounted = nil
	for _, pod := range c.store.Pods() {
		for _, b := range fresh.Matching(nil, pod.Namespace, pod.Labels) {
			b.count(pod, 1)
		}
	}
}

// recount notes what becomes of a pod in the counts of the budgets that cover it, or did. Budgets that have not counted
// their pods yet count the pod as it is now.
func (c *Controller) recount(old, pod *model.Pod) {
	if c.selectors.Len() > 0 {
		if old != nil {
			for _, b := range c.selectors.Matching(nil, old.Namespace, old.Labels) {
				b.count(old, -1)
				c.touch(b)
			}
		}
		if pod != nil {
			for _, b := range c.selectors.Matching(nil, pod.Namespace, pod.Labels) {
				b.count(pod, 1)
				c.touch(b)
			}
		}
	}
	c.countNew()
}

// covering returns the budgets that cover a pod, the oldest first. The list holds until the next call.
func (c *Controller) covering(pod *model.Pod) []*budget {
	c.countNew()
	c.found = c.selectors.Matching(c.found[:0], pod.Namespace, pod.Labels)
	list := c.found
	slices.SortFunc(list, func(a, b *budget) int { return cmp.Compare(a.age, b.age) })
	return list
}

// count adds a pod that the budget covers to the counts (by 1), or removes it from them (by -1). To remove a pod it
// needs the version that was added.
func (b *budget) count(pod *model.Pod, by int32) {
	b.pods += by
	if pod.Serving() {
		b.healthy += by
	}
	owner := pod.Controller()
	if owner == nil {
		return
	}
	of := b.owners[owner.UID]
	of.key = model.Key{Namespace: pod.Namespace, Name: owner.Name}
	of.pods += by
	b.managed += by
	keyed.Put(&b.owners, owner.UID, of)
	if of.pods == 0 {
		delete(b.owners, owner.UID)
	}
	if by > 0 {
		b.without.see(pod, owner.UID)
	}
}
