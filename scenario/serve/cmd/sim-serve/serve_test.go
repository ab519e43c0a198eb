package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// TestServe: the command prints where it listens and writes a kubeconfig, with which `sim clock` finds the session; the
// user's interruption ends it with the verdict, and the temporary kubeconfig goes.
func TestServe(t *testing.T) {
	manifest := filepath.Join(t.TempDir(), "web.yaml")
	require.NoError(t, os.WriteFile(manifest, []byte(`apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  serviceName: web
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: app}]}}
`), 0o600))
	ctx, interrupt := context.WithCancel(context.Background())
	in, out := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		s := &command.Console{In: strings.NewReader(""), Out: out, Err: out, Ctx: ctx}
		code := cli.Main([]string{"serve", "--speed", "paused", manifest}, s, newRootCmd)
		out.Close()
		ended <- code
	}()
	lines := bufio.NewScanner(in)
	next := func(has string) string {
		for lines.Scan() {
			if strings.Contains(lines.Text(), has) {
				return lines.Text()
			}
		}
		t.Fatalf("nothing was printed with %q", has)
		return ""
	}
	next("STEP 1: create web")
	next("https://127.0.0.1:")
	file := strings.TrimPrefix(next("export KUBECONFIG="), "export KUBECONFIG=")
	sim := func(args ...string) (int, string) {
		var told strings.Builder
		s := &command.Console{In: strings.NewReader(""), Out: &told, Err: &told, Ctx: context.Background()}
		return cli.Main(append(args, "--kubeconfig", file), s, newRootCmd), told.String()
	}
	clock := func(args ...string) (int, string) { return sim(append([]string{"clock"}, args...)...) }
	rest := make(chan string, 1)
	code, told := clock()
	require.Equal(t, "0s: 2026-01-01T00:00:00Z, at speed paused\n", told)
	require.Zero(t, code)
	go func() {
		var text strings.Builder
		for lines.Scan() {
			text.WriteString(lines.Text() + "\n")
		}
		rest <- text.String()
	}()
	_, told = sim("checkpoint", "begin")
	require.Equal(t, "0s: 2026-01-01T00:00:00Z, at speed paused\n", told)
	_, told = clock("advance", "10s")
	require.Equal(t, "10s: 2026-01-01T00:00:10Z, at speed paused, settled\n", told)
	code, told = clock("advance", "soon")
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, told, "by is no duration")
	code, _ = clock("backwards")
	require.Equal(t, cli.ExitUsage, code)
	_, told = sim("why", "pod/web-0")
	require.Contains(t, told, "Ready")
	_, told = sim("restore", "begin")
	require.Equal(t, "0s: 2026-01-01T00:00:00Z, at speed paused\n", told)
	_, told = sim("why", "sts/web")
	require.Contains(t, told, "waits: web-0 is not Running and Ready")
	code, told = sim("restore", "end")
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, told, "there is no checkpoint")
	interrupt()
	require.Equal(t, cli.ExitInterrupted, <-ended)
	printed := <-rest
	require.Contains(t, printed, "web-0 Ready")
	require.Contains(t, printed, "back to begin")
	require.NoFileExists(t, file)
}

// TestServeReplaysAScenario: a session that began with a scenario is played again without the file, and its steps are not.
func TestServeReplaysAScenario(t *testing.T) {
	file := filepath.Join(t.TempDir(), "session.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(`{"session":1,"sim":"test","epoch":"2026-01-01T00:00:00Z","files":[`+
		`{"name":"two.yaml","text":"name: two\nnodes: 2\nsteps: [{create: {name: unplayed, image: none}}]\n"}]}`+
		"\n{\"at\":0}\n"), 0o600))
	code, out, stderr := call(t, "serve", "--replay", file)
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Contains(t, stderr, "two.yaml: the cluster is that of the scenario; its steps are not played")
	require.Contains(t, out, "settled at 0s")
}

// TestServeFlags: what is wrong is said before anything listens.
func TestServeFlags(t *testing.T) {
	for flag, want := range map[string]string{
		"--speed=0x": "is no speed", "--lockstep=1s": "goes with --speed max", "--epoch=then": "write fixed, now or a time",
		"-o=nothing": "choose one of", "--kubernetes=1.36,1.37": "one version",
		"--controllers=some":     "write all, none, or a list of statefulset",
		"--controllers=all,none": `"all" is not served`,
	} {
		var told strings.Builder
		s := &command.Console{In: strings.NewReader(""), Out: &told, Err: &told, Ctx: context.Background()}
		require.Equal(t, cli.ExitUsage, cli.Main([]string{"serve", flag}, s, newRootCmd), flag)
		require.Contains(t, told.String(), want, flag)
	}
}

