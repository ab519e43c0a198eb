package save_test

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/save"
)

// saved plays a scenario and returns it as a test.
func saved(t *testing.T, file string, text []byte) (test []byte, added int) {
	t.Helper()
	s := parsed(t, file, text)
	var steps []expect.Step
	for _, step := range s.Steps {
		steps = append(steps, expect.Step{Number: step.Number, Name: step.Name, Verb: step.Verb})
	}
	test, added, err := save.Test(text, save.Expectations(s.Run(scenario.RunOptions{}).Timeline, steps))
	require.NoError(t, err, file)
	return test, added
}

func parsed(t *testing.T, file string, text []byte) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse(file, text, os.DirFS(path.Dir(file)), scenario.Options{})
	require.NoError(t, err, "%s", text)
	return s
}

// TestLibrary: the runs of scenarios of the library, saved as tests, hold, say something, and are short. A test that is
// saved again stays as it is.
func TestLibrary(t *testing.T) {
	files, err := filepath.Glob("../../scenarios/*/*.yaml")
	require.NoError(t, err)
	for i, file := range files {
		if i%5 != 0 {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		s := parsed(t, file, text)
		test, added := saved(t, file, text)
		outcome := parsed(t, file, test).Run(scenario.RunOptions{})
		require.True(t, outcome.Held(), "%s: %v\n%s", file, outcome.Failed(), test)
		require.Greater(t, added+len(s.Expectations), 0, file)
		require.LessOrEqual(t, added, 4+3*len(s.Steps), "%s\n%s", file, test)
		again, more := saved(t, file, test)
		require.Equal(t, 0, more, "%s\n%s", file, again)
		require.Equal(t, string(test), string(again), file)
	}
}

// TestTest shows where expectations are put, and that the rest of a scenario stays as it is.
func TestTest(t *testing.T) {
	const steps = "# rolls\nsteps:\n- create: {name: web, replicas: 2, image: \"a:1\"}   # two\n- setImage: {image: \"a:2\"}\n"
	const all = `  - exactly:
      during: create
      states: [Pending, Ready, Terminating]
      instants: true
      is:
        - "web-0@1 Pending"
        - ["web-0@1 Ready", "web-1@1 Pending"]
        - "web-1@1 Ready"
    recorded: {replicas: 2}
  - exactly:
      during: setImage
      states: [Pending, Ready, Terminating]
      instants: true
      is:
        - "web-1@1 Terminating"
        - "web-1@2 Pending"
        - ["web-1@2 Ready", "web-0@1 Terminating"]
        - "web-0@2 Pending"
        - "web-0@2 Ready"
    recorded: {replicas: 2}
  - always: "serving >= 1"
  - completes: {within: 10s}
    recorded: {replicas: 2}
  - check: {at: settled, that: "serving == 2 && outdated == 0 && pods.all(p, p.image == 'a:2')"}
`
	own := "expect:\n  - never: \"web-0 Failed\"\n  # how fast\n  - completes:\n      within: 10s\n"
	more := strings.Replace(all, "  - completes: {within: 10s}\n    recorded: {replicas: 2}\n", "", 1)
	for _, c := range []struct{ name, given, want string }{
		{"none", steps, steps + "expect:\n" + all},
		{"an empty list", steps + "expect: []\n", steps + "expect:\n" + all},
		{"its own", steps + own, steps + own + more},
		{"before the steps", own + "\n" + steps, own + more + "\n" + steps},
		{"without an indent", steps + strings.ReplaceAll(own, "\n  ", "\n"), steps + strings.ReplaceAll(own, "\n  ", "\n") +
			strings.ReplaceAll(strings.TrimPrefix(more, "  "), "\n  ", "\n")},
		{"without a last line break", strings.TrimRight(steps, "\n"), steps + "expect:\n" + all},
	} {
		test, _ := saved(t, "web.yaml", []byte(c.given))
		require.Equal(t, c.want, string(test), c.name)
		require.True(t, parsed(t, "web.yaml", test).Run(scenario.RunOptions{}).Held(), c.name)
	}
	_, _, err := save.Test([]byte(steps+"expect: [{ends: settled}]\n"), []string{"completes: {}"})
	require.ErrorContains(t, err, "line 5: the expectations are written in flow style")
	_, _, err = save.Test([]byte("{steps: []}"), []string{"completes: {}"})
	require.ErrorContains(t, err, "flow style")
}

// TestAgain: expectations that were recorded make way for those of their kind, in their place, and so do those of the
// lines that are named. What is left comes behind the last of them, and comments stay.
func TestAgain(t *testing.T) {
	const text = "steps: []\nexpect:\n  # a\n  - order: [a, b]\n    recorded: {}\n\n  # b\n  - ends: settled\n" +
		"  - check:\n      at: settled\n      that: |\n        serving == 1\n  # c\nuntil: 1h\n"
	for _, c := range []struct {
		failed []int
		now    []string
		gone   []string
		added  int
		want   string
	}{
		{nil, nil, []string{"line 4: order: [a, b]"}, 0, "steps: []\nexpect:\n  # a\n\n  # b\n  - ends: settled\n" +
			"  - check:\n      at: settled\n      that: |\n        serving == 1\n  # c\nuntil: 1h\n"},
		{nil, []string{"always: x", "order: [a, c]\nrecorded: {}", "ends: settled"}, []string{"line 4: order: [a, b]"}, 2,
			"steps: []\nexpect:\n  # a\n  - order: [a, c]\n    recorded: {}\n  - always: x\n\n  # b\n  - ends: settled\n" +
				"  - check:\n      at: settled\n      that: |\n        serving == 1\n  # c\nuntil: 1h\n"},
		{[]int{8, 9}, []string{"order: [a, b]", "ends: stuck", "check: {at: settled, that: y}"},
			[]string{"line 8: ends: settled", "line 9: check: {at: settled, that: serving == 1 }"}, 2,
			"steps: []\nexpect:\n  # a\n  - order: [a, b]\n\n  # b\n  - ends: stuck\n  - check: {at: settled, that: y}\n  # c\nuntil: 1h\n"},
	} {
		test, gone, added, err := save.Again([]byte(text), c.failed, c.now)
		require.NoError(t, err)
		require.Equal(t, c.gone, gone)
		require.Equal(t, c.added, added)
		require.Equal(t, c.want, string(test))
	}
}
