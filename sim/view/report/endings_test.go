package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// silentRun is a run that is stuck on a pod whose node does not answer, and on another one that its kubelet complains
// of. It has addresses, a container of a sidecar, a step that waits for another one, and a day between its steps.
func silentRun() *Run {
	f := newFilm(3)
	f.set.Spec.Template = &model.Template{ID: 1, Data: `{"v":1}`, Containers: []model.Container{{Name: "app", Image: "app:v1"}},
		Lifecycle: &model.Lifecycle{Init: []model.ContainerSpec{{Sidecar: true}, {}}}}
	f.step(timeline.Step{Verb: "create", Trigger: "settled", Effect: timeline.Created, Sets: []*model.StatefulSet{f.set}})
	for i := range 3 {
		name := f.set.PodName(i)
		f.create(name)
		bound := f.pod(timeline.Kubelet, name, timeline.Pending, model.Why{})
		bound.Node = fmt.Sprintf("node-%d", i+1)
		running := f.pod(timeline.Kubelet, name, timeline.Running, model.Why{})
		running.Node, running.IP, running.Nth = fmt.Sprintf("node-%d", i+1), fmt.Sprintf("10.244.1.%d", i+1), i
		if i < 2 {
			f.kubelet(name, timeline.Ready)
		}
	}
	f.status(2, 0, "v1")
	complains := func(pod, reason string) {
		f.add(timeline.Entry{Kind: timeline.KindK8sEvent, Actor: timeline.Kubelet, Set: f.set.Key(), Pod: pod, Reason: reason,
			Message: "Readiness probe failed: 503", Warning: true}.Event())
	}
	complains("web-2", "Unhealthy")
	complains("web-2", "Unhealthy")
	complains("web-1", "Unhealthy")
	complains("web-9", "Unhealthy")
	f.to(90_000)
	f.step(timeline.Step{Verb: "delete", Does: "delete web-1", Trigger: "kubectl rollout status", Effect: timeline.Done})
	f.node(timeline.ReasonNodeDown, timeline.Node{Ready: true})
	f.pod(timeline.APIServer, "web-1", timeline.Unready, model.Why{}).Reason = timeline.ReasonNodeNotReady
	f.node(timeline.ReasonNodeNotReady, timeline.Node{})
	f.pod(timeline.APIServer, "web-1", timeline.Terminating, model.Why{})
	gone := model.Why{Code: model.WaitingForTermination, Object: "web-1", Rule: model.RuleOrderedReplicas}
	f.wait(gone)
	f.wait(forReady("web-2"))
	f.status(1, 0, "v1")
	f.result(timeline.Result{Verdict: timeline.IsStuck, Stuck: []timeline.Stuck{
		{Set: f.set.Key(), Why: gone, Since: f.now},
		{Set: f.set.Key(), Why: gone, Since: f.now},
		{Set: f.set.Key(), Why: forReady("web-2"), Since: 1e9},
		{Set: f.set.Key(), Why: model.Why{Code: model.SyncError}, Since: 2e9, Error: "pods \"web-2\" is forbidden"},
	}})
	return &Run{Name: "a silent pod", File: "silent.yaml", Events: f.events, Explain: "sim explain silent.yaml",
		Cures: []Cure{{Way: reasons.Way{What: "deleting the node node-2", Commands: []string{"kubectl delete node node-2"}, Heals: true,
			Fewest: 1, Replicas: 3, Takes: time.Minute, Danger: reasons.DeleteNodeDanger("node-2")}}},
		Expectations: []Expectation{
			{Verdict: Failed, Text: "completes: {}", Position: "silent.yaml:9:5", Detail: "it was not complete"},
			{Verdict: Skipped, Text: "never: web-0 Gone", Position: "silent.yaml:10:5", Detail: "for kubernetes \"1.30\" only"},
		}}
}

// TestEndings compares how a run ends, and what is to be known about that, in the formats that say it, with their golden
// files.
func TestEndings(t *testing.T) {
	run := silentRun()
	for name, write := range map[string]func(io.Writer, *Run) error{
		"text":      func(w io.Writer, run *Run) error { return Text(w, run, render.Style{}) },
		"judgement": func(w io.Writer, run *Run) error { return Judgement(w, run, render.Style{}) },
		"md":        Markdown, "watch": Watch, "json": JSON, "table": func(w io.Writer, run *Run) error { return Table(w, run, render.Style{}) },
	} {
		var out bytes.Buffer
		require.NoError(t, write(&out, run), name)
		golden(t, "silent."+name, out.Bytes())
	}
}

