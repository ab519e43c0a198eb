package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"github.com/ulikunitz/xz"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// sample is a text that a command reads, with its documents as trees.
type sample struct {
	text  []byte
	trees []*yaml.Node
	json  bool
}

// lines are the commands that strangers' files are given to. Each word in capitals becomes a file of that kind, or one
// of the words that are listed for it. The number is how often a command is drawn: those that play many runs are rarer.
var strangerLines = []struct {
	often int
	line  string
}{
	{40, "run -o RUNFORMAT SCENARIO"}, {4, "run --kubernetes 1.31,1.37 -o JSONTEXT SCENARIO"}, {4, "run --save-as-test=- SCENARIO"},
	{10, "run --only web-0 --since 1s SCENARIO"}, {10, "run -"}, {30, "test SCENARIO"},
	{1, "test --github --junit junit.xml --html pages SCENARIO"}, {60, "expand SCENARIO"}, {4, "compare -o PAGE SCENARIO SCENARIO"},
	{2, "compare --with spec.replicas=2 -o PAGE SCENARIO"}, {30, "explain -o TOLD SCENARIO"}, {60, "explain -o TOLD DUMP"},
	{20, "explain --recording RECORDING DUMP"}, {1, "explore --runs 2 -o FOUND SCENARIO"}, {1, "explore --runs 2 MANIFEST MANIFEST"},
	{1, "explore --runs 1 DUMP MANIFEST"}, {8, "explore --runs 2 --replay TOKEN token.yaml"}, {4, "sweep --runs 2 -o JSONTEXT SCENARIO"},
	{80, "merge -o JSONTEXT REPORT"}, {20, "merge REPORT REPORT"}, {80, "check TIMELINE EXPECTATIONS"},
	{2, "plan --runs 1 -o PAGE MANIFEST MANIFEST"}, {1, "plan --runs 1 DUMP MANIFEST"}, {4, "plan --runs 1 --recording RECORDING MANIFEST MANIFEST"},
	{2, "upgrade --from 1.33 --to 1.37 -o PAGE MANIFEST"}, {12, "init --write - MANIFEST"}, {6, "init --write - DUMP"}, {10, "learn --no-pause"},
	{20, "serve --replay SESSION -o SERVED"}, {20, "save SESSION"}, {20, "explain -R -o TOLD ARCHIVE"},
}

// strangerWords are the words in capitals that are no files.
var strangerWords = map[string][]string{
	"RUNFORMAT": {"text", "table", "json", "jsonl", "watch", "rollout-status", "history", "markdown", "html", "svg", "animated-svg",
		"gantt", "trace", "junit", "text", "table", "markdown", "junit", "watch", "gantt", "history"},
	"JSONTEXT": {"text", "json"}, "PAGE": {"text", "markdown", "json", "html"}, "TOLD": {"text", "json", "text", "json", "text", "html"},
	"SERVED": {"text", "json", "jsonl", "html"}, "FOUND": {"text", "json", "jsonl", "markdown", "junit", "html"},
}

// strangerLimits keep an execution short.
var strangerLimits = []string{"--max-replicas", "20", "--max-events", "1500", "--max-cost", "100000", "--max-memory", "1GiB"}

const (
	// longest is how long one execution may take on a machine that does other things too; most allocated is what it may
	// allocate meanwhile.
	longest       = 90 * time.Second
	mostAllocated = 1 << 30
)

