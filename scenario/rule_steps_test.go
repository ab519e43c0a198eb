package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// states plays steps on a set and returns when its pods change, with events and warnings.
func states(t *testing.T, steps string) string {
	t.Helper()
	text := "name: rules\nsteps:\n- create: {name: web, replicas: 1, image: \"app:v1\"}\n" + steps
	s, err := scenario.Parse("rules.yaml", []byte(text), nil, scenario.Options{Limits: strict.DefaultLimits()})
	require.NoError(t, err)
	var b strings.Builder
	o := s.Run(scenario.RunOptions{})
	for i := range o.Timeline {
		writeEffect(&b, &o.Timeline[i])
	}
	for _, warning := range o.Result.Warnings {
		b.WriteString("warning: " + warning + "\n")
	}
	return b.String()
}

// A rule that a step adds holds until a step removes it, or its time is over: then the kubelet tries again.
func TestRuleSteps(t *testing.T) {
	for name, c := range map[string]struct{ steps, want string }{
		"an image that cannot be pulled, and then can": {`
- addRule: {name: bad, match: {image: "app:v2"}, start: never, reason: ImagePullBackOff}
- setImage: {image: "app:v2"}
- removeRule: bad
  after: 1m
`, `
0s step 1: create web: created 
0s web-0@1 Pending 
1s web-0@1 Running node-1
3s web-0@1 Ready node-1
3s step 2: add the rule bad: done 
3s step 3: set the image of web to app:v2: configured 
3s web-0@1 Terminating node-1
5s web-0@1 Gone node-1
5s web-0@2 Pending 
5s warning: ImagePullBackOff: web-0 does not become Running
1m03s step 4: remove the rule bad: done 
1m04s web-0@2 Running node-1
1m06s web-0@2 Ready node-1
1m06s settled
`},
		"for a time": {`
- addRule: {name: slow, match: {pod: "web-*"}, start: 10s, for: 30s}
- delete: pod/web-0
  after: 0s
- delete: pod/web-0
`, `
0s step 1: create web: created 
0s web-0@1 Pending 
1s web-0@1 Running node-1
3s web-0@1 Ready node-1
3s step 2: add the rule slow for 30s: done 
3s step 3: delete web-0: deleted 
3s web-0@1 Terminating node-1
5s web-0@1 Gone node-1
5s web-0@1 Pending 
15s web-0@1 Running node-1
17s web-0@1 Ready node-1
33s step 4: delete web-0: deleted 
33s web-0@1 Terminating node-1
35s web-0@1 Gone node-1
35s web-0@1 Pending 
36s web-0@1 Running node-1
38s web-0@1 Ready node-1
38s settled
`},
		"a pull that failed is tried again at once, and kubectl shows nothing of it any more": {`
- addRule: {name: bad, match: {statefulset: web}, pull: never}
- delete: pod/web-0
- after: 5s
  removeRule: bad
`, `
0s step 1: create web: created 
0s web-0@1 Pending 
1s web-0@1 Running node-1
3s web-0@1 Ready node-1
3s step 2: add the rule bad: done 
3s step 3: delete web-0: deleted 
3s web-0@1 Terminating node-1
5s web-0@1 Gone node-1
5s web-0@1 Pending 
5s container of web-0 ErrImagePull failed to pull image app:v1
5s container of web-0 ImagePullBackOff back-off 10s pulling image app:v1
8s step 4: remove the rule bad: done 
8s container of web-0  the kubelet tries again
9s web-0@1 Running node-1
11s web-0@1 Ready node-1
11s settled
`},
		"what a rule leaves out is as without it, and the newest rule wins": {`
- addRule: {name: a, match: {statefulset: web}, start: 10s, ready: 10s}
- addRule: {name: b, match: {statefulset: web}, start: 20s}
- delete: pod/web-0
- removeRule: {all: true}
- removeRule: a
`, `
0s step 1: create web: created 
0s web-0@1 Pending 
1s web-0@1 Running node-1
3s web-0@1 Ready node-1
3s step 2: add the rule a: done 
3s step 3: add the rule b: done 
3s step 4: delete web-0: deleted 
3s web-0@1 Terminating node-1
5s web-0@1 Gone node-1
5s web-0@1 Pending 
25s web-0@1 Running node-1
35s web-0@1 Ready node-1
35s step 5: remove all rules that were added: done 
35s step 6: remove the rule a: none 
35s settled
warning: step 6: it did nothing: there is no rule a at 35s
`},
	} {
		require.Equal(t, strings.TrimLeft(c.want, "\n"), states(t, c.steps), name)
	}
}

// The annotations of a template say how its pods behave.
func TestAnnotations(t *testing.T) {
	const set = `
- apply:
    apiVersion: apps/v1
    kind: StatefulSet
    metadata: {name: db}
    spec:
      replicas: 1
      serviceName: db
      selector: {matchLabels: {app: db}}
      template:
        metadata:
          labels: {app: db}
          annotations: {%s}
        spec: {containers: [{name: app, image: "db:1"}]}
`
	for annotations, want := range map[string]string{
		"statefulsim.dev/start-after: 10s, statefulsim.dev/ready-after: 5s": "13s db-0@1 Running node-2\n18s db-0@1 Ready",
		"statefulsim.dev/fail: ImagePullBackOff":                            "3s container of db-0 ImagePullBackOff back-off 10s pulling image db:1",
		"statefulsim.dev/fail: CreateContainerConfigError":                  "3s warning: CreateContainerConfigError: db-0 does not become Running",
		"statefulsim.dev/ready-after: soon":                                 "4s db-0@1 Running node-2\n6s db-0@1 Ready",
	} {
		require.Contains(t, states(t, fmt.Sprintf(set, annotations)), want, annotations)
	}
	require.Equal(t, []string{
		`statefulsim.dev/ready-after is "soon", which has no effect: write a duration like 30s, or never`,
		"statefulsim.dev/redy-after has no effect: write one of statefulsim.dev/ready-after, start-after, stop-after or fail",
	}, behaviour.WrongAnnotations(map[string]string{"a/b": "c", "statefulsim.dev/ready-after": "soon",
		"statefulsim.dev/redy-after": "1s", "statefulsim.dev/fail": "OOMKilled", "statefulsim.dev/stop-after": "never"}))
}
