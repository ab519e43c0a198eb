package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSmallDisk: on a disk that has no room left each command that writes ends with an error that says so, and what was
// there stays as it was.
func TestSmallDisk(t *testing.T) {
	for _, line := range writing {
		t.Run(line, func(t *testing.T) {
			mine := writingInputs(t)
			disk := t.TempDir()
			if err := syscall.Mount("none", disk, "tmpfs", 0, "size=128k"); err != nil {
				t.Skip("only root mounts a small disk: ", err)
			}
			t.Cleanup(func() { require.NoError(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
			mine["recorded.yaml"], mine["second.yaml"] = read(t, "recorded.yaml"), read(t, "second.yaml")
			require.NoError(t, os.CopyFS(disk, os.DirFS(".")))
			t.Chdir(disk)
			fillDisk(t)
			code, said := withinSeconds(t, 10, strings.Fields(line)...)
			require.NotZero(t, code)
			require.Contains(t, said, "no space left on device")
			require.NotContains(t, said, "recorded again", "nothing was written")
			require.NoError(t, os.Remove("filler"))
			requireWhole(t, line, mine)
		})
	}
}

func read(t *testing.T, name string) []byte {
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return data
}

// fillDisk writes a file until the disk of this folder has no room left.
func fillDisk(t *testing.T) {
	file, err := os.Create("filler")
	require.NoError(t, err)
	for err == nil {
		_, err = file.Write(make([]byte, 4096))
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, file.Close())
}

// withinSeconds runs sim, and interrupts it if it goes on for longer: a server does.
func withinSeconds(t *testing.T, seconds int, arguments ...string) (code int, said string) {
	var out bytes.Buffer
	run := exec.Command("sim", arguments...)
	run.Stdout, run.Stderr = &out, &out
	require.NoError(t, run.Start())
	timer := time.AfterFunc(time.Duration(seconds)*time.Second, func() { _ = run.Process.Signal(os.Interrupt) })
	defer timer.Stop()
	_ = run.Wait()
	return run.ProcessState.ExitCode(), out.String()
}
