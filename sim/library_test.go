package sim_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestLibrary plays the themes of the library in which somebody does something to the cluster, something goes wrong, or
// the run has no end of its own. What each prints is beside its file.
func TestLibrary(t *testing.T) {
	worldtest.Beside(t, "deletion/*", "drain/*", "failed-pods/*", "faults/*", "machinery/*", "nodes/*", "several-sets/*",
		"statefulset-life/*", "stuck/*")
}

// TestLibraryOfClaimsAndCommands plays those in which claims are assumed, and commands wait for something.
func TestLibraryOfClaimsAndCommands(t *testing.T) {
	worldtest.Beside(t, "claims/*", "rolling-update/a-pipeline*", "drain/gives-up")
}
