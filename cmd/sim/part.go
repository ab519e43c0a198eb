package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
)

// addPartFlags adds the flags. They are for -o text, which check sees to.
func addPartFlags(cmd *cobra.Command, o *answer.Part) {
	cmd.Flags().StringSliceVar(&o.Only, "only", nil,
		"print only what concerns the pods or StatefulSets `NAME`,... (-o text)")
	cmd.Flags().DurationVar(&o.Since, "since", 0, "begin the output at this virtual time (-o text)")
}
