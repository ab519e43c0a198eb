package main

import "github.com/spf13/cobra"

// newServeCmd and newClockCmd return commands that only say that a browser cannot listen.
func newServeCmd(*streams, *engine, *colorChoice) *cobra.Command { return notInBrowsers("serve") }
func newClockCmd(*streams) *cobra.Command                        { return notInBrowsers("clock") }

func notInBrowsers(word string) *cobra.Command {
	return &cobra.Command{Use: word, Hidden: true, RunE: action(func(*cobra.Command, []string) error {
		return usagef("a browser cannot serve: use sim on your machine")
	})}
}
