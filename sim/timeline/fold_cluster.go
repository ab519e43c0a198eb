package timeline

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// applyProcess counts processes without a pod, and identities with two processes, of the set that they stand with.
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
