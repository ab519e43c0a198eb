//go:build unix

package command

import (
	"errors"
	"os"
	"syscall"
)

// family is a process and all that it starts: a process group of their own.
type family struct{}

func (f *family) begin() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func (f *family) add(int) {}

// kill ends all of them.
func (f *family) kill(p *os.Process) error {
	err := syscall.Kill(-p.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

func (f *family) end() {}
