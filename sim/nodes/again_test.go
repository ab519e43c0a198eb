package nodes_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about nodes, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "nodes/*")
}

// TestTellsApart changes one field at a time of what is remembered of them: it is another world for a fingerprint.
func TestTellsApart(t *testing.T) {
	worldtest.TellsApart(t, "nodes", worldtest.Follows{
		"zones[].name": "the key has it",
	}, "nodes/*")
}

// TestGoesOnFromObjects begins with nodes in trouble, as a dump of a cluster shows them.
func TestGoesOnFromObjects(t *testing.T) {
	worldtest.GoesOnFromObjects(t, "nodes/back-before*", "nodes/f*", "nodes/n*", "nodes/out-of-service", "nodes/out-of-service-1*", "nodes/volume-of-a-node*")
}
