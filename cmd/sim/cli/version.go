package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// PrintVersion prints the version and the build.
func PrintVersion(s *command.Console) error {
	_, err := fmt.Fprintln(s.Out, strings.Join(versionLines(), "\n"))
	return err
}

// versionLines describe this binary: the release, its source and its build. Without information about the build, as
// in some tests, only the release is known.
func versionLines() []string {
	lines := []string{"sim " + command.Version}
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

// Build names what this binary was built from, for a program that must be of the same: the release, and the commit where
// it is known.
func Build() string {
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range build.Settings {
			if setting.Key == "vcs.revision" {
				return command.Version + "+" + setting.Value
			}
		}
	}
	return command.Version
}
