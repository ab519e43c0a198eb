package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// planted is what a stranger may put into every text of a file.
const planted = "P\x1b[2J\x1b]0;t\x07\r\u0085\u202e\u2066\u2028\n::error file=a::x\n  ::stop-commands::t\n##[error]" +
	"<script>alert(1)</script> @team #1 `id` $(id) |"

// plants are what is planted: everything, and what passes where control characters are refused.
var plants = []string{
	planted, "a\n::error file=a::x", "::warning::x", "a'\";touch pwned;`touch pwned` $(touch pwned)", "--x=$(touch pwned)",
	"a:$(touch${IFS}pwned)", "</code></pre></title><script>alert(1)</script><img src=x onerror=alert(1)>",
	"\" onload=\"alert(1)<script>alert(1)</script>", "]]><script>alert(1)</script>", "a | b <script>alert(1)</script>\n\n# c\n```\n<script>alert(1)",
	"\u202egnp.exe\u2069", "a%0A::error::x", "{{.}}%s%d%!(NOVERB)",
}

var (
	commands = regexp.MustCompile(`(?m)^\s*::|##\[`)
	ours     = regexp.MustCompile(`(?m)^::(error|warning) file=[^\n]*,title=[^\n:]*::.*$`)
	pasted   = regexp.MustCompile(`(?:kubectl|helm|sim (?:run|plan|explain|explore|sweep|init|test|check|merge|upgrade|expand|compare|learn)) ` +
		`[^\n]*pwned[^\n]*`)
)

// plantedFiles are inputs in which each place is filled with a text, as YAML has it.
var plantedFiles = map[string]string{
	"scenario.yaml": `name: TEXT
description: TEXT
kubernetes: "1.37"
nodes: [{name: n1, labels: {zone: TEXT}, taints: [{key: a, value: TEXT, effect: NoExecute}], allocatable: {pods: "9"}}]
kubelet: {start: 1s, rules: [{match: {image: TEXT}, start: never}, {match: {pod: web-1}, start: 2s}]}
explore: {promises: [TEXT]}
steps:
  - {name: TEXT, create: {name: web, replicas: 2, image: TEXT}}
  - {name: second, at: 5s, setImage: {image: "app:v2"}}
  - {at: 6s, fail: {pod: web-0, reason: TEXT, message: TEXT}}
  - {at: 7s, apply: {kind: ConfigMap, apiVersion: v1, metadata: {name: TEXT}, data: {a: TEXT}}}
  - {at: 8s, delete: pod/TEXT}
expect:
  - {name: TEXT, never: web-0 Ready}
  - {always: "serving >= 2", during: TEXT}
`,
	"plain.yaml": `name: TEXT
description: TEXT
kubernetes: "1.27"
steps:
  - {name: TEXT, create: {name: web, replicas: 3, image: TEXT, podManagementPolicy: Parallel, minReadySeconds: 5}}
  - {setImage: {image: "app:v2"}}
expect: [{never: web-0 Ready}, {ends: settled}]
`,
	"wrong.yaml":  "name: TEXT\nsteps: TEXT\nTEXT: 1\n",
	"broken.yaml": "name: \x1b[2J\n\t: [\n::error::x\n",
	"old.yaml":    plantedSet("a:1"),
	"new.yaml":    plantedSet("TEXT"),
	"dump.yaml": strings.ReplaceAll(plantedSet("TEXT"), "metadata: {name: web,",
		`metadata: {name: web, uid: "1", creationTimestamp: "2026-01-01T00:00:00Z",`) + `status: {replicas: 2, currentRevision: web-1, updateRevision: web-2}
---
apiVersion: v1
kind: Pod
metadata: {name: web-0, uid: "2", creationTimestamp: "2026-01-01T00:00:00Z", labels: {app: web}, finalizers: [TEXT],
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: "1", controller: true}]}
spec: {nodeName: n1, containers: [{name: app, image: TEXT}], nodeSelector: {zone: TEXT}, volumes: [{name: a, persistentVolumeClaim: {claimName: data-web-0}}]}
status:
  phase: Pending
  reason: TEXT
  message: TEXT
  conditions: [{type: PodScheduled, status: "False", reason: TEXT, message: TEXT}]
  containerStatuses: [{name: app, image: TEXT, imageID: TEXT, ready: false, restartCount: 0,
    state: {waiting: {reason: TEXT, message: TEXT}}, lastState: {terminated: {exitCode: 1, reason: TEXT, message: TEXT}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, uid: "3", creationTimestamp: "2026-01-01T00:00:00Z", labels: {app: web},
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: "1", controller: true}]}
spec: {containers: [{name: app, image: TEXT}]}
status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: TEXT}]}
---
apiVersion: v1
kind: Node
metadata: {name: n1, uid: "4", labels: {zone: TEXT}}
spec: {taints: [{key: TEXT, value: TEXT, effect: NoSchedule}], unschedulable: true}
status: {conditions: [{type: Ready, status: "False", reason: TEXT, message: TEXT}], nodeInfo: {kubeletVersion: TEXT}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data-web-0, uid: "5", annotations: {a: TEXT}}
spec: {storageClassName: TEXT, volumeName: TEXT, resources: {requests: {storage: 1Gi}}}
status: {phase: Pending, conditions: [{type: TEXT, status: "True", message: TEXT}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, uid: "6"}
spec: {maxUnavailable: TEXT, selector: {matchLabels: {app: web}}}
status: {conditions: [{type: TEXT, status: "False", reason: TEXT, message: TEXT}]}
---
apiVersion: v1
kind: Event
metadata: {name: e1}
involvedObject: {kind: Pod, name: web-0, namespace: default, fieldPath: TEXT}
type: Warning
reason: TEXT
message: TEXT
source: {component: TEXT}
lastTimestamp: "2026-01-01T00:05:00Z"
---
apiVersion: v1
kind: Event
metadata: {name: e2}
involvedObject: {kind: StatefulSet, name: web, namespace: default}
type: Warning
reason: FailedCreate
message: TEXT
lastTimestamp: "2026-01-01T00:05:00Z"
`,
}

