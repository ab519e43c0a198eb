package html

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// roll is a set that is created in order and rolled from the top, as long as it has pods; every pod takes a second for
// each of its states.
type roll struct {
	key    model.Key
	now    model.Time
	events []timeline.Event
}

func madeOf(n int) *model.Template {
	return &model.Template{ID: n, Containers: []model.Container{{Name: "app", Image: fmt.Sprintf("app:v%d", n)}}}
}

func (r *roll) add(e timeline.Event) {
	e.T, e.Set = r.now, r.key
	r.events = append(r.events, e)
}

func (r *roll) step(number, replicas int) {
	set := &model.StatefulSet{Meta: model.Meta{Namespace: r.key.Namespace, Name: r.key.Name},
		Spec: model.Spec{Replicas: int32(replicas), Template: madeOf(number)}}
	does := fmt.Sprintf("set image of web to app:v%d", number)
	r.add(timeline.Entry{Kind: timeline.KindStep, Actor: timeline.User, Step: &timeline.Step{Number: number, Does: does,
		Verb: "setImage", Effect: timeline.Configured, Sets: []*model.StatefulSet{set}}}.Event())
}

func (r *roll) pod(actor timeline.Actor, pod string, of int, state timeline.State, code model.Code) {
	r.add(timeline.Entry{Kind: timeline.KindPod, Actor: actor, Pod: pod, State: state, Template: of, Revision: int64(of),
		Image: madeOf(of).Image(), Why: model.Why{Code: code, Object: pod}}.Event())
}

func (r *roll) life(pod string, of int) {
	r.pod(timeline.Controller, pod, of, timeline.Pending, model.CodeCreate)
	why := model.Why{Code: model.WaitingForReady, Object: pod, Rule: model.RuleOrderedReplicas}
	since := r.now
	r.add(timeline.Entry{Kind: timeline.KindWait, Actor: timeline.Controller, Pod: pod, Why: why,
		Wait: &timeline.Wait{Since: since}}.Event())
	for _, state := range []timeline.State{timeline.Running, timeline.Ready} {
		r.now = r.now.Add(time.Second)
		r.pod(timeline.Kubelet, pod, of, state, "")
	}
	r.add(timeline.Entry{Kind: timeline.KindWait, Actor: timeline.Controller, Pod: pod, Why: why,
		Wait: &timeline.Wait{Since: since, Ended: true}}.Event())
}

// waits begins or ends a wait for a pod, by a rule.
func (r *roll) waits(pod string, rule model.Rule, ended bool) {
	r.add(timeline.Entry{Kind: timeline.KindWait, Actor: timeline.Controller, Pod: pod,
		Why:  model.Why{Code: model.WaitingForReady, Object: pod, Rule: rule},
		Wait: &timeline.Wait{Since: r.now, Ended: ended}}.Event())
}

// TestWaitsByRule holds that two waits for one pod, by two rules, are two bars, each as long as its wait.
func TestWaitsByRule(t *testing.T) {
	r := &roll{key: model.Key{Namespace: "default", Name: "web"}}
	r.step(1, 1)
	const ordered, parallel = model.RuleOrderedReplicas, model.RuleParallel
	for _, act := range []func(){
		func() { r.waits("web-0", ordered, false) }, func() { r.waits("web-0", parallel, false) },
		func() { r.waits("web-0", ordered, true) }, func() { r.waits("web-0", parallel, true) },
	} {
		r.now = r.now.Add(time.Second)
		act()
	}
	waits := gather([]*report.Run{{Events: r.events}}).Runs[0].Sets[0].Waits
	require.Equal(t, [][]int{{1, 3}, {2, 4}}, [][]int{waits[:2], waits[waitWidth : waitWidth+2]})
}

