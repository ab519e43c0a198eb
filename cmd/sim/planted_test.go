package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
