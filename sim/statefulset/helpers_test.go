package statefulset_test

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset/statefulsettest"
)

// viewOf is the view of a set without pods, and with the history of newSet.
func viewOf(set *model.StatefulSet, pods ...*model.Pod) *statefulsettest.View {
	return statefulsettest.NewView(set, pods, history(set), nil, now)
}
