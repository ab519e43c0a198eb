package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// tracked returns the files of the repository by their paths from its root, with what they hold.
func tracked(t *testing.T) map[string][]byte {
	list := exec.Command("git", "ls-files", "-z")
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		t.Skip("this is no clone of the repository")
	}
	files := map[string][]byte{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join("../..", name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		require.NoError(t, err)
		files[name] = data
	}
	return files
}

// TestNothingUnreadable: what people cannot read in a diff is not kept, apart from one picture and the profile that the
// compiler reads. Scripts and styles are kept as they are written, and not as a tool has packed them.
func TestNothingUnreadable(t *testing.T) {
	for name, data := range tracked(t) {
		if name == "docs/report.png" || name == "cmd/sim/release.pgo" {
			continue
		}
		require.NotContains(t, string(data), "\x00", name)
		if slices.Contains([]string{".js", ".mjs", ".css"}, filepath.Ext(name)) {
			require.Less(t, len(slices.MaxFunc(bytes.Split(data, []byte("\n")), byLength)), 500, "%s looks minified", name)
		}
	}
}

func byLength(a, b []byte) int { return len(a) - len(b) }

// TestOurOwn: no file has the copyright of others, and none that a tool has written is large. What others have written
// is imported, and not copied; `.ci/tasks/notices` collects their licences for a release.
func TestOurOwn(t *testing.T) {
	copyright := regexp.MustCompile(`(?i)copyright (\(c\)|©|\d{4}|the )|licensed under the apache|all rights reserved`)
	for name, data := range tracked(t) {
		if name == "LICENSE" || name == "cmd/sim/repository_test.go" {
			continue
		}
		if copyright.Match(data) {
			t.Errorf("%s: %q", name, copyright.Find(data))
		}
		if len(data) > 50<<10 {
			require.NotContains(t, string(data[:200]), "Code generated", name)
		}
	}
}

// TestLockfiles: what npm has locked comes from the registry that npm asks by default.
func TestLockfiles(t *testing.T) {
	resolved := regexp.MustCompile(`"resolved": "([^"]*)"`)
	for name, data := range tracked(t) {
		if filepath.Base(name) != "package-lock.json" {
			continue
		}
		for _, at := range resolved.FindAllStringSubmatch(string(data), -1) {
			require.Regexp(t, `^https://registry\.npmjs\.org/`, at[1], name)
		}
	}
}

// workflow is as much of a workflow as the tests below read.
type workflow struct {
	Permissions map[string]string
	Jobs        map[string]struct {
		Permissions map[string]string
		Needs       string
		Steps       []struct{ Uses, Run string }
	}
}

func workflows(t *testing.T) map[string]workflow {
	names, err := filepath.Glob("../../.github/workflows/*.yml")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	all := map[string]workflow{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		var it workflow
		require.NoError(t, yaml.Unmarshal(data, &it), name)
		all[filepath.Base(name)] = it
	}
	return all
}

// TestActionsArePinned: a workflow names an action by its commit, which nobody can move, as they can a tag.
func TestActionsArePinned(t *testing.T) {
	for name, it := range workflows(t) {
		for job, of := range it.Jobs {
			for _, step := range of.Steps {
				if step.Uses != "" {
					require.Regexp(t, `^[\w./-]+@[0-9a-f]{40}$`, step.Uses, "%s, job %s", name, job)
				}
			}
		}
	}
}

// TestPermissions: only the job that publishes a release may write, it runs no tests, and it waits for those that do.
func TestPermissions(t *testing.T) {
	all := workflows(t)
	for name, it := range all {
		require.NotNil(t, it.Permissions, name)
		for _, level := range it.Permissions {
			require.Equal(t, "read", level, name)
		}
		for job, of := range it.Jobs {
			if name == "release.yml" && job == "publish" {
				continue
			}
			for _, level := range of.Permissions {
				require.Equal(t, "read", level, "%s, job %s", name, job)
			}
		}
	}
	publish := all["release.yml"].Jobs["publish"]
	require.Equal(t, "test", publish.Needs)
	for _, step := range publish.Steps {
		require.Empty(t, step.Run, "the job that publishes runs nothing else")
	}
}

