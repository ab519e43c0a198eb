package cache_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about caches that are behind, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "machinery/*", "faults/*", "max-unavailable/*")
}
