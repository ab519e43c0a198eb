package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// These return commands that only say that a browser cannot listen.
func newServeCmd(*command.Console) *cobra.Command      { return notInBrowsers("serve") }
func newClockCmd(*command.Console) *cobra.Command      { return notInBrowsers("clock") }
func newCheckpointCmd(*command.Console) *cobra.Command { return notInBrowsers("checkpoint") }
func newRestoreCmd(*command.Console) *cobra.Command    { return notInBrowsers("restore") }
func newSaveCmd(*command.Console) *cobra.Command       { return notInBrowsers("save") }
func newWhyCmd(*command.Console) *cobra.Command        { return notInBrowsers("why") }

func notInBrowsers(word string) *cobra.Command {
	return &cobra.Command{Use: word, Hidden: true, RunE: action(func(*cobra.Command, []string) error {
		return usagef("a browser cannot serve: use sim on your machine")
	})}
}
