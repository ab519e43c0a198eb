package model_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
)

func number(n int32) *model.IntOrPercent  { return &model.IntOrPercent{Value: n} }
func percent(n int32) *model.IntOrPercent { return &model.IntOrPercent{Value: n, Percent: true} }

// TestBudget says how many pods a PodDisruptionBudget wants to be healthy, of how many there should be. Percentages are
// rounded up, whichever way that goes.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		name         string
		budget       model.Budget
		of, want     int32
		asksForScale bool
	}{
		{"nothing", model.Budget{}, 5, 0, false},
		{"some", model.Budget{MinAvailable: number(2)}, 5, 2, false},
		{"more than there are", model.Budget{MinAvailable: number(7)}, 5, 7, false},
		{"half", model.Budget{MinAvailable: percent(50)}, 5, 3, true},
		{"half of an even number", model.Budget{MinAvailable: percent(50)}, 4, 2, true},
		{"a little", model.Budget{MinAvailable: percent(1)}, 100, 1, true},
		{"a little more", model.Budget{MinAvailable: percent(1)}, 101, 2, true},
		{"all but one", model.Budget{MaxUnavailable: number(1)}, 5, 4, true},
		{"all but all", model.Budget{MaxUnavailable: number(9)}, 5, 0, true},
		{"all but a third", model.Budget{MaxUnavailable: percent(30)}, 5, 3, true},
		{"both", model.Budget{MaxUnavailable: number(1), MinAvailable: number(1)}, 5, 4, true},
	} {
		require.Equal(t, c.want, c.budget.Desired(c.of), c.name)
		require.Equal(t, c.asksForScale, c.budget.CountsScale(), c.name)
	}
	selects := &model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}}
	budget := model.Budget{Namespace: "prod", Name: "web", Selects: selects}
	require.True(t, budget.Covers("prod", map[string]string{"app": "web"}))
	require.False(t, budget.Covers("default", map[string]string{"app": "web"}))
	require.False(t, budget.Covers("prod", map[string]string{"app": "db"}))
	budget.Selects = nil
	require.False(t, budget.Covers("prod", map[string]string{"app": "web"}))
	require.Equal(t, model.Key{Namespace: "prod", Name: "web"}, budget.Key())

	require.True(t, (&model.Service{Selector: *selects}).Selects(map[string]string{"app": "web"}))
	require.False(t, (&model.Service{Selector: *selects}).Selects(map[string]string{"app": "db"}))
	require.False(t, (&model.Service{}).Selects(map[string]string{"app": "web"}), "one without a selector has no pods")
}

// TestHistory sorts revisions by number, then by age, then by name.
func TestHistory(t *testing.T) {
	revision := func(number int64, created model.Time, name string) *model.Revision {
		return &model.Revision{Meta: model.Meta{Name: name, Created: created}, Number: number}
	}
	want := []*model.Revision{
		revision(1, 9, "z"), revision(2, 1, "b"), revision(2, 2, "a"), revision(2, 2, "c"), revision(3, 0, "a"),
	}
	got := []*model.Revision{want[3], want[1], want[4], want[0], want[2]}
	slices.SortFunc(got, model.CompareRevisions)
	require.Equal(t, want, got)
	require.Zero(t, model.CompareRevisions(want[0], want[0]))

	forms := []model.RevisionForm{model.FormUnknown, model.FormNullTimestamp, model.FormNoTimestamp}
	for _, a := range forms {
		for _, b := range forms {
			known := a != model.FormUnknown && b != model.FormUnknown
			require.Equal(t, known && a != b, a.Differs(b))
		}
	}
}

// TestErrors finds the reason of an error of the API server.
func TestErrors(t *testing.T) {
	err := &model.APIError{Reason: model.Conflict, Message: "the object has been modified", Cause: "(injected)"}
	require.True(t, model.Conflict.Is(err))
	require.False(t, model.NotFound.Is(err))
	require.False(t, model.Conflict.Is(errors.New("the object has been modified")))
	require.False(t, model.Conflict.Is((*model.APIError)(nil)))
	require.Equal(t, "the object has been modified", err.Error())
	require.Equal(t, "the object has been modified (injected)", err.Whole())
	require.Equal(t, "gone", (&model.APIError{Message: "gone"}).Whole())
	require.Equal(t, "Conflict", model.Conflict.String())
	require.Equal(t, "update status of", model.UpdateStatus.String())
}

