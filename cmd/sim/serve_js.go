package main

import "github.com/spf13/cobra"

// newServeCmd returns a command that only says that a browser cannot listen.
func newServeCmd(*streams, *engine, *colorChoice) *cobra.Command {
	return &cobra.Command{Use: "serve", Hidden: true, RunE: action(func(*cobra.Command, []string) error {
		return usagef("a browser cannot serve: use sim on your machine")
	})}
}
