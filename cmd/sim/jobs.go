package main

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/sim/output/work"
)

// addJobs adds the flag that says how much is done at once.
func addJobs(cmd *cobra.Command, workers *int) {
	cmd.Flags().IntVarP(workers, "jobs", "j", runtime.GOMAXPROCS(0), "how many to play at once")
}

// checkJobs refuses a number of workers below 1.
func checkJobs(workers int) error {
	if workers < 1 {
		return usagef("-j must be at least 1")
	}
	return nil
}

// addRecursive adds the flag that kubectl has for folders.
func addRecursive(cmd *cobra.Command, recursive *bool) {
	cmd.Flags().BoolVarP(recursive, "recursive", "R", false, "read subfolders too")
}

// newProgress begins to show on a terminal what is done.
func newProgress(s *streams, what string) *work.Progress {
	return work.NewProgress(s.err, s.errTerminal, what)
}
