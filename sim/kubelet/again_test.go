package kubelet_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about containers and probes, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "containers/*", "probes/*", "quorum/*")
}

// TestTellsApart changes one field at a time of what is remembered of them: it is another world for a fingerprint.
func TestTellsApart(t *testing.T) {
	worldtest.TellsApart(t, "kubelet", worldtest.Follows{
		".main.n":              "is the place among the containers",
		".main[].n":            "is the place among the containers",
		".init[].n":            "is the place among the containers",
		"].probed.spec.":       "the template has it",
		"lives[].main.probed.": "nobody probes a container without a manifest",
		".node is nil":         "the pod has it",
		"When.Shared":          "the text has it",
	}, "containers/*", "probes/*", "quorum/*")
}
