package cli

import "golang.org/x/sys/unix"

// The requests that read and write the modes of a terminal.
const getModes, setModes = unix.TCGETS, unix.TCSETS