// TestWhatASilentNodeNeeds: a run that is stuck on a terminating pod of a node that is down says what ends that, unless
// the node is out of service: then the pod garbage collector deletes the pod.
func TestWhatASilentNodeNeeds(t *testing.T) {
	for _, outOfService := range []bool{false, true} {
		f := newFilm(1)
		f.step(timeline.Step{Verb: "create", Trigger: "settled", Effect: timeline.Created, Sets: []*model.StatefulSet{f.set}})
		f.create("web-0")
		f.pod(timeline.Kubelet, "web-0", timeline.Pending, model.Why{}).Node = "node-2"
		f.pod(timeline.Kubelet, "web-0", timeline.Running, model.Why{}).Node = "node-2"
		f.node(timeline.ReasonNodeDown, timeline.Node{})
		f.pod(timeline.APIServer, "web-0", timeline.Terminating, model.Why{})
		f.node(timeline.ReasonOutOfService, timeline.Node{OutOfService: outOfService})
		gone := model.Why{Code: model.WaitingForTermination, Object: "web-0", Rule: model.RuleOrderedReplicas}
		f.result(timeline.Result{Verdict: timeline.IsStuck, Stuck: []timeline.Stuck{{Set: f.set.Key(), Why: gone}}})
		var out bytes.Buffer
		require.NoError(t, Judgement(&out, &Run{Events: f.events}, render.Style{}))
		require.Equal(t, !outOfService, strings.Contains(out.String(), "node-2 is down"), out.String())
	}
}

// TestVerdicts: how each verdict is worded, with the refusal, or the reason, where there is one.
func TestVerdicts(t *testing.T) {
	refused := func(refusal string) *film {
		f := newFilm(1)
		f.step(timeline.Step{Verb: "create", Effect: timeline.Created})
		f.step(timeline.Step{Verb: "patch", Effect: timeline.Refused, Refusal: refusal})
		f.step(timeline.Step{Verb: "wait", Effect: timeline.None})
		return f
	}
	for want, c := range map[string]struct {
		f *film
		r timeline.Result
	}{
		"settled at 0s: nothing left to do":                                                     {newFilm(1), timeline.Result{Verdict: timeline.Settled}},
		"LIMIT at 0s: the run did not settle before its limit (until, or --until, sets it)":     {newFilm(1), timeline.Result{Verdict: timeline.Limit}},
		"INTERRUPTED at 0s: this is what was known so far":                                      {newFilm(1), timeline.Result{Verdict: timeline.Interrupted}},
		"REFUSED at 0s: the API server does not accept step 2: spec is immutable":               {refused("spec is immutable"), timeline.Result{Verdict: timeline.WasRefused}},
		"REFUSED at 0s: the API server does not accept a step":                                  {refused(""), timeline.Result{Verdict: timeline.WasRefused}},
		"LIVELOCK at 0s: the controller " + reasons.NeverConverges:                              {newFilm(1), timeline.Result{Verdict: timeline.Livelock}},
		"STUCK at 0s: 1 StatefulSet cannot make progress, and nothing pending will unblock it":  {newFilm(1), timeline.Result{Verdict: timeline.IsStuck, Stuck: make([]timeline.Stuck, 2)}},
		"STUCK at 0s: 2 StatefulSets cannot make progress, and nothing pending will unblock it": {newFilm(1), timeline.Result{Verdict: timeline.IsStuck, Stuck: []timeline.Stuck{{}, {Set: model.Key{Name: "b"}}}}},
	} {
		c.f.result(c.r)
		run := &Run{Events: c.f.events}
		require.Equal(t, want, Ending(run)[0].Text)
		require.Equal(t, want, failureMessage(&Test{Run: run}))
		require.Equal(t, "failed", failureMessage(&Test{Run: &Run{Events: c.f.events[:1]}}))
	}
}

// TestTestLines: the line of a test in a report of several: its version, what was skipped, and no name that its file has.
func TestTestLines(t *testing.T) {
	var out bytes.Buffer
	tests := Tests{Out: &out, FileWidth: 12}
	for _, test := range []Test{
		{File: "a/canary.yaml", Name: "canary", Passed: true, Verdict: "settled", End: 3e9, Expectations: [3]int{Held: 2, Skipped: 1}},
		{File: "a/canary.yaml", Name: "by partition", Version: "1.37", Passed: true, Verdict: "settled", Expectations: [3]int{Held: 1}},
		{File: "b.yaml", Name: "b", Verdict: "stuck", Expectations: [3]int{Failed: 1}},
		{File: "c.yaml", Name: "no verdict", Passed: true},
	} {
		require.NoError(t, tests.Add(&test))
	}
	require.NoError(t, tests.Total(1))
	require.Equal(t, `ok      a/canary.yaml  settled        3s  2 held, 1 skipped
ok      a/canary.yaml 1.37  settled        0s  1 held    by partition
FAILED  b.yaml        stuck          0s  0 held, 1 failed

ok      c.yaml        no verdict
3 passed, 1 failed, 1 skipped
`, out.String())
}

