package command

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario/search/spread"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Progress starts to show progress on a terminal.
func (s *Console) Progress(what string) *work.Progress {
	return work.NewProgress(s.Err, s.ErrTerminal, what)
}

// Shards are the flags for the manifest that lets an existing engine spread a search or a sweep over machines. Job
// and Matrix are the numbers of shards in either form; 0 means that the form is not used.
type Shards struct{ Job, Matrix int }

// Asked reports whether a manifest is wanted.
func (s *Shards) Asked() bool { return s.Job != 0 || s.Matrix != 0 }

// Print writes the manifest; nothing is searched. It must be called only if one of the two was asked for, and reads no
// file.
func (s *Shards) Print(o *Console, c *spread.Command) error {
	if s.Job != 0 && s.Matrix != 0 {
		return Usagef("--job and --matrix do not go together: use one of them")
	}
	if slices.Contains(c.Files, files.Stdin) {
		return Usagef("the shards cannot read standard input: name files")
	}
	c.Version = Version
	text := c.Workflow(s.Matrix)
	if s.Job != 0 {
		text = c.Job(s.Job)
	}
	_, err := fmt.Fprint(o.Out, text)
	return err
}