// TestStrangers gives changed files to every command: scenarios, manifests, dumps, timelines, reports, recordings,
// tokens, sessions, archives, and the list of finished lessons. No execution may panic, hang, take much memory, print a control character
// or a workflow command, or refuse a file without naming it. STRANGERS is how many executions there are; STRANGERS_FOR
// is how long they go on instead. The execution N of a seed is the same each time: SEED=S STRANGERS_AT=N tries it
// alone.
func TestStrangers(t *testing.T) {
	count, seed, until := 100, uint64(1), time.Duration(0)
	if n, err := strconv.Atoi(os.Getenv("STRANGERS")); err == nil {
		count = n
	}
	if n, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64); err == nil {
		seed = n
	}
	if d, err := time.ParseDuration(os.Getenv("STRANGERS_FOR")); err == nil {
		until, count = d, 1<<40
	}
	if count > chunk {
		inChunks(t, count, until)
		return
	}
	besideSim(t)
	samples := gather(t)
	// Less work for the collector, and none for setting its limit each time.
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	t.Setenv("GOMEMLIMIT", "4GiB")
	s := strangers{test: t, samples: samples, seen: map[string]int{}}
	t.Chdir(t.TempDir())
	s.pool = partsOf(samples)
	if at, err := strconv.Atoi(os.Getenv("STRANGERS_AT")); err == nil {
		s.execute(seed, at)
		return
	}
	begun, first := time.Now(), 0
	if n, err := strconv.Atoi(os.Getenv("STRANGERS_FROM")); err == nil {
		first = n
	}
	for i := first; i < first+count && len(s.seen) < 40; i++ {
		s.execute(seed, i)
	}
	t.Logf("%d executions in %s, of which %d were of input that was taken; the longest took %s: %s",
		s.done, time.Since(begun).Round(time.Second), s.taken, s.slowest.Round(time.Millisecond), s.slow)
}

// chunk is how many executions one process has: the library of the command line keeps something of each.
const chunk = 10_000

// inChunks executes in one process after the other. A process that dies is a failure, too.
func inChunks(t *testing.T, count int, until time.Duration) {
	begun := time.Now()
	for first := 0; first < count && (until == 0 || time.Since(begun) < until); first += chunk {
		one := exec.Command(os.Args[0], "-test.run", "^TestStrangers$", "-test.v")
		one.Env = append(os.Environ(), "STRANGERS_FOR=", "STRANGERS="+strconv.Itoa(chunk), "STRANGERS_FROM="+strconv.Itoa(first))
		said, err := one.CombinedOutput()
		fmt.Printf("%d executions in %s\n", first+chunk, time.Since(begun).Round(time.Second))
		if err != nil {
			t.Errorf("%s", said)
		}
	}
}

// strangers is a series of executions.
type strangers struct {
	test    *testing.T
	samples map[string][]sample
	pool    []*yaml.Node
	// seen counts the failures by what is wrong, in which all names and numbers are alike.
	seen        map[string]int
	done, taken int
	slowest     time.Duration
	slow        string
}

// execute draws one command and its files, runs it and judges what it printed.
func (s *strangers) execute(seed uint64, number int) {
	m := &mutator{rand.New(rand.NewPCG(seed, uint64(number))), s.pool}
	line := drawn(m)
	args, stdin, files := s.fill(m, line)
	var out, says bytes.Buffer
	before, begun := allocated(), time.Now()
	code := s.within(args, &command.Console{In: bytes.NewReader(stdin), Out: &out, Err: &says, Ctx: context.Background()})
	took := time.Since(begun)
	s.done++
	if code != cli.ExitUsage {
		s.taken++
	}
	if took > s.slowest {
		s.slowest, s.slow = took, fmt.Sprintf("%d: %s", number, strings.Join(args, " "))
	}
	wrong := ""
	switch memory := allocated() - before; {
	case code < 0:
		wrong = fmt.Sprintf("it did not end within %s", longest)
	case memory > mostAllocated:
		wrong = fmt.Sprintf("it allocated %d MiB", memory>>20)
	default:
		wrong = misprinted(strings.Join(args, " "), code, out.String(), says.String())
		if wrong == "" && code == cli.ExitUsage {
			wrong = unnamed(line, out.String(), says.String())
		}
	}
	if wrong != "" {
		s.failed(number, args, files, wrong)
	}
}

// drawn draws a command.
func drawn(m *mutator) string {
	all := 0
	for _, l := range strangerLines {
		all += l.often
	}
	n := m.IntN(all)
	for _, l := range strangerLines {
		if n -= l.often; n < 0 {
			return l.line
		}
	}
	return ""
}

