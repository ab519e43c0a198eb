package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
)

// pod0 is web-0 with a finalizer.
func pod0(finalizer string) *model.Pod {
	return &model.Pod{
		Meta:     model.Meta{Namespace: "default", Name: "web-0", Finalizers: []string{finalizer}},
		Template: web().Spec.Template,
	}
}

// TestAPodWithAFinalizerStaysWhenItsContainersHaveStopped: its kubelet has written then that they have ended, but for a
// pod that waits for what it owns.
func TestAPodWithAFinalizerStaysWhenItsContainersHaveStopped(t *testing.T) {
	key := pod0("").Key()
	for _, c := range []struct {
		name      string
		finalizer string
		node      string
		phase     model.Phase
		ready     bool
	}{
		{"somebody's finalizer", "example.com/keep", "node-1", model.Failed, false},
		{"somebody's finalizer, and no node", "example.com/keep", "", model.Pending, false},
		{"the finalizer of a deletion in the foreground", store.FinalizerForeground, "node-1", model.Running, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			cluster := newCluster(rules137)
			_, err := cluster.CreatePod(pod0(c.finalizer))
			require.Nil(t, err)
			if c.node != "" {
				cluster.ChangePod(key, func(p *model.Pod) { p.Node, p.Phase, p.Ready = c.node, model.Running, true })
			}
			require.Nil(t, cluster.DeletePod(key, 0, false))
			if pod := cluster.Pod(key); pod.Deletion.Grace > 0 {
				cluster.RemovePod(key)
			}
			pod := cluster.Pod(key)
			require.Equal(t, c.phase, pod.Phase)
			require.Equal(t, c.ready, pod.Ready)
			require.Zero(t, pod.Deletion.Grace)
			changes := len(cluster.seen)
			cluster.RemovePod(key)
			require.Len(t, cluster.seen, changes, "its kubelet says it once")
			cluster.FreePod(key)
			require.Nil(t, cluster.Pod(key))
		})
	}
}

// TestAPodThatIsFreed goes if nothing of it runs any more, and stays as it is otherwise.
func TestAPodThatIsFreed(t *testing.T) {
	key := pod0("").Key()
	for _, c := range []struct {
		name   string
		edit   func(*model.Pod)
		delete bool
		gone   bool
	}{
		{"not deleted", func(*model.Pod) {}, false, false},
		{"its containers run", func(*model.Pod) {}, true, false},
		{"it has ended", func(p *model.Pod) { p.Phase = model.Failed }, true, true},
		{"it never had a node", func(p *model.Pod) { p.Node = "" }, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			cluster := newCluster(rules137)
			_, err := cluster.CreatePod(pod0("example.com/keep"))
			require.Nil(t, err)
			cluster.ChangePod(key, func(p *model.Pod) { p.Node, p.Phase = "node-1", model.Running })
			cluster.ChangePod(key, c.edit)
			if c.delete {
				require.Nil(t, cluster.DeletePod(key, 0, false))
			}
			require.NotNil(t, cluster.Pod(key))
			cluster.FreePod(key)
			require.Equal(t, c.gone, cluster.Pod(key) == nil)
			if !c.gone {
				require.Empty(t, cluster.Pod(key).Finalizers)
			}
		})
	}
}

// TestAPodThatIsHeld waits for its claims, and keeps the finalizers of others when it is let go.
func TestAPodThatIsHeld(t *testing.T) {
	cluster := newCluster(rules137)
	_, err := cluster.CreatePod(pod0("example.com/keep"))
	require.Nil(t, err)
	key := pod0("").Key()
	cluster.ChangePod(key, func(p *model.Pod) { p.Node, p.Phase = "node-1", model.Running })
	cluster.HoldPod(key)
	require.True(t, store.InForeground(&cluster.Pod(key).Meta))
	require.Nil(t, cluster.DeletePod(key, 0, false))
	cluster.LetPodGo(key)
	require.Equal(t, []string{"example.com/keep"}, cluster.Pod(key).Finalizers)

	cluster.FreePod(key)
	cluster.HoldPod(key)
	cluster.RemovePod(key)
	require.NotNil(t, cluster.Pod(key), "its containers have stopped")
	cluster.LetPodGo(key)
	require.Nil(t, cluster.Pod(key))
}

// TestWhichSetAClaimIsFor: the one whose template and name, with an ordinal, make the claim's name.
func TestWhichSetAClaimIsFor(t *testing.T) {
	cluster := newCluster(rules137)
	for _, name := range []string{"web", "my-web"} {
		set := web()
		set.Name, set.Spec.ClaimTemplates = name, []model.ClaimTemplate{{Name: "logs"}, {Name: "data"}}
		_, err := cluster.CreateSet(set)
		require.Nil(t, err)
	}
	for claim, set := range map[model.Key]string{
		{Namespace: "default", Name: "data-web-0"}:      "web",
		{Namespace: "default", Name: "logs-web-12"}:     "web",
		{Namespace: "default", Name: "data-my-web-3"}:   "my-web",
		{Namespace: "default", Name: "data-web"}:        "",
		{Namespace: "default", Name: "data-web-x"}:      "",
		{Namespace: "default", Name: "other-web-0"}:     "",
		{Namespace: "default", Name: "data-other-0"}:    "",
		{Namespace: "elsewhere", Name: "data-web-0"}:    "",
		{Namespace: "default", Name: "data-web-0-copy"}: "",
	} {
		require.Equal(t, model.Key{Namespace: claim.Namespace, Name: set}, cluster.ClaimSet(claim), claim)
	}
}