func plantedSet(image string) string {
	return `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, annotations: {note: TEXT}, labels: {helm.sh/chart: TEXT}}
spec:
  serviceName: web
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, annotations: {note: TEXT}}
    spec:
      nodeSelector: {zone: TEXT}
      serviceAccountName: TEXT
      priorityClassName: TEXT
      containers: [{name: app, image: ` + image + `, command: [TEXT], env: [{name: A, value: TEXT}],
        readinessProbe: {exec: {command: [TEXT]}}, volumeMounts: [{name: data, mountPath: TEXT}]}]
  volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: TEXT, accessModes: [ReadWriteOnce],
    resources: {requests: {storage: 1Gi}}}}]
`
}

// plantedLines are the commands that read each of the files, in every format that they have. FORMATS stands for those.
var plantedLines = map[string][]string{
	"scenario.yaml": {"run -o text|table|json|jsonl|watch|rollout-status|history|markdown|html|svg|animated-svg|gantt|trace|junit scenario.yaml",
		"run --kubernetes 1.36,1.37 -o text|markdown|json|junit|html scenario.yaml", "test scenario.yaml", "test --github scenario.yaml",
		"test --html out/pages --junit out/junit.xml scenario.yaml", "expand scenario.yaml", "compare -o text|markdown|json|html scenario.yaml plain.yaml",
		"compare --with spec.replicas=3 -o text|html scenario.yaml", "explain -o text|json|html scenario.yaml", "sweep --runs 2 -o text|json scenario.yaml",
		"run --save-as-test=out/saved.yaml scenario.yaml", "check timeline.jsonl scenario.yaml"},
	"plain.yaml": {"explore --runs 60 -o text|json|jsonl|markdown|junit|html plain.yaml", "explore --write out/found --runs 60 plain.yaml",
		"test --github plain.yaml", "run -o text|html plain.yaml", "run --save-as-test=out/saved.yaml plain.yaml"},
	"wrong.yaml": {"run wrong.yaml", "test --github wrong.yaml", "explain wrong.yaml", "plan old.yaml wrong.yaml", "init wrong.yaml",
		"upgrade --from 1.36 --to 1.37 wrong.yaml", "explore wrong.yaml", "sweep wrong.yaml", "expand wrong.yaml", "merge wrong.yaml",
		"check wrong.yaml plain.yaml", "check timeline.jsonl wrong.yaml", "compare wrong.yaml plain.yaml"},
	"new.yaml": {"plan --runs 5 -o text|markdown|json|html old.yaml new.yaml", "plan --runs 5 new.yaml old.yaml", "init --write - new.yaml",
		"upgrade --from 1.33 --to 1.37 -o text|markdown|json|html new.yaml", "explore --runs 5 old.yaml new.yaml", "init --write out/first.yaml new.yaml",
		"plan --runs 5 -o text|html dump.yaml new.yaml", "explain new.yaml"},
	"dump.yaml": {"explain -o text|json|html dump.yaml", "plan --runs 5 -o text|markdown|json|html dump.yaml new.yaml", "explore --runs 5 dump.yaml",
		"init --write - dump.yaml", "upgrade --from 1.36 --to 1.37 -o text|html dump.yaml", "run -o text|json|html start.yaml"},
	"timeline.jsonl": {"check timeline.jsonl scenario.yaml", "check timeline.jsonl plain.yaml", "plan --runs 5 --recording timeline.jsonl old.yaml new.yaml"},
	"found.json":     {"merge -o text|json|jsonl|markdown|junit found.json"},
	"swept.json":     {"merge -o text|json swept.json", "merge swept.json swept.json"},
	"recording.json": {"plan --runs 5 --recording recording.json old.yaml new.yaml", "explain --recording recording.json dump.yaml"},
	"state/learned":  {"learn --no-pause", "learn 2 --no-pause"},
}

