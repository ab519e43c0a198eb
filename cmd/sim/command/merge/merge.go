// Package merge is the command sim merge: it puts the parts of a search or a sweep together.
package merge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	explorecmd "github.com/statefulsim/statefulsim/cmd/sim/command/explore"
	sweepcmd "github.com/statefulsim/statefulsim/cmd/sim/command/sweep"
	"github.com/statefulsim/statefulsim/scenario/search/explore"
	"github.com/statefulsim/statefulsim/scenario/search/sweep"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Command holds the arguments of `sim merge`. From an exploration it has only what printing a report needs: the
// format, merged and, from the reports, the files. Nothing is played.
type Command struct {
	explorecmd.Command
	// Require are requirements of sweeps, in the words of the flag.
	Require []string
	// sweeps is true if the reports come from sweeps.
	sweeps bool
}

// MergeFormats are the formats of an exploration without the page, which plays its runs again and needs the files for
// it.
var MergeFormats = slices.DeleteFunc(slices.Clone(explore.Formats), func(f string) bool { return f == "html" })

// Answer reads the reports and merges them. They must all be of explorations, or all of sweeps. That they are not shows
// as a report that cannot be merged.
func (o *Command) Answer() error {
	requirements, err := sweep.Requirements(o.Require)
	if err != nil {
		return command.Usagef("--require %s", err)
	}
	sources, err := o.From().OpenAll(o.Args, o.World.Limits.FileSize)
	if err != nil {
		return err
	}
	var documents []strict.Document
	for _, in := range sources {
		data, err := in.Read(o.World.Limits.FileSize)
		if err != nil {
			return err
		}
		var head struct{ Parts, Sweeps []json.RawMessage }
		if err := strict.JSON(in.Name(), data, &head); err != nil {
			return fmt.Errorf("%w: give a report of sim explore or sim sweep -o json", err)
		}
		if len(head.Parts)+len(head.Sweeps) == 0 {
			return strict.Problem{File: in.Name(), Line: 1, Column: 1,
				What: "this is not a report of sim explore or sim sweep -o json"}
		}
		o.sweeps = o.sweeps || len(head.Sweeps) > 0
		documents = append(documents, strict.Document{Name: in.Name(), Data: data})
	}
	if o.sweeps {
		if !slices.Contains(sweep.Formats, o.Output) {
			return command.Usagef("-o %s is for searches: sweeps have -o %s", o.Output, strings.Join(sweep.Formats, ", -o "))
		}
		return o.mergeSweeps(documents, requirements)
	}
	if len(requirements) > 0 {
		return command.Usagef("--require is for reports of sim sweep: these are of sim explore")
	}
	return o.mergeExplorations(documents)
}

// mergeExplorations merges reports of `sim explore`. A finding that a shard has waived stays waived. The error is
// errFailed if a finding is left.
func (o *Command) mergeExplorations(documents []strict.Document) error {
	merged, err := strict.Merge(documents, explore.Merge)
	if err != nil {
		return err
	}
	o.Merged, o.Args = true, nil
	for _, part := range merged.Parts {
		o.Args = append(o.Args, part.File)
	}
	if err := o.Print(merged, nil); err != nil {
		return err
	}
	if len(merged.Found) > 0 {
		return command.ErrFailed
	}
	return nil
}

// mergeSweeps puts the shards of a sweep together, prints the whole, and judges it as the sweep would have.
func (o *Command) mergeSweeps(documents []strict.Document, requirements []sweep.Requirement) error {
	merged, err := strict.Merge(documents, sweep.Merge)
	if err != nil {
		return err
	}
	if err := merged.Write(o.Out, o.Output, render.Style(o.Style()), "sim run"); err != nil {
		return err
	}
	return sweepcmd.JudgeSweeps(o.Console, merged, requirements)
}
