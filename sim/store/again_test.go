package store_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about writes, refusals and histories, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "refusals/*", "rollback/*", "history/*", "owners/*", "ordinals/*")
}

// TestGoesOnFromObjects begins with objects of each kind, as a dump of a cluster shows them.
func TestGoesOnFromObjects(t *testing.T) {
	worldtest.GoesOnFromObjects(t, "owners/[hm]*", "claims/[bdf]*")
}
