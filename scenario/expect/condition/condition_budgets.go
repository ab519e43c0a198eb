package condition

import (
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// newBudgetType returns the type of a PodDisruptionBudget's status as a condition sees it, by the names of the API.
func newBudgetType() *objectType {
	t := &objectType{name: budgetType}
	add := func(name string, get func(b *timeline.Budget) int32) {
		t.add(name, types.IntType, func(of any) any { return types.Int(get(of.(*timeline.Budget))) })
	}
	add("disruptionsAllowed", func(b *timeline.Budget) int32 { return b.Allowed })
	add("currentHealthy", func(b *timeline.Budget) int32 { return b.Healthy })
	add("desiredHealthy", func(b *timeline.Budget) int32 { return b.Desired })
	add("expectedPods", func(b *timeline.Budget) int32 { return b.Expected })
	return t
}

// budgets maps the name of each budget, and NAMESPACE/NAME, to it. If several have one name, the name alone is the
// first of them in the order of the keys.
func (a *Activation) budgets(c catalog) ref.Val {
	a.In.pay(len(a.Fold.Budgets()))
	budgets := map[ref.Val]ref.Val{}
	for _, key := range a.Fold.Budgets() {
		value := &object{c[budgetType], a.Fold.Budget(key), c}
		budgets[types.String(key.String())] = value
		if name := types.String(key.Name); budgets[name] == nil {
			budgets[name] = value
		}
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, budgets)
}
