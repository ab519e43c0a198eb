package scenario_test

import (
	"archive/zip"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// TestOwnLives does what TestLives does with the project's own recordings: testdata/lives_own.md says how they were
// made. The runs agree with all of them in everything.
func TestOwnLives(t *testing.T) {
	scenarios, err := txtar.ParseFile("testdata/lives_own.txtar")
	require.NoError(t, err)
	require.Len(t, scenarios.Files, 123)
	recordings, err := zip.OpenReader("testdata/lives_own.zip")
	require.NoError(t, err)
	defer recordings.Close()
	for _, file := range scenarios.Files {
		name := strings.TrimSuffix(file.Name, ".yaml")
		t.Run(name, func(t *testing.T) {
			recording, err := recordings.Open(name + ".jsonl")
			require.NoError(t, err)
			text, err := io.ReadAll(recording)
			require.NoError(t, err)
			livesOf(t, text).agrees(t, name, file.Data, nil)
		})
	}
}
