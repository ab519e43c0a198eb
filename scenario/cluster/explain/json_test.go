package explain_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/cluster/explain"
)

// TestDocumentsHaveOneVersion holds that each document states the version of the format, and states it once.
func TestDocumentsHaveOneVersion(t *testing.T) {
	var dumped, one, several bytes.Buffer
	require.NoError(t, explain.DumpJSON(&dumped, &explain.Dumped{}))
	require.NoError(t, explain.JSON(&one, &explain.Explanation{}))
	require.NoError(t, explain.JSONUnder(&several, nil))
	for _, document := range []string{dumped.String(), one.String(), several.String()} {
		require.Equal(t, 1, strings.Count(document, `"formatVersion": 1,`), document)
	}
}
