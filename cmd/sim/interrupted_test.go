package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario/play/verdict"
	"github.com/statefulsim/statefulsim/scenario/search/sweep"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// TestCommandsInterrupted: each command that plays ends with the code of an interruption, and says so, whatever it was
// doing. What the scenarios fail by does not count then.
func TestCommandsInterrupted(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("web.yaml", []byte(`kubernetes: "1.37"
steps:
- create: {name: web, replicas: 2, image: "a:1"}
- setImage: {image: "a:2"}
expect: [{never: "web-0@1 Pending"}]
`), 0o644))
	require.NoError(t, os.WriteFile("set.yaml", []byte(`apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec: {serviceName: web, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: a, image: "a:1"}]}}}
`), 0o644))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, line := range []string{
		"run web.yaml", "run -o jsonl web.yaml", "run -o html web.yaml", "run --save-as-test=test.yaml web.yaml", "test web.yaml",
		"test --html pages web.yaml", "compare web.yaml web.yaml", "compare --with spec.replicas=3 web.yaml", "explain web.yaml",
		"explore --runs 20 web.yaml", "sweep --runs 20 web.yaml", "plan set.yaml set.yaml", "init --write first.yaml set.yaml",
		"learn 2", "run --kubernetes 1.36,1.37 web.yaml",
	} {
		var out, err bytes.Buffer
		s := &command.Console{In: strings.NewReader(""), Out: &out, Err: &err, Ctx: ctx}
		require.Equal(t, cli.ExitInterrupted, Main(strings.Fields(line), s, command.Simulator), "sim %s\n%s%s", line, out.String(), err.String())
		require.Contains(t, err.String(), "sim: interrupted\n", line)
	}
	for _, file := range []string{"test.yaml", "first.yaml"} {
		require.NoFileExists(t, file, "what was not played to its end is no test")
	}
}

// later is a context that ends when it has been asked a number of times.
type later struct {
	context.Context
	asked atomic.Int64
	after int64
}

func (l *later) Err() error {
	if l.asked.Add(1) > l.after {
		return context.Canceled
	}
	return nil
}

// TestSweepInterrupted: the runs that an interruption cuts off are not counted, and the report says that they are
// missing.
func TestSweepInterrupted(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("web.yaml", []byte("steps: [{create: {name: web, replicas: 2, image: a}}]\n"), 0o644))
	var out, err bytes.Buffer
	s := &command.Console{In: strings.NewReader(""), Out: &out, Err: &err, Ctx: &later{Context: t.Context(), after: 1000}}
	code := Main([]string{"sweep", "-o", "json", "--runs", "900", "web.yaml"}, s, command.Simulator)
	require.Equal(t, cli.ExitInterrupted, code, err.String())
	var r sweep.Report
	require.NoError(t, json.Unmarshal(out.Bytes(), &r))
	require.Positive(t, r.Sweeps[0].Runs)
	require.Less(t, r.Sweeps[0].Runs, 900)
	require.True(t, r.Sweeps[0].Stopped)
	require.Len(t, r.Sweeps[0].Verdicts, 1)
	require.Equal(t, "settled", r.Sweeps[0].Verdicts[0].Verdict)
}

// TestCuresOfLongRuns: the ways out of a stuck run are looked for only if they are few events to play; of a run that is
// interrupted none is.
func TestCuresOfLongRuns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stuck.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`kubelet: {rules: [{match: {image: "a:2"}, start: never}]}
steps:
- create: {name: web, replicas: 2, image: "a:1"}
- setImage: {image: "a:2"}
- undo: web
`), 0o644))
	s, err := command.Simulator.Load(files.Source{Path: file}, &command.World{Limits: strict.Limits{}.OrDefault()})
	require.NoError(t, err)
	never := func() bool { return false }
	events := s.Play(verdict.Ends{Interrupted: never}).Events
	// padded repeats an event that changes nothing until there are n.
	padded := func(n int) []timeline.Event {
		at := slices.IndexFunc(events, func(e timeline.Event) bool { return e.Kind == timeline.KindK8sEvent })
		return slices.Insert(slices.Clone(events), at, slices.Repeat(events[at:at+1], n-len(events))...)
	}
	found := func(s verdict.Scene, events []timeline.Event, interrupted func() bool) []report.Cure {
		cures, _ := verdict.FindCures(s, events, interrupted)
		return cures
	}
	require.Len(t, found(s, events, never), 1)
	require.Len(t, found(s, padded(verdict.ManyEvents), never), 1)
	require.Empty(t, found(s, padded(verdict.ManyEvents+1), never))
	require.Empty(t, found(s, events[:len(events)-1], never), "a run that was cut off has no end to get out of")
	require.Empty(t, found(s, events, func() bool { return true }))
}