// fill replaces the words in capitals, and writes the files, of which at least one is changed. Now and then one is of
// another kind than the command expects.
func (s *strangers) fill(m *mutator, line string) (args []string, stdin []byte, files map[string][]byte) {
	files = map[string][]byte{}
	for _, word := range strings.Fields(line) {
		if words := strangerWords[word]; words != nil {
			word = words[m.IntN(len(words))]
		}
		if list := s.samples[word]; list != nil {
			if m.IntN(25) == 0 {
				kinds := sortedKinds(s.samples)
				list = s.samples[kinds[m.IntN(len(kinds))]]
			}
			// Small texts are read sooner.
			from, other := list[m.IntN(len(list))], list[m.IntN(len(list))]
			if len(other.text) < len(from.text) {
				from = other
			}
			text := from.text
			if len(files) == 0 || m.IntN(3) == 0 {
				text = m.text(from)
			}
			if word == "TOKEN" {
				args = append(args, strings.ReplaceAll(string(text), "\x00", ""))
				list := s.samples["SCENARIO"]
				s.write(files, "token.yaml", list[m.IntN(len(list))].text)
				continue
			}
			word = fmt.Sprintf("in-%d.yaml", len(files)+1)
			s.write(files, word, text)
		}
		if word == "-" && strings.HasPrefix(line, "run") {
			list := s.samples["SCENARIO"]
			stdin = m.text(list[m.IntN(len(list))])
		}
		args = append(args, word)
	}
	if verb := args[0]; verb != "learn" && verb != "save" && verb != "check" && verb != "merge" {
		args = append(args, strangerLimits...)
	}
	return args, stdin, files
}

// write writes a file that a command reads, and keeps its text for the report of a failure.
func (s *strangers) write(files map[string][]byte, name string, text []byte) {
	files[name] = text
	require.NoError(s.test, os.WriteFile(name, text, 0o600))
}

func sortedKinds(samples map[string][]sample) []string {
	var kinds []string
	for kind := range samples {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds
}

// within runs a command line. The code is -1 if it does not end in time.
func (s *strangers) within(args []string, with *command.Console) int {
	done := make(chan int, 1)
	go func() { done <- run(args, with) }()
	timer := time.NewTimer(longest)
	defer timer.Stop()
	select {
	case code := <-done:
		return code
	case <-timer.C:
		_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 1)
		return -1
	}
}

// run runs a command line: here, or in a process where another program answers.
func run(args []string, with *command.Console) int {
	if verb := args[0]; verb != "serve" && verb != "save" {
		return Main(args, with, command.Simulator)
	}
	sim := exec.Command("sim", args...)
	sim.Stdin, sim.Stdout, sim.Stderr = with.In, with.Out, with.Err
	_ = sim.Run()
	return sim.ProcessState.ExitCode()
}

// allocated returns how many bytes were allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

var (
	goWords = regexp.MustCompile(`Go struct|unmarshal|\*?\b(explore|sweep|timeline|strict|model|yaml|json|plan|dump|expect|reflect)\.[A-Z]\w+|` +
		`goroutine|invalid character '|float64|\bint(32|64)\b|<nil>|%!\w?\(`)
	numbers  = regexp.MustCompile(`\d+|"[^"]*"|'[^']*'|\x60[^\x60]*\x60`)
	warnings = regexp.MustCompile(`(?m)^(warning: .*|.* no effect and (is|are) ignored|.* its steps are not played)\n`)
	placed   = regexp.MustCompile(`in-\d\.yaml(?:/[\w./-]*)?:\d+|<stdin>:\d+|standard input:\d+`)
	named    = regexp.MustCompile(`in-\d\.yaml|<stdin>|standard input|stdin|--replay|token\.yaml`)
)

// misprinted says what is wrong with what a command line printed; "" if nothing is.
func misprinted(line string, code int, out, err string) string {
	said := out + "\n" + err
	if code == cli.ExitDefect {
		return "it panics: " + firstMatch(regexp.MustCompile(`internal error: .*`), err)
	}
	if i := strings.IndexFunc(said, steering); i >= 0 {
		return fmt.Sprintf("it prints a character that is not seen: %q", said[i:min(len(said), i+8)])
	}
	if strings.Contains(line, "--github") {
		said = ours.ReplaceAllString(said, "")
	}
	if strings.Contains(said, "::") || strings.Contains(said, "##[") {
		if found := commands.FindString(said); found != "" {
			return fmt.Sprintf("it prints a command of a workflow: %q", found)
		}
	}
	format := firstMatch(regexp.MustCompile(`-o \S+`), line)
	if code == cli.ExitUsage || out == "" || format == "" {
		return ""
	}
	return misformed(strings.TrimPrefix(format, "-o "), out)
}

