package scheduler_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about claims and nodes, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "claims/*", "nodes/*")
}

// TestTellsApart changes one field at a time of what is remembered of them: it is another world for a fingerprint.
func TestTellsApart(t *testing.T) {
	worldtest.TellsApart(t, "scheduler", nil, "claims/*", "nodes/*")
}

// TestGoesOnFromObjects begins with pods that wait for claims and nodes, as a dump of a cluster shows them.
func TestGoesOnFromObjects(t *testing.T) {
	worldtest.GoesOnFromObjects(t, "claims/[bdfimnopw]*", "nodes/n*")
}
