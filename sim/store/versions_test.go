package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
)

// TestEveryWriteIsOneVersion: whatever is written, and by whichever verb, the version of the cluster goes up by one, the
// watches are told once, and the object has this version. A write that comes to nothing is none.
func TestEveryWriteIsOneVersion(t *testing.T) {
	c := newCluster(rules137)
	key := func(name string) model.Key { return model.Key{Namespace: "default", Name: name} }
	set, pod, claim, revision := key("web"), key("web-0"), key("data-web-0"), key("web-1")
	owner := model.Owner{Kind: model.KindStatefulSet, Name: "web", UID: 1, Controller: true}
	meta := func(k model.Key) model.Meta { return model.Meta{Namespace: k.Namespace, Name: k.Name} }
	labelled := func(m model.Meta) model.Meta {
		m.Labels = map[string]string{"another": "label"}
		return m
	}
	for _, write := range []struct {
		what  string
		do    func()
		times int
	}{
		{"create a set", func() { _, _ = c.CreateSet(web()) }, 1},
		{"create it again", func() { _, _ = c.CreateSet(web()) }, 0},
		{"scale it", func() {
			scaled := *c.Set(set)
			scaled.Spec.Replicas = 5
			_, _ = c.UpdateSet(&scaled)
		}, 1},
		{"write its status", func() {
			counted := *c.Set(set)
			counted.Status.Replicas = 1
			_, _ = c.UpdateSetStatus(&counted)
		}, 1},
		{"create a revision", func() { _, _ = c.CreateRevision(&model.Revision{Meta: meta(revision), Number: 1}) }, 1},
		{"renumber it", func() { _, _ = c.UpdateRevision(&model.Revision{Meta: meta(revision), Number: 2}) }, 1},
		{"adopt it", func() { _, _ = c.AdoptRevision(revision, 0, owner) }, 1},
		{"adopt it again", func() { _, _ = c.AdoptRevision(revision, 0, owner) }, 0},
		{"create a claim", func() { _, _ = c.CreateClaim(&model.Claim{Meta: meta(claim)}) }, 1},
		{"label it", func() { _, _ = c.UpdateClaim(&model.Claim{Meta: labelled(meta(claim))}) }, 1},
		{"bind it", func() { c.BindClaim(claim) }, 1},
		{"bind it again", func() { c.BindClaim(claim) }, 0},
		{"delete it", func() { _ = c.DeleteClaim(claim, 0) }, 1},
		{"delete it again", func() { _ = c.DeleteClaim(claim, 0) }, 0},
		{"let it go", func() { c.RemoveClaim(claim) }, 1},
		{"create a pod", func() { _, _ = c.CreatePod(&model.Pod{Meta: meta(pod), Template: web().Spec.Template}) }, 1},
		{"bind the pod", func() { c.ChangePod(pod, func(p *model.Pod) { p.Node, p.Phase = "node-1", model.Running }) }, 1},
		{"label the pod", func() { _, _ = c.UpdatePod(&model.Pod{Meta: labelled(meta(pod))}) }, 1},
		{"label it alike", func() { _, _ = c.UpdatePod(&model.Pod{Meta: labelled(meta(pod))}) }, 0},
		{"adopt the pod", func() { _, _ = c.AdoptPod(pod, 0, owner) }, 1},
		{"release the pod", func() { _, _ = c.ReleasePod(pod, 0, owner.UID) }, 1},
		{"hold the pod", func() { c.HoldPod(pod) }, 1},
		{"let the pod go", func() { c.LetPodGo(pod) }, 1},
		{"free the pod", func() { c.FreePod(pod) }, 1},
		{"delete the pod", func() { _ = c.DeletePod(pod, 0, false) }, 1},
		{"delete it by force", func() { _ = c.DeletePod(pod, 0, true) }, 1},
		{"delete the revision", func() { _ = c.DeleteRevision(revision) }, 1},
		{"delete the set", func() { c.MarkSetDeleted(set, store.FinalizerForeground) }, 1},
		{"delete it alike", func() { c.MarkSetDeleted(set, store.FinalizerForeground) }, 0},
		{"remove the set", func() { _ = c.RemoveSet(set) }, 1},
		{"remove it again", func() { _ = c.RemoveSet(set) }, 0},
	} {
		before := c.Version()
		c.seen = nil
		write.do()
		require.Len(t, c.seen, write.times, write.what)
		require.Equal(t, before+uint64(write.times), c.Version(), write.what)
		for i := range c.seen {
			if c.seen[i].Type != model.Deleted {
				require.Equal(t, c.Version(), versionOf(&c.seen[i]), write.what)
			}
		}
	}
}

