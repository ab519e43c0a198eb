package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario/play/verdict"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// fakeScene is a scenario that ends as its file's name says.
type fakeScene struct {
	name    string
	version string
	seed    uint64
}

func (f fakeScene) Name() string { return f.name }

func (f fakeScene) NeedsHistory() error { return nil }

func (f fakeScene) Stream(until verdict.Ends, to verdict.Stream) *verdict.Run {
	p := f.Play(until)
	to.Written(p.Events)
	return p
}

func (f fakeScene) Play(until verdict.Ends) *verdict.Run {
	end := timeline.Settled
	switch {
	case f.name == "defect":
		panic("the queue has no head")
	case f.name == "slow" && until.Interrupted():
		end = timeline.Interrupted
	case f.name == "stuck", f.name == "parts" && f.version == "1.37":
		end = timeline.IsStuck
	}
	return &verdict.Run{
		Run: report.Run{Name: f.name, Events: []timeline.Event{
			timeline.Entry{Kind: timeline.KindRun, Run: &timeline.Run{Seed: f.seed, Kubernetes: "1.37"}}.Event(),
			timeline.Entry{Kind: timeline.KindResult, Result: &timeline.Result{Verdict: end}}.Event(),
		}},
		OK:          end == timeline.Settled,
		Interrupted: end == timeline.Interrupted,
		Ignored:     []string{"Service web"},
	}
}

// fakeEngine remembers the options of the last load.
type fakeEngine struct {
	mu      sync.Mutex
	options command.World
}

func (f *fakeEngine) engine() *command.Engine {
	return &command.Engine{
		Load: func(in files.Source, o *command.World) (verdict.Scene, error) {
			f.mu.Lock()
			f.options = *o
			f.mu.Unlock()
			name := strings.TrimSuffix(filepath.Base(in.Path), ".yaml")
			if in.Path == files.Stdin {
				name = strings.TrimSpace(string(in.Data))
			}
			if name == "broken" {
				return nil, errors.New(in.Path + `:3:5: unknown key "step": did you mean steps?`)
			}
			s := fakeScene{name: name, version: o.Kubernetes, seed: 5}
			if o.Seed != nil {
				s.seed = *o.Seed
			}
			return s, nil
		},
		Check: func(_, expectations files.Source, _ *command.World) (*verdict.Run, error) {
			return fakeScene{name: strings.TrimSuffix(expectations.Path, ".yaml")}.Play(verdict.Ends{}), nil
		},
		Versions: func() []string { return []string{"1.36", "1.37"} },
		Causes: func(verdict.Scene, verdict.Scene, func() bool) []report.Cause {
			return []report.Cause{{Name: "budget", Sentence: "It counts.", On: true}}
		},
	}
}

// call runs a command line with streams in memory.
func call(t *testing.T, e *command.Engine, in string, args ...string) (code int, out, err string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	s := &command.Console{In: strings.NewReader(in), Out: &stdout, Err: &stderr, Ctx: t.Context()}
	code = Main(args, s, e)
	return code, stdout.String(), stderr.String()
}

// folder makes files that look like scenarios, and some that do not, and goes there.
func folder(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		content := "steps: []\n"
		if strings.Contains(name, "manifest") {
			content = "kind: StatefulSet\nspec:\n  steps: 3\n"
		}
		require.NoError(t, os.WriteFile(name, []byte(content), 0o644))
	}
}