// misformed says what is wrong with a text of a format: it cannot be read, or has markup of a file; "" if nothing is.
func misformed(format, out string) string {
	switch format {
	case "json", "trace":
		// Of several files there are several documents.
		for decoder := json.NewDecoder(strings.NewReader(out)); ; {
			if err := decoder.Decode(new(any)); err == io.EOF {
				return ""
			} else if err != nil {
				return fmt.Sprintf("it prints what is no JSON: %s", err)
			}
		}
	case "jsonl":
		for line := range strings.Lines(out) {
			if !json.Valid([]byte(line)) {
				return "it prints what is no JSON: " + line
			}
		}
	case "svg", "animated-svg", "junit", "xml":
		for decoder := xml.NewDecoder(strings.NewReader(out)); ; {
			token, err := decoder.Token()
			if err == io.EOF {
				return ""
			}
			element, _ := token.(xml.StartElement)
			if err != nil || element.Name.Local == "script" || element.Name.Local == "img" {
				return fmt.Sprintf("it prints markup of a file, or what is no XML: %v %v", element.Name, err)
			}
		}
	case "html", "markdown":
		if format == "markdown" {
			out = withoutCode(out)
		}
		if strings.Contains(out, "<script>alert") || strings.Contains(out, "<img src=x") {
			return "it prints markup of a file"
		}
	}
	return ""
}

// withoutCode leaves out the code of Markdown, in which nothing is markup: blocks between fences, and what is in the
// line between as many backquotes as it begins with.
func withoutCode(text string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " ") // A block may be an item of a list.
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence != "" && len(ticks) >= len(fence) && strings.TrimSpace(line) == ticks:
			fence = ""
		case fence == "" && len(ticks) >= 3:
			fence = ticks
		case fence == "":
			b.WriteString(spans.ReplaceAllString(line, ""))
		}
	}
	return b.String()
}

// spans matches code within a line of Markdown.
var spans = regexp.MustCompile("```[^`].*?```|``[^`].*?``|`[^`]+`")

// unnamed says what is wrong with the message that a file is wrong; "" if nothing is.
func unnamed(line string, out, err string) string {
	if found := goWords.FindString(err); found != "" {
		return "it prints words of Go: " + found
	}
	message, _, _ := strings.Cut(warnings.ReplaceAllString(err, ""), "\n")
	if err == "" || strings.HasPrefix(line, "test") {
		message = out + "\n" + err
	}
	switch {
	case unplaced.MatchString(message):
	case !named.MatchString(message):
		return "it names no file: " + numbers.ReplaceAllString(message, "N")
	case !placed.MatchString(message):
		return "it names no line: " + numbers.ReplaceAllString(message, "N")
	}
	return ""
}

// steering says whether a character moves the cursor, or turns or hides others.
func steering(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e ||
		r >= 0x2066 && r <= 0x2069 || r == 0x2028 || r == 0x2029
}

// unplaced are the messages about a file as a whole.
var unplaced = regexp.MustCompile(`there is no StatefulSet in |it does not show how long any pod|--at, --until and several versions are|` +
	`is for a dump of a live cluster|are for a dump of a live cluster|scenarios, or manifests: not both|token\.yaml|--replay: |` +
	`the manifest is empty|--only |--since |explore takes one dump|this archive|this is an archive`)

func firstMatch(of *regexp.Regexp, in string) string { return of.FindString(in) }

// failed reports a failure, the first of its kind with the files.
func (s *strangers) failed(number int, args []string, files map[string][]byte, wrong string) {
	key := numbers.ReplaceAllString(wrong, "N")
	if s.seen[key]++; s.seen[key] > 1 {
		return
	}
	folder, err := os.MkdirTemp("", "strangers-")
	require.NoError(s.test, err)
	for name, text := range files {
		require.NoError(s.test, os.WriteFile(filepath.Join(folder, name), text, 0o600))
	}
	s.test.Errorf("execution %d: %s\n  sim %q\n  in %s", number, wrong, args, folder)
}

