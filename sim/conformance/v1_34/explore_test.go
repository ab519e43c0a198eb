package v1_34

import (
	"testing"

	"github.com/statefulsim/statefulsim/sim/conformance/adapter/explored"
)

func TestExplored(t *testing.T) { explored.Grid(t, version) }

// TestBeginsInThePast restarts the controller after a rollout, with a list that is 25 s old. The real code, too, deletes each of
// the new pods by its name.
func TestBeginsInThePast(t *testing.T) { explored.BeginsInThePast(t, version) }
