package model_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
)

// TestResting: a set rests where its own spec asks for the state that it is in. Every other wait that is left in the end
// means that it is stuck.
func TestResting(t *testing.T) {
	resting := []model.Code{model.BelowPartition, model.OnDelete, model.SetDeleting, model.NothingToDo}
	for _, code := range model.Codes {
		require.Equal(t, slices.Contains(resting, code), code.Resting(), code)
	}
}

// TestReasonsAreTheSame if all is that they say.
func TestReasonsAreTheSame(t *testing.T) {
	reason := func() model.Why {
		return model.Why{Code: model.BudgetSpent, Object: strings.Clone("web-1"), Rule: "r", Have: 1, Want: 2, Ready: true}
	}
	one, same := reason(), reason()
	require.True(t, one.Is(&same))
	for name, change := range map[string]func(*model.Why){
		"code":   func(w *model.Why) { w.Code = "BudgetSpend" },
		"object": func(w *model.Why) { w.Object = "web-2" },
		"rule":   func(w *model.Why) { w.Rule = "s" },
		"have":   func(w *model.Why) { w.Have = 0 },
		"want":   func(w *model.Why) { w.Want = 3 },
		"ready":  func(w *model.Why) { w.Ready = false },
	} {
		other := reason()
		change(&other)
		require.False(t, one.Is(&other), name)
		require.False(t, other.Is(&one), name)
	}
}