// gather returns the samples of each kind: those of the repository, those that lie beside it if they are there, and
// some that commands write.
func gather(t *testing.T) map[string][]sample {
	samples := map[string][]sample{}
	add := func(kind string, texts ...string) {
		for _, text := range texts {
			samples[kind] = append(samples[kind], sampleOf(text))
		}
	}
	for _, tree := range []string{"../../scenarios", "../../scenario/testdata", "../../scenario/expect/testdata", "../../scenario/change/plan/testdata",
		"../../scenario/live/explain/testdata", "../../../shared/field3/hostile", "../../../shared/field3/shapes", "../../../shared/traps",
		"../../../shared/dumps"} {
		add("", filesBelow(tree)...)
	}
	for _, page := range []string{"README.md", "docs/guide.md", "docs/format.md", "docs/plan.md", "docs/ci.md"} {
		add("", blocks(t, page, "yaml")...)
	}
	for _, one := range samples[""] {
		if kind := kindOf(string(one.text)); kind != "" {
			samples[kind] = append(samples[kind], one)
		}
	}
	delete(samples, "")
	for _, text := range plantedFiles {
		text = strings.ReplaceAll(text, "TEXT", strconv.Quote(planted))
		if kind := kindOf(text); kind != "" {
			add(kind, text)
		}
	}
	samples["EXPECTATIONS"] = append(samples["EXPECTATIONS"], samples["SCENARIO"]...)
	inputs(t)
	for _, name := range []string{"timeline.jsonl", "explore.json", "sweep.json"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		kind := map[string]string{"timeline.jsonl": "TIMELINE"}[name]
		if kind == "" {
			kind = "REPORT"
		}
		add(kind, string(text))
	}
	const trap = "kubernetes: \"1.27\"\nsteps:\n- create: {name: web, replicas: 3, image: \"a:1\", podManagementPolicy: Parallel, " +
		"minReadySeconds: 5}\n- setImage: {image: \"a:2\"}\n"
	require.NoError(t, os.WriteFile("trap.yaml", []byte(trap), 0o600))
	_, found, _ := call(t, command.Simulator, "", "explore", "-o", "json", "--runs", "200", "trap.yaml")
	require.Contains(t, found, "sx1.")
	add("REPORT", found)
	for i := range 6 {
		of := samples["SCENARIO"][i*len(samples["SCENARIO"])/6].text
		if _, lines, _ := call(t, command.Simulator, string(of), "run", "-o", "jsonl", "-"); len(lines) > 0 && len(lines) < 10_000 {
			add("TIMELINE", lines)
		}
	}
	add("TOKEN", "sx1.13680dfc.AIAQ", "sx1.00000000.")
	add("TOKEN", regexp.MustCompile(`sx1\.[\w.-]+`).FindAllString(found, 3)...)
	add("SESSION", sessionOfOne)
	for _, text := range filesWith(".jsonl", "../../../shared/field4/rough") {
		add("SESSION", text)
	}
	add("ARCHIVE", archives(t, string(samples["DUMP"][0].text))...)
	add("RECORDING", recordingOfOne, regexp.MustCompile(`(?m)^`).ReplaceAllString(recordingOfOne, ""))
	return samples
}

const sessionOfOne = `{"session":1,"sim":"test","epoch":"2026-01-01T00:00:00Z","files":[{"name":"a.yaml","text":"kubernetes: \"1.37\"\nsteps: [{create: {name: db, image: a}}]\n"}]}
{"at":0,"method":"POST","path":"/apis/apps/v1/namespaces/default/statefulsets","type":"application/json","body":{"metadata":{"name":"web"},"spec":{"replicas":2,"serviceName":"web","selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"app","image":"app:v1"}]}}}}}
{"at":9000000000,"method":"PATCH","path":"/apis/apps/v1/namespaces/default/statefulsets/web","type":"application/merge-patch+json","body":{"spec":{"replicas":1}}}
{"at":9000000000,"method":"POST","path":"/sim/checkpoint/a"}
{"at":12000000000,"method":"DELETE","path":"/api/v1/namespaces/default/pods/web-0","type":"application/json","raw":""}
{"at":20000000000,"method":"POST","path":"/sim/restore/a"}
{"at":30000000000}
`

