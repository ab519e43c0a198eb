package answer

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
)

// Part are the flags that choose a part of a story.
type Part struct {
	// Only are names of pods or sets, none for all; Since is a virtual time, 0 for the beginning.
	Only  []string
	Since time.Duration
}

// check refuses the flags if what is printed is no single story.
func (o *Part) check(run *Run) error {
	switch asked := len(o.Only) > 0 || o.Since != 0; {
	case o.Since < 0:
		return usagef("--since %v is before the run begins: it is 0s or later", o.Since)
	case asked && run.Output != Formats[0].Name:
		return usagef("--only and --since choose a part of the output: they are for -o %s", Formats[0].Name)
	case asked && len(run.World.Several) > 0:
		return usagef("--only and --since choose a part of one run: give --kubernetes a single version")
	}
	return nil
}

// of returns the part of a run that was asked for. A name that the run does not have is an error: an empty story would
// look like nothing happened.
func (o *Part) of(run *report.Run) (report.Part, error) {
	part := report.Part{Only: o.Only, Since: model.Time(o.Since)}
	if name := part.Missing(run); name != "" {
		return part, fmt.Errorf("--only %s: %s has no pod and no StatefulSet of this name", name, run.File)
	}
	if n := len(run.Events); n > 0 && part.Since > run.Events[n-1].T {
		return part, fmt.Errorf("--since %s: the run of %s ends at %s", render.Clock(part.Since), run.File,
			render.Clock(run.Events[n-1].T))
	}
	return part, nil
}
