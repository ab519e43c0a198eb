package v1_34

import (
	"testing"

	"github.com/statefulsim/statefulsim/sim/conformance/adapter/explored"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

func TestExplored(t *testing.T) { explored.Grid(t, version) }

// TestBeginsInThePast restarts the controller after a rollout, with a list that is 25 s old. The real code, too, deletes each of
// the new pods by its name.
func TestBeginsInThePast(t *testing.T) {
	const text = `apiserver: {write: 10ms}
steps:
  - create: {name: web, replicas: 3, image: "app:v1"}
  - {at: 20s, setImage: {image: "app:v2"}}
  - {at: 40s, restartController: {behind: 25s}}
`
	if verdict, at := explored.Ends(t, version, text); verdict != timeline.Settled {
		t.Errorf("%s at %ss", verdict, at.Seconds())
	}
}