// TestServeWithoutControllers: a recording keeps --controllers none, so that a replay has it, and is no scenario.
func TestServeWithoutControllers(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("scenario.yaml", []byte("name: a\nsteps: [{create: {name: a, image: b}}]\n"), 0o600))
	const session = `{"session":1,"sim":"test","controllers":"none","epoch":"2026-01-01T00:00:00Z","files":[]}
{"at":0,"method":"POST","path":"/apis/apps/v1/namespaces/default/statefulsets","body":{"metadata":{"name":"web"},"spec":{` +
		`"serviceName":"web","selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},` +
		`"spec":{"containers":[{"name":"app","image":"app:v1"}]}}}}}
{"at":30000000000}
`
	require.NoError(t, os.WriteFile("none.jsonl", []byte(session), 0o600))
	code, out, stderr := call(t, "serve", "--replay", "none.jsonl")
	require.Equal(t, cli.ExitOK, code, stderr)
	require.NotContains(t, out, "web-0")
	for line, want := range map[string]string{
		"serve --controllers none scenario.yaml":       "leave out the scenario, or write --controllers all",
		"serve --controllers none --replay none.jsonl": "leave out --controllers",
		"save none.jsonl": "none.jsonl:1:1: not all controllers act in this session",
	} {
		code, _, stderr := call(t, strings.Fields(line)...)
		require.NotEqual(t, cli.ExitOK, code, line)
		require.Contains(t, stderr, want)
	}
}

// TestServeMakesItsKubeconfig: --kubeconfig names a new file, which has a token in it. A file or a link of the user is
// neither written nor removed.
func TestServeMakesItsKubeconfig(t *testing.T) {
	t.Chdir(t.TempDir())
	const mine = "apiVersion: v1\nkind: Config\n"
	require.NoError(t, os.WriteFile("mine", []byte(mine), 0o644))
	require.NoError(t, os.Symlink("mine", "link"))
	require.NoError(t, os.Symlink("nowhere", "dangling"))
	for _, file := range []string{"mine", "link", "dangling"} {
		code, _, stderr := call(t, "serve", "--kubeconfig", file)
		require.Equal(t, cli.ExitUsage, code, file)
		require.Contains(t, stderr, "--kubeconfig "+file+" is there already, and is not overwritten")
		_, err := os.Lstat(file)
		require.NoError(t, err)
	}
	text, err := os.ReadFile("mine")
	require.NoError(t, err)
	require.Equal(t, mine, string(text))
	require.NoFileExists(t, "nowhere")
}

// TestServeInEachFormat: a session ends with its report in each format, also an empty one.
func TestServeInEachFormat(t *testing.T) {
	t.Chdir(t.TempDir())
	const session = `{"session":1,"sim":"test","epoch":"2026-01-01T00:00:00Z","files":[]}`
	require.NoError(t, os.WriteFile("empty.jsonl", []byte(session+"\n{\"at\":1000000000}\n"), 0o600))
	require.NoError(t, os.WriteFile("web.jsonl", []byte(session+`
{"at":0,"method":"POST","path":"/apis/apps/v1/namespaces/default/statefulsets","body":{"metadata":{"name":"web"},"spec":{`+
		`"serviceName":"web","selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},`+
		`"spec":{"containers":[{"name":"app","image":"app:v1"}]}}}}}
{"at":30000000000}
`), 0o600))
	for _, format := range command.FormatNames() {
		for _, file := range []string{"empty.jsonl", "web.jsonl"} {
			code, out, stderr := call(t, "serve", "--replay", file, "-o", format)
			require.Equal(t, cli.ExitOK, code, "%s %s: %.2000s", format, file, stderr)
			if file == "web.jsonl" {
				require.Contains(t, out, map[bool]string{true: "web", false: "sim serve"}[format != "junit"], format)
			}
		}
	}
}

// TestServeLiveAsPage: a session with clients prints its page when the user interrupts.
func TestServeLiveAsPage(t *testing.T) {
	ctx, interrupt := context.WithCancel(context.Background())
	var out strings.Builder
	s := &command.Console{In: strings.NewReader(""), Out: &out, Err: &out, Ctx: ctx}
	time.AfterFunc(100*time.Millisecond, interrupt)
	require.Equal(t, cli.ExitInterrupted, cli.Main([]string{"serve", "-o", "html"}, s, newRootCmd))
	require.Contains(t, strings.ToLower(out.String()), "<!doctype html>")
}
