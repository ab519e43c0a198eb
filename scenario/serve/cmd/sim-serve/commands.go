package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/serve/session"
)

func newServeCmd(s *command.Console) *cobra.Command {
	o := &session.Serve{Call: command.Call{Console: s, Output: command.Formats[0].Name},
		Controllers: recording.AllControllers}
	cmd := cli.SessionCmd("serve")
	cmd.RunE = cli.Asks(&o.Call, o.Answer)
	flags := cmd.Flags()
	cli.AddWorldFlags(cmd, &o.World, s)
	flags.StringVar(&o.Speed, "speed", "1x", "how fast virtual time passes: 1x, 60x, max (from event to event) or paused")
	flags.DurationVar(&o.Lockstep, "lockstep", 0,
		"with --speed max: jump to the next event when clients were quiet that long")
	flags.StringVar(&o.Epoch, "epoch", "fixed",
		"the time that clients see at the beginning: fixed, now, or like 2026-01-31T12:00:00Z")
	flags.StringVar(&o.Controllers, "controllers", recording.AllControllers,
		"the controllers that act: all, a `LIST` like statefulset,deployment, or none: a plain API server, like envtest's")
	cli.Complete(cmd, "controllers", recording.ControllerWords())
	flags.StringVar(&o.Kubeconfig, "kubeconfig", "", "the `FILE` to write the kubeconfig to (default: a temporary file)")
	flags.Uint16Var(&o.Port, "port", 0, "the port on 127.0.0.1 (default: a free one)")
	flags.StringVar(&o.Record, "record", "", "write what clients changed to `FILE`, a session")
	flags.StringVar(&o.Replay, "replay", "", "play the session in `FILE` again, and serve nobody")
	flags.BoolVar(&o.NoHistory, "no-history", false,
		"keep no events once they are printed, so that a long session takes no more memory: without checkpoints (-o text)")
	flags.VarP(&cli.OneOf{Value: &o.Output, Of: command.FormatNames()}, "output", "o",
		"text prints what happens as it happens; any other format of sim run is printed at the end")
	cli.Complete(cmd, "output", command.FormatNames())
	return cmd
}

func newSaveCmd(s *command.Console) *cobra.Command {
	o := &session.Save{Call: command.Call{Console: s}}
	cmd := cli.SessionCmd("save")
	cmd.RunE = cli.Asks(&o.Call, o.Answer)
	cli.AddLimitFlags(cmd, &o.World.Limits)
	return cmd
}

func newClockCmd(s *command.Console) *cobra.Command {
	o := &session.Clock{Call: command.Call{Console: s}}
	cmd := cli.SessionCmd("clock")
	cmd.RunE = cli.WithArgs(&o.Call, o.Answer)
	addKubeconfig(cmd, &o.Kubeconfig)
	return cmd
}

func addKubeconfig(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "kubeconfig", "", "the `FILE` that sim serve has written (default: that of KUBECONFIG)")
}

func newCheckpointCmd(s *command.Console) *cobra.Command { return newKeepCmd(s, "checkpoint") }

func newRestoreCmd(s *command.Console) *cobra.Command { return newKeepCmd(s, "restore") }

// newKeepCmd returns a command that saves a checkpoint of a session, or restores one.
func newKeepCmd(s *command.Console, verb string) *cobra.Command {
	o := &session.Keep{Call: command.Call{Console: s}, Verb: verb}
	cmd := cli.SessionCmd(verb)
	cmd.RunE = cli.WithArgs(&o.Call, o.Answer)
	addKubeconfig(cmd, &o.Kubeconfig)
	return cmd
}

func newWhyCmd(s *command.Console) *cobra.Command {
	o := &session.Why{Call: command.Call{Console: s}}
	cmd := cli.SessionCmd("why")
	cmd.RunE = cli.WithArgs(&o.Call, o.Answer)
	addKubeconfig(cmd, &o.Kubeconfig)
	cmd.Flags().StringVarP(&o.Namespace, "namespace", "n", "default", "the namespace of the object")
	cli.AddOutput(cmd, &o.Output, []string{"text", "json"})
	return cmd
}
