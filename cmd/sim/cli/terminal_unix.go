//go:build linux || darwin || freebsd || netbsd || openbsd

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// singleKeys lets a terminal hand over each key at once and show none; Ctrl-C is the signal that it always is, which
// term.MakeRaw would end. It returns the function that puts back what was, nil if the file is no terminal.
func singleKeys(file *os.File) (restore func()) {
	before, err := unix.IoctlGetTermios(int(file.Fd()), getModes)
	if err != nil {
		return nil
	}
	keys := *before
	keys.Lflag &^= unix.ICANON | unix.ECHO
	keys.Cc[unix.VMIN], keys.Cc[unix.VTIME] = 1, 0
	if unix.IoctlSetTermios(int(file.Fd()), setModes, &keys) != nil {
		return nil
	}
	return func() { _ = unix.IoctlSetTermios(int(file.Fd()), setModes, before) }
}
