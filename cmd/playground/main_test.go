package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/view/report/html"
)

// TestMain lets a test run the command itself.
func TestMain(m *testing.M) {
	if os.Getenv("PLAYGROUND") == "command" {
		main()
		return
	}
	code := m.Run()
	if dir := first.dir; dir != "" {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// TestCommand: a module that there is not is an error, and nothing is written.
func TestCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	dir := filepath.Join(t.TempDir(), "site")
	missing := filepath.Join(t.TempDir(), "missing.wasm")
	require.Contains(t, failure(t, "-o", dir, "-borrowed", stubs(t), "-wasm", missing), "playground: xz")
	require.NoDirExists(t, dir)
}

// TestWithoutNpm: what npm would have built is an error that says how it is built, and nothing is written.
func TestWithoutNpm(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	for _, name := range borrowed {
		stubs := stubs(t)
		require.NoError(t, os.Remove(filepath.Join(stubs, name)))
		out := failure(t, "-o", dir, "-borrowed", stubs)
		require.Contains(t, out, name+": no such file or directory: `.ci/tasks/playground-borrowed` builds it, with npm\n")
	}
	require.NoDirExists(t, dir)
}

// failure runs the command, which must fail, and returns what it prints.
func failure(t *testing.T, args ...string) string {
	command := exec.Command(os.Args[0], args...)
	command.Env = append(os.Environ(), "PLAYGROUND=command")
	out, err := command.CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 1, exit.ExitCode())
	return string(out)
}

// stubs is a folder with a file of one line for each of those that npm builds: no test of Go runs them.
func stubs(t *testing.T) string {
	dir := t.TempDir()
	for _, name := range borrowed {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("// "+name+"\n"), 0o600))
	}
	return dir
}

// TestDumpCommand: the page asks for the same dump as every other text does.
func TestDumpCommand(t *testing.T) {
	page, err := os.ReadFile("web/index.html")
	require.NoError(t, err)
	require.Contains(t, strings.ReplaceAll(string(page), "<wbr>", ""), ">"+dump.Command+"</pre>")
}

// TestDigest: any other content of a file makes another worker, so that a browser notices.
func TestDigest(t *testing.T) {
	worker := func(content string) string {
		s := site{"sw.js": []byte(`"@digest" "@files"`), "a.js": []byte(content)}
		s.addWorker()
		return string(s["sw.js"])
	}
	require.Regexp(t, `^"[0-9a-f]{16}" \["a.js","sw.js"\]$`, worker("x"))
	require.Equal(t, worker("x"), worker("x"))
	require.NotEqual(t, worker("x"), worker("y"))
	require.NotEqual(t, worker("x"), worker("xx"))
}

// first is the site that tests share which only read it.
var first struct{ dir, site string }

// shared returns the site that tests share.
func shared(t *testing.T) string {
	if first.site == "" {
		dir, err := os.MkdirTemp("", "playground")
		require.NoError(t, err)
		first.dir = dir
		first.site = built(t, dir)
	}
	return first.site
}

// built builds the site in a folder, around a module that is none.
func built(t *testing.T, dir string) string {
	if _, err := exec.LookPath("xz"); err != nil {
		t.Skip("no xz")
	}
	module := filepath.Join(dir, "sim.wasm")
	require.NoError(t, os.WriteFile(module, []byte("the module"), 0o600))
	site := filepath.Join(dir, "site")
	require.NoError(t, build(site, sources{module: module, borrowed: stubs(t)}))
	return site
}

func file(t *testing.T, site, name string) []byte {
	data, err := os.ReadFile(filepath.Join(site, name))
	require.NoError(t, err)
	return data
}

// TestSite holds that the site is whole, that it allows the script of sim's pages and no other, that the service worker
// keeps every file of it, and that two builds are the same.
func TestSite(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	site, again := shared(t), built(t, t.TempDir())
	entries, err := os.ReadDir(site)
	require.NoError(t, err)
	worker := string(file(t, site, "sw.js"))
	for _, entry := range entries {
		require.Equal(t, file(t, site, entry.Name()), file(t, again, entry.Name()), entry.Name())
		require.Contains(t, worker, `"`+entry.Name()+`"`)
	}
	require.NotContains(t, worker, "@")
	index := string(file(t, site, "index.html"))
	require.Contains(t, index, "script-src 'self' 'wasm-unsafe-eval' "+html.ScriptSource()+";")
	require.NotRegexp(t, `(src|href)="(https?:)?//`, index)
	require.Contains(t, string(file(t, site, "playground.js")), `const first = "name: a first rollout\n`)
	require.Contains(t, string(file(t, site, "first.html")), "<title>a first rollout · sim</title>")
	shown, err := os.ReadFile("../../docs/stuck.yaml")
	require.NoError(t, err)
	require.Equal(t, string(shown), string(file(t, site, "dump.yaml")), "the dump to try is the one of the README")
	require.Contains(t, string(file(t, site, "wasm_exec.js")), "globalThis.Go = class")
	module, err := exec.Command("xz", "--decompress", "--stdout", filepath.Join(site, "sim.wasm.xz")).Output()
	require.NoError(t, err)
	require.Equal(t, "the module", string(module))
}

// TestGallery holds that every scenario of the gallery has a first sentence and the manifests that it names.
func TestGallery(t *testing.T) {
	var themes []theme
	require.NoError(t, json.Unmarshal(file(t, shared(t), "gallery.json"), &themes))
	require.Greater(t, len(themes), 20)
	require.Equal(t, []string{"learn", "rolling-update"}, []string{themes[0].Theme, themes[1].Theme}, "what one should see first")
	for _, theme := range themes {
		for _, it := range theme.Scenarios {
			require.NotEmpty(t, it.Description, it.Name)
			require.Regexp(t, "^(data:image/svg|$)", it.Image, it.Name)
			require.NotEmpty(t, it.Files["scenario.yaml"], it.Name)
			if it.Name == "nginx" {
				require.Contains(t, it.Files["nginx/web.yaml"], "kind: StatefulSet")
			}
		}
	}
}

// TestCompletion holds what the editor completes, under node.
func TestCompletion(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node")
	}
	site := t.TempDir()
	require.NoError(t, os.CopyFS(site, os.DirFS(shared(t))))
	require.NoError(t, os.WriteFile(filepath.Join(site, "package.json"), []byte(`{"type": "module"}`), 0o600))
	require.NoError(t, os.CopyFS(filepath.Join(site, "testdata"), os.DirFS("testdata")))
	out, err := exec.Command("node", filepath.Join(site, "testdata", "complete.js")).CombinedOutput()
	require.NoError(t, err, "%s", out)
}
