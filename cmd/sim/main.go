// Command sim plays rollouts of StatefulSets. A command is a parser of flags in front of a question: newXCmd turns
// flags into a value of package answer, which does the work, writes to its console and returns an error. Main alone
// turns errors into text and exit codes. Package cli is shared by both command lines, sim and sim-serve.
//
// The commands that play single scenarios (run, test, compare and check) use an engine, so that their tests need
// not play. The others, which play many runs, call their packages themselves and ask the engine only for the
// versions. No command reads the clock for a result, unless a flag asks for it (--for, --timeout). Commands write
// only what a flag names, the folder of `sim learn`, and the scenario of `sim init`.
//
// A question is asked once. Its output is one of the formats of its command, which the flag sees to.
package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// main calls Main for the process. The exit code is its result, or the result of sim-serve if a command was handed
// over to it. A program in a browser never gets that far: answerPage does not return.
func main() {
	work.TuneCollector()
	if answerPage() {
		return
	}
	streams, stop := cli.SystemStreams()
	var next []string
	streams.HandOver = func(words []string) { next = words }
	code := Main(os.Args[1:], streams, command.Simulator)
	stop()
	if next != nil {
		code = become(next)
	}
	os.Exit(code)
}

// Main runs the command line and returns the exit code.
func Main(args []string, s *command.Console, e *command.Engine) int {
	return cli.Main(args, s, func(s *command.Console) *cobra.Command { return newRootCmd(s, e) })
}
