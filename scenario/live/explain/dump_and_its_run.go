package explain

import (
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
)

// view is what the sets of a dump are explained with: the dump, the laboratory whose worlds begin with it, and the run
// in which nobody does anything. It does not change.
type view struct {
	*dump.Index
	lab *play.Lab
	run *judge.Run
	// took are the times that the Ready pods of the dump took.
	took dump.Took
}
