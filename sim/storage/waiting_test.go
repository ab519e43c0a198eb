package storage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/storage"
)

// put creates a pod with the volumes of some claims, and binds it to a node.
func (r *room) put(name, node string, claims ...string) *model.Pod {
	pod := &model.Pod{Meta: model.Meta{Namespace: "default", Name: name}, Template: &model.Template{}}
	for _, claim := range claims {
		pod.Volumes = append(pod.Volumes, model.Volume{Name: claim, Claim: claim})
	}
	_, err := r.user.CreatePod(pod)
	require.Nil(r.t, err)
	r.user.ChangePod(key(name), func(p *model.Pod) { p.Node, p.Phase = node, model.Pending })
	return r.store.Pod(key(name))
}

// remove removes the object of a pod.
func (r *room) remove(name string) { require.Nil(r.t, r.user.DeletePod(key(name), 0, true)) }

// leave removes the object of a pod whose process lives on.
func (r *room) leave(pod *model.Pod) {
	r.remove(pod.Name)
	r.volumes.Leave(pod, true)
}

func (r *room) attaches(pod *model.Pod) bool {
	others, may := r.volumes.Attach(pod)
	require.Empty(r.t, others)
	return may
}

// TestAPodWaitsForAllItsVolumes: of two volumes that processes still use on other nodes, the first that is free is not
// enough. One that is attached to the pod's own node does not count.
func TestAPodWaitsForAllItsVolumes(t *testing.T) {
	r := newRoom(t, storage.Config{})
	a, b := r.put("a", "node-1", "data"), r.put("b", "node-2", "logs")
	d := r.put("d", "node-3", "cache")
	r.leave(a)
	r.leave(b)
	both := r.put("both", "node-3", "data", "logs", "cache")
	require.False(t, r.attaches(both))
	r.leave(d)
	require.Empty(t, r.volumes.Ended(a.UID))
	require.Equal(t, []*model.Pod{both}, r.volumes.Ended(b.UID))
	require.Empty(t, r.volumes.Ended(d.UID), "nobody waits any more")
}

// TestAVolumeThatIsUsedAgainOnItsNode is the next pod's: when that pod is gone, and its kubelet has unmounted the
// volume, nobody waits for the process of the first one.
func TestAVolumeThatIsUsedAgainOnItsNode(t *testing.T) {
	r := newRoom(t, storage.Config{})
	first := r.put("web-0", "node-1", "data")
	r.leave(first)
	require.True(t, r.attaches(r.put("web-0", "node-1", "data")))
	r.remove("web-0")
	require.True(t, r.attaches(r.put("web-0", "node-2", "data")))
	require.Empty(t, r.volumes.Ended(first.UID))
}

// TestWhoWaitedAndMayNotStart: a pod that is gone, is another one of the name, is about to go, or has started, is not
// started when its volume is free. The others are, in the order of their arrival.
func TestWhoWaitedAndMayNotStart(t *testing.T) {
	r := newRoom(t, storage.Config{})
	first := r.put("web-0", "node-1", "data")
	r.leave(first)
	waiting := func(name string) *model.Pod {
		pod := r.put(name, "node-2", "data")
		require.False(t, r.attaches(pod))
		return pod
	}
	for _, name := range []string{"gone", "other", "going", "running"} {
		waiting(name)
	}
	z, y := waiting("z"), waiting("y")
	r.remove("gone")
	r.remove("other")
	r.put("other", "node-2", "data")
	require.Nil(t, r.user.DeletePod(key("going"), 0, false))
	r.user.ChangePod(key("running"), func(p *model.Pod) { p.Phase = model.Running })
	require.Equal(t, []*model.Pod{z, y}, r.volumes.Ended(first.UID))
}

// TestWhoHoldsNoVolume: a pod that has ended, or was never bound, keeps no volume from another node.
func TestWhoHoldsNoVolume(t *testing.T) {
	r := newRoom(t, storage.Config{})
	ended := r.put("ended", "node-1", "data")
	r.user.ChangePod(key("ended"), func(p *model.Pod) { p.Phase = model.Failed })
	r.leave(r.store.Pod(ended.Key()))
	unbound := r.put("unbound", "", "logs")
	r.leave(unbound)
	require.True(t, r.attaches(r.put("next", "node-2", "data", "logs")))
}

// TestAClaimThatIsTakenAway while its protection is about to go leaves nothing behind that could still happen.
func TestAClaimThatIsTakenAway(t *testing.T) {
	r := newRoom(t, storage.Config{Default: storage.ClaimTimes{Release: behaviour.Constant(time.Minute)}})
	r.claim(key("data"))
	r.until(time.Second)
	require.Nil(t, r.user.DeleteClaim(key("data"), 0))
	require.True(t, r.kernel.Open())
	r.user.RemoveClaim(key("data"))
	require.False(t, r.kernel.Open(), "nothing is to come")
}
