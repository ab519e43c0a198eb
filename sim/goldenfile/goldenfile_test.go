package goldenfile

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A trial is a test that may fail without failing this one.
type trial struct {
	testing.TB
	says string
}

func (t *trial) Helper()                         {}
func (t *trial) Name() string                    { return "TestText/narrow" }
func (t *trial) Errorf(form string, args ...any) { t.says += fmt.Sprintf(form, args...) }
func (t *trial) FailNow()                        { panic(t) }

// verdict is what a comparison with the file says, "" where they are the same.
func verdict(of testing.TB, file, got string) (says string) {
	t := &trial{TB: of}
	defer func() {
		if failed := recover(); failed != nil {
			says = t.says
		}
	}()
	Equal(t, file, got)
	return ""
}

// TestEqual: a file that is missing or differs fails the test, and is left alone unless -update is given.
func TestEqual(t *testing.T) {
	file := filepath.Join(t.TempDir(), "testdata", "text.txt")
	require.Contains(t, verdict(t, file, "a\n"), "-update writes it")
	require.NoFileExists(t, file)

	*update = true
	require.Empty(t, verdict(t, file, "a\n"))
	*update = false

	require.Empty(t, verdict(t, file, "a\n"))
	says := verdict(t, file, "b\n")
	require.Contains(t, says, "text.txt differs, first in line 1; if that is wanted: go test -run '^TestText$' -update, and read the diff")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "a\n", string(data))
}
