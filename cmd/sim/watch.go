package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// pause is how long a command that watches files waits before it looks at them again: people do not notice it.
const pause = 200 * time.Millisecond

// watched answers, and answers again whenever one of the files changes, until the user ends it. An error is
// printed, and the next change may mend it; only a defect ends it.
func watched(s *command.Console, on *bool, answers func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case !*on:
			return answers(cmd, args)
		case slices.Contains(args, files.Stdin):
			return work.Usagef("--watch watches files: standard input is read once")
		}
		for {
			before, n := files.Stamp(args)
			err := answers(cmd, args)
			if s.Interrupted() {
				return work.ErrInterrupted
			}
			cli.Tell(s.Err, cmd, err, args)
			fmt.Fprintf(s.Err, "watching %s; Ctrl-C ends\n", render.Count(n, "file"))
			s.Flush()
			if !changed(s, args, before) {
				return work.ErrInterrupted
			}
		}
	}
}

// changed waits until the files are other than they were; it is false if the user ends the wait.
func changed(s *command.Console, paths []string, before string) bool {
	for {
		select {
		case <-s.Ctx.Done():
			return false
		case <-time.After(pause):
			if now, _ := files.Stamp(paths); now != before {
				return true
			}
		}
	}
}

// watchFlag adds the flag.
func watchFlag(cmd *cobra.Command, on *bool) {
	cmd.Flags().BoolVar(on, "watch", false, "play again whenever a file changes, until Ctrl-C")
}
