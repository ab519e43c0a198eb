package store_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about writes, refusals and histories, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "refusals/*", "rollback/*", "history/*", "owners/*", "ordinals/*")
}
