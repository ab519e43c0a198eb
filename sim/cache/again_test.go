package cache_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about caches that are behind, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "machinery/*", "faults/*", "max-unavailable/*")
}

// TestSuspendedSyncsGoOn does so in the middle of syncs, which look at caches that have gone on since.
func TestSuspendedSyncsGoOn(t *testing.T) {
	worldtest.GoesOnSlowly(t, "owners/*", "claims/w*", "min-ready/*")
}

// TestTellsApart changes one field at a time of what a cache remembers: it is another world for a fingerprint. The cache
// is a part of the controller manager.
func TestTellsApart(t *testing.T) {
	worldtest.TellsApart(t, "manager", worldtest.Follows{
		"change.Kind":    "the change has an object of the kind",
		"pending[].Kind": "the change has an object of the kind",
		"running[].dead": "no sync of a controller that has died is left at a fixed point",
		"running[].next": "all inputs have been used",
		"watches[0].":    "no object is of the first of the kinds",
	}, "machinery/*", "faults/*", "min-ready/*", "versions/hot-loop-a*")
}
