package scheduler_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/scheduler"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// room is a scheduler over an API server of its own, with the nodes a and b. It binds a pod after a second.
type room struct {
	t     *testing.T
	k     *kernel.Kernel
	store *store.Store
	user  store.Writer
	nodes *nodes.Controller
	*scheduler.Scheduler
}

func newRoom(t *testing.T, bound claims) *room {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	n := nodes.New(k, s, nodes.Config{Nodes: []nodes.Spec{{Name: "a"}, {Name: "b"}}})
	sched := scheduler.New(k, s, log, n, bound)
	sched.Takes(&behaviour.Behaviour{Default: behaviour.Times{Schedule: behaviour.Constant(time.Second)}})
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindPod, sched.SeePod)
	s.Watch(model.KindClaim, sched.SeeClaim)
	return &room{t, k, s, s.As(store.By{Actor: timeline.User}), n, sched}
}

func key(name string) model.Key { return model.Key{Namespace: "default", Name: name} }

// create creates a pod that uses some claims.
func (r *room) create(name string, template *model.Template, claims ...string) {
	pod := &model.Pod{Meta: model.Meta{Namespace: "default", Name: name}, Template: template}
	for _, claim := range claims {
		pod.Volumes = append(pod.Volumes, model.Volume{Name: "data", Claim: claim})
	}
	_, err := r.user.CreatePod(pod)
	require.Nil(r.t, err)
}

// pass plays two seconds.
func (r *room) pass() {
	end := r.k.Now().Add(2 * time.Second)
	for next, any := r.k.Peek(); any && next <= end; next, any = r.k.Peek() {
		r.k.Advance(next)
		for r.k.Next() {
		}
	}
	r.k.Advance(end)
}

// said is the last that was recorded.
func (r *room) said() string { return r.k.Events()[len(r.k.Events())-1].Message }

// notReady lets the object of a node say that it is not ready.
func (r *room) notReady(at int) {
	state := r.nodes.States()[at]
	state.Down, state.NotReady = true, true
	r.nodes.Put(store.By{}, state)
}

// TestWhatTheSchedulerSays: the reason that each node has, and what the plugins after that say of it, in the words of
// each version.
func TestWhatTheSchedulerSays(t *testing.T) {
	both := func(r *room) {
		r.notReady(0)
		r.nodes.OutOfService("b", true)
	}
	for _, c := range []struct {
		name  string
		rules nodes.Rules
		state func(*room)
		says  string
	}{
		{"no node", nodes.Rules{}, func(r *room) {
			r.nodes.Delete("a")
			r.nodes.Delete("b")
		}, "no nodes available to schedule pods"},
		{"the newest words", nodes.Rules{}, both, "0/2 nodes are available: 2 node(s) had untolerated taint(s). " +
			"no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."},
		{"taints are named", nodes.Rules{Scheduler: nodes.Scheduler{NamesTaints: true}}, both, "0/2 nodes are available: " +
			"1 node(s) had untolerated taint {node.kubernetes.io/out-of-service: nodeshutdown}, " +
			"1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }. " +
			"no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."},
		{"before resource claims", nodes.Rules{Scheduler: nodes.Scheduler{NamesTaints: true, SaysNoResourceClaims: true}}, func(r *room) {
			r.nodes.Delete("b")
			r.nodes.Cordon("a", true)
		}, "0/1 nodes are available: 1 node(s) were unschedulable. " +
			"preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."},
		{"before the preemption spoke", nodes.Rules{Scheduler: nodes.Scheduler{SaysTolerate: true, SaysNoPreemption: true}}, both,
			"0/2 nodes are available: " +
				"1 node(s) had taint {node.kubernetes.io/out-of-service: nodeshutdown}, that the pod didn't tolerate, " +
				"1 node(s) had taint {node.kubernetes.io/unreachable: }, that the pod didn't tolerate."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRoom(t, claims{})
			r.nodes.SetRules(c.rules)
			c.state(r)
			r.create("web-0", &model.Template{})
			r.pass()
			require.Equal(t, c.says, r.said())
			require.Empty(t, r.store.Pod(key("web-0")).Node)
		})
	}
}

