package heal

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// InQuorum returns a laboratory in which a pod is Ready as soon as another pod of its set runs, and nothing else keeps
// it from that.
func InQuorum(lab *play.Lab) *play.Lab {
	quorum := *lab
	quorum.World.Kubelet.Rules = nil
	quorum.World.Kubelet.Default.When = anotherRuns()
	return &quorum
}

// anotherRuns is the readiness of a pod that needs one peer: the simplest quorum.
func anotherRuns() *behaviour.Condition {
	return &behaviour.Condition{
		Text: "another pod of the set runs", Shared: true,
		Holds: func(world *timeline.Fold, set model.Key, _ string) (bool, int64, error) {
			running := 0
			if s := world.Set(set); s != nil {
				for pod := range s.Pods.All {
					if pod.Phase == model.Running && !pod.Terminating {
						running++
					}
				}
			}
			return running > 1, 0, nil
		},
	}
}
