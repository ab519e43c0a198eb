// Command sim-serve has the commands of sessions: it serves the API of Kubernetes over a simulated cluster, and speaks to
// a session that another process serves. sim hands these commands over to it, so people call sim.
package main

import (
	_ "embed"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

func main() {
	work.TuneCollector()
	args, err := cli.Handed(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(cli.ExitUsage)
	}
	streams, stop := cli.SystemStreams()
	code := cli.Main(args, streams, newRootCmd)
	stop()
	os.Exit(code)
}

// helpTexts are the texts of help of each command.
//
//go:embed help.txt
var helpTexts string

// newRootCmd returns the commands of sessions, arranged as they are in sim.
func newRootCmd(s *command.Console) *cobra.Command {
	s.Engine = command.Simulator
	root := cli.NewRoot(s, "sim COMMAND [flags] [FILE...]", "The commands of sessions, which sim hands over to sim-serve",
		&cli.Help{Texts: helpTexts}, cli.ServeGroup(), cli.OtherGroup())
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(newServeCmd(s), newClockCmd(s), newCheckpointCmd(s), newRestoreCmd(s), newWhyCmd(s), newSaveCmd(s),
		newFailCmd(s), newSlowCmd(s), newNodeCmd(s), newHealCmd(s), newMCPCmd(s))
	return root
}
