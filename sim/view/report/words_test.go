package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

func TestClock(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s": 0, "0.2s": 200 * time.Millisecond, "12.5s": 12500 * time.Millisecond, "59.999999999s": time.Minute - 1,
		"1m00s": time.Minute, "1m03s": 63 * time.Second, "1m03.25s": 63250 * time.Millisecond,
		"10m59s":   659 * time.Second,
		"1h00m00s": time.Hour, "26h01m10.5s": 26*time.Hour + 70500*time.Millisecond, "-1m00s": -time.Minute,
	} {
		require.Equal(t, want, render.Clock(d))
	}
}

// TestNodesOfADump: a run that begins with a dump tells of the nodes that are not simply Ready.
func TestNodesOfADump(t *testing.T) {
	var events []timeline.Event
	for name, cordoned := range map[string]bool{"node-1": false, "node-2": true} {
		events = append(events, timeline.Entry{Kind: timeline.KindNode, Actor: timeline.Dump, Node: name,
			NodeState: &timeline.Node{Up: true, Ready: true, Cordoned: cordoned}}.Event())
	}
	var out bytes.Buffer
	NewLive(&out, render.Style{}).Write(events)
	require.Equal(t, "0s dump node-2: Ready,SchedulingDisabled", strings.Join(strings.Fields(out.String()), " "))
}

// TestCompare: the differences, read by their marks, give both lists back, and equal lists have none.
func TestCompare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lists := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 12)
		expected, got := lists.Draw(t, "expected"), lists.Draw(t, "got")
		var back, forth []string
		for _, d := range Align(expected, got) {
			if d.Mark != '+' {
				back = append(back, d.Text)
			}
			if d.Mark != '-' {
				forth = append(forth, d.Text)
			}
		}
		if !slices.Equal(back, expected) || !slices.Equal(forth, got) {
			t.Fatalf("%q and %q became %q and %q", expected, got, back, forth)
		}
		for _, d := range Align(got, got) {
			if d.Mark != ' ' {
				t.Fatalf("%q differs from itself", got)
			}
		}
	})
}

func TestCompareLongLists(t *testing.T) {
	long := make([]string, maxCompared+1)
	differences := Align(append([]string{"same", "old"}, long...), append([]string{"same", "new"}, long...))
	require.Equal(t, []Aligned{{' ', "same"}, {'-', "old"}, {'+', "new"}}, differences[:3])
}

func sampleTests() []Test {
	ok := NewTest(canaryRun(), true)
	ok.File = "scenarios/update/canary.yaml"
	ok.Version = "1.37"
	ok.Warnings = []string{"step 3 was not played: the run ended before"}
	stuck := NewTest(stuckRun(), false)
	stuck.File = "scenarios/stuck.yaml"
	broken := Test{File: "scenarios/update/broken.yaml",
		Problem: "scenarios/update/broken.yaml:3:5: unknown key \"step\": did you mean steps?"}
	return []Test{ok, stuck, broken}
}

func TestTestReport(t *testing.T) {
	var out bytes.Buffer
	tests := Tests{Out: &out, FileWidth: 28}
	for _, test := range sampleTests() {
		require.NoError(t, tests.Add(&test))
	}
	require.NoError(t, tests.Total(0))
	require.True(t, strings.HasSuffix(out.String(), "\n1 passed, 2 failed\n"))
	golden(t, "tests.text", out.Bytes())
}

func TestJUnit(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, JUnit(&out, sampleTests()))
	golden(t, "tests.junit.xml", out.Bytes())
	require.NoError(t, xml.Unmarshal(out.Bytes(), new(junitSuites)))
}

// TestJSONIsOneDocument reads the document as any other tool would.
func TestJSONIsOneDocument(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, JSON(&out, stuckRun()))
	var doc struct {
		FormatVersion  int
		Header, Result map[string]any
		Events         []map[string]any
		Expectations   []struct{ Verdict string }
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &doc))
	require.Equal(t, "run", doc.Header["event"])
	require.Equal(t, "stuck", doc.Result["verdict"])
	require.Len(t, doc.Events, len(stuckRun().Events)-2)
	require.Equal(t, "failed", doc.Expectations[0].Verdict)
}

// TestCutOff: a timeline that ends anywhere is still reported.
func TestCutOff(t *testing.T) {
	for _, run := range []*Run{canaryRun(), stuckRun(), livelockRun()} {
		for n := range len(run.Events) {
			cut := *run
			cut.Events = run.Events[:n]
			var text bytes.Buffer
			require.NoError(t, Text(&text, &cut, render.Style{}))
			require.Contains(t, text.String(), "without a result")
			require.NoError(t, Table(io.Discard, &cut, render.Style{}))
			require.NoError(t, Watch(io.Discard, &cut))
			require.NoError(t, Markdown(io.Discard, &cut))
			var document bytes.Buffer
			require.NoError(t, JSON(&document, &cut))
			require.True(t, json.Valid(document.Bytes()), document.String())
		}
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrorsAreTold(t *testing.T) {
	run := canaryRun()
	require.ErrorIs(t, Text(brokenWriter{}, run, render.Style{}), errBroken)
	require.ErrorIs(t, Table(brokenWriter{}, run, render.Style{}), errBroken)
	require.ErrorIs(t, JSON(brokenWriter{}, run), errBroken)
	require.ErrorIs(t, JSONLines(brokenWriter{}, run), errBroken)
	require.ErrorIs(t, Watch(brokenWriter{}, run), errBroken)
	require.ErrorIs(t, Markdown(brokenWriter{}, run), errBroken)
	require.ErrorIs(t, JUnit(brokenWriter{}, nil), errBroken)
	tests := Tests{Out: brokenWriter{}}
	require.ErrorIs(t, tests.Add(&Test{}), errBroken)
	require.ErrorIs(t, tests.Total(0), errBroken)
}

// TestManyPodsShareRows: a table stays a summary for a thousand replicas.
func TestManyPodsShareRows(t *testing.T) {
	f := newFilm(1000)
	f.step(timeline.Step{Verb: "create", Effect: timeline.Created, Sets: f.change(func(*model.StatefulSet) {})})
	for i := range 1000 {
		f.to(float64(i))
		f.create(f.set.PodName(i))
		f.kubelet(f.set.PodName(i), timeline.Running, timeline.Ready)
	}
	f.result(timeline.Result{Verdict: timeline.Settled})
	var out bytes.Buffer
	require.NoError(t, Table(&out, &Run{Events: f.events}, render.Style{}))
	require.Contains(t, out.String(), "web-0 to web-999 (1000)")
	require.Contains(t, out.String(), "0s to 16m39s")
	require.Less(t, strings.Count(out.String(), "\n"), 30)
}