// TestNames says which names are a set's, and what its fields are called.
func TestNames(t *testing.T) {
	set := &model.StatefulSet{Meta: model.Meta{Namespace: "default", Name: "web"}}
	set.Spec.Selector = model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}}
	for _, c := range []struct {
		pod     string
		ordinal int
		claims  bool
	}{
		{"web-0", 0, true}, {"web-12", 12, true}, {"web-2147483647", 2147483647, true}, {"web-2147483648", -1, true},
		{"web-99999999999", -1, true}, {"web-", -1, false}, {"web", -1, false}, {"web0", -1, false}, {"web-a", -1, false},
		{"web-1a", -1, false}, {"webs-1", -1, false}, {"db-1", -1, false}, {"web-1-1", -1, false}, {"web-/", -1, false},
		{"web-:", -1, false}, {"web-9", 9, true},
	} {
		require.Equal(t, c.ordinal, set.OrdinalOf(c.pod), c.pod)
		pod := &model.Pod{Meta: model.Meta{Namespace: "default", Name: c.pod, Labels: map[string]string{"app": "web"}}}
		require.Equal(t, c.claims, set.Claims(pod), c.pod)
		pod.Namespace = "other"
		require.False(t, set.Claims(pod), c.pod)
		pod.Namespace, pod.Labels = "default", nil
		require.False(t, set.Claims(pod), c.pod)
	}
	require.Equal(t, "web-7", set.PodName(7))
	require.Equal(t, "data-web-7", model.ClaimName(set, &model.ClaimTemplate{Name: "data"}, 7))
	require.Zero(t, set.Start())
	require.Zero(t, set.Partition())
	set.Spec.Ordinals = &model.Ordinals{Start: 5}
	set.Spec.Strategy.RollingUpdate = &model.RollingUpdate{Partition: 2}
	require.Equal(t, 5, set.Start())
	require.Equal(t, 2, set.Partition())
	require.True(t, set.BelowPartition(6))
	require.False(t, set.BelowPartition(7))
	require.Equal(t, "OrderedReady", model.OrderedReady.String())
	require.Equal(t, "Parallel", model.Parallel.String())
	require.Equal(t, "Recreate", model.RecreateStrategy.String())
	for text, value := range map[string]model.IntOrPercent{"3": *number(3), "30%": *percent(30), "x": {Value: 3, Text: "x"}} {
		require.Equal(t, text, value.String())
	}
	require.Empty(t, (*model.Template)(nil).Image())
	require.Empty(t, (&model.Template{}).Image())
	require.Equal(t, "a", (&model.Template{Containers: []model.Container{{Image: "a"}, {Image: "b"}}}).Image())
	require.Equal(t, "Bound", model.ClaimBound.String())
	require.Equal(t, "Pending", model.ClaimPending.String())
}

// TestOwners finds the owner that controls an object, and says whether two lists of owners are the same.
func TestOwners(t *testing.T) {
	owners := []model.Owner{{Name: "a", UID: 1}, {Name: "b", UID: 2, Controller: true}}
	meta := &model.Meta{Owners: owners}
	require.Equal(t, "b", meta.Controller().Name)
	require.Nil(t, (&model.Meta{Owners: owners[:1]}).Controller())
	require.True(t, model.SameOwners(nil, nil))
	require.True(t, model.SameOwners(owners, owners))
	require.True(t, model.SameOwners(owners, slices.Clone(owners)))
	require.False(t, model.SameOwners(owners, owners[:1]))
	require.False(t, model.SameOwners(owners[:1], owners[1:]))
	require.False(t, meta.Terminating())
	meta.Deletion = &model.Deletion{}
	require.True(t, meta.Terminating())
	less := []model.Key{{Namespace: "a", Name: "z"}, {Namespace: "b", Name: "a"}, {Namespace: "b", Name: "b"}}
	require.True(t, slices.IsSortedFunc(less, model.Key.Compare))
	require.Positive(t, less[2].Compare(less[0]))
	require.Zero(t, less[1].Compare(less[1]))
	require.Equal(t, "uid-120", model.UID(120).String())
}

