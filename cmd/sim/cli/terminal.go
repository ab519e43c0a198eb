package cli

import (
	"os"

	"golang.org/x/term"
)

// terminal reports whether a file is a terminal, and how many columns it has, 0 if that is not known.
func terminal(file *os.File) (columns int, is bool) {
	columns, _, err := term.GetSize(int(file.Fd()))
	return columns, err == nil || term.IsTerminal(int(file.Fd()))
}