func TestCommandLine(t *testing.T) {
	folder(t, "good.yaml", "stuck.yaml", "parts.yaml", "broken.yaml", "defect.yaml", "all/b.yaml", "all/a.yml", "all/deep/stuck.yaml",
		"all/manifest.yaml", "all/.hidden/x.yaml", "all/notes.txt", "manifests/manifest.yaml", "three/good.yaml",
		"three/broken.yaml", "three/stuck.yaml", "bugs/defect.yaml", "bugs/good.yaml")
	tests := []struct {
		name, in string
		args     string
		code     int
		out, err string
	}{
		{name: "help", args: "--help", out: "Play and check:"},
		{name: "nothing", args: "", out: "Play and check:"},
		{name: "unknown command", args: "rnu x", code: 2, err: "unknown command \"rnu\""},
		{name: "near command", args: "tset x", code: 2, err: "Did you mean this?\n\ttest"},
		{name: "unknown flag", args: "run --sed 1 good.yaml", code: 2,
			err: "sim run: unknown flag: --sed: did you mean --seed?\n\nUsage: sim run FILE... [flags]\n"},
		{name: "no file", args: "run", code: 2, err: "name at least one FILE"},
		{name: "good", args: "run good.yaml", out: "settled at 0s"},
		{name: "ignored", args: "run good.yaml", err: "good.yaml: Service web has no effect and is ignored\n"},
		{name: "stuck", args: "run stuck.yaml", code: 1, out: "\nsim run --seed 5 stuck.yaml\n"},
		{name: "stuck with flags", code: 1,
			args: "run --seed 7 --until 60s --kubernetes 1.36 --feature-gates B=false,A=true --max-replicas 5 stuck.yaml",
			out: "\nsim run --seed 7 --kubernetes 1.36 --feature-gates A=true,B=false --until 1m0s " +
				"--max-replicas 5 stuck.yaml\n"},
		{name: "stuck with all limits", code: 1,
			args: "run --seed 7 --root . --max-replicas 5 --max-events 6 --max-memory 64MiB --max-cost 7 --max-duration 8s " +
				"--max-file-size 90 --max-depth 10 --max-nodes 11 --max-documents 12 stuck.yaml",
			out: "\nsim run --seed 7 --root . --max-replicas 5 --max-events 6 --max-memory 64MiB --max-cost 7 --max-duration 8s " +
				"--max-file-size 90 --max-depth 10 --max-nodes 11 --max-documents 12 stuck.yaml\n"},
		{name: "stuck by stdin", in: "stuck", args: "run -", code: 1, out: "\nsim run --seed 5 -\n"},
		{name: "both", args: "run good.yaml stuck.yaml", code: 1, out: "settled at 0s"},
		{name: "broken", args: "run good.yaml broken.yaml", code: 2,
			err: "broken.yaml:3:5: unknown key \"step\": did you mean steps?\n"},
		{name: "defect", args: "run --seed 3 defect.yaml", code: 3, err: "the queue has no head"},
		{name: "defect asks for a report", args: "run --seed 3 defect.yaml", code: 3,
			err: "command: sim run --seed 3 defect.yaml\n"},
		{name: "stdin twice", args: "run - -", code: 2, err: "only be read once"},
		{name: "bad seed", args: "run --seed -1 good.yaml", code: 2, err: "is not a seed"},
		{name: "bad gate", args: "run --feature-gates A good.yaml", code: 2, err: "NAME=true"},
		{name: "bad until", args: "run --until=-1s good.yaml", code: 2, err: "cannot end before it begins"},
		{name: "bad limit", args: "run --max-events 0 good.yaml", code: 2, err: "at least 1"},
		{name: "bad format", args: "run -o yaml good.yaml", code: 2, err: "hoose one of text, table, json"},
		{name: "bad word", args: "upgrade --only better good.yaml", code: 2, err: "it takes only the word worse"},
		{name: "bad number", args: "sweep --runs many good.yaml", code: 2, err: "--runs many: write a whole number\n"},
		{name: "bad natural number", args: "plan --seed -3 a.yaml b.yaml", code: 2, err: "a whole number of at least 0\n"},
		{name: "large number", args: "run --max-replicas 3000000000 good.yaml", code: 2, err: "the number is too large\n"},
		{name: "nothing to name", args: "schema good.yaml", code: 2, err: "takes no argument, but got good.yaml"},
		{name: "bad color", args: "run --color blue good.yaml", code: 2, err: "hoose one of auto, always, never"},
		{name: "several runs on one page", args: "run -o html good.yaml stuck.yaml", code: 1, out: "<title>2 runs on one axis"},
		{name: "several runs in one trace", args: "run -o trace good.yaml stuck.yaml", code: 1, out: `"displayTimeUnit"`},
		{name: "several versions", args: "run --kubernetes 1.36,1.37 good.yaml", out: "\n1.36 and 1.37 behave alike\n"},
		{name: "several versions that part", args: "run --kubernetes 1.36,1.37 parts.yaml", code: 1,
			out: "\n1.36 and 1.37 diverge at 0s:\n"},
		{name: "several versions and their cause", args: "run --kubernetes 1.36,1.37 parts.yaml", code: 1,
			out: "cause  budget, in 1.37 and not in 1.36: It counts.\n"},
		{name: "several versions repeat", args: "run --kubernetes 1.36,1.37 parts.yaml", code: 1,
			out: "\n  sim run --seed 5 --kubernetes 1.37 parts.yaml\n"},
		{name: "several versions as lines", args: "run -o jsonl --kubernetes 1.36,1.37 good.yaml",
			out: `"digest":"5c5a078e6244b08b","events":0,"syncs":0}` + "\n" + `{"t":0,"event":"run"`},
		{name: "several versions as JSON", args: "run -o json --kubernetes 1.36,1.37 good.yaml", out: `"groups": [`},
		{name: "several versions as Markdown", args: "run -o markdown --kubernetes 1.36,1.37 good.yaml",
			out: "\n1.36 and 1.37 behave alike.\n"},
		{name: "several versions as tests", args: "run -o junit --kubernetes 1.36,1.37 good.yaml",
			out: `<testcase name="good (1.37)"`},
		{name: "several versions in a table", args: "run -o table --kubernetes 1.36,1.37 good.yaml", code: 2,
			err: "-o table shows one run: with several versions use one of text, markdown, json"},
		{name: "a version twice", args: "run --kubernetes 1.36,1.36 good.yaml", code: 2, err: "occurs twice"},
		{name: "an empty version", args: "run --kubernetes 1.36, good.yaml", code: 2, err: "the version is empty"},
		{name: "several versions of wrong input", args: "run --kubernetes 1.36,1.37 broken.yaml", code: 2,
			err: "broken.yaml:3:5: unknown key"},
		{name: "expand several versions", args: "expand --kubernetes 1.36,1.37 good.yaml", code: 2, err: "plays one version"},
		{name: "test several versions", args: "test --kubernetes 1.36,1.37 good.yaml", out: "ok      good.yaml 1.37  settled"},
		{name: "test several versions counts", args: "test --kubernetes 1.36,1.37 parts.yaml good.yaml", code: 1,
			out: "\n3 passed, 1 failed\n"},
		{name: "jsonl", args: "run -o jsonl good.yaml", out: `{"t":0,"event":"result","verdict":"settled"`},
		{name: "json", args: "run -o json good.yaml", out: `"formatVersion": 1`},
		{name: "watch", args: "run -o watch good.yaml", out: "NAME   READY"},
		{name: "table", args: "run --output table good.yaml", out: "EFFECT"},
		{name: "markdown", args: "run -o markdown good.yaml", out: "# good"},
		{name: "junit", args: "run -o junit good.yaml stuck.yaml", code: 1, out: `tests="2" failures="1"`},
		{name: "color", args: "run --color always good.yaml", out: "\x1b[1mgood\x1b[0m"},

		{name: "test one", args: "test good.yaml", out: "1 passed, 0 failed\n"},
		{name: "test folder", args: "test all", code: 1,
			out: "\nsim run --seed 5 all/deep/stuck.yaml\n\n2 passed, 1 failed\n"},
		{name: "test in order", args: "test -j 3 all", code: 1, out: "ok      all/a.yml"},
		{name: "test each once", args: "test good.yaml ./good.yaml", out: "1 passed, 0 failed\n"},
		{name: "test by name", args: "test --run ^b$ all", out: "ok      all/b.yaml           settled "},
		{name: "test by name counts", args: "test --run ^b$ all", out: "\n1 passed, 0 failed, 2 skipped\n"},
		{name: "test no such name", args: "test --run nobody all", code: 2, err: "no scenario has such a name"},
		{name: "test bad regex", args: "test --run ( all", code: 2, err: "missing closing"},
		{name: "test broken", args: "test three", code: 2, out: "three/broken.yaml:3:5: unknown key"},
		{name: "test broken counts", args: "test three", code: 2, out: "\n1 passed, 2 failed\n"},
		{name: "test broken of another name", args: "test --run good three",
			out: "\n1 passed, 0 failed, 2 skipped\n"},
		{name: "test defect", args: "test bugs", code: 3, out: "\n1 passed, 1 failed\n", err: "the queue has no head"},
		{name: "test missing", args: "test nowhere", code: 2, err: "no such file"},
		{name: "test nothing there", args: "test manifests", code: 2, err: "there is no scenario"},
		{name: "test stdin", args: "test -", code: 2, err: "use sim run -"},
		{name: "test no worker", args: "test -j 0 all", code: 2, err: "-j must be at least 1"},
		{name: "test junit elsewhere", args: "test --junit no/such/folder.xml good.yaml", code: 2, err: "--junit no/such/folder.xml: there is no folder no/such"},

		{name: "check", args: "check timeline.jsonl good.yaml", out: "settled at 0s"},
		{name: "check stuck", args: "check timeline.jsonl stuck.yaml", code: 1,
			out: "\nsim check timeline.jsonl stuck.yaml\n"},
		{name: "check one", args: "check timeline.jsonl", code: 2, err: "name TIMELINE and EXPECTATIONS: 2 arguments, not 1"},
		{name: "check stdin twice", args: "check - -", code: 2, err: "only be read once"},
		{name: "expand", args: "expand good.yaml", code: 2, err: "the scenario has no steps"},
		{name: "schema", args: "schema", out: `"$schema"`},
		{name: "version", args: "version", out: "sim " + command.Version + "\n"},
		{name: "versions", args: "versions", out: "1.37.0 and 1.37 (the default)\n"},
		{name: "versions and differences", args: "versions", out: "  truncate-on-error  from 1.22\n      The history is cut"},
		{name: "versions as JSON", args: "versions -o json", out: `"formatVersion": 1`},
		{name: "versions as Markdown", args: "versions -o markdown", out: "| `truncate-on-error`"},
		{name: "versions compared", args: "versions 1.36 1.37", out: "from 1.36 to 1.37: 8 differences\n"},
		{name: "versions compared as JSON", args: "versions -o json 1.36 1.37", out: `"from": "1.36"`},
		{name: "versions compared as Markdown", args: "versions -o markdown 1.36 1.37", out: "- `max-unavailable`: "},
		{name: "versions compared with none", args: "versions 1.12 1.37", code: 2, err: "no Kubernetes version"},
		{name: "one version", args: "versions 1.36", code: 2, err: "name two versions, or none"},
		{name: "completion", args: "completion bash", out: "bash completion"},
		{name: "completion of a format", args: "__complete run -o ma", out: "markdown\n"},
		{name: "completion of a version", args: "__complete run --kubernetes ''", out: "1.36\n1.37\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, out, err := call(t, new(fakeEngine).engine(), tt.in, strings.Fields(tt.args)...)
			require.Equal(t, tt.code, code, "stdout: %s\nstderr: %s", out, err)
			require.Contains(t, out, tt.out)
			require.Contains(t, err, tt.err)
			if code == cli.ExitUsage && strings.HasPrefix(tt.args, "run") {
				require.Empty(t, out, "errors belong on standard error")
			}
		})
	}
}

