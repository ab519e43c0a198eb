//go:build linux || darwin || freebsd || netbsd || openbsd

package main

import (
	"os"
	"syscall"
	"unsafe"
)

// terminal says whether a file is a terminal, and how many columns it has.
func terminal(file *os.File) (columns int, is bool) {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	return int(size.columns), errno == 0
}

// singleKeys lets a terminal hand over each key at once and show none; Ctrl-C is the signal that it always is. It
// returns the function that puts back what was, nil if the file is no terminal.
func singleKeys(file *os.File) (restore func()) {
	control := func(request uintptr, modes *syscall.Termios) bool {
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), request, uintptr(unsafe.Pointer(modes)))
		return errno == 0
	}
	var before syscall.Termios
	if !control(getModes, &before) {
		return nil
	}
	keys := before
	keys.Lflag &^= syscall.ICANON | syscall.ECHO
	keys.Cc[syscall.VMIN], keys.Cc[syscall.VTIME] = 1, 0
	if !control(setModes, &keys) {
		return nil
	}
	return func() { control(setModes, &before) }
}
