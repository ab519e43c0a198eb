package expect

import (
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"github.com/stretchr/testify/require"
)

// TestBounded: what a condition puts together has a limit, however short the condition is. What people write is far
// from it.
func TestBounded(t *testing.T) {
	twice := strings.Repeat(".map(a, a + a)", 40)
	for text, wrong := range map[string]string{
		`["a"]` + twice + `.size() > 0`:         "a text in the condition has more than 100000 bytes",
		`[[0]]` + twice + `.size() > 0`:         "a list in the condition has more than 100000 elements",
		`[b"a"]` + twice + `.size() > 0`:        "a value in the condition has more than 100000 bytes",
		`"web-" + "0" == "web-0" && 1 + 1 == 2`: "",
		`[1, 2] + [3] == [1, 2, 3]`:             "",
	} {
		env, err := cel.NewEnv()
		require.NoError(t, err)
		checked, issues := env.Compile(text)
		require.NoError(t, issues.Err(), text)
		program, err := env.Program(checked, limitsFor(text, checked.NativeRep())...)
		require.NoError(t, err)
		_, _, err = program.Eval(map[string]any{})
		if wrong == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, wrong)
	}
}
