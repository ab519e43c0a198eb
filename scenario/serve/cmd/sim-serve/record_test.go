package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
)

// served is a process of sim serve, and a client of it.
type served struct {
	*exec.Cmd
	client        http.Client
	server, token string
}

// serving starts sim serve in a process of its own.
func serving(t *testing.T, args ...string) *served {
	s := &served{Cmd: exec.Command("sim-serve", append([]string{"serve"}, args...)...)}
	out, err := s.StdoutPipe()
	require.NoError(t, err)
	var stderr bytes.Buffer
	s.Stderr = &stderr
	require.NoError(t, s.Start())
	t.Cleanup(func() { _, _ = s.Process.Kill(), s.Wait() })
	lines, file := bufio.NewScanner(out), ""
	for file == "" && lines.Scan() {
		_, file, _ = strings.Cut(lines.Text(), "export KUBECONFIG=")
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err, &stderr)
	t.Cleanup(func() { os.RemoveAll(filepath.Dir(file)) }) // After SIGKILL it is left.
	go io.Copy(io.Discard, out)
	field := func(name string) string {
		return string(regexp.MustCompile(name + `: "?([^"\s}]+)`).FindSubmatch(text)[1])
	}
	s.server, s.token = field("server"), field("token")
	s.client.Transport = &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	return s
}

// ask sends a request, and returns the code of the answer.
func (s *served) ask(method, path, body string) (int, error) {
	r, err := http.NewRequest(method, s.server+path, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

// TestRecordingOutlivesTheProcess: whatever was answered before sim serve was killed is in the recording, which can be
// replayed and saved.
func TestRecordingOutlivesTheProcess(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, moment := range []time.Duration{0, 20 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond} {
		s := serving(t, "--speed", "paused", "--record", "session.jsonl")
		var answered []string
		time.AfterFunc(moment, func() { s.Process.Kill() })
		for i := 0; ; i++ {
			name := fmt.Sprintf("c%d", i)
			code, err := s.ask("POST", "/api/v1/namespaces/default/configmaps",
				fmt.Sprintf(`{"metadata":{"name":%q},"data":{"a":%q}}`, name, strings.Repeat("é", 2_000)))
			if err != nil {
				break
			}
			require.Equal(t, http.StatusCreated, code)
			answered = append(answered, name)
		}
		text, err := os.ReadFile("session.jsonl")
		require.NoError(t, err)
		read, err := recording.ReadSession("session.jsonl", text)
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(read.Requests), len(answered))
		for i, name := range answered {
			require.Contains(t, string(read.Requests[i].Body), `"name":"`+name+`"`)
		}
		code, _, stderr := call(t, "serve", "--replay", "session.jsonl", "-o", "jsonl")
		require.Equal(t, cli.ExitOK, code, stderr)
	}
}

// TestTornSession: a line that was not written to its end is left out, and that is said.
func TestTornSession(t *testing.T) {
	t.Chdir(t.TempDir())
	whole := `{"session":1,"sim":"test","epoch":"2026-01-01T00:00:00Z","files":[]}
{"at":0,"method":"POST","path":"/api/v1/namespaces/default/configmaps","type":"application/json","body":{"metadata":{"name":"a"}}}
`
	require.NoError(t, os.WriteFile("session.jsonl", []byte(whole+`{"at":5,"method":"PO`), 0o600))
	code, _, stderr := call(t, "serve", "--replay", "session.jsonl")
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Equal(t, "session.jsonl:3: the last line was not written to its end, and is left out\n", stderr)
}

// TestServeEndsAtOnce: Ctrl-C ends a session within a second or so although its clock is moved by a year, a crash at a
// time, and other calls wait; a client that gives up lets the others have their turn.
func TestServeEndsAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no signal to end with")
	}
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("crash.yaml", []byte(`name: crash
kubelet: {rules: [{match: {image: "app:bad"}, crash: 1s}]}
steps: [{create: {name: web, image: "app:v1"}}]
`), 0o644))
	s := serving(t, "--speed", "paused", "--record", "session.jsonl", "crash.yaml")
	code, err := s.ask("POST", "/apis/apps/v1/namespaces/default/statefulsets", `{"metadata":{"name":"web"},"spec":{"replicas":3,
		"podManagementPolicy":"Parallel","serviceName":"web","selector":{"matchLabels":{"app":"web"}},"template":{
		"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"app","image":"app:bad"}]}}}}`)
	require.NoError(t, err)
	require.Equal(t, http.StatusCreated, code)
	impatient := *s
	impatient.client = http.Client{Transport: s.client.Transport, Timeout: 300 * time.Millisecond}
	const year = "/sim/clock/advance?by=876000h"
	_, err = impatient.ask("POST", year, "")
	require.ErrorContains(t, err, "Timeout")
	code, err = s.ask("GET", "/sim/clock", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, code)

	for range 5 {
		go s.ask("POST", year, "")
	}
	time.Sleep(300 * time.Millisecond)
	began := time.Now()
	require.NoError(t, s.Process.Signal(os.Interrupt))
	var exit *exec.ExitError
	require.ErrorAs(t, s.Wait(), &exit)
	require.Less(t, time.Since(began), 5*time.Second)
	require.Equal(t, cli.ExitInterrupted, exit.ExitCode())
	text, err := os.ReadFile("session.jsonl")
	require.NoError(t, err)
	require.Equal(t, 3, bytes.Count(text, []byte("\n")), "the header, the set and the end: %s", text)
	t.Log(time.Since(began))
}

// TestRecordIsTriedFirst: a file that cannot be written, or is none that was recorded, is told before anything begins.
func TestRecordIsTriedFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	const manifest = "kind: StatefulSet\n"
	require.NoError(t, os.WriteFile("web.yaml", []byte(manifest), 0o644))
	for path, says := range map[string]string{
		"web.yaml":     "--record: web.yaml is there already, and was not written by sim",
		"nowhere/file": "--record: open nowhere/file: no such file or directory",
		".":            "--record: .: this is a folder",
	} {
		code, out, stderr := call(t, "serve", "--record", path)
		require.Equal(t, cli.ExitUsage, code)
		require.Empty(t, out)
		require.Contains(t, stderr, says)
	}
	text, err := os.ReadFile("web.yaml")
	require.NoError(t, err)
	require.Equal(t, manifest, string(text))
}

// TestReadOnly: where nothing can be written, a command says so before it begins.
func TestReadOnly(t *testing.T) {
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("no folder is there to which nobody can write")
	}
	for line, flag := range map[string]string{
		"serve --record /proc/session.jsonl": "--record: ", "serve --kubeconfig /proc/kubeconfig": "--kubeconfig: ",
	} {
		code, _, stderr := call(t, strings.Fields(line)...)
		require.Equal(t, cli.ExitUsage, code, line)
		require.True(t, strings.HasPrefix(stderr, flag), "sim %s: %s", line, stderr)
		require.Equal(t, 1, strings.Count(stderr, "\n"), "sim %s: %s", line, stderr)
	}
}

// TestSessionIsNamed: a session is no file that another one begins with.
func TestSessionIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	session := `{"session":1,"sim":"test","epoch":"2026-01-01T00:00:00Z","files":[]}` + "\n" + `{"at":1000000000}` + "\n"
	require.NoError(t, os.WriteFile("session.jsonl", []byte(session), 0o644))
	code, _, stderr := call(t, "serve", "session.jsonl")
	require.Equal(t, cli.ExitUsage, code)
	require.Equal(t, "session.jsonl:1:1: this is a session that sim serve has recorded: play it again with sim serve "+
		"--replay, or make a scenario of it with sim save\n", stderr)
}
