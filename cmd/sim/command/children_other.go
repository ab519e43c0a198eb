//go:build !(unix || windows)

package command

import (
	"os"
	"syscall"
)

// family is a process: this system knows no groups of them.
type family struct{}

func (f *family) begin() *syscall.SysProcAttr { return nil }

func (f *family) add(int) {}

func (f *family) kill(p *os.Process) error { return p.Kill() }

func (f *family) end() {}
