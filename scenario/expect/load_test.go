package expect_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// recorded is a run of a scenario with two steps that have what they expect of themselves, and one with a name.
func recorded(t *testing.T) []timeline.Event {
	t.Helper()
	s, err := scenario.Parse("s.yaml", []byte("steps:\n"+threePods+"- name: more\n  at: 30s\n  scale: {replicas: 4}\n"+
		"- patch: {spec: {serviceName: other}}\n  refused: immutable\n"), nil, scenario.Options{})
	require.NoError(t, err)
	return s.Run(scenario.RunOptions{}).Timeline
}

// TestLoad: what a recorded timeline is held to: a list, a file with the key expect, or a whole scenario, whose steps
// expect something of themselves too.
func TestLoad(t *testing.T) {
	events := recorded(t)
	const steps = "steps:\n" + threePods + "- name: more\n  at: 30s\n  scale: {replicas: 4}\n"
	const refused = steps + "- patch: {spec: {serviceName: other}}\n  refused: "
	for _, c := range []struct{ name, file, want string }{
		{"a list", "- completes: {}\n- count: {of: \"web-3 Ready\", is: 1}\n", "held completes: {}; held count: {of: web-3 Ready, is: 1}"},
		{"a key", "expect:\n- completes: {since: more}\n", "held completes: {since: more}"},
		{"a key that is empty", "expect: []\n", ""},
		{"a whole scenario", steps + "expect:\n- completes: {since: more, within: 5s}\n", "held completes: {since: more, within: 5s}"},
		{"a step that acts too late", strings.Replace(steps, "at: 30s", "at: 29s", 1) + "expect: []\n", ""},
		{"a refusal", refused + "immutable\n", "held refused: immutable"},
		{"another refusal", refused + "forbidden\n", "failed refused: forbidden"},
		{"a refusal, and expectations", refused + "immutable\nexpect:\n- completes: {}\n  for: web\n", "held completes: {}; held refused: immutable"},
		{"no expectations", steps, "s.yaml:1:1: the file has no expectations: write them as a list behind the key expect"},
		{"a step that the run does not have", "expect:\n- completes: {since: less}\n",
			"s.yaml:2:22: there is no step less: the steps are 1 (create), 2 (scale, more), 3 (patch)"},
		{"a step that the scenario does not have", steps + "expect:\n- completes: {since: less}\n",
			"there is no step less: the steps are 1 (create), 2 (scale, more)"},
		{"a set that the run does not have", "- completes: {}\n  for: db\n", "s.yaml:2:8: the run has no set db: did you mean default/web?"},
		{"no YAML", "expect: [\n", "s.yaml:2:1: "},
		{"a text", "completes\n", `s.yaml:1:1: a file of expectations is "completes": write a mapping, key: value`},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, problems := expect.Load("s.yaml", []byte(c.file), strict.Limits{}, events)
			if err := problems.Err(); err != nil {
				require.NotEmpty(t, c.want)
				require.Contains(t, err.Error(), c.want)
				return
			}
			var verdicts []string
			for _, v := range expect.Judge(list, events) {
				verdicts = append(verdicts, v.Outcome.String()+" "+v.Text)
			}
			require.Equal(t, c.want, strings.Join(verdicts, "; "))
		})
	}
}

// TestAStepThatComesTooLate: a step that says at when it acts is held to that, and where it does nobody is told so.
func TestAStepThatComesTooLate(t *testing.T) {
	for at, want := range map[string][]string{
		"2s":  {"s.yaml:4:7 at: 2s: the step before acted only at 9s: give this one a later time, or after"},
		"30s": nil,
	} {
		text := []byte("steps:\n" + threePods + "- restart: web\n- at: " + at + "\n  scale: {replicas: 4}\nexpect: []\n")
		s, err := scenario.Parse("s.yaml", text, nil, scenario.Options{})
		require.NoError(t, err)
		events := s.Run(scenario.RunOptions{}).Timeline
		list, problems := expect.Load("s.yaml", text, strict.Limits{}, events)
		require.NoError(t, problems.Err())
		var failed []string
		for _, v := range expect.Judge(list, events) {
			failed = append(failed, v.Position()+" "+v.Text+": "+v.Detail)
		}
		require.Equal(t, want, failed)
	}
}

// TestCutShort: of a timeline without an end nobody says what would have come, nor how it ended.
func TestCutShort(t *testing.T) {
	events := recorded(t)
	at := 0
	for i := range events {
		if s := events[i].Step; s != nil && s.Number == 2 {
			at = i
		}
	}
	cut := events[:at]
	list, problems := expect.Load("s.yaml", []byte("- eventually: serving == 4\n- completes: {since: 2}\n- ends: settled\n- stuck: {pod: web-0}\n"+
		"- never: web-0 Gone\n- completes: {}\n"), strict.Limits{}, events)
	require.NoError(t, problems.Err())
	var details []string
	for _, v := range expect.Judge(list, cut) {
		details = append(details, v.Outcome.String()+": "+v.Detail)
	}
	require.Equal(t, []string{
		"failed: it never became true from 0s until the timeline is cut off at 9s; it is false at 9s: serving = 3",
		"failed: step 2 never acted: the timeline is cut off at 9s",
		"failed: the timeline is cut off at 9s",
		"failed: the timeline is cut off at 9s",
		"held: ",
		"held: ",
	}, details)
	require.False(t, expect.Expected(expect.Judge(list, cut), cut), "nobody knows how it ended")
	require.True(t, expect.Expected(expect.Judge(list, events), events))
	_, problems = expect.Load("s.yaml", []byte("- completes: {since: more}\n"), strict.Limits{}, cut)
	require.ErrorContains(t, problems.Err(), "s.yaml:1:22: there is no step more: the only step is 1 (create)")
	_, problems = expect.Load("s.yaml", []byte("- completes: {}\n  for: db\n"), strict.Limits{}, cut)
	require.NoError(t, problems.Err(), "db may be there later")
}

// TestSetsOfFaults: a set that a fault creates is one of the run: an expectation of the recording may name it, and
// without a name it is about that set too.
func TestSetsOfFaults(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte("steps:\n"+threePods+"faults:\n- at: 30s\n  create: {name: db, replicas: 2, image: \"db:1\"}\n"),
		nil, scenario.Options{})
	require.NoError(t, err)
	events := s.Run(scenario.RunOptions{}).Timeline
	list, problems := expect.Load("s.yaml", []byte("- completes: {}\n  for: db\n- always: spec.replicas == 2\n  for: default/db\n"+
		"- check: {at: 20s, that: \"spec.replicas == 3\"}\n  for: web\n- completes: {within: 25s}\n"), strict.Limits{}, events)
	require.NoError(t, problems.Err())
	var verdicts []string
	for _, v := range expect.Judge(list, events) {
		verdicts = append(verdicts, v.Outcome.String()+" "+v.Kind)
	}
	require.Equal(t, []string{"held completes", "held always", "held check", "failed completes"}, verdicts, "db comes after 25s")
}