// rolled plays creation and the given number of rollouts.
func rolled(pods, rollouts int) *report.Run {
	r := &roll{key: model.Key{Namespace: "default", Name: "web"}}
	r.events = append(r.events, timeline.Entry{Kind: timeline.KindRun, Run: &timeline.Run{Kubernetes: "1.37", Sim: "0"}}.Event())
	r.step(1, pods)
	for i := range pods {
		r.life(fmt.Sprintf("web-%d", i), 1)
	}
	for of := 2; of <= rollouts+1; of++ {
		r.step(of, pods)
		for i := pods - 1; i >= 0; i-- {
			name := fmt.Sprintf("web-%d", i)
			r.pod(timeline.Controller, name, of-1, timeline.Terminating, model.CodeUpdateRevision)
			r.now = r.now.Add(time.Second)
			r.pod(timeline.Kubelet, name, of-1, timeline.Gone, "")
			r.life(name, of)
		}
	}
	r.events = append(r.events, timeline.Entry{T: r.now, Kind: timeline.KindResult,
		Result: &timeline.Result{Verdict: timeline.Settled}}.Event())
	return &report.Run{Name: "rolled", File: "rolled.yaml", Events: r.events}
}

const evil = `</script><img src=x onerror=alert(1)>`

// hostile is a run in which every text that a user can give tries to get out of its place.
func hostile() *report.Run {
	run := rolled(2, 1)
	run.Name, run.Description, run.File, run.Repeat, run.Complaint = evil, evil, evil, evil, evil
	for i := range run.Events {
		if step := run.Events[i].Step; step != nil {
			step.Does, step.Name = evil, evil+"\u2028"
		}
		run.Events[i].Image = evil
	}
	run.Expectations = []report.Expectation{
		{Verdict: report.Failed, Text: evil, Position: evil, Detail: evil, Expected: []string{evil},
			Around: []string{evil}, Instants: []model.Time{2e9}},
		{Verdict: report.Held, Text: "never: web-0@3 *"},
	}
	return run
}

func write(t *testing.T, runs ...*report.Run) string {
	t.Helper()
	var out, again bytes.Buffer
	require.NoError(t, Write(&out, runs...))
	require.NoError(t, Write(&again, runs...))
	require.Equal(t, out.String(), again.String(), "two pages of one run differ")
	return out.String()
}

// TestPageIsAlone holds that the page asks for nothing: it has no address but fragments of its own and empty data.
func TestPageIsAlone(t *testing.T) {
	text := write(t, rolled(3, 1), hostile())
	address := regexp.MustCompile(`(?i)\b(?:href|src|srcset|action|data|poster)\s*=\s*"([^"]*)"`)
	markup, _, found := strings.Cut(text, `<script id="data"`)
	require.True(t, found)
	for _, match := range address.FindAllStringSubmatch(markup, -1) {
		require.Regexp(t, `^(#|data:,$)`, match[1])
	}
	for _, banned := range []string{"http://", "https://", "//cdn", "@import", "url(", "fetch(", "XMLHttp", "import("} {
		require.NotContains(t, strings.ReplaceAll(text, "url(#", ""), banned)
	}
	require.Contains(t, text, `content="default-src &#39;none&#39;;`)
}

// TestPageEscapes holds that no text of a user becomes markup, and that the data is the JSON that was meant.
func TestPageHasItsScriptAndItsStyle(t *testing.T) {
	page := write(t, rolled(3, 1))
	require.Contains(t, page, "<style>"+string(style())+"</style>")
	require.Contains(t, page, "<script>"+string(script())+"</script>")
}

func TestPageEscapes(t *testing.T) {
	text := write(t, hostile())
	require.NotContains(t, text, "<img")
	require.Equal(t, 3, strings.Count(text, "</script>"), "the page has its script, its data and a timeline, and nothing else ends one")
	require.NotContains(t, text, "\u2028")
	require.Equal(t, evil, dataOf(t, text).Runs[0].Name)
}

func dataOf(t *testing.T, text string) pageData {
	t.Helper()
	_, text, _ = strings.Cut(text, `<script id="data" type="application/json">`)
	text, _, _ = strings.Cut(text, `</script>`)
	var p pageData
	require.NoError(t, json.Unmarshal([]byte(text), &p))
	return p
}

