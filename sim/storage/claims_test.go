package storage_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/storage"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// room is the controller with a store to itself.
type room struct {
	t       *testing.T
	kernel  *kernel.Kernel
	store   *store.Store
	volumes *storage.Controller
	user    store.Writer
}

func newRoom(t *testing.T, config storage.Config, specs ...nodes.Spec) *room {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	c := storage.New(k, s, log, nodes.New(k, s, nodes.Config{Nodes: specs}), config)
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindPod, c.SeePod)
	s.Watch(model.KindClaim, log.SeeClaim)
	s.Watch(model.KindClaim, c.SeeClaim)
	return &room{t, k, s, c, s.As(store.By{Actor: timeline.User})}
}

func key(name string) model.Key { return model.Key{Namespace: "default", Name: name} }

func (r *room) claim(key model.Key) {
	_, err := r.user.CreateClaim(&model.Claim{Meta: model.Meta{Namespace: key.Namespace, Name: key.Name}})
	require.Nil(r.t, err)
}

// pod puts a pod that uses a claim on a node.
func (r *room) pod(name, claim, node string) {
	_, err := r.user.CreatePod(&model.Pod{
		Meta: model.Meta{Namespace: "default", Name: name}, Template: &model.Template{},
		Volumes: []model.Volume{{Name: "none"}, {Name: "other", Claim: "missing"}, {Name: "data", Claim: claim}},
	})
	require.Nil(r.t, err)
	r.user.ChangePod(key(name), func(p *model.Pod) { p.Node = node })
}

// until plays up to an instant.
func (r *room) until(instant time.Duration) {
	for {
		for r.kernel.Next() || r.kernel.NextLate() {
		}
		next, any := r.kernel.Peek()
		if !any || next > model.Time(instant) {
			break
		}
		r.kernel.Advance(next)
	}
	r.kernel.Advance(model.Time(instant))
}

func (r *room) bound(name string) bool { return r.store.Claim(key(name)).Phase == model.ClaimBound }

// TestRules: the first rule that matches a claim says how long it takes, and what it leaves out is the default's.
func TestRules(t *testing.T) {
	second, three := 1, 3
	seconds := func(n int) behaviour.Delay { return behaviour.Constant(time.Duration(n) * time.Second) }
	config := storage.Config{
		Default: storage.ClaimTimes{Bind: seconds(10), Release: seconds(20)},
		Rules: []storage.ClaimRule{
			{Match: storage.ClaimMatch{Namespace: "other"}, Times: storage.ClaimTimes{Bind: seconds(1), Release: seconds(1)}},
			{Match: storage.ClaimMatch{Claim: "slow-*"}, Times: storage.ClaimTimes{Bind: seconds(30)}},
			{Match: storage.ClaimMatch{Claim: "*-0"}, Times: storage.ClaimTimes{Release: seconds(5)}},
			{Match: storage.ClaimMatch{Nth: &three}, Times: storage.ClaimTimes{Bind: seconds(2)}},
			{Match: storage.ClaimMatch{Nth: &second, That: func(c *model.Claim) bool { return c.Name == "that" }},
				Times: storage.ClaimTimes{Bind: seconds(7)}},
		},
	}
	for _, c := range []struct {
		key model.Key
		// before is how often a claim of the name was there before; bind and release are how long it takes, in seconds.
		before, bind, release int
	}{
		{key("data-1"), 0, 10, 20},
		{model.Key{Namespace: "other", Name: "slow-0"}, 0, 1, 1},
		{key("slow-1"), 0, 30, 20},
		{key("slow-0"), 0, 30, 20},
		{key("data-0"), 0, 10, 5},
		{key("data-1"), 2, 2, 20},
		{key("data-1"), 3, 10, 20},
		{key("that"), 0, 7, 20},
		{key("that"), 1, 10, 20},
	} {
		t.Run(c.key.String(), func(t *testing.T) {
			r := newRoom(t, config)
			for range c.before {
				r.claim(c.key)
				r.user.RemoveClaim(c.key)
			}
			r.claim(c.key)
			r.until(time.Duration(c.bind)*time.Second - 1)
			require.Equal(t, model.ClaimPending, r.store.Claim(c.key).Phase)
			begin := time.Duration(c.bind) * time.Second
			r.until(begin)
			require.Equal(t, model.ClaimBound, r.store.Claim(c.key).Phase)
			require.Nil(t, r.user.DeleteClaim(c.key, 0))
			r.until(begin + time.Duration(c.release)*time.Second - 1)
			require.NotNil(t, r.store.Claim(c.key))
			r.until(begin + time.Duration(c.release)*time.Second)
			require.Nil(t, r.store.Claim(c.key))
		})
	}
}

