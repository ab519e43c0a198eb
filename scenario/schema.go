// Package scenario reads scenario files: YAML and manifests become a world, the steps that users take in it, and the
// expectations that the run is judged by. Load or Parse reads one, Run plays and judges it, Schema and Expand are for
// editors and readers of the format.
//
// It reads the file, and the manifests and dumps that the file names by paths; nothing outside of Options.Root is
// opened. It returns a Scenario, or strict.Problems with all that is wrong, each with its file, line and column. It
// never stops at the first problem, and a wrong input never panics.
//
// Reading goes from the top of the format to its end, because later parts refer to earlier ones: the version
// decides rules of nodes and kubelet, the nodes are known before the steps, and the expectations know a census of
// the objects that the steps create. A mistake that is visible before the run is a problem at load; a mistake that
// depends on the run is a refusal by the API server, or a warning that a step did nothing.
//
// A Scenario does not change after it was read, and may be played several times, and by several goroutines at once.
//
// The command line calls it, and so do the packages that play a scenario many times or in another way: explore, sweep,
// plan, atlas. It knows the simulator and the packages that read parts of a file (strict, manifest, dump, expect), and
// writes nothing but what it returns.
package scenario

import (
	_ "embed"
	"slices"
)

// schema is what Schema returns: docs/format.md is generated from it, and tests compare it with what Parse accepts
// and refuses.
//
//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema (2020-12) of the scenario format, for editors. The caller owns the bytes.
func Schema() []byte { return slices.Clone(schema) }
