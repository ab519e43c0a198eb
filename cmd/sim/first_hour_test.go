package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// scaled is a scenario of a parallel set that is updated, and then grows.
const scaled = `steps:
  - create: {name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel}
  - setImage: {statefulset: web, image: "app:v2"}
  - scale: {statefulset: web, replicas: 5}
`

// TestFirstHour holds what makes newcomers stop, at the seam where they see it. What the program prints is in their
// words: the fewest pods that serve against the number that was wanted then, a wait only where something waits, one
// name for @N, controls that say what they do, and a word where --since leaves nothing.
func TestFirstHour(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("scaled.yaml", []byte(scaled), 0o644))
	_, text, _ := call(t, command.Simulator, "", "run", "--kubernetes", "1.34", "scaled.yaml")
	require.Contains(t, text, "fewest serving 2 of 3 at ", "three pods were wanted then, not five")
	require.Contains(t, text, "not complete until web-2 is gone")
	require.NotContains(t, text, "does not wait for it")

	code, text, said := call(t, command.Simulator, "", "run", "--since", "1h", "scaled.yaml")
	require.Equal(t, cli.ExitUsage, code)
	require.Empty(t, strings.TrimSpace(text))
	require.Contains(t, said, "--since 1h00m00s: the run of scaled.yaml ends at 2")

	_, page, _ := call(t, command.Simulator, "", "run", "-o", "html", "scaled.yaml")
	require.Contains(t, page, "shorten the creation")
	require.Contains(t, page, "space moments evenly")
	require.Contains(t, page, `"template @"`, "the legend has the name that @N has elsewhere")
	for _, jargon := range []string{"creation folded", "tick by tick", `"revision @"`, "– of "} {
		require.NotContains(t, page[strings.Index(page, "<body>"):], jargon)
	}
}

// TestPagesBeginWithTheAnswer: of the pages of a plan, a dump and a lesson the first thing is what the reader came for.
func TestPagesBeginWithTheAnswer(t *testing.T) {
	inOrder := func(page string, texts ...string) {
		t.Helper()
		at := strings.Index(page, "<body>")
		for _, text := range texts {
			found := strings.Index(page[at:], text)
			require.GreaterOrEqual(t, found, 0, "%s is not there, or too early", text)
			at += found
		}
	}
	list := "../../scenarios/manifests/list/"
	_, page, _ := call(t, command.Simulator, "", "plan", "-o", "html", list+"v1.yaml", list+"v2.yaml")
	inOrder(page, "<h1>", `class="headline`, "checksum/config", "<b>serving</b>", `id="player"`, "<b>broken</b>")
	_, page, _ = call(t, command.Simulator, "", "explain", "-o", "html", "../../docs/stuck.yaml")
	inOrder(page, "<h1>", "STUCK", "Deleting web-2: takes", `class="copy"`, "web-2 has been Running for 2m", `id="player"`)
	cockroach := "../../scenarios/manifests/cockroachdb/cockroachdb.yaml"
	_, page, _ = call(t, command.Simulator, "", "upgrade", "-o", "html", "--from", "1.36", "--to", "1.37", cockroach)
	inOrder(page, "<h1>", "StatefulSet</th>", "Before</th>", "After</th>", "Way out</th>", "add rollingUpdate", `id="player"`)
	_, page, _ = call(t, command.Simulator, "", "learn", "1", "--report")
	inOrder(page, "<h1>", `id="lesson"`, `id="player"`)
	require.Contains(t, page, "#lesson pre { background: var(--bg); white-space: pre-wrap;", "no word of the manifest is cut off")
}