// asking creates a claim that asks for the volume pv-0.
func (r *room) asking(name string) {
	r.t.Helper()
	_, err := r.user.CreateClaim(&model.Claim{
		Meta: model.Meta{Namespace: "default", Name: name}, Facts: &model.ClaimFacts{
			AccessModes: []string{"ReadWriteOnce"}, Storage: "1Gi", Volume: "pv-0",
		},
	})
	require.Nil(r.t, err)
}

// TestReady says for each state of a claim whether the scheduler may bind its pod, and what it complains of.
func TestReady(t *testing.T) {
	wait, at := storage.ClaimTimes{Bind: behaviour.Constant(time.Second), Mode: storage.WaitForFirstConsumer}, storage.ClaimTimes{}
	late := storage.ClaimTimes{Bind: behaviour.Constant(time.Second), Mode: storage.Immediate}
	const unbound = "pod has unbound immediate PersistentVolumeClaims"
	for _, c := range []struct {
		name      string
		times     storage.ClaimTimes
		do        func(*room)
		ready     bool
		complaint string
	}{
		{"there is none", at, func(*room) {}, false, `persistentvolumeclaim "data" not found`},
		{"it is being deleted", at, func(r *room) {
			r.claim(key("data"))
			r.pod("web-0", "data", "node-1")
			require.Nil(r.t, r.user.DeleteClaim(key("data"), 0))
		}, false, `persistentvolumeclaim "data" is being deleted`},
		{"it has no volume yet", late, func(r *room) { r.claim(key("data")) }, false, unbound},
		{"it has one", late, func(r *room) {
			r.claim(key("data"))
			r.until(time.Second)
		}, true, ""},
		{"it is as new as its volume", at, func(r *room) {
			r.claim(key("data"))
			r.until(0)
		}, true, unbound},
		{"it was as new as its volume", at, func(r *room) {
			r.claim(key("data"))
			r.until(1)
		}, true, ""},
		{"it comes with its volume", at, func(r *room) {
			_, err := r.user.GiveClaim(&model.Claim{Meta: model.Meta{Namespace: "default", Name: "data"}})
			require.Nil(r.t, err)
		}, true, ""},
		{"it waits for a pod", wait, func(r *room) {
			r.claim(key("data"))
			r.until(time.Hour)
		}, false, ""},
		{"it asks for a volume, for which no pod is waited", wait, func(r *room) {
			r.asking("data")
			r.until(time.Second)
		}, true, ""},
		{"it asks for a volume, and has not got it yet", wait, func(r *room) { r.asking("data") }, false, unbound},
		{"it asks for a volume that another has", at, func(r *room) {
			r.asking("other")
			r.asking("data")
			r.until(time.Hour)
			require.True(r.t, slices.ContainsFunc(r.kernel.Events(), func(e timeline.Event) bool {
				return e.Warning && e.Reason == "FailedBinding" && e.Message == `volume "pv-0" already bound to a different claim.`
			}))
		}, false, unbound},
		{"a pod has been tried", wait, func(r *room) {
			r.claim(key("data"))
			r.volumes.Ready(key("data"))
			r.until(time.Second)
		}, true, ""},
		{"a pod has been tried twice", wait, func(r *room) {
			r.claim(key("data"))
			r.volumes.Ready(key("data"))
			r.until(500 * time.Millisecond)
			r.volumes.Ready(key("data"))
			r.until(time.Second)
		}, true, ""},
		{"a pod has been tried, and there is a volume at once", storage.ClaimTimes{Mode: storage.WaitForFirstConsumer}, func(r *room) {
			r.claim(key("data"))
			r.volumes.Ready(key("data"))
			r.until(0)
		}, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRoom(t, storage.Config{Default: c.times})
			c.do(r)
			ready, complaint := r.volumes.Ready(key("data"))
			require.Equal(t, c.ready, ready)
			require.Equal(t, c.complaint, complaint)
		})
	}
}

