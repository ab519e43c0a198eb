package scenario

import (
	_ "embed"
	"slices"
)

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema (2020-12) of the scenario format, for editors.
func Schema() []byte { return slices.Clone(schema) }
