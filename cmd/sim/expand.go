package main

import "github.com/spf13/cobra"

func newExpandCmd(s *streams, e *engine) *cobra.Command {
	var world worldOptions
	cmd := &cobra.Command{
		Use:               "expand FILE",
		Short:             "Print a scenario with complete manifests",
		GroupID:           groupWrite,
		Args:              exactly(1, "FILE"),
		ValidArgsFunction: yamlFiles,
		RunE: action(func(_ *cobra.Command, args []string) error {
			if err := world.check(); err != nil {
				return err
			}
			if len(world.several) > 0 {
				return usagef("sim expand plays one version: name only one")
			}
			in, err := s.from().Open(args[0], world.limits.FileSize)
			if err != nil {
				return err
			}
			text, err := e.expand(in, &world)
			if err != nil {
				return err
			}
			_, err = s.out.Write(text)
			return err
		}),
	}
	addWorldFlags(cmd, &world, e)
	cmd.Flags().Lookup("kubernetes").Usage = "use the defaults of this Kubernetes version, 1.36 or 1.35.2"
	for _, plays := range []string{"seed", "until"} {
		cmd.Flags().Lookup(plays).Hidden = true
	}
	return cmd
}

func newSchemaCmd(s *streams, e *engine) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of scenarios, for editors",
		GroupID: groupWrite,
		Args:    none,
		RunE: action(func(*cobra.Command, []string) error {
			text, err := e.schema()
			if err != nil {
				return err
			}
			_, err = s.out.Write(text)
			return err
		}),
	}
}
