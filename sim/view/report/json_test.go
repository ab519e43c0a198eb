package report

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
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

// TestJSONEnds: a document that an interruption ends can be read, wherever it ends, and says how much is missing.
func TestJSONEnds(t *testing.T) {
	run := canaryRun()
	middle := run.Events[1 : len(run.Events)-1]
	run.Events = slices.Concat(run.Events[:1], slices.Repeat(middle, 1+3*askEvery/len(middle)), run.Events[len(run.Events)-1:])
	all := len(run.Events) - 2
	for asks := range 12 {
		asked := 0
		run.Enough = func() bool { asked++; return asked > asks }
		var out bytes.Buffer
		require.NoError(t, JSON(&out, run))
		var document struct {
			Figures *json.RawMessage
			Header  json.RawMessage
			Result  struct{ Digest string }
			Events  []json.RawMessage
			LeftOut int
		}
		require.NoError(t, json.Unmarshal(out.Bytes(), &document), "after %d asks", asks)
		require.NotEmpty(t, document.Header)
		require.Equal(t, all, len(document.Events)+document.LeftOut)
		require.Equal(t, asks > 0, document.Figures != nil)
		require.Equal(t, asked <= asks, document.LeftOut == 0, "after %d asks", asks)
	}
}
