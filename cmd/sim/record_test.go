package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// TestRecordIsTriedFirst: a file that cannot be written, or is none that was recorded, is told before anything begins.
func TestRecordIsTriedFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	const manifest = "kind: StatefulSet\n"
	require.NoError(t, os.WriteFile("web.yaml", []byte(manifest), 0o644))
	fakeKubectl(t, "touch "+filepath.Join(t.TempDir(), "asked")+"; exit 1")
	for path, says := range map[string]string{
		"web.yaml":     "--record: web.yaml is there already, and was not written by sim",
		"nowhere/file": "--record: open nowhere/file: no such file or directory",
		".":            "--record: .: this is a folder",
	} {
		code, _, stderr := call(t, command.Simulator, "", "follow", "web", "--record", path)
		require.Equal(t, cli.ExitUsage, code)
		require.Contains(t, stderr, says)
	}
	text, err := os.ReadFile("web.yaml")
	require.NoError(t, err)
	require.Equal(t, manifest, string(text))
}

// TestFollowKeepsWhatItSaw: the looks before the cluster stopped to answer are in the recording.
func TestFollowKeepsWhatItSaw(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "first"), []byte(rolling(nil)), 0o600))
	fakeKubectl(t, "cd "+dir+`; case "$*" in *leases*) echo '{}'; exit;; esac; [ -e begun ] || { touch begun; cat first; exit; }; exit 1`)
	record := filepath.Join(dir, "seen.jsonl")
	code, _, stderr := call(t, command.Simulator, "", "follow", "web", "--every", "1ms", "--record", record)
	require.Equal(t, cli.ExitUsage, code, stderr)
	text, err := os.ReadFile(record)
	require.NoError(t, err)
	require.Equal(t, 1, bytes.Count(text, []byte("\n")))
	require.NoError(t, os.WriteFile(record, append(text, text[:len(text)/2]...), 0o600))
	code, out, stderr := call(t, command.Simulator, "", "follow", "web", "--replay", record)
	require.Equal(t, cli.ExitTimeout, code, out+stderr)
	require.Contains(t, stderr, record+":2: the last line was not written to its end, and is left out\n")
}

// TestSessionIsNamed: what is no session's command says what the file is, and which commands read it.
func TestSessionIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	session := `{"session":1,"sim":"test","epoch":"2026-01-01T00:00:00Z","files":[]}` + "\n" + `{"at":1000000000}` + "\n"
	require.NoError(t, os.WriteFile("session.jsonl", []byte(session), 0o644))
	require.NoError(t, os.WriteFile("web.yaml", []byte(diskSet), 0o644))
	require.NoError(t, os.WriteFile("steps.yaml", []byte(diskScenario), 0o644))
	for _, line := range []string{
		"run session.jsonl", "test session.jsonl", "explain session.jsonl", "init session.jsonl", "expand session.jsonl",
		"check session.jsonl steps.yaml", "check session.jsonl session.jsonl", "plan session.jsonl web.yaml",
		"plan web.yaml session.jsonl", "sweep session.jsonl", "explore session.jsonl",
		"compare steps.yaml session.jsonl", "upgrade --from 1.36 --to 1.37 session.jsonl", "follow web --replay session.jsonl",
		"plan --recording session.jsonl web.yaml web.yaml",
	} {
		_, out, stderr := call(t, command.Simulator, "", strings.Fields(line)...)
		require.Equal(t, 1, strings.Count(out+stderr, "session.jsonl:1:1: this is a session that sim serve has recorded: "+
			"play it again with sim serve --replay, or make a scenario of it with sim save\n"), "sim %s:\n%s%s", line, out, stderr)
		require.NotContains(t, out+stderr, "session.jsonl:2", line)
	}
}

// TestNoFileOfTheUserIsOverwritten: where sim writes a file under a name that the user has given, or into a folder, it
// replaces only what sim has written before.
func TestNoFileOfTheUserIsOverwritten(t *testing.T) {
	parallel, err := os.ReadFile("../../scenarios/min-ready/update-parallel.yaml")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("parallel.yaml", parallel, 0o644))
	require.NoError(t, os.WriteFile("web.yaml", []byte(diskScenario), 0o644))
	for line, file := range map[string]string{
		"test --html pages web.yaml":                                             "pages/index.html",
		"test --html others web.yaml":                                            "others/web.html",
		"test --junit report.xml web.yaml":                                       "report.xml",
		"run --save-as-test=manifest.yaml web.yaml":                              "manifest.yaml",
		"learn all --report --dir course":                                        "course/index.html",
		"explore --promise keeps-serving --runs 400 --write found parallel.yaml": "found/01-keeps-serving-1.37.yaml",
	} {
		_, _, stderr := call(t, command.Simulator, "", strings.Fields(line)...)
		require.FileExists(t, file, "sim %s: %s", line, stderr)
		_, _, stderr = call(t, command.Simulator, "", strings.Fields(line)...)
		require.NotContains(t, stderr, "is there already", "what sim has written is written again")
		const mine = "kind: StatefulSet\n<!doctype html><p>mine\n"
		require.NoError(t, os.WriteFile(file, []byte(mine), 0o644))
		code, _, stderr := call(t, command.Simulator, "", strings.Fields(line)...)
		require.Equal(t, cli.ExitUsage, code, "sim %s: %s", line, stderr)
		require.Contains(t, stderr, file+" is there already, and was not written by sim: it is not overwritten, name another file")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, mine, string(text))
	}
}