func TestWorldOptions(t *testing.T) {
	folder(t, "good.yaml")
	var f fakeEngine
	code, _, err := call(t, f.engine(), "", "run", "--kubernetes", "1.36", "--seed", "18446744073709551615",
		"--feature-gates", "A=true", "--feature-gates", "B=0", "--until", "1h", "--max-depth", "3", "good.yaml")
	require.Zero(t, code, err)
	require.Equal(t, "1.36", f.options.Kubernetes)
	require.Equal(t, map[string]bool{"A": true, "B": false}, f.options.Gates)
	require.Equal(t, ^uint64(0), *f.options.Seed)
	require.Equal(t, "1h0m0s", f.options.Until.String())
	require.Equal(t, 3, f.options.Limits.Depth)
}

// TestEveryCommandHasHelpWithExamples also holds that help goes to standard output.
func TestEveryCommandHasHelpWithExamples(t *testing.T) {
	root := newRootCmd(&command.Console{Ctx: t.Context()}, new(fakeEngine).engine())
	for _, cmd := range root.Commands() {
		if cmd.Hidden || !cmd.Runnable() || cmd.Name() == "help" || cmd.Name() == "completion" {
			continue
		}
		require.NotEmpty(t, cmd.GroupID, cmd.Name())
		if cmd.DisableFlagParsing {
			continue // It is handed over, and its help with it.
		}
		code, out, err := call(t, new(fakeEngine).engine(), "", "help", cmd.Name())
		require.Zero(t, code)
		require.Empty(t, err)
		require.Contains(t, out, "Examples:\n  sim "+cmd.Name())
	}
}

