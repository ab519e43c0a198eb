package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// lineWidth is how many characters a line of Go may have, a tab being one. Most have at most 120.
const lineWidth = 130

// TestLines holds the width of the lines, those of the modules below sim/conformance too. Tests and what is
// generated may be wider: a row of a table with a message in full reads best on one line.
func TestLines(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	seen := 0
	require.NoError(t, filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file != root && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(file)
		if bytes.HasPrefix(text, []byte("// Code generated")) {
			return err
		}
		seen++
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			if width := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); width > lineWidth {
				t.Errorf("%s:%d: the line has %d characters: break it at %d", file, n, width, lineWidth)
			}
		}
		return err
	}))
	require.NotZero(t, seen)
}
