package expect

import (
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/expect/condition"
)

// TestBounded: what a condition puts together has a limit, however short the condition is. What people write is far
// from it.
func TestBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it")
	}
	twice := strings.Repeat(".map(a, a + a)", 40)
	for text, wrong := range map[string]string{
		`["a"]` + twice + `.size() > 0`:  "a text in the condition has more than 100000 bytes",
		`[[0]]` + twice + `.size() > 0`:  "a list in the condition has more than 100000 elements",
		`[b"a"]` + twice + `.size() > 0`: "a value in the condition has more than 100000 bytes",
		// What is compared shares its parts, so it is small and its comparison is not.
		`[[0]]` + strings.Repeat(".map(a, [a, a])", 30) + `.exists(a, a == a)`:                     "a comparison in the condition has more than 50000000 steps",
		`[[0]]` + strings.Repeat(".map(a, [a, a])", 30) + `.exists(a, !(a != a))`:                  "a comparison in the condition has more than 50000000 steps",
		`[[0]]` + strings.Repeat(".map(a, [a, a])", 30) + `.exists(a, a in [a])`:                   "a comparison in the condition has more than 50000000 steps",
		`["x{1000}"]` + strings.Repeat(".map(a, a + a)", 9) + `.exists(a, a.matches(a))`:           "a comparison in the condition has more than 50000000 steps",
		`"web-0".matches("^web-[0-9]{1,3}$") && "a" in ["a", "b"] && !("c" in {"a": 1})`:           "",
		`"web-0".contains("b-") && "b" != "a" && [1, [2]] == [1, [2]] && {"a": [1]} == {"a": [1]}`: "",
		`"web-" + "0" == "web-0" && 1 + 1 == 2`:                                                    "",
		`[1, 2] + [3] == [1, 2, 3]`:                                                                "",
	} {
		env, err := cel.NewEnv()
		require.NoError(t, err)
		checked, issues := env.Compile(text)
		require.NoError(t, issues.Err(), text)
		program, err := env.Program(checked, condition.LimitsFor(text, checked.NativeRep())...)
		require.NoError(t, err)
		_, _, err = program.Eval(map[string]any{})
		if wrong == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, wrong)
	}
}

// TestGrown: what the additions of one evaluation put together has a limit, though each value alone is small enough, and
// each addition is paid for.
func TestGrown(t *testing.T) {
	f := folded(crowd(500)...)
	wide := "pods.map(p, p.name)" + strings.Repeat(".map(a, a+a+a+a+a+a+a+a)", 4) + ".size() > 0"
	e := evaluatorOf(compiled(t, wide))
	e.Meter = &condition.Meter{}
	_, err := e.At(f)
	require.ErrorContains(t, err, "the texts and lists that the condition puts together have more than 50000000 bytes and elements")
	e = evaluatorOf(compiled(t, wide))
	e.Meter = &condition.Meter{Limit: 100_000}
	_, err = e.At(f)
	require.EqualError(t, err, "the conditions of the run cost more than 100000 together: --max-cost raises the limit")
}
