package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
	"github.com/statefulsim/statefulsim/scenario/runs/atlas"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// atlasOptions are the arguments of `sim atlas`.
type atlasOptions struct {
	answer.Call
	// kubernetes limits the list to the traps of a version; "" lists all, also those that no version has.
	kubernetes string
}

// newAtlasCmd returns `sim atlas`. The engine is only asked for the versions to complete.
func newAtlasCmd(s *answer.Console) *cobra.Command {
	o := &atlasOptions{Call: answer.Call{Console: s}}
	var names []string
	for i := range atlas.Traps {
		names = append(names, atlas.Traps[i].Name)
	}
	cmd := &cobra.Command{
		Use:               "atlas [NAME]",
		Short:             "List the known traps of StatefulSets",
		GroupID:           groupOther,
		Args:              atMostOne("trap"),
		ValidArgsFunction: cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp),
		RunE:              action(func(_ *cobra.Command, args []string) error { return o.list(args, names) }),
	}
	addOutput(cmd, &o.Output, plainFormats)
	cmd.Flags().StringVar(&o.kubernetes, "kubernetes", "",
		"list only the traps of this Kubernetes `VERSION`, 1.36 or 1.35.2")
	completeVersions(cmd, "kubernetes", s)
	return cmd
}

// list plays the traps that were asked for and prints them, after an interruption those that were played by then. An
// unknown name or version is an error of usage.
func (o *atlasOptions) list(args, names []string) error {
	traps := atlas.Traps
	if len(args) == 1 {
		trap := atlas.Lookup(args[0])
		if trap == nil {
			return usagef("there is no trap %q: %s", args[0], strict.DidYouMean(args[0], names))
		}
		traps = []atlas.Trap{*trap}
	}
	if o.kubernetes != "" {
		if _, err := statefulset.Lookup(o.kubernetes); err != nil {
			return usagef("%s", err)
		}
	}
	rows, err := atlas.Rows(traps, o.kubernetes, o.Interrupted)
	if err != nil {
		return err
	}
	if !o.Interrupted() {
		return o.print(rows)
	}
	if len(rows) > 0 {
		err = o.print(rows)
	}
	return errors.Join(err, errInterrupted)
}

// print writes the traps in the format that was asked for.
func (o *atlasOptions) print(rows []atlas.Row) error {
	switch o.Output {
	case "json":
		return render.JSON(o.Out, struct {
			Traps []atlas.Row `json:"traps"`
		}{rows})
	case "markdown":
		return atlas.Markdown(o.Out, rows)
	}
	return atlas.Text(o.Out, rows, render.Style(o.Style()))
}