// TestUsageOnlyForUsageErrors: who has a typing error in a file does not want to read about flags.
func TestUsageOnlyForUsageErrors(t *testing.T) {
	folder(t, "broken.yaml", "stuck.yaml")
	for _, args := range [][]string{{"run", "broken.yaml"}, {"run", "stuck.yaml"}, {"test", "broken.yaml"}} {
		_, out, err := call(t, new(fakeEngine).engine(), "", args...)
		require.NotContains(t, out+err, "Usage:")
	}
}

func TestInterrupted(t *testing.T) {
	folder(t, "slow.yaml", "good.yaml")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	commands := [][]string{{"run", "slow.yaml", "good.yaml"}, {"test", "slow.yaml", "good.yaml"}, {"run", "-"}}
	for _, args := range commands {
		var out, stderr bytes.Buffer
		s := &command.Console{In: blocked{}, Out: &out, Err: &stderr, Ctx: ctx}
		require.Equal(t, cli.ExitInterrupted, Main(args, s, new(fakeEngine).engine()), args)
		require.NotContains(t, out.String(), "good", "what comes after the interruption is not played")
		if args[1] == "slow.yaml" && args[0] == "run" {
			require.Contains(t, out.String(), "INTERRUPTED at 0s", "what is known so far is told")
		}
	}
}

