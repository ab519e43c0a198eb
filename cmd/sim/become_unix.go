//go:build unix

package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
)

// become lets a program take the place of this process: the streams, the environment and the signals are its own from then
// on. It returns an exit code only if that fails.
func become(words []string) int {
	err := unix.Exec(words[0], words, os.Environ())
	fmt.Fprintf(os.Stderr, "%s: %v\n", words[0], err)
	return cli.ExitUsage
}
