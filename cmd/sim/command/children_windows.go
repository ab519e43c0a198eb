package command

import (
	"errors"
	"fmt"
	"os/exec"

	"golang.org/x/sys/windows"
)

// runWhole runs a program. If its context ends, what it has started ends with it: they are in one job. Only what it
// starts in its very first instants may not be in it.
func runWhole(run *exec.Cmd) error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return fmt.Errorf("a job for %s: %w", run.Path, err)
	}
	defer windows.CloseHandle(job)
	run.Cancel = func() error { return errors.Join(windows.TerminateJobObject(job, 1), run.Process.Kill()) }
	if err := run.Start(); err != nil {
		return err
	}
	const rights = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE
	if process, err := windows.OpenProcess(rights, false, uint32(run.Process.Pid)); err == nil {
		_ = windows.AssignProcessToJobObject(job, process)
		windows.CloseHandle(process)
	}
	return run.Wait()
}
