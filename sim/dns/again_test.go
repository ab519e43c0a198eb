package dns_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about Services, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "dns/*")
}

// TestTellsApart changes one field at a time of what is remembered of them: it is another world for a fingerprint.
func TestTellsApart(t *testing.T) {
	worldtest.TellsApart(t, "dns", nil, "dns/*")
}

// TestGoesOnFromObjects begins with Services and pods, as a dump of a cluster shows them.
func TestGoesOnFromObjects(t *testing.T) {
	worldtest.GoesOnFromObjects(t, "dns/*")
}