// TestCuresOfManySets: of a long run in which many sets are stuck, the ways out of the first are looked for, and the
// report says so. An interruption ends the search between two of the ways.
func TestCuresOfManySets(t *testing.T) {
	text := "kubelet: {rules: [{match: {image: \"a:2\"}, start: never}]}\nsteps:\n"
	for _, step := range []string{`create: {name: %s, replicas: 2, image: "a:1"}`, `setImage: {statefulset: %s, image: "a:2"}`, "undo: %s"} {
		for _, set := range []string{"db", "mq", "web"} {
			text += "- " + fmt.Sprintf(step, set) + "\n"
		}
	}
	file := filepath.Join(t.TempDir(), "stuck.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	s, err := command.Simulator.Load(files.Source{Path: file}, &command.World{Limits: strict.Limits{}.OrDefault()})
	require.NoError(t, err)
	events := s.Play(verdict.Ends{Interrupted: func() bool { return false }}).Events
	cures, untried := verdict.FindCures(s, events, func() bool { return false })
	require.Len(t, cures, 3)
	require.Empty(t, untried)
	at := slices.IndexFunc(events, func(e timeline.Event) bool { return e.Kind == timeline.KindK8sEvent })
	long := slices.Insert(slices.Clone(events), at, slices.Repeat(events[at:at+1], verdict.ManyEvents/2-len(events))...)
	cures, untried = verdict.FindCures(s, long, func() bool { return false })
	require.Len(t, cures, 2)
	require.Equal(t, "each plays the whole run again, so only 2 of 3 stuck StatefulSets were looked at", untried)

	asked := 0
	all := func() bool { asked++; return false }
	verdict.FindCures(s, events, all)
	whole, half := asked, 0
	verdict.FindCures(s, events, func() bool { half++; return half > whole/2 })
	require.Less(t, half, whole/2+whole/4, "it is not asked for long after it has said so")
}

// TestLargeOutputsInterrupted: whatever a run is printed as, an interruption while it is played or while it is printed ends
// the command with its code, and a JSON document is whole. Ctrl-C may come at any of the moments at which the command asks.
func TestLargeOutputsInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	folder(t)
	require.NoError(t, os.WriteFile("web.yaml", []byte(`steps:
- create: {name: web, replicas: 1500, image: "a:1", podManagementPolicy: Parallel}
`), 0o644))
	asks := func(format string, after int64) (code int, out string, asked int64) {
		var b, err bytes.Buffer
		ctx := &later{Context: t.Context(), after: after}
		code = Main([]string{"run", "-o", format, "web.yaml"}, &command.Console{In: strings.NewReader(""), Out: &b, Err: &err, Ctx: ctx},
			command.Simulator)
		if code == cli.ExitInterrupted {
			require.Contains(t, err.String(), "sim: interrupted\n", format)
		}
		return code, b.String(), ctx.asked.Load()
	}
	for _, format := range command.FormatNames() {
		whole, _, all := asks(format, math.MaxInt64)
		if format != "svg" && format != "animated-svg" {
			require.Equal(t, cli.ExitOK, whole, format)
		}
		for _, after := range []int64{0, all / 2, all - 3, all - 1} {
			code, out, _ := asks(format, after)
			require.Equal(t, cli.ExitInterrupted, code, "-o %s interrupted at question %d of %d", format, after, all)
			if format == "json" {
				require.True(t, json.Valid([]byte(out)), "interrupted at question %d of %d", after, all)
			}
		}
	}
}
