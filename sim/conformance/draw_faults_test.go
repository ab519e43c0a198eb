package conformance

import (
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// faultyCalls are calls that may be made to fail, whether they are made or not. # stands for an ordinal.
var faultyCalls = []string{
	"create pod web-#", "delete pod web-#", "delete pod web-#", "update pod web-#",
	"create claim data-web-#", "create claim log-web-#",
	"update set web", "create revision *", "update revision *", "delete revision *", "get revision *",
}

// drawFaults makes calls fail with each error of the API: most of them calls that the simulator's own controller makes
// in this state, one after the other where the earlier ones have failed, so that each position is reached.
func (d *stateDraw) drawFaults() {
	if !d.chance(3) {
		return
	}
	for range d.between(1, 4) {
		fault := Fault{On: d.drawCall(), Times: 1, Reason: model.ErrorReason(d.between(1, 8))}
		if fault.On == "create revision *" && fault.Reason == model.AlreadyExists {
			fault.Reason = model.Conflict
		}
		if fault.Reason != model.Conflict || d.chance(4) {
			fault.Times = d.between(1, 6)
		}
		fault.Lost = d.chance(4)
		same := func(f Fault) bool { return f.On == fault.On }
		if !slices.ContainsFunc(d.state.Faults, same) {
			d.state.Faults = append(d.state.Faults, fault)
		}
	}
}

// drawCall names a call as a fault does.
func (d *stateDraw) drawCall() string {
	calls := d.state.Sync(statefulset.New(d.profile)).Calls
	if len(calls) == 0 || d.chance(4) {
		ordinal := strconv.Itoa(d.below(int(d.state.Set.Spec.Replicas) + 3))
		return strings.ReplaceAll(pick(d.draw, faultyCalls...), "#", ordinal)
	}
	words := strings.Fields(calls[d.below(min(len(calls), maxBelow))].Text)
	return strings.Join(words[:3], " ")
}
