package shell_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim/view/shell"
)

func TestLine(t *testing.T) {
	require.Equal(t, "sim run --seed=7 path/to/web.yaml", shell.Line("sim", "run", "--seed=7", "path/to/web.yaml"))
	require.Equal(t, `sim run 'my file.yaml' 'it'\''s' '' '$(date)' '*' '=zsh'`,
		shell.Line("sim", "run", "my file.yaml", "it's", "", "$(date)", "*", "=zsh"))
	require.Equal(t, "kubectl -n prod get pod web-0", shell.In("prod", "get", "pod", "web-0"))
	require.Equal(t, "kubectl wait --for='jsonpath={.status.phase}=Bound'",
		shell.Kubectl("wait", "--for=jsonpath={.status.phase}=Bound"), "of an option, the value is quoted")
	require.Equal(t, `kubectl -n a patch pvc b --type merge -p '{"a":null}'`, shell.Patch("a", "pvc", "b", `{"a":null}`))
	require.Equal(t, "kubectl get pods > 'my pods'", shell.Into(shell.Kubectl("get", "pods"), "my pods"))
	require.Equal(t, `"<a>\" & 'b'"`, shell.JSON(`<a>" & 'b'`))
	require.Equal(t, "azAZ09_./:=,@%+-", shell.Line("azAZ09_./:=,@%+-"), "a shell reads all of these as themselves")
	for _, char := range strings.Split("`~!#$^&*()[]{}|;'\"\\<>? \té\x1b\u202e\u2028\u200b\u0085", "") {
		require.NotEqual(t, "a"+char, shell.Quote("a"+char), "%q is quoted, so that no shell takes it for something else", char)
	}
}

// hostile are words that a shell, or a terminal, would take for more than words.
var hostile = []string{"", "-n", "a b", "$(touch pwned)", "`touch pwned`", "';touch pwned;'", "\";touch pwned;\"", "a\nb", "*", "~",
	"#x", "!!", "a=b", "=ls", "--x=$(touch pwned)", "{a,b}", "\\", "%s", "-%d\x1b[2J", "\x07", "\u202egnp", "\u2028x", "a\x00"[:1],
	"é", "\xff", "a\tb", "[2]", "$HOME", "&&", "|", "<x", ">x", "$'a'", "\\x1b\x1b'"}

// TestAShellReadsArgumentsAsTheyAre pastes commands into a real shell, in which kubectl writes down its arguments.
func TestAShellReadsArgumentsAsTheyAre(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	recorder := "#!" + sh + "\nprintf '%s\\0' \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(recorder), 0o755))
	read := func(line string) []string {
		paste := exec.Command(sh)
		paste.Dir, paste.Env, paste.Stdin = t.TempDir(), append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH")), strings.NewReader(line)
		out, err := paste.CombinedOutput()
		require.NoError(t, err, "%s: %s", line, out)
		left, err := os.ReadDir(paste.Dir)
		require.NoError(t, err)
		require.Empty(t, left, "%s left a file", line)
		return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	}
	require.Equal(t, append([]string{"get"}, hostile...), read(shell.Kubectl(append([]string{"get"}, hostile...)...)))
	for _, word := range hostile {
		require.Equal(t, []string{"-n", word, "delete", "pod", word, "--force", "--grace-period=0"},
			read(shell.DeletePods(word, true, word)))
	}
	rapid.Check(t, func(rt *rapid.T) {
		words := rapid.SliceOfN(rapid.String(), 1, 20).Draw(rt, "words")
		for i := range words {
			words[i] = strings.TrimRight(strings.ReplaceAll(words[i], "\x00", ""), "\n")
		}
		require.Equal(rt, words, read(shell.Kubectl(words...)))
	})
}

// TestACommandIsOneLineThatPeopleSee: a command has no control character, nor one that is not seen.
func TestACommandIsOneLineThatPeopleSee(t *testing.T) {
	for _, word := range hostile {
		for _, r := range shell.Line(word) {
			require.True(t, unicode.IsPrint(r), fmt.Sprintf("%q", shell.Line(word)))
		}
	}
}