// TestTheModeOfARule: a rule that names no mode leaves that of the default, and one that does replaces it.
func TestTheModeOfARule(t *testing.T) {
	now := behaviour.Constant(0)
	for mode, bound := range map[storage.BindingMode]bool{"": false, storage.WaitForFirstConsumer: false, storage.Immediate: true} {
		r := newRoom(t, storage.Config{
			Default: storage.ClaimTimes{Mode: storage.WaitForFirstConsumer},
			Rules:   []storage.ClaimRule{{Match: storage.ClaimMatch{Claim: "data"}, Times: storage.ClaimTimes{Bind: now, Mode: mode}}},
		})
		r.claim(key("data"))
		r.until(time.Hour)
		require.Equal(t, bound, r.bound("data"), mode)
	}
}

// TestNoStorage: a claim for which there is no storage stays Pending, and that is said once.
func TestNoStorage(t *testing.T) {
	r := newRoom(t, storage.Config{Default: storage.ClaimTimes{Bind: behaviour.Never, Mode: storage.WaitForFirstConsumer}})
	warnings := func() (list []string) {
		for _, e := range r.kernel.Events() {
			if e.Warning {
				list = append(list, e.Reason+": "+e.Message)
			}
		}
		return list
	}
	r.claim(key("data"))
	require.Empty(t, warnings())
	for range 2 {
		r.volumes.Ready(key("data"))
		r.until(time.Hour)
		require.False(t, r.bound("data"))
		require.Equal(t, []string{"ProvisioningFailed: there is no storage for the claim data"}, warnings())
	}
}

// TestReach: a volume that has waited for its pod is created in the zone of the pod's node, and stays there; one that has
// not, or whose node has no zone, can be used anywhere.
func TestReach(t *testing.T) {
	const zoneA = `{"nodeSelectorTerms":[{"matchExpressions":[{"key":"topology.kubernetes.io/zone","operator":"In","values":["a"]}]}]}`
	specs := []nodes.Spec{{Name: "in-a", Zone: "a"}, {Name: "in-b", Zone: "b"}, {Name: "nowhere"}}
	for _, c := range []struct {
		name, node string
		mode       storage.BindingMode
		reach      string
	}{
		{"of a node in a zone", "in-a", storage.WaitForFirstConsumer, zoneA},
		{"of a node without a zone", "nowhere", storage.WaitForFirstConsumer, ""},
		{"of a node that nobody knows", "other", storage.WaitForFirstConsumer, ""},
		{"that is bound at once", "in-a", storage.Immediate, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRoom(t, storage.Config{Default: storage.ClaimTimes{Bind: behaviour.Constant(time.Second), Mode: c.mode}}, specs...)
			require.Empty(t, r.volumes.Reach(key("data")), "there is no claim")
			r.claim(key("data"))
			r.volumes.Ready(key("data"))
			r.pod("web-0", "data", c.node)
			require.Empty(t, r.volumes.Reach(key("data")), "there is no volume yet")
			r.until(time.Second)
			require.Equal(t, c.reach, r.volumes.Reach(key("data")))
			if c.reach != "" {
				r.pod("web-1", "data", "in-b")
				require.Equal(t, c.reach, r.volumes.Reach(key("data")), "a volume does not move")
			}
		})
	}
}

// TestDeletedClaims: a claim that is deleted goes after a second, but not before the last pod that uses it; it gets no
// volume any more.
func TestDeletedClaims(t *testing.T) {
	r := newRoom(t, storage.Config{Default: storage.ClaimTimes{
		Bind: behaviour.Constant(time.Minute), Release: behaviour.Constant(time.Second)}})
	r.claim(key("data"))
	r.pod("web-0", "data", "node-1")
	r.pod("web-1", "data", "node-2")
	require.Nil(t, r.user.DeleteClaim(key("data"), 0))
	require.False(t, r.kernel.Open(), "nobody waits for its volume")
	r.until(time.Hour)
	require.False(t, r.bound("data"))
	r.user.RemovePod(key("web-0"))
	r.until(2 * time.Hour)
	require.NotNil(t, r.store.Claim(key("data")), "web-1 uses it")
	r.user.RemovePod(key("web-1"))
	r.until(2*time.Hour + time.Second - 1)
	require.NotNil(t, r.store.Claim(key("data")))
	r.until(2*time.Hour + time.Second)
	require.Nil(t, r.store.Claim(key("data")))

	r.claim(key("data"))
	require.Nil(t, r.user.DeleteClaim(key("data"), 0))
	r.pod("web-0", "data", "node-1")
	r.until(3 * time.Hour)
	require.NotNil(t, r.store.Claim(key("data")), "a pod has come in time")
	r.user.RemovePod(key("web-0"))
	r.until(4 * time.Hour)
	require.Nil(t, r.store.Claim(key("data")))
}
