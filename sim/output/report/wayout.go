package report

import (
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// wayOut says what releases the wait of a set that is stuck on a pod whose node does not answer, and "" for any other.
func wayOut(s *timeline.Stuck, sum *summary) string {
	world := reasons.At(&sum.Fold, s.Set, s.Why.Object, false)
	if !world.Down || world.Terminating && world.OutOfService {
		return ""
	}
	return reasons.Release(s.Why, world)
}