// TestAClaimIsInTheWay: of two claims the first without its volume is the one that is waited for, whatever the nodes
// are like. A volume without a claim is in nobody's way.
func TestAClaimIsInTheWay(t *testing.T) {
	bound := claims{"logs-web-0": true}
	r := newRoom(t, bound)
	r.create("web-0", &model.Template{}, "data-web-0", "logs-web-0", "")
	r.pass()
	require.Equal(t, "0/2 nodes are available: no volume. not found", r.said())
	bound["data-web-0"] = true
	_, err := r.user.GiveClaim(&model.Claim{Meta: model.Meta{Namespace: "default", Name: "data-web-0"}})
	require.Nil(t, err)
	r.pass()
	require.Equal(t, "a", r.store.Pod(key("web-0")).Node)
}

// nowhere is a filter by which no node takes a picky pod.
type nowhere struct{ alone }

func (*nowhere) Fit(ask scheduler.Ask) []scheduler.Refusal {
	why := make([]scheduler.Refusal, len(ask.Places))
	for i := range why {
		why[i].Reasons = []string{"node(s) were never"}
	}
	return why
}

// TestWhoIsTriedAgain: a pod that ends or is gone while it waits is not bound any more. If no node takes any pod, only
// those are tried again about which a filter decides. The others keep their turn.
func TestWhoIsTriedAgain(t *testing.T) {
	r := newRoom(t, claims{})
	r.Filters(&nowhere{})
	for _, node := range []string{"a", "b"} {
		r.nodes.Cordon(node, true)
	}
	picky := &model.Template{Labels: map[string]string{"picky": "yes"}}
	for _, name := range []string{"ended-0", "gone-0", "plain-0", "plain-1"} {
		r.create(name, &model.Template{})
	}
	r.create("picky-0", picky)
	r.pass()
	r.user.ChangePod(key("ended-0"), func(p *model.Pod) { p.Phase = model.Failed })
	require.Nil(t, r.user.DeletePod(key("gone-0"), 0, true))
	r.Retry()
	next, any := r.k.Peek()
	require.True(t, any)
	require.Equal(t, r.k.Now().Add(time.Second), next)
	r.pass()
	_, any = r.k.Peek()
	require.False(t, any, "all wait for a node")

	for _, node := range []string{"a", "b"} {
		r.nodes.Cordon(node, false)
	}
	r.Retry()
	r.pass()
	on := map[string]string{}
	for _, pod := range r.store.Pods() {
		on[pod.Name] = pod.Node
	}
	require.Equal(t, map[string]string{"ended-0": "", "plain-0": "a", "plain-1": "b", "picky-0": ""}, on)
}

// TestAPodWithoutASet is named itself in what nobody decides.
func TestAPodWithoutASet(t *testing.T) {
	r := newRoom(t, claims{})
	r.Filters(&alone{})
	r.create("lonely", &model.Template{Data: "alone", Constraints: friendly{}})
	r.Warn()
	require.Equal(t, []string{"lonely: whether it likes the weather", "lonely: alone"}, r.k.Result.Warnings)
}

// on returns the node that a pod is bound to, "" for none.
func (r *room) on(pod string) string { return r.store.Pod(key(pod)).Node }

// TestPodsOfAStartStateCountOnTheirNodes: a new pod goes to the node that has fewer of them, until they are gone.
func TestPodsOfAStartStateCountOnTheirNodes(t *testing.T) {
	r := newRoom(t, claims{})
	var pods []*model.Pod
	for i, name := range []string{"web-0", "web-1"} {
		pods = append(pods, &model.Pod{
			Meta: model.Meta{Namespace: "default", Name: name, UID: model.UID(i + 1)}, Template: &model.Template{}, Node: "a",
		})
	}
	r.store.Restore(store.Objects{Pods: pods})
	r.store.As(store.By{Actor: timeline.Dump}).Announce(model.KindPod)
	for _, name := range []string{"web-2", "web-3"} {
		r.create(name, &model.Template{})
		r.pass()
	}
	require.Equal(t, []string{"b", "b"}, []string{r.on("web-2"), r.on("web-3")})
	require.Nil(t, r.user.DeletePod(key("web-0"), 0, true))
	require.Nil(t, r.user.DeletePod(key("web-1"), 0, true))
	for _, name := range []string{"web-4", "web-5"} {
		r.create(name, &model.Template{})
		r.pass()
	}
	require.Equal(t, []string{"a", "a"}, []string{r.on("web-4"), r.on("web-5")})
}

