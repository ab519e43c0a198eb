package report

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestJSONIsDocumented: docs/json.md names every field of the documents.
func TestJSONIsDocumented(t *testing.T) {
	docs, err := os.ReadFile("../../../docs/json.md")
	require.NoError(t, err)
	for _, file := range []string{"compare.json", "variants.json", "versions.json", "version-changes.json", "stuck.json"} {
		var document map[string]any
		require.NoError(t, json.Unmarshal(goldenOf(t, file), &document), file)
		// What the timeline has is described elsewhere.
		delete(document, "header")
		delete(document, "result")
		delete(document, "events")
		for key := range keysOf(document) {
			require.Regexp(t, "`[^`]*\\b"+key+"\\b[^`]*`", string(docs), "%s: the field %s", file, key)
		}
	}
}

// keysOf collects the names of all fields of a document.
func keysOf(value any) map[string]bool {
	keys := map[string]bool{}
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			keys[key] = true
			for k := range keysOf(inner) {
				keys[k] = true
			}
		}
	case []any:
		for _, inner := range value {
			for k := range keysOf(inner) {
				keys[k] = true
			}
		}
	}
	return keys
}
