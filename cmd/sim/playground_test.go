package main

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/course"
)

// pageOf is what a command prints where pages can lead to the playground, at an address.
func pageOf(t *testing.T, playground string, args ...string) string {
	t.Helper()
	var out, err bytes.Buffer
	s := &command.Console{In: strings.NewReader(""), Out: &out, Err: &err, Playground: playground, Ctx: t.Context()}
	code := Main(args, s, command.Simulator)
	require.LessOrEqual(t, code, cli.ExitFailed, err.String())
	return out.String()
}

// opens is what the link of a page opens in the playground; no link opens nothing.
func opens(t *testing.T, page string) (mode, kubernetes string, files map[string]string) {
	t.Helper()
	found := regexp.MustCompile(`<p class="playground"><a href="\.\./#([^"]*)">Open in the playground</a></p>`).FindStringSubmatch(page)
	if found == nil {
		require.False(t, strings.Contains(page, `class="playground"`))
		return "", "", nil
	}
	asked, err := url.ParseQuery(html.UnescapeString(found[1]))
	require.NoError(t, err)
	packed, err := base64.RawURLEncoding.DecodeString(asked.Get("s"))
	require.NoError(t, err)
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &files))
	require.Equal(t, command.Version, asked.Get("v"))
	return asked.Get("m"), asked.Get("k"), files
}

// TestOpensInThePlayground: where SIM_PLAYGROUND says where the playground is, each kind of page leads there, with the
// files that it is about and the versions that were asked for. Elsewhere no page has such a link.
func TestOpensInThePlayground(t *testing.T) {
	folder(t)
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	set := func(image string) string {
		return "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\nspec:\n  replicas: 2\n  serviceName: web\n" +
			"  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n" +
			"    spec: {containers: [{name: app, image: \"" + image + "\"}]}\n"
	}
	plain := "name: plain\nsteps:\n  - create: {name: web, replicas: 2, image: \"app:v1\"}\n"
	named := "name: named\nsteps:\n  - apply: m/web.yaml\n"
	write("old.yaml", set("app:v1"))
	write("new.yaml", set("app:v2"))
	write("s/plain.yaml", plain)
	write("s/named.yaml", named)
	write("s/m/web.yaml", set("app:v1"))
	write("s/m/other.yaml", strings.Replace(set("app:v3"), "name: web", "name: other", 1))
	scenario := map[string]string{"scenario.yaml": plain}
	both := map[string]string{"old.yaml": set("app:v1"), "new.yaml": set("app:v2")}
	for line, want := range map[string]struct {
		mode, kubernetes string
		files            map[string]string
	}{
		"run -o html s/plain.yaml":                                                {"scenario", "", scenario},
		"run -o html --kubernetes 1.36 s/plain.yaml":                              {"scenario", "1.36", scenario},
		"run -o html --kubernetes 1.36,1.37 s/plain.yaml":                         {"scenario", "1.36,1.37", scenario},
		"compare -o html --kubernetes 1.34,1.37 s/plain.yaml":                     {"scenario", "1.34,1.37", scenario},
		"explore -o html --runs 3 s/plain.yaml":                                   {"scenario", "", scenario},
		"run -o html s/named.yaml":                                                {"scenario", "", map[string]string{"scenario.yaml": named, "m/web.yaml": set("app:v1")}},
		"plan -o html old.yaml new.yaml":                                          {"plan", "", both},
		"plan -o html --kubernetes 1.36 old.yaml new.yaml":                        {"plan", "1.36", both},
		"upgrade -o html --from 1.36 --to 1.37 old.yaml":                          {"upgrade", "1.36,1.37", map[string]string{"manifests.yaml": set("app:v1")}},
		"run -o html --seed 3 s/plain.yaml":                                       {},
		"run -o html --until 1m s/plain.yaml":                                     {},
		"plan -o html --runs 7 old.yaml new.yaml":                                 {},
		"plan -o html s/m new.yaml":                                               {},
		"upgrade -o html --from 1.36 --to 1.37 old.yaml s/m/other.yaml":           {},
		"compare -o html --with spec.replicas=3 s/plain.yaml":                     {},
		"run -o html --max-events 100000 s/plain.yaml":                            {},
		"explore -o html --runs 3 old.yaml new.yaml":                              {},
		"run -o html --root . s/named.yaml":                                       {},
		"run -o html --feature-gates MaxUnavailableStatefulSet=true s/plain.yaml": {},
	} {
		args := strings.Fields(line)
		mode, kubernetes, files := opens(t, pageOf(t, "../", args...))
		require.Equal(t, want.mode, mode, line)
		require.Equal(t, want.kubernetes, kubernetes, line)
		require.Equal(t, want.files, files, line)
		require.False(t, strings.Contains(pageOf(t, "", args...), "layground</a>"), line)
	}
	for i := range course.Lessons() {
		mode, _, files := opens(t, pageOf(t, "../", "learn", strconv.Itoa(i+1), "--report"))
		require.Equal(t, "scenario", mode)
		require.NotEmpty(t, files["scenario.yaml"])
	}
}

// TestDumpOpensInThePlayground: the page of a dump leads there too.
func TestDumpOpensInThePlayground(t *testing.T) {
	dump, err := os.ReadFile("../../docs/stuck.yaml")
	require.NoError(t, err)
	mode, _, files := opens(t, pageOf(t, "../", "explain", "-o", "html", "../../docs/stuck.yaml"))
	require.Equal(t, "explain", mode)
	require.Equal(t, map[string]string{"dump.yaml": string(dump)}, files)
}

// TestLibraryOpensInThePlayground: the index of the library has a link for each scenario, and so has each of its pages.
func TestLibraryOpensInThePlayground(t *testing.T) {
	dir := t.TempDir()
	pageOf(t, "../", "test", "--html", dir, "../../scenarios/partition", "../../scenarios/manifests")
	index, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	require.Contains(t, string(index), "Try it")
	pages, err := filepath.Glob(filepath.Join(dir, "*.html"))
	require.NoError(t, err)
	require.Equal(t, len(pages)-1, strings.Count(string(index), ">in the playground</a>"))
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		if filepath.Base(page) != "index.html" {
			mode, _, files := opens(t, string(text))
			require.Equal(t, "scenario", mode, page)
			require.NotEmpty(t, files, page)
		}
	}
}
