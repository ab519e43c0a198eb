package v1_34

import (
	"testing"

	"github.com/statefulsim/statefulsim/sim/conformance/adapter/explored"
)

func TestExplored(t *testing.T) { explored.Grid(t, version) }