// TestData holds what the lanes are drawn from.
func TestData(t *testing.T) {
	p := gather([]*report.Run{rolled(1, 1)})
	run := p.Runs[0]
	require.Equal(t, "settled", run.Verdict)
	require.Equal(t, json.Number("5"), run.End)
	require.Equal(t, []json.Number{"0", "1", "2", "2", "3", "4", "5"}, run.Times,
		"a step begins a stop of its own, and an instant has one besides")
	require.Equal(t, []int{0, 3}, []int{run.Steps[0].Stop, run.Steps[1].Stop})
	set := run.Sets[0]
	require.Equal(t, map[int]string{1: "app:v1", 2: "app:v2"}, set.Images)
	var told []string
	bars := set.Pods[0].Bars
	for ; len(bars) > 0; bars = bars[barWidth:] {
		told = append(told, fmt.Sprintf("%d: @%d %s %s %s born %d by %s ×%d", bars[0], bars[2], p.States[bars[1]],
			p.Words[bars[3]], p.Words[bars[4]], bars[5], p.Actors[bars[7]], bars[8]))
	}
	require.Equal(t, []string{
		"0: @1 Pending 0/1 Pending born 0 by controller ×1",
		"1: @1 Running 0/1 Running born 0 by kubelet ×1",
		"2: @1 Ready 1/1 Running born 0 by kubelet ×1",
		"3: @1 Terminating 1/1 Terminating born 0 by controller ×1",
		"4: @2 Pending 0/1 Pending born 4 by controller ×2",
		"5: @2 Running 0/1 Running born 4 by kubelet ×1",
		"6: @2 Ready 1/1 Running born 4 by kubelet ×1",
	}, told)
	require.Equal(t, []int{0, 2}, set.Waits[:2], "the first wait, from stop to stop")
	require.Equal(t, "until web-0 is Ready", p.Words[set.Waits[2]])
	require.Equal(t, []int{0, 1, 0, 0, 0, 0, 0}, set.Counts[:7])
}

// TestLinks holds that a failed expectation leads to where it failed, and one that was waited for in vain to the end.
func TestLinks(t *testing.T) {
	run := rolled(1, 1)
	times := stopTimes(run)
	at := func(v report.Verdict, instants ...model.Time) []link {
		return links(0, &report.Expectation{Verdict: v, Instants: instants}, times)
	}
	require.Equal(t, []link{{"#run=1&tick=4", "2s"}, {"#run=1&tick=6", "4.5s"}}, at(report.Failed, 2e9, 45e8))
	require.Empty(t, at(report.Failed), "what never happened failed at no instant")
	require.Empty(t, at(report.Held))
}

// TestOddRuns holds that a timeline that was cut off anywhere, or has nothing in it, is still a page.
func TestOddRuns(t *testing.T) {
	whole := rolled(2, 1)
	for n := range len(whole.Events) {
		require.NotEmpty(t, write(t, &report.Run{Name: "cut off", Events: whole.Events[:n]}))
	}
	require.Error(t, Write(&bytes.Buffer{}))
}

// TestCompareNames holds that files of one folder are called by their names alone, where these differ.
func TestCompareNames(t *testing.T) {
	of := func(names ...string) string {
		c := &report.Comparison{Name: "x", Partings: []report.Parting{{Names: [2]string{names[0], names[1]}}}}
		for _, name := range names {
			c.Versions = append(c.Versions, report.VersionRun{Version: name})
		}
		as := shortened(c)
		require.Equal(t, names[0], c.Versions[0].Version, "the comparison itself stays as it was")
		require.Equal(t, as.Versions[0].Version, as.Partings[0].Names[0])
		return as.Versions[0].Version + " " + as.Versions[1].Version
	}
	require.Equal(t, "fast slow", of("scenarios/x/fast.yaml", "scenarios/x/slow.yaml"))
	require.Equal(t, "a/fast.yaml b/fast.yaml", of("a/fast.yaml", "b/fast.yaml"))
	require.Equal(t, "a/x.yaml a/x.json", of("a/x.yaml", "a/x.json"))
	require.Equal(t, "1.34 1.37", of("1.34", "1.37"))
}

// TestNoLineOfThePageIsACommand: a line that begins with :: would be taken for a command in the log of a workflow, so
// that what guards the output changes it, and the style sheet no longer has the hash that the page allows.
func TestNoLineOfThePageIsACommand(t *testing.T) {
	for line := range strings.Lines(string(style())) {
		require.NotRegexp(t, `^\s*(::|##\[)`, line)
	}
}
