package audit_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about owners and lives, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "owners/*", "identity/*", "deletion/*")
}

// TestGoesOnFromObjects begins with owners, as a dump of a cluster shows them.
func TestGoesOnFromObjects(t *testing.T) {
	worldtest.GoesOnFromObjects(t, "owners/[hmno]*", "identity/*")
}
