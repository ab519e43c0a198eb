package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// planted is what a stranger may put into every text of a file.
const planted = "P\x1b[2J\x1b]0;t\x07\r\u0085\u202e\u2066\u2028\n::error file=a::x\n  ::stop-commands::t\n##[error]" +
	"<script>alert(1)</script> @team #1 `id` $(id) |"

var (
	steers   = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}\x{2028}\x{2029}]`)
	commands = regexp.MustCompile(`(?m)^\s*::|##\[`)
	ours     = regexp.MustCompile(`(?m)^::(error|warning) file=[^\n]*,title=[^\n:]*::.*$`)
	markup   = regexp.MustCompile(`<script>alert`)
)

// plantedFiles are inputs in which each place is filled with a text, as YAML has it.
var plantedFiles = map[string]string{
	"scenario.yaml": `name: TEXT
description: TEXT
kubernetes: "1.37"
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - {at: 5s, setImage: {image: "app:v2"}}
expect:
  - never: web-0 Ready
`,
	"wrong.yaml":  "name: TEXT\nsteps: TEXT\nTEXT: 1\n",
	"broken.yaml": "name: \x1b[2J\n\t: [\n::error::x\n",
	"old.yaml":    plantedSet("a:1"),
	"new.yaml":    plantedSet("TEXT"),
	"dump.yaml": strings.ReplaceAll(plantedSet("TEXT"), "metadata: {name: web,",
		`metadata: {name: web, uid: "1", creationTimestamp: "2026-01-01T00:00:00Z",`) + `---
apiVersion: v1
kind: Pod
metadata: {name: web-0, uid: "2", creationTimestamp: "2026-01-01T00:00:00Z", labels: {app: web},
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: "1", controller: true}]}
spec: {nodeName: n1, containers: [{name: app, image: TEXT}]}
status:
  phase: Pending
  message: TEXT
  containerStatuses: [{name: app, image: TEXT, imageID: TEXT, ready: false, restartCount: 0,
    state: {waiting: {reason: TEXT, message: TEXT}}}]
---
apiVersion: v1
kind: Event
metadata: {name: e1}
involvedObject: {kind: Pod, name: web-0, namespace: default}
type: Warning
reason: TEXT
message: TEXT
lastTimestamp: "2026-01-01T00:05:00Z"
`,
}

func plantedSet(image string) string {
	return `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, annotations: {note: TEXT}}
spec:
  serviceName: web
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, annotations: {note: TEXT}}
    spec: {containers: [{name: app, image: ` + image + `, command: [TEXT], env: [{name: A, value: TEXT}]}]}
`
}