// versionOf returns the resource version of the object that a change has left.
func versionOf(change *store.Change) uint64 {
	switch {
	case change.Set != nil:
		return change.Set.ResourceVersion
	case change.Pod != nil:
		return change.Pod.ResourceVersion
	case change.Claim != nil:
		return change.Claim.ResourceVersion
	}
	return change.Revision.ResourceVersion
}

// TestRestoredTemplates: a template is counted among those of the set that owns the pod or the revision, in the order of
// the history; without an owner, of the set that the name says.
func TestRestoredTemplates(t *testing.T) {
	c := newCluster(rules137)
	of := func(name, owner string, uid model.UID) model.Meta {
		m := model.Meta{Namespace: "default", Name: name, UID: uid}
		if owner != "" {
			m.Owners = []model.Owner{{Kind: model.KindStatefulSet, Name: owner, UID: 1, Controller: true}}
		}
		return m
	}
	template := func(data string) *model.Template { return &model.Template{Data: data} }
	set := web()
	set.UID, set.Spec.Template = 1, template("third")
	c.Restore(store.Objects{
		Sets: []*model.StatefulSet{set},
		Revisions: []*model.Revision{
			{Meta: of("web-b", "web", 3), Template: template("second"), Number: 2},
			{Meta: of("old-c", "web", 4), Template: template("third"), Number: 3},
			{Meta: of("web-a", "", 2), Template: template("first"), Number: 1},
		},
		Pods: []*model.Pod{
			{Meta: of("other-0", "web", 5), Template: template("second")},
			{Meta: of("web-7", "", 6), Template: template("fourth")},
			{Meta: of("other-1", "", 7), Template: template("second")},
		},
	})
	numbers := map[string]int{}
	for _, pod := range c.Pods() {
		numbers[pod.Name] = pod.Template.ID
	}
	require.Equal(t, map[string]int{"other-0": 2, "web-7": 4, "other-1": 1}, numbers)
	require.Equal(t, 3, c.Set(model.Key{Namespace: "default", Name: "web"}).Spec.Template.ID)
}

// TestSetsThatWereGivenAwayStay: the memory of a set that a status has replaced is used again, unless somebody was given
// that version.
func TestSetsThatWereGivenAwayStay(t *testing.T) {
	s := store.New(rules137, func() model.Time { return 7 })
	s.SetVersions(store.Spoiled)
	w, key := s.As(store.By{}), model.Key{Namespace: "default", Name: "web"}
	_, err := w.CreateSet(web())
	require.Nil(t, err)
	count := func(n int32) *model.StatefulSet {
		counted := *s.Set(key)
		counted.Status.Replicas = n
		stored, err := w.UpdateSetStatus(&counted)
		require.Nil(t, err)
		s.Release()
		return stored
	}
	held := count(1)
	require.EqualValues(t, 1, s.Give(key).Status.Replicas)
	count(2)
	require.EqualValues(t, 1, held.Status.Replicas, "it was given away")
	held = s.Set(key)
	count(3)
	require.NotEqualValues(t, 2, held.Status.Replicas, "nobody was given this one")
	require.EqualValues(t, 3, s.Set(key).Status.Replicas)
}
