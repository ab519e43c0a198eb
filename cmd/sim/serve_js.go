package main

import "github.com/spf13/cobra"

// These return commands that only say that a browser cannot listen.
func newServeCmd(*streams, *engine, *colorChoice) *cobra.Command { return notInBrowsers("serve") }
func newClockCmd(*streams) *cobra.Command                        { return notInBrowsers("clock") }
func newCheckpointCmd(*streams) *cobra.Command                   { return notInBrowsers("checkpoint") }
func newRestoreCmd(*streams) *cobra.Command                      { return notInBrowsers("restore") }
func newSaveCmd(*streams) *cobra.Command                         { return notInBrowsers("save") }
func newWhyCmd(*streams) *cobra.Command                          { return notInBrowsers("why") }

func notInBrowsers(word string) *cobra.Command {
	return &cobra.Command{Use: word, Hidden: true, RunE: action(func(*cobra.Command, []string) error {
		return usagef("a browser cannot serve: use sim on your machine")
	})}
}
