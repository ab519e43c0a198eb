//go:build linux || darwin || freebsd || netbsd || openbsd

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// singleKeys lets a terminal hand over each key at once and show none; Ctrl-C remains a signal, which term.MakeRaw
// would not allow. It returns a function that restores the terminal, nil if the file is not a terminal.
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
