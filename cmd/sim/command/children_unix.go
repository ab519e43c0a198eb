//go:build unix

package command

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// runWhole runs a program. If its context ends, what it has started ends with it: they are a process group of their own.
func runWhole(run *exec.Cmd) error {
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	run.Cancel = func() error {
		err := syscall.Kill(-run.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
	return run.Run()
}
