package timeline

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Copy returns a fold of the same events, which continues by itself. It only reads the fold, so several may copy it
// at the same time; O(objects). Events and specs are shared.
func (f *Fold) Copy() Fold {
	c := *f
	c.byKey, c.sets, c.live = keyed.Map[*Set]{}, make([]*Set, len(f.sets)), make([]*Set, 0, len(f.live))
	for i, set := range f.sets {
		c.sets[i] = set.copy()
		c.byKey.Put(set.Key, c.sets[i])
		if set.Spec != nil {
			c.live = append(c.live, c.sets[i])
		}
	}
	c.budgets, c.nodes = copies(f.budgets, (*Budget).copy), copies(f.nodes, (*Node).copy)
	c.services = copies(f.services, (*Service).copy)
	c.claims = slices.Clone(f.claims)
	for i, claim := range f.claims {
		next := *claim
		c.claims[i] = &next
	}
	return c
}

// copy returns a set with lists and pods of its own. Templates, specs, and the maps of SpecMap and StatusMap are never
// changed, and are shared.
func (s *Set) copy() *Set {
	c := *s
	c.Pods, c.Bare = s.Pods.copy(), s.Bare.copy()
	c.templates, c.revisions, c.past = maps.Clone(s.templates), slices.Clone(s.revisions), slices.Clone(s.past)
	return &c
}

// copies returns a map with a copy of each value, nil for an empty one.
func copies[K comparable, T any](values map[K]*T, copied func(*T) *T) map[K]*T {
	all := keyed.Copy(values)
	for key, value := range maps.All(values) {
		all[key] = copied(value)
	}
	return all
}

// copy returns a copy, so that the two folds have nothing in common that may change.
func (b *Budget) copy() *Budget {
	c := *b
	return &c
}

// copy returns a copy, for the same reason.
func (n *Node) copy() *Node {
	c := *n
	return &c
}

// copy returns a Service with a list of its own: a fold changes it in place.
func (s *Service) copy() *Service {
	c := *s
	c.Endpoints = slices.Clone(s.Endpoints)
	return &c
}

// applyProcess counts processes without a pod, and identities with two processes, for the set that they are listed
// with.
func (f *Fold) applyProcess(e *Event) {
	set, by := f.set(e.Set), 1
	if e.Process.Ended {
		by = -1
	}
	set.PodChanges++
	if e.Reason == ReasonTwins {
		set.twins += by
		return
	}
	set.strays += by
}

// applyNode keeps the state of a node: the event's own, which does not change.
func (f *Fold) applyNode(e *Event) {
	if e.NodeState == nil {
		// It is about all nodes together: see ReasonAllNodesDown.
		return
	}
	if f.nodes == nil {
		f.nodes = map[string]*Node{}
	}
	f.nodes[e.Node] = e.NodeState
}

// applyWarning notes a warning event about a pod.
func (f *Fold) applyWarning(e *Event) {
	if !e.Warning || e.Passing || e.Pod == "" {
		return
	}
	if p := f.Pod(e.Set, e.Pod); p != nil {
		p.Warning = e.Reason + ": " + e.Message
	}
}

// applyBudget keeps the status of a budget: the event's own.
func (f *Fold) applyBudget(e *Event) {
	if f.budgets == nil {
		f.budgets = map[model.Key]*Budget{}
	}
	f.budgets[model.Key{Namespace: e.Budget.Namespace, Name: e.Budget.Name}] = e.Budget
	f.budgetChanges++
}

// Strays returns the number of processes whose pods' objects are gone.
func (s *Set) Strays() int { return s.strays }

// Twins returns the number of identities of the set that two processes have.
func (s *Set) Twins() int { return s.twins }

// Budget returns the status of a PodDisruptionBudget, or nil if there is none.
func (f *Fold) Budget(key model.Key) *Budget { return f.budgets[key] }

// Budgets returns the keys of all PodDisruptionBudgets in their order.
func (f *Fold) Budgets() []model.Key {
	return keyed.Sorted(f.budgets)
}

// BudgetChanges grows whenever a PodDisruptionBudget changes.
func (f *Fold) BudgetChanges() uint64 { return f.budgetChanges }
