package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
)

// partFlags are the flags that choose a part of a story.
type partFlags struct {
	// only are names of pods or sets, none for all; since is a virtual time, 0 for the beginning.
	only  []string
	since time.Duration
}

// addPartFlags adds the flags. They are for -o text, which check sees to.
func addPartFlags(cmd *cobra.Command, o *partFlags) {
	cmd.Flags().StringSliceVar(&o.only, "only", nil,
		"print only what concerns the pods or StatefulSets `NAME`,... (-o text)")
	cmd.Flags().DurationVar(&o.since, "since", 0, "begin the output at this virtual time (-o text)")
}

// check refuses the flags if what is printed is no single story.
func (o *partFlags) check(run *runOptions) error {
	switch asked := len(o.only) > 0 || o.since != 0; {
	case o.since < 0:
		return usagef("--since %v is before the run begins: it is 0s or later", o.since)
	case asked && run.output != formats[0].name:
		return usagef("--only and --since choose a part of the output: they are for -o %s", formats[0].name)
	case asked && len(run.world.several) > 0:
		return usagef("--only and --since choose a part of one run: give --kubernetes a single version")
	}
	return nil
}

// of returns the part of a run that was asked for. A name that the run does not have is an error: an empty story would
// look like nothing happened.
func (o *partFlags) of(run *report.Run) (report.Part, error) {
	part := report.Part{Only: o.only, Since: model.Time(o.since)}
	if name := part.Missing(run); name != "" {
		return part, fmt.Errorf("--only %s: %s has no pod and no StatefulSet of this name", name, run.File)
	}
	if n := len(run.Events); n > 0 && part.Since > run.Events[n-1].T {
		return part, fmt.Errorf("--since %s: the run of %s ends at %s", render.Clock(part.Since), run.File,
			render.Clock(run.Events[n-1].T))
	}
	return part, nil
}
