package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

func (f *film) node(reason string, is timeline.Node) {
	f.add(timeline.Entry{Kind: timeline.KindNode, Actor: timeline.APIServer, Node: "node-2", Reason: reason,
		Message: "node-2: " + reason, NodeState: &is}.Event())
}

func (f *film) process(reason, node string, ended bool) {
	f.add(timeline.Entry{Kind: timeline.KindProcess, Actor: timeline.Kubelet, Set: f.set.Key(), Pod: "web-1", Node: node,
		Reason: reason, Message: "web-1: " + reason, Process: &timeline.Process{Ended: ended}}.Event())
}

func (f *film) claim(change model.ChangeType, name, phase string, owners ...string) {
	f.controller(timeline.Entry{Kind: timeline.KindClaim,
		Claim: &timeline.Claim{Type: change, Name: name, Phase: phase, Owners: owners}}.Event())
}

// nodesRun has a node that falls silent, a pod of it that is deleted by force, the two processes that come of it, a
// fault, a pod that is released and adopted, claims, a budget and a name. At its end the node is cordoned.
func nodesRun() *Run {
	f := twoPods()
	f.claim(model.Added, "data-web-0", "Bound")
	f.claim(model.Added, "data-web-1", "Bound", "Pod/web-1")
	f.add(timeline.Entry{Kind: timeline.KindBudget, Actor: timeline.APIServer,
		Budget: &timeline.Budget{Namespace: "default", Name: "web", Healthy: 2, Desired: 2, Expected: 2}}.Event())
	f.add(timeline.Entry{Kind: timeline.KindDNS, Actor: timeline.APIServer, Set: f.set.Key(), Pod: "web-0",
		DNS: &timeline.DNS{Type: model.Added, Service: "web", IP: "10.244.1.2", Hostname: "web-0"}}.Event())
	f.to(100)
	f.node(timeline.ReasonNodeDown, timeline.Node{Ready: true})
	f.add(timeline.Entry{Kind: timeline.KindFault, Actor: timeline.APIServer, Set: f.set.Key(), Fault: &timeline.Fault{
		Number: 1, Verb: "error", Does: "create Pod web-1: answered with InternalError", Trigger: "at any write"}}.Event())
	f.to(150)
	f.node(timeline.ReasonNodeNotReady, timeline.Node{})
	f.node(timeline.ReasonUnreachable, timeline.Node{Unreachable: true})
	f.pod(timeline.APIServer, "web-1", timeline.Unready, model.Why{}).Reason = timeline.ReasonNodeNotReady
	f.status(1, 0, "v1")
	f.to(200)
	f.process(timeline.ReasonStray, "node-2", false)
	f.pod(timeline.User, "web-1", timeline.Gone, model.Why{})
	f.create("web-1")
	f.to(201)
	f.process(timeline.ReasonTwins, "", false)
	f.kubelet("web-1", timeline.Running, timeline.Ready)
	f.claim(model.Modified, "data-web-0", timeline.PhaseTerminating)
	for i, change := range []timeline.OwnerChange{timeline.Released, timeline.Adopted} {
		f.to(float64(220 + 10*i))
		f.add(timeline.Entry{Kind: timeline.KindOwner, Actor: timeline.Controller, Set: f.set.Key(), Pod: "web-0",
			State: timeline.Ready, Template: 1, Image: v1.Image(), Owned: &timeline.Owned{Change: change}}.Event())
	}
	f.to(350)
	f.node(timeline.ReasonNodeUp, timeline.Node{Up: true, Ready: true})
	f.process(timeline.ReasonStray, "node-2", true)
	f.process(timeline.ReasonTwins, "", true)
	f.node(timeline.ReasonCordoned, timeline.Node{Up: true, Ready: true, Cordoned: true})
	f.status(2, 0, "v1")
	f.result(timeline.Result{Verdict: timeline.Settled})
	return &Run{Name: "a silent node", File: "nodes.yaml", Events: f.events}
}

// TestThings holds how what is no pod is worded.
func TestThings(t *testing.T) {
	run := nodesRun()
	blocked := timeline.Entry{Kind: timeline.KindNode, Node: "node-3", Why: model.Why{Code: model.DrainBlocked},
		NodeState: &timeline.Node{Up: true, Ready: true, Cordoned: true}}.Event()
	gone := timeline.Entry{Kind: timeline.KindClaim, Set: model.Key{Namespace: "default", Name: "web"},
		Claim: &timeline.Claim{Type: model.Deleted, Name: "data-web-0", Phase: "Bound"}}.Event()
	things := NewThings(run)
	var got []Thing
	for _, event := range append(run.Events, blocked, gone) {
		if thing, changed := things.See(&event); changed {
			got = append(got, thing)
		}
	}
	require.Equal(t, []Thing{
		{AClaim, "data-web-0", "Bound", Plain},
		{AClaim, "data-web-1", "Bound, owned by Pod/web-1", Plain},
		{ABudget, "web", "allows 0 disruptions: 2 healthy, 2 needed, 2 pods", Waiting},
		{AName, "web-0.web", "10.244.1.2", Plain},
		{ANode, "node-2", "down, still Ready", Wrong},
		{ANode, "node-2", "down, NotReady", Wrong},
		{ANode, "node-2", "down, NotReady, tainted unreachable", Wrong},
		{AProcess, "web-1", "stray on node-2", Waiting},
		{AProcess, "web-1", "TWO PROCESSES, the stray one on node-2", Wrong},
		{AClaim, "data-web-0", "Terminating", Waiting},
		{ANode, "node-2", "Ready", Plain},
		{AProcess, "web-1", "TWO PROCESSES, the stray one", Wrong},
		{AProcess, "web-1", "", Plain},
		{ANode, "node-2", "Ready,SchedulingDisabled", Waiting},
		{ANode, "node-3", "Ready,SchedulingDisabled, its drain waits", Waiting},
		{AClaim, "data-web-0", "", Plain},
	}, got)
}
