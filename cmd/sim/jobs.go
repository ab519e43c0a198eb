package main

import (
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/scenario/answer"
)

// addJobs adds the flag that says how much is done at once.
func addJobs(cmd *cobra.Command, workers *int) {
	cmd.Flags().IntVarP(workers, "jobs", "j", runtime.GOMAXPROCS(0), "how many to play at once")
}

// addRecursive adds the flag that kubectl has for folders.
func addRecursive(cmd *cobra.Command, recursive *bool) {
	cmd.Flags().BoolVarP(recursive, "recursive", "R", false, "read subfolders too")
}

// flags adds the flags. They exclude each other, which print sees to.
func addShards(flags *pflag.FlagSet, s *answer.Shards) {
	flags.Var(shardsFlag(&s.Job), "job",
		"do not play; print a Kubernetes Job that does all of this in `N` shards, one pod each")
	flags.Var(shardsFlag(&s.Matrix), "matrix",
		"do not play; print a GitHub workflow that does all of this in `N` shards, one job each")
}
