package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/serve/mcp"
	"github.com/statefulsim/statefulsim/scenario/serve/session"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// newByHandCmd returns a command that lets people break something in a session, or mend it.
func newByHandCmd(s *command.Console, name string, o *session.ByHand, answer func() error) (*cobra.Command, *pflag.FlagSet) {
	o.Console = s
	cmd := cli.SessionCmd(name)
	cmd.RunE = cli.WithArgs(&o.Call, answer)
	addKubeconfig(cmd, &o.Kubeconfig)
	return cmd, cmd.Flags()
}

func newFailCmd(s *command.Console) *cobra.Command {
	o := &session.Fail{}
	cmd, flags := newByHandCmd(s, "fail", &o.ByHand, o.Answer)
	flags.BoolVar(&o.Ready, "ready", true, "with =false: the pod runs, and is not Ready")
	flags.BoolVar(&o.Crash, "crash", false, "the pod's container ends with an error, and the kubelet restarts it")
	flags.StringVar(&o.Reason, "reason", "", "the `WORD` that kubectl shows, like ImagePullBackOff or OOMKilled")
	addLasting(flags, &o.ByHand)
	addNamespace(flags, &o.ByHand)
	cmd.MarkFlagsMutuallyExclusive("ready", "crash")
	return cmd
}

func newSlowCmd(s *command.Console) *cobra.Command {
	o := &session.Slow{}
	cmd, flags := newByHandCmd(s, "slow", &o.ByHand, o.Answer)
	flags.StringVar(&o.Start, "start", "", "the `TIME` that containers take to start, like 30s; never is for ever")
	flags.StringVar(&o.Ready, "ready", "", "the `TIME` that pods then take to become Ready")
	flags.StringVar(&o.Stop, "stop", "", "the `TIME` that pods take to stop")
	addLasting(flags, &o.ByHand)
	return cmd
}

func newNodeCmd(s *command.Console) *cobra.Command {
	o := &session.Node{}
	cmd, flags := newByHandCmd(s, "node", &o.ByHand, o.Answer)
	flags.BoolVar(&o.Off, "off", false, "with down: the machine is off, so that its processes are dead too")
	return cmd
}

func newHealCmd(s *command.Console) *cobra.Command {
	o := &session.Heal{}
	cmd, flags := newByHandCmd(s, "heal", &o.ByHand, o.Answer)
	addNamespace(flags, &o.ByHand)
	return cmd
}

// addLasting adds the flag for how long something lasts.
func addLasting(flags *pflag.FlagSet, o *session.ByHand) {
	flags.DurationVar(&o.For, "for", 0, "for how long, in virtual time (default: until sim heal)")
}

// addNamespace adds the flag for the namespace of a pod.
func addNamespace(flags *pflag.FlagSet, o *session.ByHand) {
	flags.StringVarP(&o.Namespace, "namespace", "n", "default", "the namespace of the pod")
}

func newMCPCmd(s *command.Console) *cobra.Command {
	o := &mcp.Serve{Console: s, Memory: strict.DefaultLimits().Memory}
	cmd := cli.SessionCmd("mcp")
	cmd.Args = cobra.NoArgs
	cmd.RunE = cli.Action(func(*cobra.Command, []string) error { return o.Answer() })
	cmd.Flags().BoolVar(&o.Live, "live", false, "let agents read the live cluster of kubectl's context; nothing is written")
	cmd.Flags().StringArrayVar(&o.Roots, "root", nil, "let agents name the files below this `FOLDER`")
	return cmd
}
