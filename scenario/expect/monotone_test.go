package expect_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/expect"
)

// judgedOnly plays three pods of a policy, then a new image, and judges one expectation.
func judgedOnly(t *testing.T, fields, expectation string) expect.Verdict {
	t.Helper()
	text := fmt.Sprintf("steps:\n- create: {name: web, replicas: 3, image: \"a:1\"%s}\n- setImage: {image: \"a:2\"}\n"+
		"expect:\n- %s\n", fields, expectation)
	s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err, text)
	return s.Run(scenario.RunOptions{}).Verdicts[0]
}

// TestTies: two changes at one instant are in no order, unless the expectation allows it.
func TestTies(t *testing.T) {
	const parallel = ", podManagementPolicy: Parallel"
	const two = parallel + ", updateStrategy: {rollingUpdate: {maxUnavailable: 2}}"
	for _, c := range []struct{ fields, expectation, says string }{
		{"", `ascending: "@1 Ready"`, ""},
		{parallel, `ascending: "@1 Ready"`, `web-0@1 Ready and web-1@1 Ready are both at 3s, so neither comes first; where ` +
			`that is right, write {of: "@1 Ready", ties: allowed}`},
		{parallel, `ascending: {of: "@1 Ready"}`, "are both at 3s"},
		{parallel, `ascending: {of: "@1 Ready", ties: none}`, "are both at 3s"},
		{parallel, `ascending: {of: "@1 Ready", ties: allowed}`, ""},
		{parallel, `descending: {of: "@1 Ready", ties: allowed}`, "web-1@1 Ready at 3s happens after web-0@1 Ready at 3s"},
		{parallel, `descending: "@1 Terminating"`, ""},
		{two, `descending: "@1 Terminating"`, "web-2@1 Terminating and web-1@1 Terminating are both at 3s"},
		{two, `descending: {of: "@1 Terminating", ties: allowed}`, ""},
		{two, `{descending: {of: "@2 Terminating", ties: allowed}, during: setImage}`,
			`"@2 Terminating" never happens; "@1 Terminating" happened at 3s and 8s`},
	} {
		v := judgedOnly(t, c.fields, c.expectation)
		require.Equal(t, c.says == "", v.Outcome == expect.Held, "%s: %s", c.expectation, v.Detail)
		require.Contains(t, v.Detail, c.says, c.expectation)
	}
	_, err := scenario.Parse("s.yaml", []byte("steps:\n- create: {name: web, image: a}\nexpect:\n"+
		"- ascending: {of: \"@1 Ready\", ties: alowed}\n- descending: {ties: allowed}\n"), nil, scenario.Options{})
	require.ErrorContains(t, err, `s.yaml:4:37: ties is "alowed"`)
	require.ErrorContains(t, err, `s.yaml:5:15: descending lacks the key "of"`)
}

// TestInstants: with instants each item of the list is one instant, neither fewer changes nor more.
func TestInstants(t *testing.T) {
	const parallel = ", podManagementPolicy: Parallel"
	list := func(is string) string {
		return "exactly: {during: create, states: [Pending], instants: true, is: " + is + "}"
	}
	const together, apart = `[["web-0 Pending", "web-1 Pending", "web-2 Pending"]]`, `["web-0 Pending", "web-1 Pending", "web-2 Pending"]`
	for _, c := range []struct{ fields, is, want, says string }{
		{"", apart, "", ""},
		{parallel, together, "", ""},
		{"", together, "web-0 Pending, web-1 Pending and web-2 Pending at one instant first", "web-0 Pending at 0s"},
		{parallel, apart, "web-0 Pending first", "web-0 Pending, web-1@1 Pending and web-2@1 Pending at one instant, 0s"},
		{"", `["web-0 Pending", "web-1 Pending"]`, "nothing after web-1 Pending at 3s", "web-2@1 Pending at 6s"},
		{"", `["web-0 Pending", "web-1 Pending", "web-2 Pending", "web-3 Pending"]`, "web-3 Pending after web-2 Pending at 6s",
			"nothing more happens"},
		{"", `[]`, "nothing", "web-0@1 Pending at 0s"},
	} {
		v := judgedOnly(t, c.fields, list(c.is))
		require.Equal(t, c.says == "", v.Outcome == expect.Held, "%s: %s", c.is, v.Detail)
		require.Equal(t, c.want, v.Want, c.is)
		require.Equal(t, c.says, v.Detail, c.is)
	}
}

// TestRecorded: a failure of an expectation that was recorded names the fields of the set that have changed since, as
// its step left them; one that holds says nothing.
func TestRecorded(t *testing.T) {
	const never, name = "never: \"* Ready\"\n  recorded: ", "since this was recorded, web has changed: "
	for _, c := range []struct{ fields, recorded, says string }{
		{"", "{replicas: 3}", ""},
		{"", "{replicas: 2}", name + "replicas was 2 and is 3"},
		{"", "{}", name + "replicas was 1 and is 3"},
		{", podManagementPolicy: Parallel", "{replicas: 3}", name + "podManagementPolicy was OrderedReady and is Parallel"},
		{", minReadySeconds: 3, ordinals: {start: 4}", "{replicas: 3, minReadySeconds: 2}",
			name + "minReadySeconds was 2 and is 3, ordinals.start was 0 and is 4"},
		{", updateStrategy: {type: OnDelete}", "{replicas: 3}", name + "updateStrategy.type was RollingUpdate and is OnDelete"},
		{"", "{replicas: 3, terminationGracePeriodSeconds: 0, preStop: app takes 9s, initContainers: a ends}",
			name + "preStop was app takes 9s and is none, initContainers was a ends and is none, " +
				"terminationGracePeriodSeconds was 0 and is 30"},
	} {
		v := judgedOnly(t, c.fields, never+c.recorded)
		if c.says == "" {
			require.NotContains(t, v.Detail, "recorded")
		} else {
			require.Contains(t, v.Detail, c.says)
		}
		require.Empty(t, judgedOnly(t, c.fields, "count: {of: \"* Ready\", atLeast: 1}\n  recorded: "+c.recorded).Detail)
	}
}
