package kubelet_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about containers and probes, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "containers/*", "probes/*", "quorum/*")
}

// TestLostNodesGoOn does so with pods whose nodes are silent, off, or back.
func TestLostNodesGoOn(t *testing.T) {
	worldtest.GoesOn(t, "nodes/*", "failed-pods/*")
}

// TestTellsApart changes one field at a time of what is remembered of them: it is another world for a fingerprint.
func TestTellsApart(t *testing.T) {
	worldtest.TellsApart(t, "kubelet", worldtest.Follows{
		".main.n":                 "is the place among the containers",
		".main[].n":               "is the place among the containers",
		".init[].n":               "is the place among the containers",
		"].probed.spec.":          "the template has it",
		"lives[].main.probed.":    "nobody probes a container without a manifest",
		".node is nil":            "the pod has it",
		"lives[].node is another": "the pod has it",
		"When.Shared":             "the text has it",
	}, "containers/*", "probes/*", "quorum/*", "nodes/f*", "nodes/o*", "nodes/down*")
}

// TestGoesOnFromObjects begins with pods at any point of their lives, as a dump of a cluster shows them.
func TestGoesOnFromObjects(t *testing.T) {
	worldtest.GoesOnFromObjects(t, "quorum/c*", "containers/image-pull-back*", "containers/image-pull-takes*", "containers/l*", "containers/sidecars-are*", "containers/slow*", "probes/a*", "probes/i*", "probes/t*32", "probes/times*", "nodes/f*", "stuck/*")
}

// TestLibrary plays the worlds of the library that are about containers, probes and lost nodes, with a history and
// without: what each prints is beside its file.
func TestLibrary(t *testing.T) {
	worldtest.Beside(t, "containers/*", "probes/*", "quorum/*", "nodes/*", "failed-pods/*", "drain/*")
}
