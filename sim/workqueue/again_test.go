package workqueue_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about retries and waiting, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "machinery/*", "faults/*", "several-sets/*")
}