// TestSecurity: each promise of SECURITY.md names tests that there are.
func TestSecurity(t *testing.T) {
	page, err := os.ReadFile("../../.github/SECURITY.md")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| (.+) \| (.+) \|$`).FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(rows), 10)
	for _, row := range rows[2:] {
		groups := regexp.MustCompile("((?:`\\w+`,? ?)+) ?in `([\\w/]+)`").FindAllStringSubmatch(row[2], -1)
		require.NotEmpty(t, groups, row[1])
		for _, group := range groups {
			for _, name := range regexp.MustCompile(`\w+`).FindAllString(group[1], -1) {
				require.True(t, hasTest(t, group[2], name), "%s: there is no %s in %s", row[1], name, group[2])
			}
		}
	}
}

// TestJobs: the workflows run what only they can hold, and a release is made as SECURITY.md says.
func TestJobs(t *testing.T) {
	for file, words := range map[string][]string{
		".github/workflows/ci.yml":      {".ci/tasks/race", ".ci/tasks/vulnerabilities", "make test", "make lint"},
		".github/workflows/nightly.yml": {".ci/tasks/architectures", "qemu-user-static", "- moments", "- planted", "fuzz FUZZTIME=100m", ".ci/tasks/vulnerabilities"},
		".ci/run":                       {".ci/tasks/cross", ".ci/tasks/architectures", ".ci/tasks/fuzz"},
		".github/workflows/release.yml": {"cosign", "attest"},
		".goreleaser.yaml":              {"NOTICES", "sboms", "signs"},
	} {
		text, err := os.ReadFile("../../" + file)
		require.NoError(t, err)
		for _, word := range words {
			require.Contains(t, string(text), word, file)
		}
	}
}

// TestTasks: make has seven targets, all else is a script in .ci/tasks, and docs/testing.md tells what each is for.
func TestTasks(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	targets := regexp.MustCompile(`(?m)^([\w-]+):`).FindAllStringSubmatch(string(makefile), -1)
	require.Len(t, targets, 7)
	page, err := os.ReadFile("../../docs/testing.md")
	require.NoError(t, err)
	scripts, err := filepath.Glob("../../.ci/tasks/*")
	require.NoError(t, err)
	for _, script := range scripts {
		require.Contains(t, string(page), "| `"+filepath.Base(script)+"` |")
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `([\\w-]+)` \\|").FindAllStringSubmatch(string(page), -1) {
		require.FileExists(t, "../../.ci/tasks/"+row[1])
	}
}

// hasTest reports whether a package has a test, or a fuzz test.
func hasTest(t *testing.T, dir, name string) bool {
	files, err := filepath.Glob(filepath.Join("../..", dir, "*_test.go"))
	require.NoError(t, err)
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		return bytes.Contains(text, []byte("\nfunc "+name+"("))
	})
}

// TestNoLeftovers: what a merge leaves beside a file is not in the repository.
func TestNoLeftovers(t *testing.T) {
	for name := range tracked(t) {
		require.NotContains(t, []string{".orig", ".rej", ".bak"}, filepath.Ext(name), name)
	}
}

// TestNoConnections: the command imports nothing that opens a connection or starts a program. Only sim serve listens,
// on loopback, and only where a live cluster is asked is kubectl run.
func TestNoConnections(t *testing.T) {
	banned := regexp.MustCompile(`(?m)^\s+(\w+ )?"(net|net/http|net/rpc|net/smtp|os/exec|plugin)"$|syscall\.(Exec|ForkExec|Socket)|os\.StartProcess`)
	for name, data := range tracked(t) {
		ours := strings.HasPrefix(name, "cmd/sim/") || strings.HasPrefix(name, "scenario/") || strings.HasPrefix(name, "model/") ||
			strings.HasPrefix(name, "sim/") && !strings.HasPrefix(name, "sim/conformance/")
		// sim runs kubectl, git, helm and kustomize where a flag asks for it, and hands the commands of sessions over.
		runs := slices.Contains([]string{"cmd/sim/command/programs.go", "cmd/sim/handover.go", "cmd/sim/become_other.go"}, name) &&
			banned.FindString(string(data)) == "\t\"os/exec\""
		serves := strings.HasPrefix(name, "scenario/serve/")
		if ours && !serves && !runs && filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			require.Empty(t, banned.FindString(string(data)), name)
		}
	}
}
