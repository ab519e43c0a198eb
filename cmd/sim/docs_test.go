package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// blocks returns the fenced blocks of a Markdown page that are in a language.
func blocks(t *testing.T, file, language string) []string {
	t.Helper()
	text, err := os.ReadFile("../../" + file)
	require.NoError(t, err)
	var list []string
	for _, part := range strings.Split("\n"+string(text), "\n```"+language+"\n")[1:] {
		block, _, found := strings.Cut(part, "\n```")
		require.True(t, found, "a block of %s has no end", file)
		list = append(list, block+"\n")
	}
	return list
}

// clone makes a directory that looks like a user's repository: scenarios, a chart's output before and after a change,
// and commands in the place of those that the pages use beside sim.
func clone(t *testing.T) (dir string, env []string) {
	t.Helper()
	dir = t.TempDir()
	bin := filepath.Join(dir, "bin")
	require.NoError(t, os.Mkdir(bin, 0o755))
	manifests, err := filepath.Abs("../../scenarios/manifests")
	require.NoError(t, err)
	stubs := map[string]string{
		// The chart's output is the old one where the base of the pull request is rendered.
		"helm": "case \"$*\" in *base/*) cat " + manifests + "/list/v1.yaml;; *) cat " + manifests + "/list/v2.yaml;; esac",
		// What a cluster holds; and what neither installs nor checks out anything here.
		"kubectl": "cat " + manifests + "/cockroachdb/cockroachdb.yaml",
		"git":     "true",
		"go":      "true",
		// What is said to the pull request.
		"gh": "cp plan.md comment.md; echo \"$*\" >> comment.md",
	}
	for name, does := range stubs {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+does+"\n"), 0o755))
	}
	scenarios, err := filepath.Abs("../../scenarios/partition")
	require.NoError(t, err)
	require.NoError(t, os.CopyFS(filepath.Join(dir, "scenarios"), os.DirFS(scenarios)))
	return dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "GITHUB_STEP_SUMMARY="+dir+"/summary.md")
}

// inserted is what GitHub fills in before it runs a step.
var inserted = regexp.MustCompile(`\$\{\{[^}]*\}\}`)

// runScript runs commands as a CI does: the first that fails ends them.
func runScript(dir string, env []string, script string) (string, error) {
	cmd := exec.Command("sh", "-ec", inserted.ReplaceAllString(script, "0123abc"))
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestWorkflows runs the jobs that docs/ci.md shows.
func TestWorkflows(t *testing.T) {
	shown := blocks(t, "docs/ci.md", "yaml")
	require.Len(t, shown, 2)
	var github struct {
		Jobs map[string]struct {
			Steps []struct{ Uses, Run string }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(shown[0]), &github))
	dir, env := clone(t)
	ran := 0
	for _, step := range github.Jobs["rollouts"].Steps {
		if step.Run == "" {
			require.NotEmpty(t, step.Uses)
			continue
		}
		ran++
		out, err := runScript(dir, env, step.Run)
		require.NoError(t, err, "%s\n%s", step.Run, out)
	}
	require.Equal(t, 5, ran)
	require.FileExists(t, dir+"/rollouts.xml")
	summary, err := os.ReadFile(dir + "/summary.md")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(summary), "<!-- statefulsim:plan -->"))
	require.Contains(t, string(summary), "default/queue")
	comment, err := os.ReadFile(dir + "/comment.md")
	require.NoError(t, err)
	require.Contains(t, string(comment), "default/queue")
	require.Contains(t, string(comment), "pr comment 0123abc --body-file plan.md")

	var gitlab struct {
		Rollouts struct {
			Script    []string
			Artifacts struct{ Reports struct{ Junit string } }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(shown[1]), &gitlab))
	dir, env = clone(t)
	require.NotEmpty(t, gitlab.Rollouts.Script)
	out, err := runScript(dir, env, strings.Join(gitlab.Rollouts.Script, "\n"))
	require.NoError(t, err, out)
	require.FileExists(t, filepath.Join(dir, gitlab.Rollouts.Artifacts.Reports.Junit))
}

// TestShownCommands runs the commands of sim in the blocks of shell that the pages show without an output.
func TestShownCommands(t *testing.T) {
	for page, want := range map[string]string{"docs/ci.md": "default/cockroachdb", "docs/guide.md": "held"} {
		dir, env := clone(t)
		first := "name: first\nsteps:\n  - create: {name: web, replicas: 2, image: \"app:v1\"}\n"
		require.NoError(t, os.WriteFile(dir+"/scenario.yaml", []byte(first), 0o644))
		expectations := "expect:\n  - completes: {within: 1m}\n"
		require.NoError(t, os.WriteFile(dir+"/expectations.yaml", []byte(expectations), 0o644))
		ran, all := 0, ""
		for _, script := range blocks(t, page, "sh") {
			if !strings.Contains(script, "sim ") {
				continue
			}
			ran++
			// Of a cluster's sets some behave differently on the next version, and then the code is 1.
			out, _ := runScript(dir, env, script)
			all += out
		}
		require.NotZero(t, ran, page)
		require.Contains(t, all, want)
	}
}

// TestShownScenarios plays the scenarios that the pages show, one of which applies a rendered chart.
func TestShownScenarios(t *testing.T) {
	dir, env := clone(t)
	rendered, err := os.ReadFile("../../scenarios/manifests/cassandra/cassandra.yaml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(dir+"/rendered.yaml", rendered, 0o644))
	shown := append(blocks(t, "docs/format.md", "yaml"), blocks(t, "docs/guide.md", "yaml")...)
	require.NotEmpty(t, shown)
	for _, text := range shown {
		require.NoError(t, os.WriteFile(dir+"/shown.yaml", []byte(text), 0o644))
		out, err := runScript(dir, env, "sim test shown.yaml")
		require.NoError(t, err, "%s\n%s", text, out)
		require.Contains(t, out, "1 passed, 0 failed")
	}
}

// TestCookbook holds that what docs/ci.md says of a golden timeline is so: the same file gives the same bytes.
func TestCookbook(t *testing.T) {
	text, err := os.ReadFile("../../docs/ci.md")
	require.NoError(t, err)
	const command = "sim run -o text --color never scenario.yaml > run.txt"
	require.Contains(t, strings.Join(strings.Fields(string(text)), " "), command)
	dir, env := clone(t)
	first := "name: first\nsteps:\n  - create: {name: web, replicas: 2, image: \"app:v1\"}\n"
	require.NoError(t, os.WriteFile(dir+"/scenario.yaml", []byte(first), 0o644))
	out, err := runScript(dir, env, command+"\nmv run.txt before.txt\n"+command+"\ncmp before.txt run.txt")
	require.NoError(t, err, out)
}
