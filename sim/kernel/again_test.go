package kernel_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops worlds of the library in which rooms are away, instants do not end and times are drawn, and begins
// them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "faults/[cr]*", "nodes/[ad]*", "deletion/t*", "versions/hot-loop-a*", "timings/*")
}

// TestLibrary plays every scenario of the library, with a history and without: what each prints is beside its file.
func TestLibrary(t *testing.T) { worldtest.Beside(t, "*/*") }
