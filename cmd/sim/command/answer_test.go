package command

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/kubectl"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestImpatient: some time after an interruption nothing more is written, and the writer says why.
func TestImpatient(t *testing.T) {
	var out bytes.Buffer
	enough := false
	w := Impatient{&out, func() bool { return enough }}
	_, err := io.WriteString(w, "found")
	require.NoError(t, err)
	enough = true
	_, err = io.WriteString(w, "more")
	require.ErrorIs(t, err, ErrInterrupted)
	require.Equal(t, "found", out.String())
	ctx, interrupt := context.WithCancel(t.Context())
	s := &Console{Ctx: ctx}
	require.False(t, s.Moment(-1)(), "nobody has interrupted")
	interrupt()
	require.True(t, s.Moment(-1)(), "the moment is over")
	require.False(t, s.Moment(time.Hour)())
}

// TestKubectlIsBounded: what is kept of a kubectl that prints without end is no more than a file may have.
func TestKubectlIsBounded(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script of a shell")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\nexec head -c 10000000000 /dev/zero\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o700))
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	o := Cluster{Console: &Console{Ctx: t.Context(), Err: io.Discard}, Asks: kubectl.Question{Patience: UsualPatience}}
	_, err := o.kubectl(1<<20, nil)
	require.ErrorContains(t, err, "the cluster")
	require.ErrorContains(t, err, "has more than 1048576 bytes")
}

// TestColor: colour is for terminals, unless it is asked for, and never with NO_COLOR.
func TestColor(t *testing.T) {
	with := func(s Console, color string) render.Style {
		s.Color = color
		return s.Style()
	}
	terminal := Console{OutTerminal: true, Width: 200}
	require.Equal(t, render.Style{Color: true, Width: render.MaxWidth}, with(terminal, "auto"))
	require.False(t, with(terminal, "never").Color)
	pipe := Console{Width: 50}
	require.Equal(t, render.Style{Width: render.PipeWidth, Pipe: true}, with(pipe, "auto"))
	require.Equal(t, render.Style{Width: 60}, with(Console{Asked: 60}, "auto"), "COLUMNS")
	require.Equal(t, render.Style{Width: render.MaxWidth}, with(Console{Asked: 999}, "auto"))
	require.Equal(t, 70, with(Console{OutTerminal: true, Width: 70, Asked: 60}, "auto").Width, "a terminal knows best")
	require.Equal(t, 60, with(Console{OutTerminal: true, Asked: 60}, "auto").Width)
	require.True(t, with(pipe, "always").Color)
	forbidden := Console{OutTerminal: true, NoColor: true, Width: 50}
	require.Equal(t, render.Style{Width: 50}, with(forbidden, "auto"))
	require.False(t, with(forbidden, "always").Color)
}
