package worlds_test

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// requireFold holds the fold of the timeline to the world that it tells of: the sets with their status and their
// pods, and the claims.
func requireFold(t require.TestingT, w *sim.World, fold *timeline.Fold) {
	at := w.Now().Seconds()
	require.Equal(t, keysOf(w.Sets()), foldedKeys(fold), "the sets, at %ss", at)
	for _, set := range w.Sets() {
		folded := fold.Set(set.Key())
		require.Equal(t, set.UID, folded.Spec.UID, "the uid of %s, at %ss", set.Key(), at)
		require.Equal(t, string(timeline.AppendSpec(nil, &set.Spec)), string(timeline.AppendSpec(nil, &folded.Spec.Spec)),
			"the spec of %s, at %ss", set.Key(), at)
		require.Equal(t, set.Status, folded.Status, "the status of %s, at %ss", set.Key(), at)
		require.Equal(t, podsOf(w, set), foldedPods(folded), "the pods of %s, at %ss", set.Key(), at)
	}
	for _, p := range w.Pods() {
		parent, _ := model.SplitPodName(p.Name)
		folded := fold.Pod(model.Key{Namespace: p.Namespace, Name: parent}, p.Name)
		require.NotNil(t, folded, "the pod %s, owned or bare, at %ss", p.Name, at)
		require.Equal(t, podOf(p), seenPod(folded), "the pod %s, owned or bare, at %ss", p.Name, at)
	}
	require.Equal(t, claimsOf(w), foldedClaims(fold), "the claims, at %ss", at)
}

func keysOf(sets []*model.StatefulSet) (keys []model.Key) {
	for _, set := range sets {
		keys = append(keys, set.Key())
	}
	return keys
}

func foldedKeys(fold *timeline.Fold) (keys []model.Key) {
	for _, set := range fold.Sets() {
		keys = append(keys, set.Key)
	}
	return keys
}

// pod is what both the world and the fold know of a pod.
type pod struct {
	uid                model.UID
	name               string
	phase              model.Phase
	ready, terminating bool
	template           int
	image, shown       string
	restarts           int
}

func podsOf(w *sim.World, set *model.StatefulSet) map[string]pod {
	pods := map[string]pod{}
	for _, p := range w.Pods() {
		if owner := p.Controller(); owner == nil || owner.UID != set.UID {
			continue
		}
		pods[p.Name] = podOf(p)
	}
	return pods
}

func podOf(p *model.Pod) pod {
	seen := pod{
		uid: p.UID, name: p.Name, phase: p.Phase, ready: p.Ready, terminating: p.Terminating(), image: p.Template.Image(),
	}
	if p.Template != nil {
		seen.template = p.Template.ID
	}
	if p.Containers != nil {
		seen.shown, seen.restarts = p.Containers.Shown, p.Containers.Restarts
	}
	return seen
}

func foldedPods(set *timeline.Set) map[string]pod {
	pods := map[string]pod{}
	for p := range set.Pods.All {
		pods[p.Name] = seenPod(p)
	}
	return pods
}

func seenPod(p *timeline.Pod) pod {
	return pod{
		uid: p.UID, name: p.Name, phase: p.Phase, ready: p.Ready, terminating: p.Terminating, image: p.Image,
		template: p.Template, shown: p.Shown, restarts: p.Restarts,
	}
}

// claim is what both know of a claim.
type claim struct {
	namespace, name, phase string
	terminating            bool
	owners                 []string
}

func claimsOf(w *sim.World) (claims []claim) {
	for _, c := range w.Claims() {
		seen := claim{namespace: c.Namespace, name: c.Name, phase: c.Phase.String(), terminating: c.Terminating()}
		for _, owner := range c.Owners {
			seen.owners = append(seen.owners, owner.Kind.String()+"/"+owner.Name)
		}
		claims = append(claims, seen)
	}
	return claims
}

func foldedClaims(fold *timeline.Fold) (claims []claim) {
	for _, c := range fold.Claims() {
		claims = append(claims, claim{
			namespace: c.Set.Namespace, name: c.Name, phase: c.Phase, terminating: c.Terminating, owners: slices.Clone(c.Owners),
		})
	}
	return claims
}
