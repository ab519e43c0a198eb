package main

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/runs/whatif"
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

// atOnce returns a function that does several things at once, and shows how many are done. It returns when all are
// done. work is called once for each number below n, by several goroutines, in no order; it must not print. The
// caller's goroutine shows it.
func atOnce(workers int, bar *progress) whatif.Each {
	return func(n int, work func(i int)) {
		done := 0
		must(inOrder(n, workers, func(i int) struct{} {
			work(i)
			return struct{}{}
		}, func(struct{}) error {
			done++
			bar.count(done, n)
			return nil
		}))
	}
}
