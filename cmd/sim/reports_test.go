package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/command/merge"
)

// mutants returns texts that differ from a JSON document in one place: a value is of another kind, or null, or missing,
// and the text is cut off or has a character too many.
func mutants(t *testing.T, data []byte) []string {
	var doc any
	require.NoError(t, json.Unmarshal(data, &doc))
	var texts []string
	add := func() {
		text, err := json.MarshalIndent(doc, "", "  ")
		require.NoError(t, err)
		texts = append(texts, string(text))
	}
	others := []any{nil, true, "text", -1.5, []any{}, map[string]any{}, []any{nil}, []any{"text"}}
	var walk func(value any, set func(any))
	walk = func(value any, set func(any)) {
		for _, other := range others {
			set(other)
			add()
		}
		set(value)
		switch v := value.(type) {
		case map[string]any:
			for key, child := range v {
				delete(v, key)
				add()
				walk(child, func(c any) { v[key] = c })
			}
		case []any:
			for i := range min(len(v), 2) {
				walk(v[i], func(c any) { v[i] = c })
			}
		}
	}
	walk(doc, func(v any) { doc = v })
	for i := 0; i < len(data); i += 1 + len(data)/40 {
		texts = append(texts, string(data[:i]), string(data[:i])+"}"+string(data[i:]))
	}
	return texts
}

// TestWrongReports: whatever is wrong in a report that is merged, or in a recording, the message names the file, and
// nothing of Go.
func TestWrongReports(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("web.yaml", []byte(`kubernetes: "1.27"
steps:
- create: {name: web, replicas: 3, image: "a:1", podManagementPolicy: Parallel, minReadySeconds: 5}
- setImage: {image: "a:2"}
`), 0o644))
	internals := regexp.MustCompile(`Go |unmarshal|explore\.|sweep\.|\*|goroutine|json: |\bint\b|float64|\[\]`)
	pods := `{"apiVersion": "v1", "kind": "List", "items": [{"kind": "Pod", "metadata": {"name": "web-0", "uid": "1",
"creationTimestamp": "2026-01-01T00:00:00Z", "ownerReferences": [{"kind": "StatefulSet", "name": "web", "controller": true}]},
"status": {"startTime": "2026-01-01T00:00:01Z", "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime":
"2026-01-01T00:00:05Z"}]}}]}`
	for words, data := range map[string]string{
		"merge": "explore -o json --runs 200 --kubernetes 1.27", "merge -o text": "sweep -o json --runs 5",
		"plan --recording": pods,
	} {
		line := strings.Fields(words)
		text := data
		if !strings.HasPrefix(data, "{") {
			_, text, _ = call(t, command.Simulator, "", append(strings.Fields(data), "web.yaml")...)
		}
		tried, wrong := 0, 0
		for _, mutant := range mutants(t, []byte(text)) {
			require.NoError(t, os.WriteFile("report", []byte(mutant), 0o644))
			args := append(append([]string{}, line...), "report")
			if line[0] == "plan" {
				args = append(args, "set.yaml", "set.yaml")
			}
			code, _, err := call(t, command.Simulator, "", args...)
			tried++
			require.NotEqual(t, cli.ExitDefect, code, "%s\n%s", mutant, err)
			if code != cli.ExitUsage || strings.Contains(err, "set.yaml") {
				continue
			}
			wrong++
			message := strings.Split(err, "\n")[0]
			require.Contains(t, message, "report", mutant)
			require.NotRegexp(t, internals, message, fmt.Sprintf("%s\n%s", words, mutant))
		}
		require.Greater(t, wrong, tried/10, words)
	}
}

// TestFormats: each command prints each format that it has, in each of its ways, and refuses those that it does not
// have. None is the text under another name.
func TestFormats(t *testing.T) {
	inputs(t)
	begins := map[string]string{"json": "{", "jsonl": "{", "html": "<!doctype html>", "svg": "<svg", "animated-svg": "<svg", "junit": "<?xml",
		"gantt": "---", "trace": "{"}
	for _, line := range []string{"run fine.yaml", "run fine.yaml checked.yaml", "run --kubernetes 1.36,1.37 fine.yaml", "compare fine.yaml checked.yaml",
		"compare --with spec.replicas=3 fine.yaml", "explain stuck.yaml", "explain --kubernetes 1.36,1.37 stuck.yaml", "explain dump.yaml",
		"explore --runs 5 fine.yaml", "explore --runs 5 --kubernetes 1.36,1.37 fine.yaml", "sweep --runs 2 fine.yaml", "merge explore.json",
		"merge sweep.json", "plan --runs 5 old.yaml new.yaml", "plan --runs 5 --kubernetes 1.36,1.37 old.yaml new.yaml",
		"upgrade --from 1.36 --to 1.37 old.yaml", "versions 1.36 1.37"} {
		seen := map[string]string{}
		for _, format := range append(command.FormatNames(), "yaml", "nothing") {
			args := append(strings.Fields(line), "-o", format)
			code, out, err := call(t, command.Simulator, "", args...)
			if code == cli.ExitUsage {
				require.Empty(t, out, args)
				require.Regexp(t, "-o|format", err, args)
				continue
			}
			require.NotEqual(t, cli.ExitDefect, code, "%s: %s", args, err)
			require.Empty(t, misformed(format, out), args)
			require.True(t, strings.HasPrefix(strings.ToLower(out), begins[format]), "%s: %.40s", args, out)
			require.NotContains(t, seen, out, "%s prints another format", args)
			seen[out] = format
		}
		require.Greater(t, len(seen), 1, line)
	}
}

// TestMergeFormats: a sweep has no tests and no page for a pull request, so there is none of its merged reports either.
func TestMergeFormats(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("web.yaml", []byte("steps: [{create: {name: web, replicas: 1, image: a}}]\n"), 0o644))
	_, report, _ := call(t, command.Simulator, "", "sweep", "-o", "json", "--runs", "3", "web.yaml")
	require.NoError(t, os.WriteFile("0.json", []byte(report), 0o644))
	for _, format := range merge.MergeFormats {
		code, out, err := call(t, command.Simulator, "", "merge", "-o", format, "0.json")
		if format == "text" || format == "json" {
			require.Equal(t, cli.ExitOK, code, err)
			continue
		}
		require.Equal(t, cli.ExitUsage, code, format)
		require.Empty(t, out)
		require.Contains(t, err, "sweeps have -o text, -o json")
	}
}
