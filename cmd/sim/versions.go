package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newVersionsCmd(s *streams, e *engine) *cobra.Command {
	return &cobra.Command{
		Use:   "versions",
		Short: "List the Kubernetes versions that behave differently",
		Long: `List the Kubernetes versions that behave differently, as --kubernetes and the
scenario's kubernetes take them. MINOR is its newest patch; MINOR.PATCH is the
first patch of its kind.`,
		Example: "  sim versions",
		GroupID: groupOther,
		Args:    cobra.ArbitraryArgs,
		RunE: action(func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return notYet("the differences between versions")
			}
			versions := e.versions()
			for i, version := range versions {
				if i == len(versions)-1 {
					version += " (default)"
				}
				if _, err := fmt.Fprintln(s.out, version); err != nil {
					return err
				}
			}
			return nil
		}),
	}
}
