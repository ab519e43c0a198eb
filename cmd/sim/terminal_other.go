//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package main

import "os"

// terminal says whether a file is a terminal. How many columns it has is not known here.
func terminal(file *os.File) (columns int, is bool) {
	info, err := file.Stat()
	return 0, err == nil && info.Mode()&os.ModeCharDevice != 0
}

// singleKeys is nothing that this system is asked for: what is typed comes line by line.
func singleKeys(*os.File) (restore func()) { return nil }
