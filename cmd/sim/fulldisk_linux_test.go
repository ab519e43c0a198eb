package main

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoRoom: where there is no room for the new text, the old one stays, and nothing is left beside it.
func TestNoRoom(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, written{path: "old", text: []byte("old"), mode: 0o644}.write())
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100, Max: limit.Max}))
	long := []byte(strings.Repeat("x", 1000))
	old := written{path: "old", text: long, mode: 0o644}.write()
	fresh := written{path: "fresh", text: long, mode: 0o644, fresh: true}.write()
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	require.ErrorIs(t, old, syscall.EFBIG)
	require.ErrorIs(t, fresh, syscall.EFBIG)
	text, err := os.ReadFile("old")
	require.NoError(t, err)
	require.Equal(t, "old", string(text))
	require.Equal(t, []string{"old"}, names(t))
}

// TestWrittenStreams: a pipe, and standard output under its name, are written to and not replaced.
func TestWrittenStreams(t *testing.T) {
	folder(t)
	require.NoError(t, os.WriteFile("web.yaml", []byte("steps: [{create: {name: web, replicas: 1, image: a}}]\n"), 0o644))
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
	require.NoError(t, written{path: "pipe", text: []byte("through"), mode: 0o644}.write())
	require.Equal(t, "through", <-read)
	out, err := os.Create("out.txt")
	require.NoError(t, err)
	cmd := exec.Command("sim", "test", "--junit", "/dev/stdout", "web.yaml")
	cmd.Stdout = out
	require.NoError(t, cmd.Run())
	require.NoError(t, out.Close())
	text, err := os.ReadFile("out.txt")
	require.NoError(t, err)
	require.Contains(t, string(text), "<testsuites")
	require.Contains(t, string(text), "1 passed")
}
