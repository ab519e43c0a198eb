package expect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestJudge judges lists of expectations, some that hold and some that fail, on small timelines. The golden files hold
// all that a user is told.
func TestJudge(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*.script")
	require.NoError(t, err)
	for _, file := range scripts {
		name := strings.TrimSuffix(filepath.Base(file), ".script")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			events := script(t, string(text))
			got := judged(load(t, name, events), events)
			goldenfile.Equal(t, filepath.Join("testdata", name+".golden"), got)
		})
	}
}

func load(t *testing.T, name string, events []timeline.Event) []*expect.Expectation {
	data, err := os.ReadFile(filepath.Join("testdata", name+".yaml"))
	require.NoError(t, err)
	list, problems := expect.Load(name+".yaml", data, strict.Limits{}, events)
	require.NoError(t, problems.Err())
	return list
}

func judged(list []*expect.Expectation, events []timeline.Event) string {
	var b strings.Builder
	verdicts := expect.Judge(list, events)
	for _, v := range verdicts {
		fmt.Fprintf(&b, "%s: %s: %s\n", v.Position(), v.Outcome, v.Text)
		if v.Detail != "" {
			fmt.Fprintf(&b, "    %s\n", v.Detail)
		}
		for _, line := range v.Expected {
			fmt.Fprintf(&b, "    - %s\n", line)
		}
		for _, line := range v.Got {
			fmt.Fprintf(&b, "    + %s\n", line)
		}
		for _, line := range v.Around {
			fmt.Fprintf(&b, "    | %s\n", line)
		}
	}
	fmt.Fprintf(&b, "the end was expected: %v\n", expect.Expected(verdicts, events))
	return b.String()
}

// TestOfWhichVersion: an expectation of some versions is skipped by the others, and judged where nobody knows the version.
func TestOfWhichVersion(t *testing.T) {
	for version, want := range map[string]expect.Outcome{"1.36.3": expect.Held, "1.35.0": expect.Skipped, "": expect.Held} {
		events := script(t, "0 step create replicas=1 template=1\n1 end settled")
		events[0].Run.Kubernetes = version
		list, problems := expect.Load("s.yaml", []byte("- {ends: settled, kubernetes: \">=1.36\"}\n"), strict.Limits{}, events)
		require.NoError(t, problems.Err())
		require.Equal(t, want, expect.Judge(list, events)[0].Outcome, version)
	}
}

// TestExpectedEnds: a run that does not settle has an end that is expected if an expectation says how it ends, and holds.
func TestExpectedEnds(t *testing.T) {
	const steps = "kubelet: {ready: never}\nsteps:\n- create: {name: web, replicas: 2, image: \"app:v1\"}\nexpect:\n"
	for wants, expected := range map[string]bool{
		"- stuck: {pod: web-0}\n": true, "- ends: stuck\n": true, "- stuck: {pod: web-1}\n": false, "- ends: settled\n": false,
		"- always: serving == 0\n": false, "- always: serving == 0\n- stuck: {pod: web-0}\n": true,
	} {
		s, err := scenario.Parse("s.yaml", []byte(steps+wants), nil, scenario.Options{})
		require.NoError(t, err)
		o := s.Run(scenario.RunOptions{})
		require.Equal(t, expected, expect.Expected(o.Verdicts, o.Timeline), wants)
	}
}
