package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// newSessionCmd returns a command that sim-serve has: it is handed over with all its arguments, and so is its help.
func newSessionCmd(s *command.Console, of cli.Session) *cobra.Command {
	cmd := of.Cmd()
	cmd.DisableFlagParsing = true
	cmd.RunE = cli.Action(func(called *cobra.Command, args []string) error {
		if s.HandOver == nil {
			return work.Usagef("a browser cannot serve: use sim on your machine")
		}
		program, err := findServe()
		switch {
		case err == nil:
			s.HandOver(handed(program, called, args))
		case asksForHelp(called, args):
			_, err = fmt.Fprintf(s.Out, "%s.\n\n%v\n", cmd.Short, err)
		}
		return err
	})
	cmd.ValidArgsFunction = completeBySimServe
	return cmd
}

// handed are the words that hand a command over.
func handed(program string, called *cobra.Command, args []string) []string {
	return append([]string{program, cli.OfFlag + cli.Build(), called.Name()}, args...)
}

// asksForHelp reports whether help is all that is asked for.
func asksForHelp(called *cobra.Command, args []string) bool {
	return called.Name() == "help" || slices.Contains(args, "--help") || slices.Contains(args, "-h")
}

// findServe returns the path of sim-serve: next to this program, or else in the PATH. A file in the working
// directory is not taken.
func findServe() (string, error) {
	const name = "sim-serve"
	if self, err := os.Executable(); err == nil {
		if linked, err := filepath.EvalSymlinks(self); err == nil {
			self = linked
		}
		beside := filepath.Join(filepath.Dir(self), name)
		if runtime.GOOS == "windows" {
			beside += ".exe"
		}
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return "", fmt.Errorf("sim-serve has this command, and was not found in the folder of sim or in the PATH: %s",
			cli.HowToServe(command.Version))
	}
	return path, err
}

// completeBySimServe lets sim-serve complete the arguments of its commands. Without it there is nothing to complete.
func completeBySimServe(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	program, err := findServe()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	words := append([]string{cli.OfFlag + cli.Build(), cobra.ShellCompRequestCmd, cmd.Name()}, append(args, word)...)
	out, err := exec.CommandContext(cmd.Context(), program, words...).Output()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	lines := strings.Split(string(bytes.TrimSpace(out)), "\n")
	last := len(lines) - 1
	directive, err := strconv.Atoi(strings.TrimPrefix(lines[last], ":"))
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return lines[:last], cobra.ShellCompDirective(directive)
}
