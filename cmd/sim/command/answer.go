// Package command answers what a command was asked: it reads the input, lets the package that knows the answer play,
// and prints what came of it. A command (cmd/sim) only turns its flags into a value of this package, and the error of
// Answer into an exit code. It belongs to commands, since what it does depends on the machine.
package command

import (
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Version is the release. It is in the header of timelines, so it is a constant and not read from the build: two
// builds of one commit write the same timelines.
const Version = "0.1.0"

// The ways in which an answer can end otherwise than well.
var (
	errFailed, errWrongInput, errTimeout, errInterrupted = work.ErrFailed, work.ErrWrongInput, work.ErrTimeout,
		work.ErrInterrupted
	usagef = work.Usagef
)

// Call is what commands have in common: the console, the format, the arguments, the flags that change the world of a
// scenario, how many are played at once, and whether the folders below a folder are taken too.
type Call struct {
	*Console
	Output    string
	Args      []string
	World     World
	Workers   int
	Recursive bool
}

// inFolders returns the arguments, with the files in it for each folder.
func (c *Call) inFolders() ([]string, error) {
	var all []string
	for _, path := range c.Args {
		files, err := c.Console.From().Manifests(path, c.Recursive, c.World.Limits.FileSize)
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}

// checkWorkers refuses a number of workers below 1.
func (c *Call) checkWorkers() error {
	if c.Workers < 1 {
		return usagef("-j must be at least 1")
	}
	return nil
}