// blocked is a standard input to which nothing comes.
type blocked struct{}

func (blocked) Read([]byte) (int, error) { select {} }

type closedPipe struct{ writes int }

func (c *closedPipe) Write([]byte) (int, error) {
	c.writes++
	return 0, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
}

// TestBrokenPipe: a reader that has seen enough changes nothing of the exit code, and hears no complaint.
func TestBrokenPipe(t *testing.T) {
	folder(t, "stuck.yaml", "good.yaml")
	pipe := &closedPipe{}
	var stderr bytes.Buffer
	s := &command.Console{Out: &work.QuietWriter{W: pipe}, Err: &stderr, Ctx: t.Context()}
	require.Equal(t, cli.ExitFailed, Main([]string{"test", "stuck.yaml", "good.yaml"}, s, new(fakeEngine).engine()))
	require.Empty(t, stderr.String())
	require.Equal(t, 1, pipe.writes)
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestFullDisk(t *testing.T) {
	folder(t, "good.yaml")
	web := []byte("steps:\n- create: {name: web, replicas: 1, image: \"a:1\"}\n")
	require.NoError(t, os.WriteFile("web.yaml", web, 0o644))
	commands := [][]string{{"run", "good.yaml"}, {"test", "good.yaml"}, {"schema"}, {"versions"}, {"expand", "web.yaml"}}
	for _, args := range commands {
		var stderr bytes.Buffer
		s := &command.Console{Out: fullDisk{}, Err: &stderr, Ctx: t.Context()}
		require.Equal(t, cli.ExitUsage, Main(args, s, new(fakeEngine).engine()), args)
		require.Contains(t, stderr.String(), "no space left")
	}
}

func TestJUnitFile(t *testing.T) {
	folder(t, "good.yaml", "stuck.yaml")
	code, _, err := call(t, new(fakeEngine).engine(), "", "test", "--junit", "report.xml", "good.yaml", "stuck.yaml")
	require.Equal(t, cli.ExitFailed, code, err)
	data, readErr := os.ReadFile("report.xml")
	require.NoError(t, readErr)
	require.Contains(t, string(data), `tests="2" failures="1" errors="0"`)
}

// busy is a writer that notices when two writes happen at once.
type busy struct{ writing, together atomic.Int32 }

func (b *busy) Write(p []byte) (int, error) {
	if b.writing.Add(1) > 1 {
		b.together.Add(1)
	}
	time.Sleep(time.Millisecond)
	b.writing.Add(-1)
	return len(p), nil
}

// TestWritersTakeTurns: the runs of sim compare draw their progress at the same time.
func TestWritersTakeTurns(t *testing.T) {
	b := &busy{}
	q := &work.QuietWriter{W: b}
	work.Must(work.InOrder(20, 10, func(int) error { _, err := q.Write([]byte("x")); return err }, func(err error) error { return err }))
	require.Zero(t, b.together.Load())
}

// TestCompareCatches: a bug in a run that is played beside others is reported as one, with its own stack.
func TestCompareCatches(t *testing.T) {
	folder(t, "defect.yaml", "good.yaml")
	code, _, err := call(t, new(fakeEngine).engine(), "", "compare", "defect.yaml", "good.yaml")
	require.Equal(t, cli.ExitDefect, code, err)
	require.Contains(t, err, "this is a bug in sim, not in your input: the queue has no head")
	require.Contains(t, err, "fakeScene.Play")
}
