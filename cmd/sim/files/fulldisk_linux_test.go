package files

import (
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoRoom: where there is no room for the new text, the old one stays, and nothing is left beside it.
func TestNoRoom(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, Written{Path: "old", Text: []byte("old"), Mode: 0o644}.Write())
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100, Max: limit.Max}))
	long := []byte(strings.Repeat("x", 1000))
	old := Written{Path: "old", Text: long, Mode: 0o644}.Write()
	fresh := Written{Path: "fresh", Text: long, Mode: 0o644, Fresh: true}.Write()
	log, err := NewLog("log", 0o600, nil)
	require.NoError(t, err)
	require.NoError(t, log.Add([]byte("line\n")))
	full, after := log.Add(append(long, '\n')), log.Add([]byte("line\n"))
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	require.ErrorIs(t, full, syscall.EFBIG)
	require.ErrorIs(t, after, syscall.EFBIG, "there are no gaps")
	require.ErrorIs(t, log.Close(), syscall.EFBIG)
	require.Equal(t, "line\n", contentOf(t, "log"), "no line is torn")
	require.NoError(t, os.Remove("log"))
	require.ErrorIs(t, old, syscall.EFBIG)
	require.ErrorIs(t, fresh, syscall.EFBIG)
	text, err := os.ReadFile("old")
	require.NoError(t, err)
	require.Equal(t, "old", string(text))
	require.Equal(t, []string{"old"}, names(t))
}

// TestWrittenStreams: a pipe is written to and not replaced.
func TestWrittenStreams(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, syscall.Mkfifo("pipe", 0o600))
	read := make(chan string, 1)
	go func() {
		pipe, err := os.Open("pipe")
		if err != nil {
			read <- err.Error()
			return
		}
		text, _ := io.ReadAll(pipe)
		read <- string(text)
	}()
	require.NoError(t, Written{Path: "pipe", Text: []byte("through"), Mode: 0o644}.Write())
	require.Equal(t, "through", <-read)
}
