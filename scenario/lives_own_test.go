package scenario_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOwnLives does what TestLives does with the project's own recordings: testdata/lives/README.md says how they were
// made. The runs agree with all of them in everything.
func TestOwnLives(t *testing.T) {
	files := glob(t, "testdata/lives/*.yaml")
	require.Len(t, files, 123)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			want := livesOf(t, unzipped(t, strings.TrimSuffix(file, ".yaml")+".jsonl.gz"))
			want.agrees(t, name, text, nil)
		})
	}
}

// unzipped returns the content of a file.
func unzipped(t *testing.T, file string) []byte {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	zipped, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	text, err := io.ReadAll(zipped)
	require.NoError(t, err)
	return text
}
