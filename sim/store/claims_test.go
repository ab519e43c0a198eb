package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
)

func data0() *model.Claim {
	return &model.Claim{Meta: model.Meta{Namespace: "default", Name: "data-web-0"}, Phase: model.ClaimBound}
}

func TestAClaimBeginsPendingAndProtected(t *testing.T) {
	c := newCluster(rules137)
	claim, err := c.CreateClaim(data0())
	require.Nil(t, err)
	require.Equal(t, model.ClaimPending, claim.Phase)
	require.Equal(t, []string{store.FinalizerProtection}, claim.Finalizers)
	c.BindClaim(claim.Key())
	require.Equal(t, model.ClaimBound, c.Claim(claim.Key()).Phase)
	version := c.Version()
	c.BindClaim(claim.Key())
	require.Equal(t, version, c.Version(), "what is bound is not written again")
}

func TestADeletedClaimStaysUntilItsProtectionIsTakenAway(t *testing.T) {
	c := newCluster(rules137)
	claim, err := c.CreateClaim(data0())
	require.Nil(t, err)
	require.Equal(t, model.Conflict, c.DeleteClaim(claim.Key(), claim.UID+1).Reason)
	require.Nil(t, c.DeleteClaim(claim.Key(), claim.UID))
	require.True(t, c.Claim(claim.Key()).Terminating())
	changes := len(c.seen)
	require.Nil(t, c.DeleteClaim(claim.Key(), 0), "a second deletion is no error")
	require.Len(t, c.seen, changes)
	_, err = c.CreateClaim(data0())
	require.EqualError(t, err, `object is being deleted: persistentvolumeclaims "data-web-0" already exists`)
	c.RemoveClaim(claim.Key())
	require.Equal(t, model.Deleted, c.seen[len(c.seen)-1].Type)
	require.EqualError(t, c.DeleteClaim(claim.Key(), 0), `persistentvolumeclaims "data-web-0" not found`)
	_, err = c.CreateClaim(data0())
	require.Nil(t, err)
}

func TestAPodUsesAClaimWhenItIsOnANode(t *testing.T) {
	c := newCluster(rules137)
	claim := data0().Key()
	created, err := c.CreatePod(&model.Pod{
		Meta:    model.Meta{Namespace: claim.Namespace, Name: "web-0"},
		Volumes: []model.Volume{{Name: "tmp"}, {Name: "data", Claim: claim.Name}, {Name: "again", Claim: claim.Name}},
	})
	require.Nil(t, err)
	require.False(t, c.InUse(claim), "no kubelet starts a pod whose claim is being deleted")
	c.ChangePod(created.Key(), func(p *model.Pod) { p.Node = "node-1" })
	require.True(t, c.InUse(claim))
	require.False(t, c.InUse(model.Key{Namespace: "other", Name: claim.Name}))
	c.ChangePod(created.Key(), func(p *model.Pod) { p.Phase = model.Failed })
	require.True(t, c.InUse(claim), "whatever its phase")
	c.RemovePod(created.Key())
	require.False(t, c.InUse(claim))
}

// TestAnUpdateOfAClaim changes labels, annotations and owners, and nothing else, if it is of the newest version.
func TestAnUpdateOfAClaim(t *testing.T) {
	c := newCluster(rules137)
	claim, err := c.CreateClaim(data0())
	require.Nil(t, err)
	next := *claim
	next.Labels, next.Annotations = map[string]string{"a": "b"}, map[string]string{"c": "d"}
	next.Owners, next.Phase = []model.Owner{{Kind: model.KindPod, Name: "web-0", UID: 7}}, model.ClaimBound
	stored, err := c.UpdateClaim(&next)
	require.Nil(t, err)
	require.Equal(t, next.Labels, stored.Labels)
	require.Equal(t, next.Annotations, stored.Annotations)
	require.Equal(t, next.Owners, stored.Owners)
	require.Equal(t, model.ClaimPending, stored.Phase, "the status is not written by an update")
	require.Greater(t, stored.ResourceVersion, claim.ResourceVersion)
	require.Same(t, stored, c.Claim(claim.Key()))
	_, err = c.UpdateClaim(&next)
	require.Equal(t, model.Conflict, err.Reason, "it is of an older version")
	next.Name = "other"
	_, err = c.UpdateClaim(&next)
	require.Equal(t, model.NotFound, err.Reason)
}

func TestAnotherDeletionReplacesTheFinalizerOfTheFirst(t *testing.T) {
	c := newCluster(rules137)
	set, err := c.CreateSet(web())
	require.Nil(t, err)
	c.MarkSetDeleted(set.Key(), store.FinalizerForeground)
	first := c.Set(set.Key())
	require.Equal(t, []string{store.FinalizerForeground}, first.Finalizers)
	require.Equal(t, set.Generation+1, first.Generation, "that a deletion is asked for is another generation")
	c.MarkSetDeleted(set.Key(), store.FinalizerForeground)
	require.Same(t, first, c.Set(set.Key()), "the same deletion again changes nothing")
	c.MarkSetDeleted(set.Key(), store.FinalizerOrphan)
	second := c.Set(set.Key())
	require.Equal(t, []string{store.FinalizerOrphan}, second.Finalizers)
	require.Equal(t, first.Generation, second.Generation)
	require.Equal(t, first.Deletion, second.Deletion)
}

// TestTheClassOfAVolume: versions before 1.34 drop the VolumeAttributesClass of a claim when it is created, and when it is
// changed.
func TestTheClassOfAVolume(t *testing.T) {
	classed := data0()
	classed.Data, classed.Facts = `{"volumeAttributesClassName":"gold"}`, &model.ClaimFacts{
		AccessModes: []string{"ReadWriteOnce"}, Storage: "1Gi", Classless: `{}`,
	}
	for minor, stored := range map[int]string{29: `{}`, 33: `{}`, 34: classed.Data, 37: classed.Data} {
		c := newCluster(model.APIRules{Minor: minor})
		claim, err := c.CreateClaim(classed)
		require.Nil(t, err)
		require.Equal(t, stored, claim.Data, "1.%d", minor)
		claim, err = c.ChangeClaim(classed, nil)
		require.Nil(t, err)
		require.Equal(t, stored, claim.Data, "1.%d", minor)
	}
}
