package scenario_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// closed is a folder whose files can be seen, but not opened.
type closed struct{ fstest.MapFS }

func (closed) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

// TestAFileThatCannotBeOpened is refused where the scenario names it.
func TestAFileThatCannotBeOpened(t *testing.T) {
	dir := closed{fstest.MapFS{"web.yaml": {Data: []byte("kind: StatefulSet\n")}}}
	for text, at := range map[string]string{
		"steps:\n- apply: web.yaml\n":                              "test.yaml:2:10: ",
		"start: web.yaml\nsteps:\n- restart: {statefulset: web}\n": "test.yaml:1:8: ",
	} {
		_, err := scenario.Parse("test.yaml", []byte(text), dir, scenario.Options{})
		require.ErrorContains(t, err, at)
		require.ErrorContains(t, err, "permission denied")
	}
}