// TestPartings: on which level two runs part, when after which step, and which of the versions has the cause.
func TestPartings(t *testing.T) {
	step := &timeline.Step{Number: 2, Does: "set image"}
	for want, p := range map[string]*versus.Parting{
		"1.36 and 1.37 diverge at 13s":                                                              {T: 13e9},
		"1.36 and 1.37 diverge at 13s, at step 2 (set image)":                                       {T: 13e9, Step: step, StepT: 13e9},
		"1.36 and 1.37 diverge at 13s, 1s after step 2 (set image)":                                 {T: 13e9, Step: step, StepT: 12e9},
		"1.36 and 1.37 diverge at 13s, 1s after step 2 (set image), only in the status":             {T: 13e9, Step: step, StepT: 12e9, Level: versus.Status},
		"1.36 and 1.37 diverge at 13s, 1s after step 2 (set image), only in the words of a refusal": {T: 13e9, Step: step, StepT: 12e9, Level: versus.Words},
	} {
		d := &Parting{Names: [2]string{"1.36", "1.37"}, Parting: p, Causes: []Cause{
			{Name: "AtLeastOne", Sentence: "one at least", On: true, Links: []string{"https://github.com/kubernetes/kubernetes/issues/134773",
				"https://github.com/kubernetes/enhancements/issues/961", "https://github.com/kubernetes/kubernetes/pull/137666"}},
			{Name: "Older", Sentence: "as before"},
		}}
		require.Equal(t, want, d.Heading())
		var list strings.Builder
		d.markdown(&list, "")
		_, causes, _ := strings.Cut(list.String(), "- Cause: ")
		require.Equal(t, "AtLeastOne, in 1.37 and not in 1.36: one at least ([issue 134773](https://github.com/kubernetes/kubernetes/issues/134773), "+
			"[KEP 961](https://github.com/kubernetes/enhancements/issues/961), [PR 137666](https://github.com/kubernetes/kubernetes/pull/137666))\n"+
			"- Cause: Older, in 1.36 and not in 1.37: as before\n", causes)
		as := d.json()
		require.Equal(t, [2]string{"1.37", "1.36"}, [2]string{as.Causes[0].In, as.Causes[1].In})
		require.Equal(t, p.Step != nil, as.Step == 2)
		require.Equal(t, levelNames[p.Level], as.Level)
	}
}

// TestVersionChangesInParts: a part that has nothing in it has no heading, and versions that behave alike say so.
func TestVersionChangesInParts(t *testing.T) {
	both := func(c VersionChanges) string {
		var text, markdown bytes.Buffer
		c.From, c.To = "1.36", "1.37"
		require.NoError(t, ChangesText(&text, &c, render.Style{}))
		require.NoError(t, ChangesMarkdown(&markdown, &c))
		return text.String() + "---\n" + markdown.String()
	}
	require.Equal(t, "1.36 and 1.37 behave alike\n---\n# Kubernetes 1.36 to 1.37\n\nBoth behave alike.\n", both(VersionChanges{}))
	require.Equal(t, "from 1.36 to 1.37: 0 differences\n\nfeature gates\n  Gate  off -> on\n---\n# Kubernetes 1.36 to 1.37\n\n"+
		"| feature gate | 1.36 | 1.37 |\n|:-------------|:-----|:-----|\n| `Gate`       | off  | on   |\n", both(VersionChanges{Gates: []GateChange{{"Gate", "off", "on"}}}))
	require.Equal(t, "from 1.36 to 1.37: 0 differences\n\nwhat the API server does with a StatefulSet\n  - it refuses\n---\n# Kubernetes 1.36 to 1.37\n\n"+
		"What the API server does with a StatefulSet:\n\n- it refuses\n", both(VersionChanges{API: []string{"it refuses"}}))
	require.Equal(t, "from 1.36 to 1.37: 1 difference\n\n  One\n      a sentence\n      https://x/pull/7\n---\n# Kubernetes 1.36 to 1.37\n\n"+
		"- `One`: a sentence ([PR 7](https://x/pull/7))\n", both(VersionChanges{Differences: []VersionCause{{"One", true, "a sentence", []string{"https://x/pull/7"}}}}))
}

// TestGanttFix: a gantt shows the commands of a fix, but none without the warning that belongs to it, and none that
// Mermaid would change.
func TestGanttFix(t *testing.T) {
	const elsewhere = "see -o text or -o html"
	for _, c := range []struct {
		way  reasons.Way
		want []string
	}{
		{reasons.Way{Commands: []string{"kubectl delete pod web-2"}}, []string{"kubectl delete pod web-2"}},
		{reasons.Way{Commands: []string{"one", "two"}}, []string{"one", "two"}},
		{reasons.Way{Commands: []string{"kubectl taint nodes a key=value:NoExecute"}}, []string{elsewhere}},
		{reasons.Way{Commands: []string{"kubectl delete pvc data-0"}, Danger: "the data is lost"}, []string{elsewhere}},
	} {
		run := stuckRun()
		run.Cures = []Cure{{Way: c.way}}
		var out bytes.Buffer
		require.NoError(t, Gantt(&out, run))
		_, fix, _ := strings.Cut(out.String(), "    section fix\n")
		want := ""
		for _, text := range c.want {
			want += "    " + text + " :milestone, 2001-01-01T00:00:09.000, 0s\n"
		}
		require.Equal(t, want, fix)
	}
}

// TestGanttAxis: what the axis of a gantt shows of an instant depends on how long the run is.
func TestGanttAxis(t *testing.T) {
	for end, want := range map[time.Duration]string{
		time.Hour - 1: "%M:%S", time.Hour: "%H:%M", 24*time.Hour - 1: "%H:%M", 24 * time.Hour: "day %j %H:%M",
	} {
		require.Equal(t, want, (&gantt{end: model.Time(end)}).axis())
	}
}
