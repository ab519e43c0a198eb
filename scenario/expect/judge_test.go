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
	for version, want := range map[string]string{
		"1.36.3": "held: ", "1.36": "held: ", "": "held: ",
		"1.35.1": "skipped: it does not apply to Kubernetes 1.35.1", "1.35": "skipped: it does not apply to Kubernetes 1.35",
	} {
		events := script(t, "0 step create replicas=1 template=1\n1 end settled")
		events[0].Run.Kubernetes = version
		list, problems := expect.Load("s.yaml", []byte("- {ends: settled, kubernetes: \">=1.36\"}\n"), strict.Limits{}, events)
		require.NoError(t, problems.Err())
		v := expect.Judge(list, events)[0]
		require.Equal(t, want, v.Outcome.String()+": "+v.Detail, version)
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

// TestNothingHappened: of a timeline without an event nothing has held that needs one.
func TestNothingHappened(t *testing.T) {
	list, problems := expect.Load("s.yaml", []byte("- eventually: now > 1\n- never: web-0 Ready\n- completes: {}\n"), strict.Limits{}, nil)
	require.NoError(t, problems.Err())
	var verdicts []string
	for _, v := range expect.Judge(list, nil) {
		verdicts = append(verdicts, v.Outcome.String()+": "+v.Detail)
	}
	require.Equal(t, []string{
		"failed: it never became true from 0s until the timeline is cut off at 0s",
		"held: ",
		"failed: it was not complete from 0s until the timeline is cut off at 0s",
	}, verdicts)
}

// TestEventuallyWhileCreated: what the creation of the pods already does says nothing about the steps after it.
func TestEventuallyWhileCreated(t *testing.T) {
	const scenes = `
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - setImage: {image: "app:v2"}
expect:
  - eventually: `
	for wants, note := range map[string]string{
		"serving == 1":                        "it was true at 3s, while the pods were created: add since: STEP to ask for it after that step",
		"serving == 2":                        "it was true at 6s, while the pods were created: add since: STEP to ask for it after that step",
		"serving == 1\n    since: setImage":   "",
		"pods.exists(p, p.image == 'app:v2')": "",
	} {
		s, err := scenario.Parse("s.yaml", []byte(scenes+wants+"\n"), nil, scenario.Options{})
		require.NoError(t, err, wants)
		v := s.Run(scenario.RunOptions{}).Verdicts[0]
		require.Equal(t, expect.Held, v.Outcome, v.Detail)
		require.Equal(t, note, v.Detail, wants)
	}
}
