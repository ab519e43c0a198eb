package command

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// family is a process and all that it starts, which are in one job. Only what it starts in its very first instants may not
// be in it.
type family struct{ job windows.Handle }

func (f *family) begin() *syscall.SysProcAttr {
	f.job, _ = windows.CreateJobObject(nil, nil)
	return nil
}

// add puts the process into the job, before it has started others.
func (f *family) add(pid int) {
	const rights = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE
	if process, err := windows.OpenProcess(rights, false, uint32(pid)); err == nil {
		_ = windows.AssignProcessToJobObject(f.job, process)
		_ = windows.CloseHandle(process)
	}
}

// kill ends all of them.
func (f *family) kill(p *os.Process) error {
	return errors.Join(windows.TerminateJobObject(f.job, 1), p.Kill())
}

func (f *family) end() { _ = windows.CloseHandle(f.job) }