// TestAPodThatIsBoundLeavesTheQueue: whoever has bound it, the scheduler does not try it any more, and remembers nothing
// of it but that it counts on its node.
func TestAPodThatIsBoundLeavesTheQueue(t *testing.T) {
	r := newRoom(t, claims{})
	empty := r.k.Fingerprint(r.Print)
	r.create("web-0", &model.Template{})
	require.NotEqual(t, empty, r.k.Fingerprint(r.Print))
	r.user.ChangePod(key("web-0"), func(p *model.Pod) { p.Node = "a" })
	require.Equal(t, empty, r.k.Fingerprint(r.Print))
	_, any := r.k.Peek()
	require.False(t, any, "it is not tried")
	r.create("web-1", &model.Template{})
	r.pass()
	require.Equal(t, []string{"a", "b"}, []string{r.on("web-0"), r.on("web-1")})
	require.Equal(t, empty, r.k.Fingerprint(r.Print))
}

// TestSchedulersWhosePodsWaitForOtherClaimsAreToldApart, since they do not go on alike.
func TestSchedulersWhosePodsWaitForOtherClaimsAreToldApart(t *testing.T) {
	waiting := func(bound claims) kernel.Fingerprint {
		r := newRoom(t, bound)
		r.create("web-0", &model.Template{}, "data", "logs")
		r.pass()
		require.Empty(t, r.on("web-0"))
		return r.k.Fingerprint(r.Print)
	}
	require.NotEqual(t, waiting(claims{"data": true}), waiting(claims{"logs": true}))
	require.Equal(t, waiting(claims{}), waiting(claims{"logs": true}), "it waits for the first of those in its way")
}

// TestAPodThatWaitsForANodeIsNotOneThatWaitsForAClaim: a scheduler prints which of them it has.
func TestAPodThatWaitsForANodeIsNotOneThatWaitsForAClaim(t *testing.T) {
	waiting := func(of ...string) kernel.Fingerprint {
		r := newRoom(t, claims{})
		r.nodes.Cordon("a", true)
		r.nodes.Cordon("b", true)
		r.create("web-0", &model.Template{}, "data")
		r.create("web-1", &model.Template{}, of...)
		r.pass()
		require.Empty(t, r.on("web-0")+r.on("web-1"))
		return r.k.Fingerprint(r.Print)
	}
	require.NotEqual(t, waiting("data"), waiting())
}

// beside is a filter: picky pods only go to a node that has another pod.
type beside struct{ alone }

func (*beside) Fit(ask scheduler.Ask) []scheduler.Refusal {
	why := make([]scheduler.Refusal, len(ask.Places))
	for i, place := range ask.Places {
		if place.Len() == 0 {
			why[i].Reasons = []string{"node(s) had nobody"}
		}
	}
	return why
}

// TestAPodComesToTheOneThatItWaitsFor: a pod that no node takes is tried again when another one is bound.
func TestAPodComesToTheOneThatItWaitsFor(t *testing.T) {
	r := newRoom(t, claims{})
	r.Filters(&beside{})
	r.create("picky-0", &model.Template{Labels: map[string]string{"picky": "yes"}})
	r.pass()
	require.Empty(t, r.on("picky-0"))
	r.create("web-0", &model.Template{})
	r.pass()
	require.Equal(t, []string{"a", "a"}, []string{r.on("web-0"), r.on("picky-0")})
}