// archives returns a dump as each kind of archive.
func archives(t *testing.T, dump string) []string {
	var tarred, zipped, gz, xzed, zst bytes.Buffer
	tw := tar.NewWriter(&tarred)
	require.NoError(t, tw.WriteHeader(&tar.Header{Name: "a/dump.yaml", Mode: 0o600, Size: int64(len(dump))}))
	_, err := io.WriteString(tw, dump)
	require.NoError(t, errors.Join(err, tw.Close()))
	zw := zip.NewWriter(&zipped)
	entry, err := zw.Create("a/dump.yaml")
	require.NoError(t, err)
	_, err = io.WriteString(entry, dump)
	require.NoError(t, errors.Join(err, zw.Close()))
	gw := gzip.NewWriter(&gz)
	_, err = gw.Write(tarred.Bytes())
	require.NoError(t, errors.Join(err, gw.Close()))
	xw, err := xz.NewWriter(&xzed)
	require.NoError(t, err)
	_, err = xw.Write(tarred.Bytes())
	require.NoError(t, errors.Join(err, xw.Close()))
	sw, err := zstd.NewWriter(&zst)
	require.NoError(t, err)
	_, err = io.WriteString(sw, dump)
	require.NoError(t, errors.Join(err, sw.Close()))
	return []string{tarred.String(), zipped.String(), gz.String(), xzed.String(), zst.String()}
}

const recordingOfOne = `{"apiVersion": "v1", "kind": "List", "items": [{"kind": "Pod", "metadata": {"name": "web-0", "uid": "1",
"creationTimestamp": "2026-01-01T00:00:00Z", "ownerReferences": [{"kind": "StatefulSet", "name": "web", "controller": true}]},
"status": {"startTime": "2026-01-01T00:00:01Z", "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime":
"2026-01-01T00:00:05Z"}]}}]}
`

// kindOf says what a text of YAML is.
func kindOf(text string) string {
	has := func(pattern string) bool { return regexp.MustCompile(pattern).MatchString(text) }
	switch {
	case has(`(?m)^steps:`):
		return "SCENARIO"
	case has(`"?uid"?:`) && has(`"?kind"?: *"?(StatefulSet|Pod|List)`):
		return "DUMP"
	case has(`(?m)^ *kind: StatefulSet`):
		return "MANIFEST"
	case has(`(?m)^expect:`):
		return "EXPECTATIONS"
	}
	return ""
}

// sampleOf reads a text as trees, if it is YAML or JSON.
func sampleOf(text string) sample {
	s := sample{text: []byte(text), json: strings.HasPrefix(text, "{")}
	if s.json {
		for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
			var tree yaml.Node
			if yaml.Unmarshal([]byte(line), &tree) != nil || len(tree.Content) == 0 || tree.Content[0].Kind != yaml.MappingNode {
				s.trees = nil
				break
			}
			s.trees = append(s.trees, &tree)
		}
		if len(s.trees) > 0 {
			return s
		}
	}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for {
		var tree yaml.Node
		switch err := decoder.Decode(&tree); {
		case err == io.EOF:
			return s
		case err != nil:
			s.trees = nil
			return s
		}
		s.trees = append(s.trees, &tree)
	}
}

// filesBelow returns the texts of the small files of YAML and JSON below a folder.
func filesBelow(root string) []string { return filesWith(".yaml .yml .json", root) }

// filesWith returns the texts of the small files with some endings below a folder.
func filesWith(endings, root string) (texts []string) {
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains(strings.Fields(endings), filepath.Ext(path)) {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Size() < 9000 {
			if text, err := os.ReadFile(path); err == nil {
				texts = append(texts, string(text))
			}
		}
		return nil
	})
	return texts
}

// partsOf returns parts of samples of all kinds.
func partsOf(samples map[string][]sample) (pool []*yaml.Node) {
	for _, kind := range sortedKinds(samples) {
		for i, s := range samples[kind] {
			var all []*yaml.Node
			for _, tree := range s.trees {
				collect(tree, false, &all)
			}
			for j := i % 7; j < len(all) && len(pool) < 20_000; j += 7 {
				if size := countNodes(all[j], 60); size < 60 {
					pool = append(pool, all[j])
				}
			}
		}
	}
	return pool
}

// countNodes counts the nodes of a tree, up to a number.
func countNodes(n *yaml.Node, most int) int {
	count := 1
	for _, child := range n.Content {
		if count += countNodes(child, most-count); count >= most {
			break
		}
	}
	return count
}