// TestStatusCounts counts pods for a status: one that is Ready but not Running counts as created alone.
func TestStatusCounts(t *testing.T) {
	const created, running, ready = model.IsCreated, model.IsRunning, model.IsReady
	var tally model.Tally
	for _, pods := range []struct {
		n                int32
		traits           model.Traits
		current, updated bool
	}{
		{1, 0, true, true},
		{10, created, true, false},
		{100, created | running, false, true},
		{1000, created | running | ready, true, true},
		{10_000, created | running | ready | model.IsAvailable, false, false},
		{100_000, created | running | ready | model.IsAvailable | model.IsTerminating, true, true},
		{1_000_000, created | ready | model.IsAvailable, false, true},
	} {
		tally.Add(pods.n, pods.traits, pods.current, pods.updated)
	}
	require.Equal(t, model.Tally{
		Replicas: 1_111_110, Ready: 111_000, Available: 110_000, Current: 1010, Updated: 1_001_100,
	}, tally)
	pod := &model.Pod{ReadySince: model.Time(time.Second)}
	require.Equal(t, model.Time(4*time.Second), model.AvailableAt(pod, 3))
}

// TestPods says what becomes of a pod.
func TestPods(t *testing.T) {
	for phase, finished := range map[model.Phase]bool{
		model.Pending: false, model.Running: false, model.Succeeded: true, model.Failed: true,
	} {
		require.Equal(t, finished, (&model.Pod{Phase: phase}).Finished(), phase)
	}
	pod := &model.Pod{Ready: true}
	require.True(t, pod.Serving())
	pod.Deletion = &model.Deletion{}
	require.False(t, pod.Serving())
	require.False(t, (&model.Pod{}).Serving())
	one := &model.Pod{Meta: model.Meta{Labels: map[string]string{"a": "b"}}, Volumes: []model.Volume{{Name: "x"}}}
	two := *one
	require.True(t, one.SharesIdentity(&two))
	two.Volumes = slices.Clone(one.Volumes)
	require.False(t, one.SharesIdentity(&two))
	two.Volumes, two.Labels = one.Volumes, map[string]string{"a": "b"}
	require.False(t, one.SharesIdentity(&two))
}

