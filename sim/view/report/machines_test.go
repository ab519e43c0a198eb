package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestMachineGolden compares the formats that programs draw with their golden files.
func TestMachineGolden(t *testing.T) {
	runs := []struct {
		name string
		run  *Run
	}{{"canary", canaryRun()}, {"stuck", stuckRun()}, {"livelock", livelockRun()},
		{"nodes", nodesRun()}, {"rare", rareRun()}}
	for _, r := range runs {
		t.Run(r.name, func(t *testing.T) {
			var trace, again, gantt, marks bytes.Buffer
			require.NoError(t, Trace(&trace, r.run))
			require.NoError(t, Trace(&again, r.run))
			require.Equal(t, trace.String(), again.String(), "two traces of one run differ")
			golden(t, r.name+".trace", trace.Bytes())
			require.NoError(t, Gantt(&gantt, r.run))
			golden(t, r.name+".gantt", gantt.Bytes())
			require.NoError(t, Annotations(&marks, []Test{NewTest(r.run, false)}))
			golden(t, r.name+".annotations", marks.Bytes())
		})
	}
}

// span is what the test of the trace reads of it.
type span struct {
	Name, Ph, ID string
	TS, Dur      float64
	PID, TID     int
}

func spans(t *testing.T, runs ...*Run) []span {
	var out bytes.Buffer
	require.NoError(t, Trace(&out, runs...))
	var doc struct{ TraceEvents []span }
	require.NoError(t, json.Unmarshal(out.Bytes(), &doc))
	return doc.TraceEvents
}

// TestTraceNests holds what a viewer relies on: the spans of a thread lie in one another or apart, each arrow has two
// ends, each wait that begins ends, and two runs share no process.
func TestTraceNests(t *testing.T) {
	all := spans(t, canaryRun(), stuckRun(), livelockRun(), nodesRun())
	ends := map[string]int{}
	processes := map[int]bool{}
	for i, a := range all {
		if a.Ph == "M" && a.Name == "process_name" {
			require.False(t, processes[a.PID], "process %d twice", a.PID)
			processes[a.PID] = true
		}
		require.True(t, processes[a.PID], "%v comes before its process", a)
		switch a.Ph {
		case "s", "b":
			ends[a.Ph+a.ID]++
		case "f":
			ends["s"+a.ID]--
		case "e":
			ends["b"+a.ID]--
		}
		for _, b := range all[i+1:] {
			if a.Ph != "X" || b.Ph != "X" || a.PID != b.PID || a.TID != b.TID {
				continue
			}
			apart := a.TS+a.Dur <= b.TS || b.TS+b.Dur <= a.TS
			within := a.TS >= b.TS && a.TS+a.Dur <= b.TS+b.Dur || b.TS >= a.TS && b.TS+b.Dur <= a.TS+a.Dur
			require.True(t, apart || within, "%v and %v overlap", a, b)
		}
	}
	require.NotEmpty(t, ends, "no arrow and no wait")
	for id, left := range ends {
		require.Zero(t, left, id)
	}
}

func TestTraceKeepsNanoseconds(t *testing.T) {
	require.Equal(t, json.Number("1500.001"), microseconds(1_500_001))
	require.Equal(t, json.Number("0"), microseconds(0))
	require.Equal(t, json.Number("3600000000"), microseconds(3600e9))
}

func TestGanttOfTooMany(t *testing.T) {
	f := newFilm(maxGanttPods + 1)
	for i := range maxGanttPods + 1 {
		f.create(fmt.Sprintf("web-%d", i))
	}
	var out bytes.Buffer
	require.NoError(t, Gantt(&out, &Run{Name: "many", Events: f.events}))
	require.Contains(t, out.String(), "16 pods are more than a gantt chart can show, which is 15")
	require.NotContains(t, out.String(), "web-3")
}

func TestGanttText(t *testing.T) {
	require.Equal(t, "app\u2236v1 \uff031, \uff05\uff05 a", mermaid("app:v1 #1; %% a"))
	require.Equal(t, "2001-01-01T00:01:30.250", instant(model.Time(90_250e6)))
}

func TestAnnotationsEscape(t *testing.T) {
	tests := []Test{
		{Name: "fine", File: "fine.yaml", Passed: true},
		{Name: "x", File: "a,b.yaml", Problem: "a,b.yaml:3:7: 100% wrong\nc:d.yaml:9: other"},
		{Name: "quiet: end", File: "quiet.yaml", Run: &Run{Complaint: "it did not settle", Events: []timeline.Event{
			timeline.Entry{Kind: timeline.KindResult, Reason: "Limit", Result: &timeline.Result{Verdict: timeline.Limit}}.Event()}}},
	}
	var out bytes.Buffer
	require.NoError(t, Annotations(&out, tests))
	require.Equal(t, "::error file=a%2Cb.yaml,line=3,col=7,title=sim cannot play a%2Cb.yaml::100%25 wrong\n"+
		"::error file=c%3Ad.yaml,line=9,title=sim cannot play a%2Cb.yaml::other\n"+
		"::error file=quiet.yaml,title=quiet%3A end::LIMIT at 0s: Limit%0Ait did not settle\n",
		out.String())
}

// TestStops holds that the stops of a run have all its events, each once, and every line of the story.
func TestStops(t *testing.T) {
	for _, run := range []*Run{canaryRun(), stuckRun(), livelockRun()} {
		var events []timeline.Event
		for stop := range Stops(run) {
			require.NotEmpty(t, stop.Events)
			for i := range stop.Events {
				require.Equal(t, stop.T, stop.Events[i].T)
				require.True(t, i == 0 || stop.Events[i].Kind != timeline.KindStep, "a stop goes on after a step began")
			}
			events = append(events, stop.Events...)
		}
		require.Equal(t, run.Events[1:len(run.Events)-1], events)
	}
}

// TestKubectlAgrees holds the rows against what -o watch prints.
func TestKubectlAgrees(t *testing.T) {
	for _, run := range []*Run{canaryRun(), stuckRun(), livelockRun(), nodesRun()} {
		var want bytes.Buffer
		require.NoError(t, Watch(&want, run))
		lines := bytes.Split(want.Bytes(), []byte("\n"))[1:]
		k := NewKubectl()
		for i := range run.Events {
			row, ok := k.See(&run.Events[i])
			if !ok {
				continue
			}
			require.Contains(t, string(lines[0]), row.Ready)
			require.Contains(t, string(lines[0]), row.Status)
			require.Contains(t, string(lines[0]), duration.HumanDuration(run.Events[i].T.Sub(row.Created)))
			lines = lines[1:]
		}
	}
}
