package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestCures: each command of a fix has its line, a fix that can do harm looks different from one that cannot, and the
// command that looks for more comes last.
func TestCures(t *testing.T) {
	run := stuckRun()
	run.Cures = []Cure{
		{Way: reasons.Way{What: "deleting web-2", Commands: []string{"kubectl -n default delete pod web-2"}, Heals: true,
			Fewest: 2, Replicas: 3, Deleted: 1, Takes: 5 * time.Second}},
		{Way: reasons.Way{What: "deleting web-2 by force", Commands: []string{
			"kubectl -n default delete pod web-2 --force --grace-period=0", "kubectl -n default get pods"}, Heals: true,
			Fewest: 2, Replicas: 3, Takes: time.Second, Danger: reasons.ForceDanger("web-2")}},
	}
	run.Explain = "sim explain stuck.yaml"
	var out bytes.Buffer
	require.NoError(t, Text(&out, run, render.Style{Color: true}))
	golden(t, "stuck-cures.color.text", out.Bytes())
}

// TestUntried: why fixes were not tried is said in words, beside those that are known.
func TestUntried(t *testing.T) {
	run := stuckRun()
	for _, c := range []struct {
		cures []Cure
		says  string
	}{{nil, "No fix was tried: it costs too much."},
		{[]Cure{{Way: reasons.Way{What: "waiting", Heals: true}}}, "Not all fixes were tried: it costs too much."}} {
		run.Cures, run.Untried = c.cures, "it costs too much"
		var text, markdown, document bytes.Buffer
		require.NoError(t, Text(&text, run, render.Style{}))
		require.NoError(t, Markdown(&markdown, run))
		require.NoError(t, JSON(&document, run))
		require.Contains(t, text.String(), "  "+c.says+"\n")
		require.Contains(t, markdown.String(), "\n"+c.says+"\n")
		require.Contains(t, document.String(), `"untried": "it costs too much"`)
	}
}

// TestTitle: a run without a name has that of its timeline.
func TestTitle(t *testing.T) {
	run := canaryRun()
	run.Name = ""
	var out bytes.Buffer
	require.NoError(t, Text(&out, run, render.Style{}))
	require.True(t, strings.HasPrefix(out.String(), "canary\n"), out.String())
}

// TestPodsOfARevision: five pods are named, and six shortened.
func TestPodsOfARevision(t *testing.T) {
	var set timeline.Set
	for i := range 6 {
		set.Pods.Put(&timeline.Pod{Name: fmt.Sprintf("web-%d", i), Ordinal: i, Template: 1 + i/5})
	}
	require.Equal(t, "web-0, web-1, web-2, web-3, web-4", podsOf(&set, 1))
	set.Pods.Last().Template = 1
	require.Equal(t, "web-0 … web-5 (6)", podsOf(&set, 1))
	require.Empty(t, podsOf(&set, 2))
}

// TestComplaints: kubectl shows as STATUS why a kubelet cannot start a pod, and not what others warn of.
func TestComplaints(t *testing.T) {
	waiting, running := &timeline.Pod{Name: "web-0"}, &timeline.Pod{Name: "web-0", Ready: true}
	leaving := &timeline.Pod{Name: "web-0", Terminating: true}
	for _, c := range []struct {
		name    string
		actor   timeline.Actor
		reason  string
		warning bool
		pod     *timeline.Pod
		want    bool
	}{
		{"its kubelet warns", timeline.Kubelet, "BackOff", true, waiting, true},
		{"its kubelet says", timeline.Kubelet, "BackOff", false, waiting, false},
		{"its kubelet has forgotten it", timeline.Kubelet, timeline.ReasonHung, true, waiting, false},
		{"the controller warns", timeline.Controller, "BackOff", true, waiting, false},
		{"its kubelet warns of a pod that is Ready", timeline.Kubelet, "BackOff", true, running, false},
		{"its kubelet warns of a pod that is deleted", timeline.Kubelet, "BackOff", true, leaving, false},
	} {
		event := timeline.Entry{Kind: timeline.KindK8sEvent, Actor: c.actor, Warning: c.warning, Reason: c.reason}.Event()
		require.Equal(t, c.want, complains(&event, c.pod), c.name)
	}
}

// TestAnnotationsShowControlCharacters: what a file says cannot steer the terminal of who reads the log.
func TestAnnotationsShowControlCharacters(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Annotations(&out, []Test{{Name: "x", File: "a.yaml", Problem: "a.yaml:1:1: \x1b[31mred"}}))
	require.NotContains(t, out.String(), "\x1b")
	require.Contains(t, out.String(), "[31mred")
}

// TestFailedWithoutLists: an expectation that has nothing to compare shows no comparison.
func TestFailedWithoutLists(t *testing.T) {
	run := canaryRun()
	run.Expectations = []Expectation{{Text: "completes: {}", Verdict: Failed, Detail: "it was not complete"}}
	var out bytes.Buffer
	require.NoError(t, Text(&out, run, render.Style{}))
	require.Contains(t, out.String(), "it was not complete")
	require.NotContains(t, out.String(), "- expected, + got")
}

// TestCompareBounded: where one list is too long only the ends are compared.
func TestCompareBounded(t *testing.T) {
	long := append(make([]string, maxCompared), "same", "old")
	for _, d := range Align(long, []string{"new", "same", "last"}) {
		require.NotEqual(t, ' ', d.Mark, "%v", d)
	}
}

// TestOneEvent: the JSON of a run with a single event is as well laid out as that of many.
func TestOneEvent(t *testing.T) {
	run := canaryRun()
	run.Events = append(append(run.Events[:1:1], run.Events[1]), run.Events[len(run.Events)-1])
	var out bytes.Buffer
	require.NoError(t, JSON(&out, run))
	require.Regexp(t, `"events": \[\n    \{.*\}\n  \]`, out.String())
}
