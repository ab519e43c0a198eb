package worlds_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// chart is what a chart shows of pods: the bars of each name, in their order.
type chart struct {
	name string
	bars map[model.Key][]bar
	// grain is how exact its instants are.
	grain model.Time
}

// bar is a state of a pod. Several states may be drawn in the same way.
type bar struct {
	from, to model.Time
	state    []string
}

// require holds the chart to a pod that is in one state from one instant to another: one bar says so, all the time.
func (c *chart) require(t require.TestingT, p *seen, from, to model.Time) {
	if c.bars == nil || from == to {
		return
	}
	from, to = from-from%c.grain, to-to%c.grain
	for _, b := range c.bars[p.key] {
		if b.from <= from && b.to >= to && slices.ContainsFunc(p.states(), func(s string) bool { return slices.Contains(b.state, s) }) {
			return
		}
	}
	require.Fail(t, "a chart does not show a pod as it was", "%s: %s is %s from %s to %s, and not in %+v",
		c.name, p.key, p.states(), time.Duration(from), time.Duration(to), c.bars[p.key])
}

// readTrace reads the states of the pods from a trace.
func readTrace(t require.TestingT, run *report.Run) *chart {
	var b bytes.Buffer
	require.NoError(t, report.Trace(&b, run))
	var trace struct {
		TraceEvents []struct {
			Name, Cat, Ph string
			TS, Dur       json.Number
			PID, TID      int
			Args          map[string]any
		}
	}
	decoder := json.NewDecoder(&b)
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&trace))
	processes, threads := map[int]string{}, map[[2]int]string{}
	c := &chart{name: "trace", bars: map[model.Key][]bar{}, grain: 1}
	for _, e := range trace.TraceEvents {
		switch {
		case e.Name == "process_name":
			processes[e.PID] = fmt.Sprint(e.Args["name"])
		case e.Name == "thread_name":
			threads[[2]int{e.PID, e.TID}] = fmt.Sprint(e.Args["name"])
		case e.Cat == "state":
			key := podKey(processes[e.PID], threads[[2]int{e.PID, e.TID}], run)
			from := nanoseconds(t, e.TS)
			c.bars[key] = append(c.bars[key], bar{from, from + nanoseconds(t, e.Dur), []string{e.Name}})
		}
	}
	return c
}

// podKey is the key of a pod of a set that is named with its namespace, or without it where there is only one.
func podKey(set, pod string, run *report.Run) model.Key {
	namespace, _, several := strings.Cut(set, "/")
	if several {
		return model.Key{Namespace: namespace, Name: pod}
	}
	for i := range run.Events {
		if key := run.Events[i].Set; key.Name != "" || run.Events[i].Kind == timeline.KindPod {
			return model.Key{Namespace: key.Namespace, Name: pod}
		}
	}
	return model.Key{Namespace: "default", Name: pod}
}

// nanoseconds reads a number of microseconds with up to three digits behind the point.
func nanoseconds(t require.TestingT, of json.Number) model.Time {
	if of == "" {
		return 0
	}
	exact, is := new(big.Rat).SetString(string(of))
	require.True(t, is, of)
	exact.Mul(exact, big.NewRat(1000, 1))
	require.True(t, exact.IsInt(), of)
	return model.Time(exact.Num().Int64())
}

// readGantt reads the states of the pods from a gantt chart, by their colours; the lanes of waits are no pods.
// It has no bars where it shows too many pods.
func readGantt(t require.TestingT, run *report.Run) *chart {
	var b bytes.Buffer
	require.NoError(t, report.Gantt(&b, run))
	c := &chart{name: "gantt", bars: map[model.Key][]bar{}, grain: model.Time(time.Millisecond)}
	if strings.Contains(b.String(), "more than a gantt chart can show") {
		c.bars = nil
		return c
	}
	var pod model.Key
	waits := false
	for line := range strings.Lines(b.String()) {
		line = strings.TrimSpace(line)
		if section, is := strings.CutPrefix(line, "section "); is {
			set, name, several := strings.Cut(section, "/")
			if !several {
				name, set = set, ""
			} else {
				set += "/"
			}
			pod = podKey(set, name, run)
			waits = strings.HasPrefix(section, "waits")
			continue
		}
		label, rest, is := strings.Cut(line, " :")
		if !is || waits || strings.Contains(rest, "milestone") {
			continue
		}
		fields := strings.Split(rest, ", ")
		n := len(fields)
		require.GreaterOrEqual(t, n, 2, line)
		drawn := bar{ganttInstant(t, fields[n-2]), ganttInstant(t, fields[n-1]), coloured(fields[:n-2])}
		if _, state, named := strings.Cut(label, " "); named {
			require.Contains(t, append(drawn.state, everyState...), state, line)
			drawn.state = []string{state}
		}
		c.bars[pod] = append(c.bars[pod], drawn)
	}
	return c
}

var everyState = []string{"Pending", "Running", "Ready", "Unready", "Failed", "Succeeded", "Terminating"}

// coloured says what states the tags of a bar stand for. What a set is stuck on is red, whatever its state.
func coloured(tags []string) []string {
	switch strings.Join(tags, ", ") {
	case "done":
		return []string{"Pending"}
	case "active":
		return []string{"Running"}
	case "crit, done":
		return []string{"Terminating"}
	case "":
		return []string{"Ready", "Succeeded"}
	}
	return everyState
}

func ganttInstant(t require.TestingT, text string) model.Time {
	at, err := time.Parse("2006-01-02T15:04:05.000", text)
	require.NoError(t, err)
	return model.Time(at.AddDate(-31, 0, 0).UnixNano())
}

// requireWatch holds the last line of each pod in kubectl's table to the pod as it is at the end.
func requireWatch(t require.TestingT, run *report.Run, end podSight) {
	var b bytes.Buffer
	require.NoError(t, report.Watch(&b, run))
	lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	spaces := strings.HasPrefix(lines[0], "NAMESPACE")
	last := map[model.Key][]string{}
	for _, line := range lines[1:] {
		cells := strings.Fields(line)
		if !spaces {
			cells = append([]string{podKey("", "", run).Namespace}, cells...)
		}
		last[model.Key{Namespace: cells[0], Name: cells[1]}] = cells
	}
	for _, p := range end.pods {
		cells := last[p.key]
		require.NotEmpty(t, cells, "kubectl shows no %s", p.key)
		n := len(cells)
		require.Equal(t, strconv.Itoa(p.containers.Restarts), cells[n-2], "the restarts of %s: %q", p.key, cells)
		ready, all, _ := strings.Cut(cells[2], "/")
		switch {
		case p.many && !p.terminating:
			require.Equal(t, fmt.Sprintf("%d/%d", p.containers.Ready, p.containers.All), cells[2], "%s: %q", p.key, cells)
		case p.ready:
			require.Equal(t, all, ready, "%s is Ready: %q", p.key, cells)
		}
		if p.terminating && p.phase != model.Failed && p.phase != model.Succeeded {
			require.Equal(t, "Terminating", cells[3], "%s: %q", p.key, cells)
		}
	}
}