// TestNothingOfAFileSteersAnybody plants texts in each place of each input, one at a time, and gives it to every
// command that reads it. A terminal, the log of a workflow, a page, a pull request and a shell get all of it as text.
// PLANTED=1 tries all, and PLANTED=N one of N with one of the commands; without it there is a sample.
func TestNothingOfAFileSteersAnybody(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, errors.Join(os.Mkdir("state", 0o700), os.MkdirAll("out/found", 0o700)))
	p := &planting{t: t, stride: 97, paste: fakeShell(t)}
	if testing.Short() {
		p.stride = 499
	}
	if n, err := strconv.Atoi(os.Getenv("PLANTED")); err == nil {
		p.stride = n
	}
	fine := plantedInputs(t)
	for _, file := range slices.Sorted(maps.Keys(plantedLines)) {
		text := fine[file]
		of := sampleOf(text)
		require.NotEmpty(t, of.trees, file)
		for _, at := range placesOf(of.trees) {
			for _, plant := range plants {
				was := *at
				*at = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: plant}
				p.try(file, func() []byte { return printed(of.trees, of.json) })
				*at = was
			}
		}
		for i, plant := range plants {
			whole := strings.ReplaceAll(plantedFiles[file], "TEXT", strconv.Quote(plant))
			if file == "state/learned" {
				whole = "1 right\n2 " + plant + "\n" + plant + "\n"
			}
			if whole != "" && (i == 0 || p.stride == 1) {
				p.all(file, []byte(whole))
			}
		}
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	for i, plant := range plants {
		if i == 0 || p.stride == 1 {
			p.judge("explore --replay TOKEN plain.yaml", plant)
			p.name(plant)
		}
	}
	t.Logf("%d commands", p.ran)
	require.Greater(t, p.ran, 100)
}

// planting tries inputs in which something is planted.
type planting struct {
	t *testing.T
	// Of so many inputs one is tried.
	stride, met, ran int
	// paste runs a line in a shell, and says what is wrong with it.
	paste func(line string) string
}

