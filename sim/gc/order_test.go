package gc_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/gc"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestAnyOrder collects the pods of a set that is deleted in each order that the answers of the chooser may give: all of
// them go, each once.
func TestAnyOrder(t *testing.T) {
	orders := map[string]bool{}
	for first := range 4 {
		for second := range 3 {
			for third := range 2 {
				answers := []int{first, second, third}
				k := kernel.New(choose.Func(func(kind choose.Kind, n int) int {
					if kind != choose.Branch || len(answers) == 0 {
						return 0
					}
					require.Equal(t, len(answers)+1, n)
					answer := answers[0]
					answers = answers[1:]
					return answer
				}))
				order := collected(t, k)
				require.Len(t, order, 4)
				orders[fmt.Sprint(order)] = true
			}
		}
	}
	require.Len(t, orders, 24)
	require.Contains(t, orders, "[web-0 web-1 web-2 web-3]")
}

// collected deletes a set with four pods, and returns their names in the order in which they are asked to go.
func collected(t *testing.T, k *kernel.Kernel) (order []string) {
	s := store.New(model.APIRules{}, k.Now)
	collector := gc.New(k, s, gc.Config{})
	s.Watch(model.KindPod, collector.SeePod)
	s.Watch(model.KindStatefulSet, collector.SeeSet)
	by := store.By{Actor: timeline.User}
	set, err := s.As(by).CreateSet(&model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{
			Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			Template: &model.Template{Labels: map[string]string{"app": "web"}},
		},
	})
	require.Nil(t, err)
	owner := model.Owner{Kind: model.KindStatefulSet, Name: "web", UID: set.UID, Controller: true}
	for i := range 4 {
		_, err = s.As(by).CreatePod(&model.Pod{
			Meta:     model.Meta{Namespace: "default", Name: fmt.Sprint("web-", i), Owners: []model.Owner{owner}},
			Template: &model.Template{},
		})
		require.Nil(t, err)
	}
	s.Watch(model.KindPod, func(change *store.Change) {
		if change.Type == model.Modified && change.Pod.Terminating() && !change.OldPod.Terminating() {
			order = append(order, change.Key().Name)
		}
	})
	require.Nil(t, collector.Delete(by, set.Key(), gc.Background))
	for {
		for k.Next() || k.NextLate() {
		}
		next, any := k.Peek()
		if !any {
			return order
		}
		k.Advance(next)
	}
}
