package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// Version is the release. It is in the header of timelines, so it is a constant and not read from the build: two
// builds of one commit write the same timelines.
const Version = "0.1.0"

func newVersionCmd(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of sim",
		GroupID: groupOther,
		Args:    none,
		RunE:    action(func(*cobra.Command, []string) error { return printVersion(s) }),
	}
}

// printVersion prints the version and the build.
func printVersion(s *streams) error {
	_, err := fmt.Fprintln(s.out, strings.Join(versionLines(), "\n"))
	return err
}

// versionLines say what this binary is: the release, what it was built from, and with what. Without information about
// the build, as in some tests, the release is all that is known.
func versionLines() []string {
	lines := []string{"sim " + Version}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return append(lines, "build devel")
	}
	version := build.Main.Version
	if version == "" || version == "(devel)" {
		version = "devel"
	}
	lines = append(lines, "build "+version)
	for _, setting := range build.Settings {
		switch {
		case setting.Key == "vcs.revision":
			lines = append(lines, "commit "+setting.Value)
		case setting.Key == "vcs.modified" && setting.Value == "true":
			lines = append(lines, "with uncommitted changes")
		}
	}
	return append(lines, build.GoVersion)
}
