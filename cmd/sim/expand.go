package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
)

func newExpandCmd(s *answer.Console) *cobra.Command {
	var world answer.World
	cmd := &cobra.Command{
		Use:               "expand FILE",
		Short:             "Print a scenario with complete manifests",
		GroupID:           groupWrite,
		Args:              exactly(1, "FILE"),
		ValidArgsFunction: yamlFiles,
		RunE: action(func(_ *cobra.Command, args []string) error {
			if err := world.Check(); err != nil {
				return err
			}
			if len(world.Several) > 0 {
				return usagef("sim expand plays one version: name only one")
			}
			in, err := s.From().Open(args[0], world.Limits.FileSize)
			if err != nil {
				return err
			}
			text, err := s.Engine.Expand(in, &world)
			if err != nil {
				return err
			}
			_, err = s.Out.Write(text)
			return err
		}),
	}
	addWorldFlags(cmd, &world, s)
	cmd.Flags().Lookup("kubernetes").Usage = "use the defaults of this Kubernetes version, 1.36 or 1.35.2"
	for _, plays := range []string{"seed", "until"} {
		cmd.Flags().Lookup(plays).Hidden = true
	}
	return cmd
}

func newSchemaCmd(s *answer.Console) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of scenarios, for editors",
		GroupID: groupWrite,
		Args:    none,
		RunE: action(func(*cobra.Command, []string) error {
			text, err := s.Engine.Schema()
			if err != nil {
				return err
			}
			_, err = s.Out.Write(text)
			return err
		}),
	}
}