// try tries an input with one of the commands that read it, and each input with another; all of them if none is
// skipped.
func (p *planting) try(file string, text func() []byte) {
	if p.met++; p.stride == 1 {
		p.all(file, text())
	} else if p.met%p.stride == 0 {
		require.NoError(p.t, os.WriteFile(file, text(), 0o600))
		lines := plantedLines[file]
		p.judge(lines[p.met%len(lines)], "")
	}
}

// all tries an input with all commands that read it.
func (p *planting) all(file string, text []byte) {
	require.NoError(p.t, os.WriteFile(file, text, 0o600))
	for _, line := range plantedLines[file] {
		p.judge(line, "")
	}
}

// name tries a file with a name.
func (p *planting) name(plant string) {
	for file, lines := range map[string][]string{"plain.yaml": {"run -o text|markdown|html|junit NAME", "test --github NAME", "explain NAME",
		"explore --runs 60 -o text|json|markdown|junit NAME", "sweep --runs 2 NAME", "run NAME nowhere.yaml"}, "dump.yaml": {"explain NAME",
		"plan --runs 5 NAME old.yaml", "plan NAME NAME"}, "wrong.yaml": {"run NAME", "test --github NAME", "plan NAME NAME", "explain NAME", "merge NAME"}} {
		name := strings.ReplaceAll(plant, "/", "_") + ".yaml"
		text, err := os.ReadFile(file)
		require.NoError(p.t, err)
		if os.WriteFile(name, text, 0o600) != nil {
			continue
		}
		for _, line := range lines {
			p.judge(strings.ReplaceAll(line, "NAME", "TOKEN"), name)
		}
		require.NoError(p.t, os.Remove(name))
	}
}

// judge runs a command in each of its formats, and judges what it prints and writes. Token takes the place of TOKEN.
func (p *planting) judge(line, token string) {
	words := strings.Fields(line)
	at := slices.IndexFunc(words, func(word string) bool { return strings.Contains(word, "|") })
	formats := []string{""}
	if at >= 0 {
		formats = strings.Split(words[at], "|")
	}
	for _, format := range formats {
		args := slices.Clone(words)
		if at >= 0 {
			args[at] = format
		}
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "TOKEN", token)
		}
		p.ran++
		var out, err bytes.Buffer
		s := &command.Console{In: strings.NewReader(""), Out: &out, Err: &err, Ctx: p.t.Context()}
		code, what := Main(args, s, command.Simulator), strings.Join(args, " ")
		if wrong := misprinted(what, code, out.String(), err.String()); wrong != "" {
			p.fail(what, wrong)
		}
		for _, pastedLine := range pasted.FindAllString(unescaped(out.String())+err.String(), -1) {
			if wrong := p.paste(pastedLine); wrong != "" {
				p.fail(what, wrong)
			}
		}
	}
	require.NoError(p.t, filepath.WalkDir("out", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if wrong := misprinted("-o "+strings.TrimPrefix(filepath.Ext(path), "."), 0, string(text), ""); wrong != "" {
			p.fail(line+" "+path, wrong)
		}
		return err
	}))
	require.NoError(p.t, os.RemoveAll("out"))
	require.NoError(p.t, os.MkdirAll("out/found", 0o700))
}

// fail reports what is wrong, and keeps the files.
func (p *planting) fail(line, wrong string) {
	folder, err := os.MkdirTemp("", "planted-")
	require.NoError(p.t, err)
	require.NoError(p.t, os.CopyFS(folder+"/files", os.DirFS(".")))
	p.t.Errorf("%s: %q in %s/files", wrong, line, folder)
}

// unescaped returns the texts of JSON and of a page as they are meant.
func unescaped(out string) string {
	var texts []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			texts = append(texts, v)
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for _, item := range v {
				walk(item)
			}
		}
	}
	var doc any
	if json.Unmarshal([]byte(out), &doc) == nil {
		walk(doc)
		return strings.Join(texts, "\n")
	}
	if strings.HasPrefix(out, "<") {
		return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(out, "\n"))
	}
	return out
}

