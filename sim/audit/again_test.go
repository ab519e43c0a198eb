package audit_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about owners and lives, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "owners/*", "identity/*", "deletion/*", "containers/[cs]*", "failed-pods/a*")
}

// TestGoesOnFromObjects begins with owners, as a dump of a cluster shows them.
func TestGoesOnFromObjects(t *testing.T) {
	worldtest.GoesOnFromObjects(t, "owners/[hmno]*", "identity/*")
}

// TestTellsApart changes one field at a time of the lives of claims.
func TestTellsApart(t *testing.T) {
	worldtest.TellsApart(t, "storage", worldtest.Follows{
		"storage.terminating": "counts claims of the store",
	}, "claims/[bdt]*", "owners/o*")
}
