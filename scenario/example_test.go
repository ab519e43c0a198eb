package scenario_test

import (
	"fmt"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

const rollout = `
steps:
- create: {name: web, replicas: 3, image: "app:v1"}
- setImage: {image: "app:v2"}
expect:
- descending: "@1 Terminating"
- completes: {within: 1m, since: setImage}
`

// A scenario is read, played and judged, and its timeline is a list of events.
func Example() {
	s, err := scenario.Parse("rollout.yaml", []byte(rollout), nil, scenario.Options{Kubernetes: "1.36"})
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome := s.Run(scenario.RunOptions{})
	for _, e := range outcome.Timeline {
		if e.Kind == timeline.KindPod && e.Template == 2 && e.State == timeline.Ready {
			fmt.Printf("%ss: %s is ready with %s\n", e.T.Seconds(), e.Pod, e.Image)
		}
	}
	for _, v := range outcome.Verdicts {
		fmt.Println(v.Outcome, v.Text)
	}
	// Output:
	// 14s: web-2 is ready with app:v2
	// 19s: web-1 is ready with app:v2
	// 24s: web-0 is ready with app:v2
	// held descending: @1 Terminating
	// held completes: {within: 1m, since: setImage}
}

// All that is wrong with a scenario is said at once, each with its place.
func ExampleParse() {
	_, err := scenario.Parse("web.yaml", []byte("steps:\n- create: {name: web, replica: 3, image: a}\n- scale: {replicas: -1}\n"),
		nil, scenario.Options{})
	fmt.Println(err)
	// Output:
	// web.yaml:2:23: unknown field "replica": did you mean replicas?
	// web.yaml:3:21: replicas is -1: write a whole number from 0 to 100000, or raise the limit with --max-replicas
}
