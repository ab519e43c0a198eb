package html

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// troubled is a run of two pods in which a node goes down, a write fails, a process is left over, and a pod is
// released.
func troubled() *report.Run {
	run := rolled(2, 0)
	last := len(run.Events) - 1
	r := &roll{key: model.Key{Namespace: "default", Name: "web"}, now: run.Events[last].T, events: run.Events[:last]}
	r.now += 1e9
	r.add(timeline.Entry{Kind: timeline.KindNode, Node: "node-2", NodeState: &timeline.Node{Ready: true}}.Event())
	r.add(timeline.Entry{Kind: timeline.KindFault, Actor: timeline.APIServer,
		Fault: &timeline.Fault{Number: 1, Does: "create Pod web-1: " + evil, Trigger: "at any write"}}.Event())
	r.now += 1e9
	r.add(timeline.Entry{Kind: timeline.KindProcess, Pod: "web-1", Node: "node-2", Reason: timeline.ReasonStray,
		Message: "left over", Process: &timeline.Process{}}.Event())
	r.add(timeline.Entry{Kind: timeline.KindProcess, Pod: "web-1", Reason: timeline.ReasonTwins, Message: "two",
		Process: &timeline.Process{}}.Event())
	r.add(timeline.Entry{Kind: timeline.KindOwner, Actor: timeline.Controller, Pod: "web-0", State: timeline.Ready,
		Template: 1, Owned: &timeline.Owned{Change: timeline.Released}}.Event())
	r.add(timeline.Entry{Kind: timeline.KindClaim, Claim: &timeline.Claim{Type: model.Added, Name: "data-web-0",
		Phase: "Bound", Owners: []string{"Pod/web-0"}}}.Event())
	r.now += 1e9
	r.add(timeline.Entry{Kind: timeline.KindNode, Node: "node-2", NodeState: &timeline.Node{Ready: true}}.Event())
	r.add(timeline.Entry{Kind: timeline.KindClaim, Claim: &timeline.Claim{Type: model.Deleted, Name: "data-web-0"}}.Event())
	run.Events = append(r.events, timeline.Entry{T: r.now, Kind: timeline.KindResult,
		Result: &timeline.Result{Verdict: timeline.Settled}}.Event())
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
	last := len(bars) - 1
	require.Equal(t, []int{1, 0}, []int{bars[last], bars[last-barWidth]}, "web-0 belongs to nobody at the end")
}

// TestBrowserThings holds that all of it stands on the page as text, where a screen reader finds it.
func TestBrowserThings(t *testing.T) {
	b := newBrowser(t)
	dom := b.open(t, write(t, troubled()), "#t=6")
	said := told(t, dom)
	for _, part := range []string{
		"web-1 : TWO PROCESSES, the stray one on node-2 since 6s", "node-2 : down, still Ready since 5s",
		"data-web-0 : Bound, owned by Pod/web-0 since 6s", "Ready @1, belongs to nobody: released",
	} {
		require.Contains(t, said, part)
	}
	require.Contains(t, dom, `aria-label="process web-1, node node-2, waits of the controller, how many pods serve"`)
	require.Contains(t, text(t, dom, `<ul id="steps"`, "</ul>"), "! 5s FAULT: create Pod web-1:")
	require.Contains(t, text(t, dom, `<ul id="legend"`, "</ul>"), "belongs to nobody; adopted, released fault")

	dom = b.open(t, write(t, troubled()), "#t=7")
	require.NotContains(t, told(t, dom), "Claims")
}

// overTwo is a run of two sets with pods on node-2, which goes down, a node-3 without pods, and three faults of an
// instant.
func overTwo() *report.Run {
	r := &roll{key: model.Key{Namespace: "default", Name: "web"}}
	r.events = append(r.events, timeline.Entry{Kind: timeline.KindRun, Run: &timeline.Run{Kubernetes: "1.37", Sim: "0"}}.Event())
	for _, name := range []string{"web", "db", "far"} {
		r.key.Name = name
		r.step(1, 1)
		r.life(name+"-0", 1)
		if name != "far" {
			r.add(timeline.Entry{Kind: timeline.KindPod, Actor: timeline.Kubelet, Pod: name + "-0", State: timeline.Ready,
				Template: 1, Node: "node-2"}.Event())
		}
	}
	r.now += 1e9
	r.key = model.Key{}
	for _, node := range []string{"node-2", "node-3"} {
		r.add(timeline.Entry{Kind: timeline.KindNode, Node: node, NodeState: &timeline.Node{Ready: true}}.Event())
	}
	for n := range 3 {
		r.add(timeline.Entry{Kind: timeline.KindFault, Fault: &timeline.Fault{Number: n + 1, Does: "crash web-0", Trigger: "at 6s"}}.Event())
	}
	r.events = append(r.events, timeline.Entry{T: r.now, Kind: timeline.KindResult,
		Result: &timeline.Result{Verdict: timeline.Settled}}.Event())
	return &report.Run{Name: "over two", File: "two.yaml", Events: r.events}
}

// TestBrowserBands holds that a node stands beside the sets that have pods on it, one without pods beside the first, and
// that the faults of one place are one mark.
func TestBrowserBands(t *testing.T) {
	b := newBrowser(t)
	page := regexp.MustCompile(`<meta http-equiv[^>]*>`).ReplaceAllString(write(t, overTwo()), "")
	const ask = `<script>
const faults = marksAt(plots[0], x(plots[0].run.steps.find((step) => step.fault).at), 25);
document.title = plots.map((p) => p.bands.map((band) => band.name).join("+")).join(", ") + ", " + faults.length;
</script></body>`
	dom := b.open(t, strings.Replace(page, "</body>", ask, 1), "")
	require.Equal(t, "node-2+node-3, node-2, , 3", text(t, dom, "<title>", "</title>"))
}
