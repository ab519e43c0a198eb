//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/kubectl"
)

// writing are the commands that write files, with what they write. All others only print.
var writing = []string{
	"test --html pages --junit report.xml web.yaml stuck.yaml", "run --save-as-test=saved.yaml web.yaml", "test --update recorded.yaml",
	"explore --promise keeps-serving --runs 400 --write found parallel.yaml", "init --write first.yaml set.yaml",
	"init --force --write second.yaml set.yaml", "learn all --report --dir course",
	"serve --speed max --record session.jsonl --kubeconfig kubeconfig set.yaml", "follow web --every 1ms --record seen.jsonl",
}

// recordedOfNine are expectations of a run of nine replicas, so that sim test --update writes others.
const recordedOfNine = `expect:
  - exactly:
      during: create
      states: [Ready]
      is: ["web-8@1 Ready"]
    recorded: {replicas: 9}
`

// TestKilled kills each command that writes at random moments: what was there is as it was, and what it has written is
// whole or not there. KILLED is at how many moments.
func TestKilled(t *testing.T) {
	moments := 1
	if !testing.Short() {
		moments = 5
	}
	if n, err := strconv.Atoi(os.Getenv("KILLED")); err == nil {
		moments = n
	}
	random := rand.New(rand.NewPCG(48, 1))
	besideSim(t)
	for _, line := range writing {
		t.Run(line, func(t *testing.T) {
			mine := writingInputs(t)
			long := 2 * time.Second
			if verb := strings.Fields(line)[0]; verb != "serve" && verb != "follow" {
				began := time.Now() // The first time to its end: the next ones replace what it has written.
				_ = exec.Command("sim", strings.Fields(line)...).Run()
				long = time.Since(began)
			}
			for range moments {
				run := exec.Command("sim", strings.Fields(line)...)
				require.NoError(t, run.Start())
				time.Sleep(time.Duration(random.Int64N(int64(long))))
				require.NoError(t, run.Process.Kill())
				_ = run.Wait()
				requireWhole(t, line, mine)
			}
		})
	}
}

// writingInputs makes a folder with the inputs of the commands and a file of the user's, and returns what must stay.
func writingInputs(t *testing.T) map[string][]byte {
	parallel, err := os.ReadFile("../../scenarios/min-ready/update-parallel.yaml")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	sim, err := exec.LookPath("sim")
	require.NoError(t, err)
	looks := filepath.Join(t.TempDir(), "look")
	require.NoError(t, os.WriteFile(looks, []byte(rolling(nil)), 0o600))
	fakeKubectl(t, `case "$*" in *leases*) echo '{}'; exit;; esac; cat `+looks)
	t.Setenv("PATH", os.Getenv("PATH")+":"+filepath.Dir(sim))
	mine := map[string][]byte{
		"web.yaml": []byte(diskScenario), "stuck.yaml": []byte(diskStuck), "set.yaml": []byte(diskSet), "parallel.yaml": parallel,
		"notes.txt": []byte("mine\n"),
	}
	for name, text := range mine {
		require.NoError(t, os.WriteFile(name, text, 0o644))
	}
	require.NoError(t, os.WriteFile("second.yaml", []byte("# A scenario, written by sim init.\n"+diskScenario), 0o644))
	require.NoError(t, os.WriteFile("recorded.yaml", []byte(diskScenario+recordedOfNine), 0o644))
	return mine
}

// requireWhole reads all files that are there.
func requireWhole(t *testing.T, line string, mine map[string][]byte) {
	for name, want := range mine {
		text, err := os.ReadFile(name)
		require.NoError(t, err, line)
		require.Equal(t, string(want), string(text), "%s: %s", line, name)
	}
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		text, readable := []byte(nil), error(nil)
		if !d.IsDir() {
			text, readable = os.ReadFile(path)
		}
		require.NoError(t, readable)
		switch name := filepath.Base(path); {
		case d.IsDir(), strings.HasPrefix(name, ".sim-") && strings.HasSuffix(name, ".tmp"):
		case filepath.Ext(name) == ".html":
			require.True(t, bytes.HasSuffix(bytes.TrimSpace(text), []byte("</html>")), "%s: %s is no whole page", line, path)
		case filepath.Ext(name) == ".xml":
			for decoder := xml.NewDecoder(bytes.NewReader(text)); readable == nil; {
				_, readable = decoder.Token()
			}
			require.ErrorIs(t, readable, io.EOF, "%s: %s", line, path)
		case filepath.Ext(name) == ".yaml" && name != "set.yaml":
			_, err := scenario.Parse(path, text, os.DirFS("."), scenario.Options{})
			require.NoError(t, err, "%s: %s", line, path)
		case filepath.Ext(name) == ".jsonl":
			whole, _ := kubectl.Whole(text)
			for one := range bytes.Lines(whole) {
				require.True(t, json.Valid(one), line)
			}
		}
		return nil
	}))
	if strings.HasPrefix(line, "serve") { // It makes only a new one, and was killed before it could remove it.
		_ = os.Remove("kubeconfig")
	}
}

// TestReadOnly: where nothing can be written, a command says so before it begins: it has printed nothing yet.
func TestReadOnly(t *testing.T) {
	writingInputs(t)
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("no folder is there to which nobody can write")
	}
	for line, flag := range map[string]string{
		"test --html /proc/pages web.yaml": "--html: ", "test --html /proc web.yaml": "--html: ",
		"test --junit /proc/report.xml web.yaml": "--junit: ", "run --save-as-test=/proc/saved.yaml web.yaml": "--save-as-test: ",
		"explore --promise keeps-serving --write /proc/found parallel.yaml": "--write: ", "explore --promise keeps-serving --write /proc parallel.yaml": "--write: ",
		"learn all --report --dir /proc/course": "--dir: ", "init --write /proc/first.yaml set.yaml": "open /proc/first.yaml: ",
		"follow web --record /proc/seen.jsonl": "--record: ",
	} {
		code, out, stderr := call(t, command.Simulator, "", strings.Fields(line)...)
		require.Equal(t, cli.ExitUsage, code, line)
		require.Empty(t, out, "sim %s: it has begun", line)
		require.True(t, strings.HasPrefix(stderr, flag), "sim %s: %s", line, stderr)
		require.Equal(t, 1, strings.Count(stderr, "\n"), "sim %s: %s", line, stderr)
	}
}
