package sim_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestLibrary plays every scenario of the library. What each prints is beside its file.
func TestLibrary(t *testing.T) { worldtest.Beside(t, "*/*") }

// TestGoesOnFromObjects begins with objects of each kind, as a dump of a cluster shows them.
func TestGoesOnFromObjects(t *testing.T) {
	worldtest.GoesOnFromObjects(t, "claims/[bdf]*", "deletion/f*", "dns/*", "drain/[abe]*")
}

// TestGoesOn stops worlds in which things go wrong, steps count from the one before, evictions wait for a budget, or a
// set has conditions, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "faults/*", "several-sets/*", "stuck/*", "machinery/*", "drain/[ai]*", "versions/recreate*")
}
