package follow

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/command/explain"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario/live/kubectl"
)

// TestRecordingHasNoGaps: a recording that is as large as a file may be gets no later look, however small, and says so
// once.
func TestRecordingHasNoGaps(t *testing.T) {
	var told bytes.Buffer
	o := &Command{Command: explain.Command{Cluster: command.Cluster{Console: &command.Console{Err: &told}}}}
	o.World.Limits.FileSize = 1000
	var err error
	file := filepath.Join(t.TempDir(), "seen.jsonl")
	o.log, err = files.NewLog(file, 0o644, kubectl.IsRecording)
	require.NoError(t, err)
	look := func(size int) {
		require.NoError(t, o.keep([]byte(`{"items":["`+strings.Repeat("x", size)+`"]}`), time.Now()))
	}
	look(200)
	first, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotEmpty(t, first)
	look(900)
	look(1)
	require.NoError(t, o.log.Close())
	all, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(first), string(all))
	require.Equal(t, 1, strings.Count(told.String(), "--max-file-size"))
}