// fakeShell returns what pastes a line into a shell in which kubectl, helm and sim do nothing, and says what is wrong
// if anything else has run.
func fakeShell(t *testing.T) func(string) string {
	sh, err := exec.LookPath("sh")
	if err != nil {
		return func(string) string { return "" }
	}
	bin := t.TempDir()
	for _, name := range []string{"kubectl", "helm", "sim"} {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!"+sh+"\n"), 0o755))
	}
	seen := map[string]bool{}
	return func(line string) string {
		if seen[line] {
			return ""
		}
		seen[line] = true
		paste := exec.Command(sh, "-c", line)
		paste.Dir, paste.Env = t.TempDir(), append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		_, _ = paste.CombinedOutput()
		if left, _ := os.ReadDir(paste.Dir); slices.ContainsFunc(left, func(e fs.DirEntry) bool { return strings.Contains(e.Name(), "pwned") }) {
			return fmt.Sprintf("a shell runs what was planted: %q", line)
		}
		return ""
	}
}

// plantedInputs writes all inputs, as they are before anything is planted, and returns them.
func plantedInputs(t *testing.T) map[string]string {
	fine := map[string]string{"state/learned": "1 right\n", "start.yaml": "start: dump.yaml\n", "recording.json": recordingOfOne}
	for name, text := range plantedFiles {
		fine[name] = strings.NewReplacer("maxUnavailable: TEXT", "maxUnavailable: 1", "TEXT", "text").Replace(text)
	}
	write := func(name, text string) {
		require.NotEmpty(t, text, name)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		fine[name] = text
	}
	for name, text := range fine {
		write(name, text)
	}
	for name, line := range map[string]string{"timeline.jsonl": "run -o jsonl plain.yaml", "found.json": "explore -o json --runs 200 plain.yaml",
		"swept.json": "sweep -o json --shard 0/2 --runs 4 plain.yaml"} {
		_, out, err := call(t, command.Simulator, "", strings.Fields(line)...)
		require.NotEmpty(t, out, err)
		write(name, out)
	}
	return fine
}

// placesOf returns all places of documents, one of each kind: of the items of a list the first that has it. A key is a
// place too.
func placesOf(trees []*yaml.Node) (places []*yaml.Node) {
	seen := map[string]bool{}
	var walk func(n *yaml.Node, path string)
	walk = func(n *yaml.Node, path string) {
		switch n.Kind {
		case yaml.ScalarNode:
			if !seen[path] {
				seen[path] = true
				places = append(places, n)
			}
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				if key := n.Content[i].Value; key == "kind" || key == "event" {
					path += "(" + n.Content[i+1].Value + ")"
				}
			}
			for i := 0; i+1 < len(n.Content); i += 2 {
				walk(n.Content[i], path+" key")
				walk(n.Content[i+1], path+"."+n.Content[i].Value)
			}
		default:
			for _, child := range n.Content {
				walk(child, path)
			}
		}
	}
	for _, tree := range trees {
		walk(tree, "")
	}
	return places
}

// TestExpandKeepsTexts: what looks like a command of a workflow comes out of expand as a text that means the same.
func TestExpandKeepsTexts(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = "first\n::error::x\n  ::stop-commands::y\n##[error]z\n"
	scenario := "name: '::warning::n'\ndescription: |\n  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") +
		"\nsteps: [{create: {name: web, replicas: 1, image: a}}]\n"
	require.NoError(t, os.WriteFile("s.yaml", []byte(scenario), 0o600))
	code, out, err := call(t, command.Simulator, "", "expand", "s.yaml")
	require.Zero(t, code, err)
	require.Empty(t, commands.FindAllString(out, -1))
	var doc struct{ Name, Description string }
	require.NoError(t, yaml.Unmarshal([]byte(out), &doc))
	require.Equal(t, "::warning::n", doc.Name)
	require.Equal(t, text, doc.Description)
}
