package model_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
)

func TestSeconds(t *testing.T) {
	for want, instant := range map[string]model.Time{
		"0": 0, "1": 1e9, "1.5": 15e8, "0.000000001": 1, "59.2": 592e8, "3600": 3600e9, "-0.5": -5e8, "1.01": 101e7,
	} {
		require.Equal(t, want, instant.Seconds())
	}
	rapid.Check(t, func(t *rapid.T) {
		instant := model.Time(rapid.Int64Range(0, 1e15).Draw(t, "instant"))
		seconds, err := strconv.ParseFloat(instant.Seconds(), 64)
		require.NoError(t, err)
		require.InDelta(t, float64(instant)/1e9, seconds, 1e-9)
	})
}

func TestSplitPodName(t *testing.T) {
	for _, c := range []struct {
		pod, set string
		ordinal  int
	}{
		{"web-0", "web", 0},
		{"my-web-12", "my-web", 12},
		{"web-01", "web", 1},
		{"web-2147483647", "web", 2147483647},
		{"web-2147483648", "web", -1},
		{"web-", "", -1},
		{"web", "", -1},
		{"web-x", "", -1},
		{"web-1x", "", -1},
		{"web-/1", "", -1},
		{"web-:1", "", -1},
		{"web-1:", "", -1},
		{"web-1/", "", -1},
		{"web-90", "web", 90},
		{"-3", "", 3},
		{"web-00000000000000000000012", "web", 12},
		{"web-10000000000000000000012", "web", -1},
		{"web-9999999999", "web", -1},
		{"web-20000000000", "web", -1},
		{"12", "", -1},
		{"", "", -1},
	} {
		set, ordinal := model.SplitPodName(c.pod)
		require.Equal(t, c.set, set, c.pod)
		require.Equal(t, c.ordinal, ordinal, c.pod)
	}
}

func TestSelector(t *testing.T) {
	labels := map[string]string{"app": "web", "tier": "db"}
	for _, c := range []struct {
		need model.Requirement
		want bool
	}{
		{model.Requirement{Label: "app", Op: model.OpEquals, Values: []string{"web"}}, true},
		{model.Requirement{Label: "app", Op: model.OpEquals, Values: []string{"api"}}, false},
		{model.Requirement{Label: "zone", Op: model.OpEquals, Values: []string{""}}, false},
		{model.Requirement{Label: "app", Op: model.OpIn, Values: []string{"web", "api"}}, true},
		{model.Requirement{Label: "app", Op: model.OpNotIn, Values: []string{"web"}}, false},
		{model.Requirement{Label: "zone", Op: model.OpNotIn, Values: []string{"a"}}, true},
		{model.Requirement{Label: "zone", Op: model.OpIn, Values: []string{"a"}}, false},
		{model.Requirement{Label: "tier", Op: model.OpExists}, true},
		{model.Requirement{Label: "tier", Op: model.OpDoesNotExist}, false},
	} {
		selector := model.Selector{Needs: []model.Requirement{c.need}}
		require.Equal(t, c.want, selector.Matches(labels), "%+v", c.need)
	}
}

// TestEveryCodeHasASentence holds Codes and Sentence together: a code without a sentence would be shown as it is.
func TestEveryCodeHasASentence(t *testing.T) {
	seen := map[string]model.Code{}
	for _, code := range model.Codes {
		sentence := model.Why{Code: code, Object: "web-1", Have: 1, Want: 2}.Sentence()
		require.NotEqual(t, string(code), sentence)
		require.NotContains(t, sentence, "%!")
		require.NotContains(t, seen, sentence)
		seen[sentence] = code
	}
}

// TestBrokenFirst tells a pod that is unavailable from one that is Ready, but not yet for minReadySeconds: 1.37 replaces
// both whatever the budget, and of the second nobody may say that it costs nothing.
func TestBrokenFirst(t *testing.T) {
	why := model.Why{Code: model.CodeUpdateRevision, Object: "web-1", Rule: model.RuleBrokenFirst, Have: 2, Want: 1}
	require.Contains(t, why.Sentence(), "already unavailable")
	why.Ready = true
	require.NotContains(t, why.Sentence(), "already unavailable")
	require.Contains(t, why.Sentence(), "Ready, but not yet for minReadySeconds; 1.37 counts that as broken")
}

func TestTraits(t *testing.T) {
	set := &model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{MinReadySeconds: 2, ClaimTemplates: []model.ClaimTemplate{{Name: "data"}}},
	}
	pod := &model.Pod{
		Meta:    model.Meta{Namespace: "default", Name: "web-1", Labels: map[string]string{model.LabelPodName: "web-1"}},
		Volumes: []model.Volume{{Name: "data", Claim: "data-web-1"}},
		Phase:   model.Running, Ready: true, ReadySince: 1e9,
	}
	const running = model.Exists | model.IsCreated | model.IsRunning | model.IsReady
	require.Equal(t, running|model.HasIdentity|model.HasStorage, model.TraitsOf(set, pod, 3e9-1))
	require.Equal(t, running|model.HasIdentity|model.HasStorage|model.IsAvailable, model.TraitsOf(set, pod, 3e9),
		"a pod is available at the very instant")
	pod.Labels = nil
	pod.Volumes[0].Claim = "data-web-2"
	pod.Deletion = &model.Deletion{}
	require.Equal(t, running|model.IsTerminating, model.TraitsOf(set, pod, 0))
}

func TestClock(t *testing.T) {
	for want, instant := range map[string]model.Time{
		"0s": 0, "12.5s": 125e8, "59.999999999s": 60e9 - 1, "1m00s": 60e9, "1m03s": 63e9, "1m10s": 70e9, "1m27s": 87e9,
		"2h00m07.25s": 720725e7, "-1m30s": -90e9,
	} {
		require.Equal(t, want, instant.Clock())
	}
}

// TestTextsInOneMemory: texts that are one in memory are found to be so, and others are not, however alike they are; a
// question for the same text does not depend on where it is.
func TestTextsInOneMemory(t *testing.T) {
	name, again := "web-1", strings.Clone("web-1")
	require.True(t, model.SameText(name, name))
	require.True(t, model.SameText(name, again))
	require.False(t, model.SameText(name, "web-2"))
	require.False(t, model.SameText(name, name[:4]))
	require.True(t, model.SameText("", name[:0]))

	key := model.Key{Namespace: "default", Name: name}
	require.True(t, key.Shares(key))
	for _, other := range []model.Key{
		{Namespace: "default", Name: again},
		{Namespace: strings.Clone("default"), Name: name},
		{Namespace: "default", Name: name[:4]},
		{Namespace: key.Namespace[:3], Name: name},
	} {
		require.False(t, key.Shares(other), other.String())
	}
}
