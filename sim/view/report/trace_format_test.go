package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
)

// rawSpan is an event of a trace with the keys that the format knows, and no others.
type rawSpan struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat"`
	Phase string         `json:"ph"`
	TS    *json.Number   `json:"ts"`
	Dur   *json.Number   `json:"dur"`
	PID   *int           `json:"pid"`
	TID   *int           `json:"tid"`
	ID    string         `json:"id"`
	Bind  string         `json:"bp"`
	Scope string         `json:"s"`
	Args  map[string]any `json:"args"`
}

func (e *rawSpan) at() float64  { f, _ := e.TS.Float64(); return f }
func (e *rawSpan) end() float64 { f, _ := e.Dur.Float64(); return e.at() + f }

// TestTraceWaits: two waits for one pod, by two rules, are two spans, each as long as its wait.
func TestTraceWaits(t *testing.T) {
	f := twoPods()
	burst := model.Why{Code: model.WaitingForReady, Object: "web-1", Rule: model.RuleParallel}
	f.wait(forReady("web-1"))
	f.to(20)
	f.wait(burst)
	f.to(21)
	f.waited(7, forReady("web-1"))
	f.to(23)
	f.waited(20, burst)
	var out bytes.Buffer
	require.NoError(t, Trace(&out, &Run{Events: f.events}))
	var document struct {
		Events []*rawSpan `json:"traceEvents"`
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &document))
	begun, lasted := map[string]float64{}, []float64{}
	for _, e := range document.Events {
		switch {
		case e.Cat == "wait" && e.Phase == "b":
			begun[e.ID] = e.at()
		case e.Cat == "wait" && e.Phase == "e":
			lasted = append(lasted, (e.at()-begun[e.ID])/1e6)
		}
	}
	require.Equal(t, []float64{14, 3}, lasted[len(lasted)-2:])
}

// TestTraceFormat holds traces against the rules of the Trace Event Format, which is all that can be known of a viewer
// without one: which phases there are, what each must and must not have, and what belongs together.
func TestTraceFormat(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Trace(&out, canaryRun(), stuckRun(), livelockRun(), nodesRun()))
	var document struct {
		Unit   string     `json:"displayTimeUnit"`
		Events []*rawSpan `json:"traceEvents"`
	}
	decoder := json.NewDecoder(&out)
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&document))
	require.Equal(t, "ms", document.Unit)
	named := map[string]bool{}
	phases := map[string]int{}
	for _, e := range document.Events {
		phases[e.Phase]++
		about := fmt.Sprintf("%+v", *e)
		require.True(t, e.Name != "" && e.TS != nil && e.PID != nil && e.TID != nil, about)
		require.GreaterOrEqual(t, e.at(), 0.0, about)
		require.Equal(t, e.Phase == "X", e.Dur != nil, about)
		require.Equal(t, e.Phase == "i", e.Scope == "g", about)
		require.Equal(t, e.Phase == "f", e.Bind == "e", about)
		require.Equal(t, e.Phase == "b" || e.Phase == "e" || e.Phase == "s" || e.Phase == "f", e.ID != "", about)
		switch e.Phase {
		case "M":
			metadata(t, e, named)
		case "C":
			counter(t, e)
		case "X":
			require.GreaterOrEqual(t, e.end(), e.at(), about)
			require.True(t, named[fmt.Sprint("thread ", *e.PID, " ", *e.TID)], "the thread has no name: %s", about)
		default:
			require.NotEmpty(t, e.Cat, "what is joined by its id is joined by its category too: %s", about)
		}
	}
	for _, phase := range []string{"M", "X", "i", "C", "b", "e", "s", "f"} {
		require.NotZero(t, phases[phase], phase)
		delete(phases, phase)
	}
	require.Empty(t, phases, "the other phases are not written")
	joined(t, document.Events)
	nested(t, document.Events)
}

// nested holds that the slices of a thread lie in one another or beside each other, and never across: a viewer lays them
// out by their beginnings, the longer one first.
func nested(t *testing.T, events []*rawSpan) {
	t.Helper()
	threads := map[string][]*rawSpan{}
	for _, e := range events {
		if e.Phase == "X" {
			thread := fmt.Sprint(*e.PID, " ", *e.TID)
			threads[thread] = append(threads[thread], e)
		}
	}
	for thread, slices := range threads {
		sort.SliceStable(slices, func(i, j int) bool {
			a, b := slices[i], slices[j]
			return a.at() < b.at() || a.at() == b.at() && a.end() > b.end()
		})
		var open []*rawSpan
		for _, e := range slices {
			for len(open) > 0 && open[len(open)-1].end() <= e.at() {
				open = open[:len(open)-1]
			}
			if len(open) > 0 {
				require.LessOrEqual(t, e.end(), open[len(open)-1].end(), "on %s %s ends after what it lies in", thread, e.Name)
			}
			open = append(open, e)
		}
	}
}

// metadata names a process or a thread, or says where it stands.
func metadata(t *testing.T, e *rawSpan, named map[string]bool) {
	t.Helper()
	require.Len(t, e.Args, 1)
	switch e.Name {
	case "process_name", "thread_name":
		require.NotEmpty(t, e.Args["name"])
		require.IsType(t, "", e.Args["name"])
		named[fmt.Sprint(e.Name[:len(e.Name)-len("_name")], " ", *e.PID, " ", *e.TID)] = true
	case "process_sort_index", "thread_sort_index":
		require.IsType(t, 0.0, e.Args["sort_index"])
	default:
		t.Errorf("there is no metadata %s", e.Name)
	}
}

// counter has a number for each of its series.
func counter(t *testing.T, e *rawSpan) {
	t.Helper()
	require.NotEmpty(t, e.Args)
	for series, value := range e.Args {
		require.IsType(t, 0.0, value, series)
	}
}

// joined holds that each asynchronous span ends under its own name and not before it begins, and that each arrow leads
// forward, from a slice to a slice.
func joined(t *testing.T, events []*rawSpan) {
	t.Helper()
	open := map[string]*rawSpan{}
	inSlice := func(e *rawSpan) bool {
		for _, x := range events {
			if x.Phase == "X" && *x.PID == *e.PID && *x.TID == *e.TID && x.at() <= e.at() && e.at() <= x.end() {
				return true
			}
		}
		return false
	}
	for _, e := range events {
		pairs := map[string]string{"e": "b", "f": "s"}
		switch e.Phase {
		case "b", "s":
			require.Nil(t, open[e.Phase+e.ID], "the id %s is used twice", e.ID)
			open[e.Phase+e.ID] = e
		case "e", "f":
			begin := open[pairs[e.Phase]+e.ID]
			require.NotNil(t, begin, "%s ends and never began", e.ID)
			require.Equal(t, []string{begin.Name, begin.Cat}, []string{e.Name, e.Cat})
			require.GreaterOrEqual(t, e.at(), begin.at())
			if e.Phase == "f" {
				require.True(t, inSlice(begin) && inSlice(e), "the arrow %s has an end in no slice", e.ID)
			}
			delete(open, pairs[e.Phase]+e.ID)
		}
	}
	require.Empty(t, open, "what begins ends")
}