// TestNothingOfAFileSteersAnybody: whatever a file has in its texts, a terminal, the log of a workflow and a page get it
// as text.
func TestNothingOfAFileSteersAnybody(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range plantedFiles {
		text = strings.ReplaceAll(text, "TEXT", strconv.Quote(planted))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	var calls []string
	for _, format := range []string{"text", "table", "json", "jsonl", "html", "markdown", "junit", "watch", "rollout-status",
		"history"} {
		calls = append(calls, "run -o "+format+" scenario.yaml", "explain -o "+format+" dump.yaml",
			"plan -o "+format+" old.yaml new.yaml", "upgrade --from 1.36 --to 1.37 -o "+format+" new.yaml",
			"compare -o "+format+" --kubernetes 1.36,1.37 scenario.yaml", "explore --runs 20 -o "+format+" scenario.yaml",
			"sweep --runs 3 -o "+format+" scenario.yaml")
	}
	calls = append(calls, "test scenario.yaml wrong.yaml broken.yaml", "test --github scenario.yaml wrong.yaml broken.yaml",
		"init new.yaml", "expand scenario.yaml", "explain scenario.yaml", "plan dump.yaml new.yaml")
	for _, verb := range []string{"run", "explain", "plan old.yaml", "init", "upgrade --from 1.36 --to 1.37", "explore", "sweep",
		"expand", "check", "merge"} {
		calls = append(calls, verb+" wrong.yaml", verb+" broken.yaml")
	}
	for _, call := range calls {
		var out, err bytes.Buffer
		Main(strings.Fields(call), &streams{in: strings.NewReader(""), out: &out, err: &err, ctx: t.Context()}, simulator)
		said := out.String() + "\n" + err.String()
		require.NotContains(t, said, "internal error", call)
		require.Empty(t, steers.FindAllString(said, -1), call)
		if strings.Contains(call, "--github") {
			require.NotEmpty(t, ours.FindString(said), call)
			said = ours.ReplaceAllString(said, "")
		}
		require.Empty(t, commands.FindAllString(said, -1), call)
		if strings.Contains(call, "html") || strings.Contains(call, "markdown") || strings.Contains(call, "junit") {
			require.Empty(t, markup.FindAllString(said, -1), call)
		}
	}
}

// plantedTexts writes the inputs that commands write, with a text in each place: a timeline, reports and a recording.
func plantedTexts(t *testing.T) {
	text := string(must1(json.Marshal(planted)))
	_, timeline, _ := call(t, simulator, "", "run", "-o", "jsonl", "scenario.yaml")
	_, found, _ := call(t, simulator, "", "explore", "-o", "json", "--runs", "200", "trap.yaml")
	_, swept, _ := call(t, simulator, "", "sweep", "-o", "json", "--shard", "0/2", "--runs", "4", "trap.yaml")
	words := regexp.MustCompile(`"(message|file|does|name|image|reason|story|sentence|text|title)": ?"[^"]*"`)
	for name, data := range map[string]string{"timeline.jsonl": timeline, "found.json": found, "swept.json": swept,
		"recording.json": strings.ReplaceAll(recordingOfOne, `"web"`, text)} {
		require.NotEmpty(t, data)
		data = words.ReplaceAllStringFunc(data, func(field string) string {
			key, _, _ := strings.Cut(field, ":")
			return key + ": " + text
		})
		require.NoError(t, os.WriteFile(name, []byte(data), 0o600))
	}
}

func must1[T any](value T, err error) T {
	must(err)
	return value
}

// TestNothingOfAWrittenTextSteersAnybody: nor does what a stranger has put into a timeline, a report, a recording or a
// token, nor what is written into files.
func TestNothingOfAWrittenTextSteersAnybody(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range plantedFiles {
		require.NoError(t, os.WriteFile(name, []byte(strings.ReplaceAll(text, "TEXT", strconv.Quote(planted))), 0o600))
	}
	require.NoError(t, os.WriteFile("trap.yaml", []byte(`kubernetes: "1.27"
name: `+strconv.Quote(planted)+`
steps:
- create: {name: web, replicas: 3, image: "a:1", podManagementPolicy: Parallel, minReadySeconds: 5}
- setImage: {image: "a:2"}
expect: [{ends: settled}]
`), 0o600))
	plantedTexts(t)
	require.NoError(t, os.MkdirAll("out/found", 0o700))
	for _, line := range []string{
		"check timeline.jsonl scenario.yaml", "check timeline.jsonl trap.yaml", "merge found.json", "merge -o markdown found.json",
		"merge -o junit found.json", "merge -o json found.json", "merge -o jsonl found.json", "merge swept.json", "merge -o json swept.json",
		"plan --recording recording.json old.yaml new.yaml", "explain --recording recording.json dump.yaml",
		"test --html out/pages --junit out/junit.xml trap.yaml scenario.yaml", "run --save-as-test=out/saved.yaml trap.yaml",
		"explore --write out/found --runs 100 trap.yaml", "init --write out/first.yaml new.yaml", "run -o svg trap.yaml",
		"run -o animated-svg trap.yaml", "run -o gantt trap.yaml", "run -o trace trap.yaml", "merge -o html found.json", "learn --no-pause",
	} {
		code, out, err := call(t, simulator, "", strings.Fields(line)...)
		require.NotEqual(t, exitDefect, code, "%s: %s", line, err)
		require.Empty(t, steers.FindAllString(out+err, -1), line)
		require.Empty(t, commands.FindAllString(out+err, -1), line)
		if strings.Contains(line, "svg") || strings.Contains(line, "-o junit") || strings.Contains(line, "-o markdown") {
			require.Empty(t, markup.FindAllString(out, -1), line)
		}
	}
	code, _, err := call(t, simulator, "", "explore", "--replay", planted, "trap.yaml")
	require.Equal(t, exitUsage, code)
	require.Empty(t, steers.FindAllString(err, -1))
	seen := 0
	require.NoError(t, filepath.WalkDir("out", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		seen++
		text, err := os.ReadFile(path)
		require.Empty(t, steers.FindAllString(string(text), -1), path)
		if filepath.Ext(path) != ".yaml" {
			require.Empty(t, markup.FindAllString(string(text), -1), path)
		}
		return err
	}))
	require.Greater(t, seen, 4)
}

// TestExpandKeepsTexts: what looks like a command of a workflow comes out of expand as a text that means the same.
func TestExpandKeepsTexts(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = "first\n::error::x\n  ::stop-commands::y\n##[error]z\n"
	scenario := "name: '::warning::n'\ndescription: |\n  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") +
		"\nsteps: [{create: {name: web, replicas: 1, image: a}}]\n"
	require.NoError(t, os.WriteFile("s.yaml", []byte(scenario), 0o600))
	code, out, err := call(t, simulator, "", "expand", "s.yaml")
	require.Zero(t, code, err)
	require.Empty(t, commands.FindAllString(out, -1))
	var doc struct{ Name, Description string }
	require.NoError(t, yaml.Unmarshal([]byte(out), &doc))
	require.Equal(t, "::warning::n", doc.Name)
	require.Equal(t, text, doc.Description)
}
