package behaviour_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about how pods behave, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "containers/*", "probes/*", "timings/*", "quorum/*", "stuck/*")
}
