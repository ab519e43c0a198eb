//go:build darwin || freebsd || netbsd || openbsd

package main

import "syscall"

// The requests that read and write the modes of a terminal.
const getModes, setModes = syscall.TIOCGETA, syscall.TIOCSETA
