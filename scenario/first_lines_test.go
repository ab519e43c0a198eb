package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestFirstLines: the first line of a message says what to write.
func TestFirstLines(t *testing.T) {
	const web = "steps:\n  - create: {name: web, replicas: 3, image: \"app:v1\"}\n"
	for _, c := range [][2]string{
		{web + "  - setImage: web=app:v2\n", `s.yaml:3:15: setImage is "web=app:v2": write setImage: {statefulset: web, image: "app:v2"}`},
		{web + "  - setImage: app=app:v2\n", `s.yaml:3:15: setImage is "app=app:v2": write setImage: {container: app, image: "app:v2"}`},
		{web + "    expect:\n    - ends: settled\n", `s.yaml:3:5: "expect" is no key of a step: it belongs to the left margin, not below a step`},
		{web + "  - restart: deployment/web\n", `s.yaml:3:14: deployment/web is no name of a StatefulSet: sim knows StatefulSets: write web`},
		{"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n",
			`s.yaml:2:1: this is a manifest and not a scenario, and there is no StatefulSet in it, but Deployment: sim plays StatefulSets only`},
		{"{\n  // the new one\n  \"apiVersion\": \"apps/v1\"\n}\n", `s.yaml:2:3: JSON has no comments: remove // the new one`},
		{"\xff\xfes\x00", `s.yaml:1:1: this is UTF-16, as PowerShell 5 writes it: write it as UTF-8: | Out-File -Encoding utf8 FILE`},
	} {
		_, err := scenario.Parse("s.yaml", []byte(c[0]), nil, scenario.Options{})
		require.ErrorContains(t, err, c[1], "%q", c[0])
	}
}

// TestStepAfterUntil: a step that the limit of time does not reach is a warning with its place. The run ends as it should.
func TestStepAfterUntil(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte("until: 30s\nsteps:\n  - create: {name: web, replicas: 3, image: \"app:v1\"}\n"+
		"  - at: 60s\n    restart: web\n"), nil, scenario.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"s.yaml:4:9: the step never acts: 60s is after until (30s): raise until"}, s.Warnings)
}
