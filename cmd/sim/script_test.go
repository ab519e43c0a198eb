package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sim": main})
}

// TestScript plays the command lines of testdata/script in processes of their own. Each script has a home of its own:
// what sim learn remembers must not be there when the tests run again.
func TestScript(t *testing.T) {
	besideSim(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       goldenfile.Update(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"code": code},
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			return nil
		},
	})
}

// code is the script command `code N COMMAND...`: it runs the command, which must exit with that code.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, not %d", got, want)
	}
}

// TestReadme runs every command that README.md and the pages of docs show in their console blocks, and compares what it
// prints. A line ... in an output stands for any lines. Commands of other programs than sim are not run.
func TestReadme(t *testing.T) {
	for _, file := range []string{"README.md", "docs/advise.md", "docs/canary.md", "docs/design.md", "docs/explore.md", "docs/gates.md",
		"docs/guide.md", "docs/json.md", "docs/plan.md", "docs/teaching.md"} {
		t.Run(file, func(t *testing.T) { testPage(t, "../../"+file) })
	}
}

func testPage(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	shown := consoleBlocks(string(text))
	require.NotEmpty(t, shown, "%s shows no command of sim", file)
	fresh := string(text)
	for _, c := range shown {
		got := c.run(t)
		if goldenfile.Update() && !c.elided() {
			fresh = strings.Replace(fresh, c.source, "$ "+c.line+"\n"+got, 1)
			continue
		}
		require.True(t, matches(lines(c.output), lines(got)),
			"$ %s\n%s shows:\n%s\nit prints:\n%s", c.line, file, c.output, got)
	}
	goldenfile.Write(t, file, fresh)
}

// shownCommand is a command as a page shows it, with its output; source is the text of both.
type shownCommand struct{ line, output, source string }

const elision = "..."

func (c *shownCommand) elided() bool {
	for _, line := range lines(c.output) {
		if line == elision {
			return true
		}
	}
	return false
}

// run runs the command in the repository's root and returns all that it prints.
func (c *shownCommand) run(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", strings.ReplaceAll(c.line, "go run ./cmd/sim", "sim"))
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out)
}

// consoleBlocks returns the commands of sim in the console blocks of a Markdown page.
func consoleBlocks(page string) []shownCommand {
	var commands []shownCommand
	inside := false
	var at *shownCommand
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = strings.TrimSpace(line) == "```console"
			at = nil
		case inside && strings.HasPrefix(line, "$ "):
			at = nil
			command := strings.TrimSpace(line[2:])
			if strings.HasPrefix(command, "sim ") || strings.HasPrefix(command, "go run ./cmd/sim ") {
				commands = append(commands, shownCommand{line: command, source: line})
				at = &commands[len(commands)-1]
			}
		case inside && at != nil:
			at.output += line
			at.source += line
		}
	}
	return commands
}

func lines(text string) []string {
	return strings.Split(strings.TrimRight(text, "\n"), "\n")
}

// matches says whether got is the wanted lines, where ... is any number of lines.
func matches(want, got []string) bool {
	switch {
	case len(want) == 0:
		return len(got) == 0
	case want[0] == elision:
		return matches(want[1:], got) || len(got) > 0 && matches(want, got[1:])
	}
	return len(got) > 0 && want[0] == got[0] && matches(want[1:], got[1:])
}

func TestConsoleBlocks(t *testing.T) {
	page := "text\n```console\n$ make test\nok\n$ sim version\nsim 1\n...\n" +
		"$ go run ./cmd/sim schema | head -1\n{\n```\n```yaml\n$ sim x\n```\n"
	require.Equal(t, []shownCommand{
		{"sim version", "sim 1\n...\n", "$ sim version\nsim 1\n...\n"},
		{"go run ./cmd/sim schema | head -1", "{\n", "$ go run ./cmd/sim schema | head -1\n{\n"},
	}, consoleBlocks(page))
	require.True(t, matches([]string{"a", "...", "d"}, []string{"a", "b", "c", "d"}))
	require.False(t, matches([]string{"a", "...", "d"}, []string{"a", "b", "c"}))
	require.False(t, matches([]string{"a"}, []string{"a", "b"}))
}
