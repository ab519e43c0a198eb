package behaviour

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Condition is readiness that depends on the other pods.
type Condition struct {
	// Text is the condition as the scenario has it.
	Text string
	// Holds says whether it holds for a pod of a set, in the world as it is. The error says why nobody can tell, and then
	// it counts as false. The cost is what it took to find out; a unit is about one field that is read, and 0 is too
	// little to be counted.
	Holds func(world *timeline.Fold, set model.Key, pod string) (holds bool, cost int64, err error)
	// Shared says that it holds for all pods of a set or for none, since it asks nothing of the pod itself.
	Shared bool
	// Lose is the time for which a Ready pod stays Ready after the condition has become false. nil is the time that its
	// readiness probe takes to fail; Never means that it stays Ready.
	Lose Delay
}

// DefaultLose is the time that a readiness probe with default values takes to fail: three times ten seconds.
const DefaultLose = 30 * time.Second

// Times returns so many periods.
func (t Ticker) Times(n int) time.Duration { return time.Duration(max(n, 0)) * t.Period }
