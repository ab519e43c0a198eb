//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package cli

import "os"

// singleKeys is nothing that this system is asked for: what is typed comes line by line.
func singleKeys(*os.File) (restore func()) { return nil }
