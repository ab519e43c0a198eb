package main

import (
	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
)

// These return commands that only say that a browser cannot listen.
func newServeCmd(*answer.Console) *cobra.Command      { return notInBrowsers("serve") }
func newClockCmd(*answer.Console) *cobra.Command      { return notInBrowsers("clock") }
func newCheckpointCmd(*answer.Console) *cobra.Command { return notInBrowsers("checkpoint") }
func newRestoreCmd(*answer.Console) *cobra.Command    { return notInBrowsers("restore") }
func newSaveCmd(*answer.Console) *cobra.Command       { return notInBrowsers("save") }
func newWhyCmd(*answer.Console) *cobra.Command        { return notInBrowsers("why") }

func notInBrowsers(word string) *cobra.Command {
	return &cobra.Command{Use: word, Hidden: true, RunE: action(func(*cobra.Command, []string) error {
		return usagef("a browser cannot serve: use sim on your machine")
	})}
}
