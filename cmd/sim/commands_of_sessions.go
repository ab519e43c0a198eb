//go:build !js

package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/session"
)

func newServeCmd(s *command.Console) *cobra.Command {
	o := &session.Serve{Call: command.Call{Console: s, Output: command.Formats[0].Name},
		Controllers: serve.ControllerWords[0]}
	cmd := &cobra.Command{
		Use:     "serve [FILE...]",
		Short:   "Serve the API of Kubernetes over a simulated cluster, for kubectl",
		GroupID: groupServe,
		RunE:    asks(&o.Call, o.Answer),
	}
	flags := cmd.Flags()
	addWorldFlags(cmd, &o.World, s)
	flags.StringVar(&o.Speed, "speed", "1x", "how fast virtual time passes: 1x, 60x, max (from event to event) or paused")
	flags.DurationVar(&o.Lockstep, "lockstep", 0,
		"with --speed max: jump to the next event when clients were quiet that long")
	flags.StringVar(&o.Epoch, "epoch", "fixed",
		"the time that clients see at the beginning: fixed, now, or like 2026-01-31T12:00:00Z")
	flags.Var(&oneOf{value: &o.Controllers, of: serve.ControllerWords}, "controllers",
		"all act, or none: a plain API server, as that of envtest")
	complete(cmd, "controllers", serve.ControllerWords)
	flags.StringVar(&o.Kubeconfig, "kubeconfig", "", "the `FILE` to write the kubeconfig to (default: a temporary file)")
	flags.Uint16Var(&o.Port, "port", 0, "the port on 127.0.0.1 (default: a free one)")
	flags.StringVar(&o.Record, "record", "", "write what clients changed to `FILE`, a session")
	flags.StringVar(&o.Replay, "replay", "", "play the session in `FILE` again, and serve nobody")
	flags.BoolVar(&o.NoHistory, "no-history", false,
		"keep no events once they are printed, so that a long session takes no more memory: without checkpoints (-o text)")
	flags.VarP(&oneOf{value: &o.Output, of: command.FormatNames()}, "output", "o",
		"text prints what happens as it happens; any other format of sim run is printed at the end")
	complete(cmd, "output", command.FormatNames())
	return cmd
}

func newSaveCmd(s *command.Console) *cobra.Command {
	o := &session.Save{Call: command.Call{Console: s}}
	cmd := &cobra.Command{
		Use:     "save SESSION",
		Short:   "Write a recorded session of sim serve as a scenario",
		GroupID: groupServe,
		RunE:    asks(&o.Call, o.Answer),
	}
	addLimitFlags(cmd, &o.World.Limits)
	return cmd
}

func newClockCmd(s *command.Console) *cobra.Command {
	o := &session.Clock{Call: command.Call{Console: s}}
	cmd := &cobra.Command{
		Use:     "clock [advance DURATION | step | settle | speed SPEED | pause]",
		Short:   "Say how late it is in a session of sim serve, or move its clock",
		GroupID: groupServe,
		RunE:    withArgs(&o.Call, o.Answer),
	}
	addKubeconfig(cmd, &o.Kubeconfig)
	return cmd
}

func addKubeconfig(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "kubeconfig", "", "the `FILE` that sim serve has written (default: that of KUBECONFIG)")
}

func newCheckpointCmd(s *command.Console) *cobra.Command {
	return newKeepCmd(s, "checkpoint", "Keep a session of sim serve as it is, to go back to it")
}

func newRestoreCmd(s *command.Console) *cobra.Command {
	return newKeepCmd(s, "restore", "Go back to a checkpoint of a session of sim serve")
}

func newKeepCmd(s *command.Console, verb, short string) *cobra.Command {
	o := &session.Keep{Call: command.Call{Console: s}, Verb: verb}
	cmd := &cobra.Command{Use: verb + " NAME", Short: short, GroupID: groupServe, RunE: withArgs(&o.Call, o.Answer)}
	addKubeconfig(cmd, &o.Kubeconfig)
	return cmd
}

func newWhyCmd(s *command.Console) *cobra.Command {
	o := &session.Why{Call: command.Call{Console: s}}
	cmd := &cobra.Command{
		Use:     "why KIND/NAME",
		Short:   "Say why an object in a session of sim serve is as it is",
		GroupID: groupServe,
		RunE:    withArgs(&o.Call, o.Answer),
	}
	addKubeconfig(cmd, &o.Kubeconfig)
	cmd.Flags().StringVarP(&o.Namespace, "namespace", "n", "default", "the namespace of the object")
	addOutput(cmd, &o.Output, []string{"text", "json"})
	return cmd
}
