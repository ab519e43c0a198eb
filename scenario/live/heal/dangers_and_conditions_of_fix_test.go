package heal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// TestUndoneBy: a change with kubectl is taken back by the tool whose mark the set has, and that tool is told how to
// stop. Flux and Argo CD leave the marks of Helm too.
func TestUndoneBy(t *testing.T) {
	const release, namespace = "meta.helm.sh/release-name", "meta.helm.sh/release-namespace"
	for says, marks := range map[string]map[string]string{
		"flux suspend helmrelease db -n flux":     {fluxHelm + "name": "db", fluxHelm + "namespace": "flux", release: "x"},
		"flux suspend kustomization apps -n prod": {fluxKustomize + "name": "apps"},
		"argocd app set db --sync-policy none":    {argo + "tracking-id": "db:apps/StatefulSet:prod/web", release: "x"},
		"argocd app set shop --sync-policy none":  {argo + "instance": "shop"},
		"helm -n data get values db":              {release: "db", namespace: "data"},
		"argocd app set 'a;b' --sync-policy none": {argo + "instance": "a;b"},
	} {
		set := &model.StatefulSet{Meta: model.Meta{Namespace: "prod", Name: "web", Annotations: marks}}
		require.Contains(t, undoneBy(set, "Argo CD"), says)
	}
	require.Empty(t, undoneBy(&model.StatefulSet{}, ""))
	require.Contains(t, undoneBy(&model.StatefulSet{}, "Helm"), "Helm has written this StatefulSet, and takes this back")
}

// TestBesides: what a way does besides is said of what it writes, and of the budget that it breaks.
func TestBesides(t *testing.T) {
	labels, one := map[string]string{"app": "web"}, &model.IntOrPercent{Value: 2}
	template := &model.Template{Labels: labels}
	selector := model.Selector{Needs: []model.Requirement{{Label: "app", Op: model.OpEquals, Values: []string{"web"}}}}
	set := &model.StatefulSet{Meta: model.Meta{Namespace: "prod", Name: "web"}, Spec: model.Spec{Replicas: 3, Template: template}}
	x := &situation{set: set, serving: 2, given: Stuck{
		State: &sim.State{Budgets: []*model.Budget{{Namespace: "prod", Name: "web", Selects: &selector, MinAvailable: one}}},
		Shown: &dump.Dump{State: &sim.State{}, Sets: map[model.Key]dump.SetFacts{
			set.Key(): {Scalers: []string{"HorizontalPodAutoscaler web"}}}},
	}}
	scale := &Way{Way: reasons.Way{Commands: []string{play.Scale(set.Key(), 1).Kubectl}, Deleted: 1, Fewest: 1}, Acts: play.WritesReplicas}
	require.Equal(t, []string{
		"The PodDisruptionBudget web asks for 2 healthy pods, and does not stop this: only evictions ask it.",
		"The HorizontalPodAutoscaler web writes spec.replicas, and may scale back meanwhile.",
	}, besides(x, scale))
	x.serving = 1
	require.Len(t, besides(x, scale), 1, "the budget is broken already")
	image := &Way{Way: reasons.Way{Commands: []string{"kubectl -n prod edit statefulset/web"}, Fewest: 2}, Acts: play.WritesSet}
	require.Empty(t, besides(x, image))
}

// TestEmptied: a label that takes the last pod that serves from a Service has a danger.
func TestEmptied(t *testing.T) {
	need := func(label, value string) model.Selector {
		return model.Selector{Needs: []model.Requirement{{Label: label, Op: model.OpEquals, Values: []string{value}}}}
	}
	primary := &model.Pod{Meta: model.Meta{Namespace: "prod", Name: "pg-0", Labels: map[string]string{"app": "pg", "role": "primary"}}}
	primary.Ready = true
	x := &situation{set: &model.StatefulSet{}, given: Stuck{State: &sim.State{Pods: []sim.PodState{{Pod: primary}}},
		Shown: &dump.Dump{State: &sim.State{Services: []*model.Service{
			{Meta: model.Meta{Namespace: "prod", Name: "pg"}, Selector: need("app", "pg")},
			{Meta: model.Meta{Namespace: "prod", Name: "pg-primary"}, Selector: need("role", "primary")},
			{Meta: model.Meta{Namespace: "other", Name: "pg-primary"}, Selector: need("role", "primary")},
		}}}}}
	pods := []model.Key{primary.Key()}
	require.Contains(t, emptied(x, pods, map[string]string{"role": "replica"}, false), "the Service pg-primary: ")
	require.Empty(t, emptied(x, pods, map[string]string{"app": "pg"}, false))
	require.Contains(t, emptied(x, pods, map[string]string{"app": "pg"}, true), "the Service pg-primary: ")
}

// TestWhatAnOperatorReverts: an operator reverts what changes the StatefulSet, and not what deletes its pods; and of
// two fixes with the same risk the one that lasts comes first.
func TestWhatAnOperatorReverts(t *testing.T) {
	set := &model.StatefulSet{Meta: model.Meta{Namespace: "prod", Name: "web"}}
	key, pods := set.Key(), []model.Key{{Namespace: "prod", Name: "web-1"}}
	image, _ := repaired(&situation{given: Stuck{State: &sim.State{}}, set: &model.StatefulSet{Spec: model.Spec{Template: &model.Template{}}}})
	for what, c := range map[string]struct {
		script play.Script
		writes bool
	}{
		"an image": {image, true}, "an undo": {play.Script{play.Undo(key)}, true},
		"a partition": {play.Script{play.Partition(set, 1)}, true}, "a number": {play.Script{play.Scale(key, 2)}, true},
		"Parallel": {play.InParallel(key), true}, "a class": {play.WithClass(key, "", "fast"), true},
		"a pod": {deletePods(pods, true), false}, "a finalizer of a pod": {play.Script{play.FreePod(pods[0])}, false},
		"a finalizer of the set": {play.Script{play.FreeSet(set)}, false},
		"an annotation":          {play.Script{play.Annotate(key, touched, "yes")}, false},
		"a node":                 {play.Script{play.OutOfService("node-1")}, false},
	} {
		require.Equal(t, c.writes, deletePods(pods, false).Then(c.script...).Acts().Any(play.WritesSet), what)
	}
	lasting := Way{Way: reasons.Way{Heals: true, Fewest: 1}}
	reverted := Way{Way: reasons.Way{Heals: true, Fewest: 2}, reverted: true}
	require.Negative(t, better(lasting, reverted))
	require.Positive(t, better(reverted, lasting))
	harmful := Way{Way: reasons.Way{Heals: true, Danger: "only if it is certain"}, risk: harmful}
	require.Negative(t, better(reverted, harmful))
}
