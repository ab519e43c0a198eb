package storage_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about volumes, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "claims/*", "nodes/volume*")
}

// TestTellsApart changes one field at a time of what is remembered of them: it is another world for a fingerprint.
func TestTellsApart(t *testing.T) {
	worldtest.TellsApart(t, "storage", worldtest.Follows{
		"storage.terminating": "counts claims of the store",
	}, "claims/*", "nodes/volume*")
}

// TestGoesOnFromObjects begins with claims and volumes, as a dump of a cluster shows them.
func TestGoesOnFromObjects(t *testing.T) {
	worldtest.GoesOnFromObjects(t, "claims/[bdfimnopw]*", "nodes/volume-of-a-node*")
}
