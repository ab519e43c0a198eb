package scenario

import (
	_ "embed"
	"slices"
)

// schema is what Schema returns: docs/format.md is generated from it, and tests hold it to what Parse takes and
// refuses.
//
//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema (2020-12) of the scenario format, for editors. The caller owns the bytes.
func Schema() []byte { return slices.Clone(schema) }
