package scenario_test

import (
	"fmt"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// A scenario is loaded, played and judged in three calls.
func Example() {
	s, err := scenario.Load("../scenarios/stuck/reverting-does-not-heal.yaml", scenario.Options{})
	if err != nil {
		panic(err)
	}
	outcome := s.Run(scenario.RunOptions{})
	fmt.Println(outcome.Result.Verdict, "on", outcome.Result.Stuck[0].Why.Object)
	fmt.Println(len(outcome.Failed()), "expectations failed, so the run held:", outcome.Held())
	// Output:
	// stuck on web-2
	// 0 expectations failed, so the run held: true
}

// The timeline of a run can be folded into the state at any of its ticks.
func Example_fold() {
	const text = `
kubernetes: "1.37"
steps:
  - create: {name: web, replicas: 3, image: "app:v1", podManagementPolicy: Parallel}
  - setImage: {statefulset: web, image: "app:v2"}
`
	s, err := scenario.Parse("parallel.yaml", []byte(text), nil, scenario.Options{})
	if err != nil {
		panic(err)
	}
	for fold := range timeline.Ticks(s.Run(scenario.RunOptions{}).Timeline) {
		for _, set := range fold.Sets() {
			fmt.Printf("%ss %d serving, %d outdated\n", fold.T.Seconds(), set.Serving(), set.Outdated())
		}
	}
	// Output:
	// 0s 0 serving, 0 outdated
	// 1s 0 serving, 0 outdated
	// 3s 3 serving, 0 outdated
	// 3s 2 serving, 3 outdated
	// 5s 2 serving, 2 outdated
	// 6s 2 serving, 2 outdated
	// 8s 2 serving, 2 outdated
	// 10s 2 serving, 1 outdated
	// 11s 2 serving, 1 outdated
	// 13s 2 serving, 1 outdated
	// 15s 2 serving, 0 outdated
	// 16s 2 serving, 0 outdated
	// 18s 3 serving, 0 outdated
}
