package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/report"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestCommandsInterrupted: each command that plays ends with the code of an interruption, and says so, whatever it was doing.
// What the scenarios fail by does not count then.
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
		s := &streams{in: strings.NewReader(""), out: &out, err: &err, ctx: ctx}
		require.Equal(t, exitInterrupted, Main(strings.Fields(line), s, simulator), "sim %s\n%s%s", line, out.String(), err.String())
		require.Contains(t, err.String(), "sim: interrupted\n", line)
	}
	for _, file := range []string{"test.yaml", "first.yaml"} {
		require.NoFileExists(t, file, "what was not played to its end is no test")
	}
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
	s, err := loadScenario(source{path: file}, &worldOptions{})
	require.NoError(t, err)
	never := func() bool { return false }
	events := s.Play(ends{interrupted: never}).Events
	// padded repeats an event that changes nothing until there are n.
	padded := func(n int) []timeline.Event {
		at := slices.IndexFunc(events, func(e timeline.Event) bool { return e.Kind == timeline.KindK8sEvent })
		return slices.Insert(slices.Clone(events), at, slices.Repeat(events[at:at+1], n-len(events))...)
	}
	found := func(s scene, events []timeline.Event, interrupted func() bool) []report.Cure {
		cures, _ := findCures(s, events, interrupted)
		return cures
	}
	require.Len(t, found(s, events, never), 1)
	require.Len(t, found(s, padded(manyEvents), never), 1)
	require.Empty(t, found(s, padded(manyEvents+1), never))
	require.Empty(t, found(s, events[:len(events)-1], never), "a run that was cut off has no end to get out of")
	require.Empty(t, found(s, events, func() bool { return true }))
}
