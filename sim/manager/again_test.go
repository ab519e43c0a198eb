package manager_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about slow and faulty control planes, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "machinery/*", "faults/*", "min-ready/*")
}

// TestSends plays the worlds in which the controller makes every call there is: of pods and revisions that it adopts and
// releases, and of claims. Each is the run that stands beside its file.
func TestSends(t *testing.T) {
	worldtest.Beside(t, "owners/*", "claims/o*", "claims/w*")
}

// TestHotLoopsGoOn is TestGoesOn with instants that do not end.
func TestHotLoopsGoOn(t *testing.T) {
	worldtest.GoesOn(t, "versions/hot-loop*")
}

// TestSuspendedSyncsGoOn is TestGoesOn in the middle of syncs that read and write all that a controller does.
func TestSuspendedSyncsGoOn(t *testing.T) {
	worldtest.GoesOnSlowly(t, "owners/*", "claims/w*", "rollback/*", "history/*", "statefulset-life/d*")
}

// TestTellsApart changes one field at a time of what is remembered of them: it is another world for a fingerprint.
func TestTellsApart(t *testing.T) {
	worldtest.TellsApart(t, "manager", worldtest.Follows{
		"change.Kind":    "the change has an object of the kind",
		"pending[].Kind": "the change has an object of the kind",
		"running[].dead": "no sync of a controller that has died is left at a fixed point",
		"running[].next": "all inputs have been used",
		"watches[0].":    "no object is of the first of the kinds",
	}, "machinery/*", "faults/*", "min-ready/*", "versions/hot-loop-a*")
}
