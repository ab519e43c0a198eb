package gc_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about deletions, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "deletion/*")
}

// TestTellsApart changes one field at a time of what is remembered of them: it is another world for a fingerprint.
func TestTellsApart(t *testing.T) {
	worldtest.TellsApart(t, "gc", nil, "deletion/*")
}

// TestGoesOnFromObjects begins with deletions under way, as a dump of a cluster shows them.
func TestGoesOnFromObjects(t *testing.T) {
	worldtest.GoesOnFromObjects(t, "deletion/[fios]*", "deletion/claims*")
}
