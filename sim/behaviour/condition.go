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
	// Holds says whether it holds for a pod of a set, in the world as it is, and pays for what it takes to find out. The
	// error says why nobody can tell, and then it counts as false.
	Holds func(world *timeline.Fold, set model.Key, pod string, pay Pay) (holds bool, err error)
	// Shared says that it holds for all pods of a set or for none, since it asks nothing of the pod itself.
	Shared bool
	// Lose is the time for which a Ready pod stays Ready after the condition has become false. nil is the time that its
	// readiness probe takes to fail; Never means that it stays Ready.
	Lose Delay
}

// Pay takes note of a cost, of which a unit is about one field that is read. It says why the evaluation that pays must
// end at once, or "".
type Pay func(cost int64) (ended string)

// DefaultLose is the time that a readiness probe with default values takes to fail: three times ten seconds.
const DefaultLose = 30 * time.Second

// Times returns so many periods.
func (t Ticker) Times(n int) time.Duration { return time.Duration(max(n, 0)) * t.Period }
