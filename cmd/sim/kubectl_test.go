package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// TestKubectlMissing: who has no kubectl is told what to give instead.
func TestKubectlMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	code, _, stderr := call(t, command.Simulator, "", "explain", "--live")
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, stderr, "kubectl was not found in PATH: install it, or give a dump, which this prints: kubectl get")
}

// TestHostileKubectl: whatever kubectl prints, what is kept of it is bounded, and what is said about it is text.
func TestHostileKubectl(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of a shell")
	}
	const set = `{"kind":"List","items":[{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web","uid":"u"},"spec":{"replicas":0,` +
		`"serviceName":"web","selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"a","image":"a"}]}}}}`
	for name, c := range map[string]struct {
		script, says string
		code         int
	}{
		"escapes":                {`printf '\033]0;x\007\033[2J<html>'`, "kubectl: it printed no list of objects", cli.ExitUsage},
		"escapes beside":         {`printf '\033]0;x\007\n::error::y\n\r\342\200\256z' >&2; exit 1`, `\u001b]0;x\u0007; ::error::y; \u202ez`, cli.ExitUsage},
		"escapes beside a list":  {`printf '\033[31mred\n::error::y\n' >&2; echo '` + set + `]}'`, `\u003a:error::y`, cli.ExitOK},
		"half a list":            {`printf '%s' '` + set + `,{"kind":"Po'`, "it printed no list of objects", cli.ExitUsage},
		"garbage":                {`echo '{"kind":"List","items":[1,{]}'`, "it printed no list of objects", cli.ExitUsage},
		"very much beside":       {`yes 'no' | head -c 3000000 >&2; exit 1`, "kubectl: no", cli.ExitUsage},
		"thousands of refusals":  {`for i in $(seq 3000); do echo "Error from server (Forbidden): x cannot list resource \"r$i\" in" >&2; done; exit 1`, "r18, r19, r20\n", cli.ExitUsage},
		"a child has the output": {`(trap '' TERM INT HUP; sleep 3) & echo '` + set + `]}'`, "", cli.ExitOK},
		"killed":                 {`kill -KILL $$`, "kubectl: it failed without a word", cli.ExitUsage},
		"no program":             {"\x00", "kubectl: ", cli.ExitUsage},
	} {
		fakeKubectl(t, c.script)
		code, out, stderr := call(t, command.Simulator, "", "explain", "--live")
		require.Equal(t, c.code, code, "%s: %s", name, stderr)
		require.Contains(t, stderr, c.says, name)
		require.NotContains(t, "\n"+stderr, "\n::", name)
		for _, r := range out + stderr {
			require.False(t, unicode.IsControl(r) && r != '\n' || r == '\u202e', "%s: %q", name, stderr)
		}
	}
}

// TestKubectlsChildren: what kubectl has started ends with it when it is killed: at its time-out, and when it prints more
// than a file may have. Here a child of a child would write a file later.
func TestKubectlsChildren(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of a shell")
	}
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("web.yaml", []byte(diskSet), 0o644))
	for _, line := range []string{
		"explain --live --request-timeout 1ms", "follow web --request-timeout 1ms", "plan --live --request-timeout 1ms web.yaml",
		"explain --live --max-file-size 10",
	} {
		alive := filepath.Join(t.TempDir(), "alive")
		script := "(sh -c 'sleep 5; touch " + alive + "' & wait) & "
		if testing.Short() && !strings.Contains(line, "file-size") {
			continue
		}
		fakeKubectl(t, script+"echo 12345678901; wait")
		began := time.Now()
		code, _, stderr := call(t, command.Simulator, "", strings.Fields(line)...)
		require.Equal(t, cli.ExitUsage, code, "sim %s: %s", line, stderr)
		require.Less(t, time.Since(began), 5*time.Second, "sim %s: %s", line, stderr)
		time.Sleep(time.Until(began.Add(6 * time.Second)))
		require.NoFileExists(t, alive, "sim %s: %s", line, stderr)
	}
}

// TestKubectlOfMany: an answer of very many values is refused before anything is built of it.
func TestKubectlOfMany(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of a shell")
	}
	fakeKubectl(t, `printf '{"kind":"List","items":[{"kind":"StatefulSet"}'; yes ',{}' | head -n 3000 | tr -d '\n'; echo ']}'`)
	for _, line := range []string{"explain --live --max-nodes 2000", "follow web --max-nodes 2000"} {
		code, _, stderr := call(t, command.Simulator, "", strings.Fields(line)...)
		require.Equal(t, cli.ExitUsage, code, stderr)
		require.Equal(t, "the cluster: the file has more than 2000 values: make it smaller, or raise the limit with --max-nodes\n", stderr)
	}
}

// fakeKubectl puts a script in the place of kubectl.
func fakeKubectl(t *testing.T, script string) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	t.Setenv("PATH", dir+":/usr/bin:/bin")
}
