package adapter

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim/conformance/refusals"
)

// Refusals holds the simulated API server against the real one in random StatefulSets and changes of them: as many as
// single syncs are checked.
func Refusals(t *testing.T, v Version, real refusals.Server) {
	t.Helper()
	checkInChunks(t, count(), func(rt *rapid.T) {
		if difference := refusals.Compare(refusals.Draw(rt, v.Kubernetes), real); difference != "" {
			rt.Fatal(difference)
		}
	})
}
