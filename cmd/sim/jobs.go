package main

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/scenario/runs/spread"

	"runtime"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/files"
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

// shardFlags are the flags for the manifest with which an existing engine spreads a search or a sweep over machines.
// job and matrix are the numbers of shards of either form; 0 is not asked for.
type shardFlags struct{ job, matrix int }

// flags adds the flags. They exclude each other, which print sees to.
func (s *shardFlags) flags(flags *pflag.FlagSet) {
	flags.Var(shardsFlag(&s.job), "job",
		"do not play; print a Kubernetes Job that does all of this in `N` shards, one pod each")
	flags.Var(shardsFlag(&s.matrix), "matrix",
		"do not play; print a GitHub workflow that does all of this in `N` shards, one job each")
}

// asked says whether a manifest is wanted.
func (s *shardFlags) asked() bool { return s.job != 0 || s.matrix != 0 }

// print writes the manifest; nothing is searched. It must be called only if one of the two was asked for, and reads no
// file.
func (s *shardFlags) print(o *streams, c *spread.Command) error {
	if s.job != 0 && s.matrix != 0 {
		return usagef("--job and --matrix do not go together: use one of them")
	}
	if slices.Contains(c.Files, files.Stdin) {
		return usagef("the shards cannot read standard input: name files")
	}
	c.Version = Version
	text := c.Workflow(s.matrix)
	if s.job != 0 {
		text = c.Job(s.job)
	}
	_, err := fmt.Fprint(o.out, text)
	return err
}
