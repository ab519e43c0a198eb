package html

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/report"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// troubled is a run of two pods in which a node goes down, a write fails, a process is left over, and a pod is released.
func troubled() *report.Run {
	run := rolled(2, 0)
	last := len(run.Events) - 1
	r := &roll{key: model.Key{Namespace: "default", Name: "web"}, now: run.Events[last].T, events: run.Events[:last]}
	r.now += 1e9
	r.add(timeline.Event{Kind: timeline.KindNode, Node: "node-2", NodeState: &timeline.Node{Ready: true}})
	r.add(timeline.Event{Kind: timeline.KindFault, Actor: timeline.APIServer,
		Fault: &timeline.Fault{Number: 1, Does: "create Pod web-1: " + evil, Trigger: "at any write"}})
	r.now += 1e9
	r.add(timeline.Event{Kind: timeline.KindProcess, Pod: "web-1", Node: "node-2", Reason: timeline.ReasonStray,
		Message: "left over", Process: &timeline.Process{}})
	r.add(timeline.Event{Kind: timeline.KindProcess, Pod: "web-1", Reason: timeline.ReasonTwins, Message: "two",
		Process: &timeline.Process{}})
	r.add(timeline.Event{Kind: timeline.KindOwner, Actor: timeline.Controller, Pod: "web-0", State: timeline.Ready,
		Template: 1, Owned: &timeline.Owned{Change: timeline.Released}})
	r.add(timeline.Event{Kind: timeline.KindClaim, Claim: &timeline.Claim{Type: model.Added, Name: "data-web-0",
		Phase: "Bound", Owners: []string{"Pod/web-0"}}})
	r.now += 1e9
	r.add(timeline.Event{Kind: timeline.KindNode, Node: "node-2", NodeState: &timeline.Node{Ready: true}})
	r.add(timeline.Event{Kind: timeline.KindClaim, Claim: &timeline.Claim{Type: model.Deleted, Name: "data-web-0"}})
	run.Events = append(r.events, timeline.Event{T: r.now, Kind: timeline.KindResult,
		Result: &timeline.Result{Verdict: timeline.Settled}})
	return run
}

func TestThingsData(t *testing.T) {
	p := gather([]*report.Run{troubled()})
	run := p.Runs[0]
	fault := run.Steps[1]
	require.True(t, fault.Fault)
	require.Equal(t, "FAULT: create Pod web-1: "+evil+", at any write", fault.Title)
	words := map[string][]string{}
	for _, thing := range run.Things {
		name := thing.Kind + " " + thing.Name
		for c := thing.Changes; len(c) > 0; c = c[3:] {
			words[name] = append(words[name], p.Words[c[1]])
		}
	}
	require.Equal(t, map[string][]string{
		"node node-2":      {"down, still Ready"},
		"process web-1":    {"TWO PROCESSES, the stray one on node-2"},
		"claim data-web-0": {"Bound, owned by Pod/web-0", ""},
	}, words, "a change within a stop replaces the one before, and what says nothing new is left out")
	bars := run.Sets[0].Pods[0].Bars
	require.Equal(t, []int{1, 0}, []int{bars[len(bars)-1], bars[len(bars)-1-barWidth]}, "web-0 belongs to nobody at the end")
}

// TestBrowserThings holds that all of it stands on the page as text, where a screen reader finds it.
func TestBrowserThings(t *testing.T) {
	b := newBrowser(t)
	dom := b.open(t, write(t, troubled()), "#t=6")
	told := text(t, dom, `<section id="told"`, "</section>")
	for _, part := range []string{
		"web-1 : TWO PROCESSES, the stray one on node-2 since 6s", "node-2 : down, still Ready since 5s",
		"data-web-0 : Bound, owned by Pod/web-0 since 6s", "Ready @1, belongs to nobody: released",
	} {
		require.Contains(t, told, part)
	}
	require.Contains(t, dom, `aria-label="process web-1, node node-2, waits of the controller, the counts of the status"`)
	require.Contains(t, text(t, dom, `<ul id="steps"`, "</ul>"), "! 5s FAULT: create Pod web-1:")
	require.Contains(t, text(t, dom, `<ul id="legend"`, "</ul>"), "belongs to nobody; adopted, released fault")

	dom = b.open(t, write(t, troubled()), "#t=7")
	require.NotContains(t, text(t, dom, `<section id="told"`, "</section>"), "Claims")
}