// TestSentencesSayTheNumbers has each sentence that depends on more than its code.
func TestSentencesSayTheNumbers(t *testing.T) {
	for want, why := range map[string]model.Why{
		"1 pod below partition 3 keeps the old revision":             {Code: model.BelowPartition, Have: 1, Want: 3},
		"2 pods below partition 3 keep the old revision":             {Code: model.BelowPartition, Have: 2, Want: 3},
		"1 pod at an old revision stays until somebody deletes it":   {Code: model.OnDelete, Have: 1},
		"2 pods at an old revision stay until somebody deletes them": {Code: model.OnDelete, Have: 2},
		"web-1 is at an old revision, and all higher ordinals are up to date": {
			Code: model.CodeUpdateRevision, Object: "web-1",
		},
		"web-1 is at an old revision, no pod is unavailable, and maxUnavailable allows 1": {
			Code: model.CodeUpdateRevision, Object: "web-1", Rule: model.RuleMaxUnavailable, Have: 0, Want: 1,
		},
		"web-1 is at an old revision, 1 pod is unavailable, and maxUnavailable allows 3": {
			Code: model.CodeUpdateRevision, Object: "web-1", Rule: model.RuleMaxUnavailable, Have: 1, Want: 3,
		},
		"web-1 is at an old revision, 2 pods are unavailable, and maxUnavailable allows 3": {
			Code: model.CodeUpdateRevision, Object: "web-1", Rule: model.RuleMaxUnavailable, Have: 2, Want: 3,
		},
		"maxUnavailable allows no unavailable pod, so web-1 is not updated": {
			Code: model.BudgetSpent, Object: "web-1", Have: 0, Want: 0,
		},
		"web-1 is unavailable, and maxUnavailable allows no unavailable pod": {
			Code: model.BudgetSpent, Object: "web-1", Have: 1, Want: 0,
		},
		"web-1 is unavailable, and maxUnavailable allows only 1 unavailable pod": {
			Code: model.BudgetSpent, Object: "web-1", Have: 1, Want: 1,
		},
		"2 pods are unavailable (lowest: web-1), and maxUnavailable allows only 1 unavailable pod": {
			Code: model.BudgetSpent, Object: "web-1", Have: 2, Want: 1,
		},
		"4 pods are unavailable (lowest: web-1), and maxUnavailable allows only 4 unavailable pods": {
			Code: model.BudgetSpent, Object: "web-1", Have: 4, Want: 4,
		},
		"web-1 is at an old revision, and Recreate deletes all old pods before it creates any": {
			Code: model.CodeUpdateRevision, Object: "web-1", Rule: model.RuleRecreate,
		},
		"web-1 is at an old revision and already unavailable, so replacing it does not use up maxUnavailable": {
			Code: model.CodeUpdateRevision, Object: "web-1", Rule: model.RuleBrokenFirst,
		},
	} {
		require.Equal(t, want, why.Sentence())
	}
	rules := map[string]model.Rule{}
	for _, rule := range []model.Rule{
		"", model.RuleOrderedReplicas, model.RuleOrderedScaleDown, model.RuleFirstUnavailable, model.RuleRollingUpdate,
		model.RuleRecreate, model.RuleParallel, model.RuleOneName, model.RuleForegroundDeletion, model.RuleClaimOfPod,
	} {
		why := model.Why{Code: model.WaitingForTermination, Object: "web-1", Rule: rule}
		require.Contains(t, why.Sentence(), "web-1 is still terminating")
		require.NotContains(t, rules, why.Sentence(), "each rule has words of its own")
		rules[why.Sentence()] = rule
	}
}

// TestIdentity says which pods have the name, the label and the claims that their set gives them.
func TestIdentity(t *testing.T) {
	set := &model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{ClaimTemplates: []model.ClaimTemplate{{Name: "data"}, {Name: "logs"}}},
	}
	data, logs := model.Volume{Name: "data", Claim: "data-web-1"}, model.Volume{Name: "logs", Claim: "logs-web-1"}
	both := []model.Volume{data, logs}
	for _, c := range []struct {
		name, namespace, pod, label string
		volumes                     []model.Volume
		want                        model.Traits
	}{
		{"all of it", "default", "web-1", "web-1", both, model.HasIdentity | model.HasStorage},
		{"another namespace", "other", "web-1", "web-1", both, model.HasStorage},
		{"a leading zero", "default", "web-01", "web-01", both, model.HasStorage},
		{"no label", "default", "web-1", "", both, model.HasStorage},
		{"one volume", "default", "web-1", "web-1", both[:1], model.HasIdentity},
		{"other volumes too", "default", "web-1", "web-1", append(both, model.Volume{Name: "tmp"}),
			model.HasIdentity | model.HasStorage},
		{"a volume twice", "default", "web-1", "web-1", append(both, model.Volume{Name: "data"}), model.HasIdentity},
		{"the claims of another ordinal", "default", "web-2", "web-2", both, model.HasIdentity},
		{"another set", "default", "db-1", "db-1", both, 0},
		{"no ordinal", "default", "web-x", "web-x", both, 0},
	} {
		pod := &model.Pod{
			Meta:    model.Meta{Namespace: c.namespace, Name: c.pod, Labels: map[string]string{model.LabelPodName: c.label}},
			Volumes: c.volumes,
		}
		require.Equal(t, c.want, model.TraitsOf(set, pod, 0)&model.Fixed, c.name)
	}
	set.Spec.ClaimTemplates = nil
	pod := &model.Pod{Meta: model.Meta{
		Namespace: "default", Name: "web-0", Labels: map[string]string{model.LabelPodName: "web-0"},
	}}
	require.Equal(t, model.Fixed, model.TraitsOf(set, pod, 0)&model.Fixed, "a zero alone does not lead")
}
