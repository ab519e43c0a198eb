//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package cli

import "os"

// singleKeys does nothing on this system: input comes line by line.
func singleKeys(*os.File) (restore func()) { return nil }
