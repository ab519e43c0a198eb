package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// The exit codes. Scripts and CI depend on them, so they do not change; the help of each command says when it returns
// 1.
const (
	ExitOK = iota
	// ExitFailed: an expectation failed, or the run ended otherwise than settled and no expectation said so.
	ExitFailed
	// ExitUsage: the input or the usage is wrong.
	ExitUsage
	// ExitDefect: sim itself is wrong.
	ExitDefect
	// ExitTimeout: --timeout was over before the rollout that was followed; the command timeout has the same code.
	ExitTimeout = 124
	// ExitInterrupted and ExitTerminated are a shell's exit codes for a process that SIGINT (2) or SIGTERM (15)
	// ended.
	ExitInterrupted = 128 + 2
	ExitTerminated  = 128 + 15
)

// The ways that a command can fail.
var (
	errFailed, errWrongInput, errTimeout, errInterrupted = work.ErrFailed, work.ErrWrongInput, work.ErrTimeout,
		work.ErrInterrupted
	usagef = work.Usagef
)

// actionError is an error of a command's work. Any other error comes from the parsing of the command line, and its
// usage is printed with it.
type actionError struct{ error }

// Unwrap returns the error itself.
func (e actionError) Unwrap() error { return e.error }

// Main runs a command line and returns the exit code. It is where errors become text and codes. It may be called several
// times in a process, as tests and the playground do. newRoot makes the commands, which write to the console that it is
// given.
func Main(args []string, s *command.Console, newRoot func(*command.Console) *cobra.Command) int {
	process := s
	s = s.Guarded()
	defer s.Flush()
	root := newRoot(s)
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	cmd, err := unlessAbandoned(process, root)
	if wrong := process.WriteError(); err == nil && wrong != nil {
		err = actionError{wrong}
	}
	Tell(s.Err, cmd, err, args)
	code := exitCode(err)
	if code == ExitDefect || !s.Interrupted() {
		return code
	}
	if !errors.Is(err, errInterrupted) {
		// It had come to its end when it heard of the signal, or did not hear of it.
		Tell(s.Err, cmd, errInterrupted, args)
	}
	var by work.Stopped
	if errors.As(context.Cause(s.Ctx), &by) && by.Signal == syscall.SIGTERM {
		return ExitTerminated
	}
	return ExitInterrupted
}

// unlessAbandoned runs the command. A command that continues for too long after an interruption is abandoned: the
// error is then errInterrupted, and the process should end, which also ends the command.
func unlessAbandoned(s *command.Console, root *cobra.Command) (*cobra.Command, error) {
	type result struct {
		cmd *cobra.Command
		err error
	}
	done := make(chan result, 1)
	go func() {
		cmd, err := execute(root)
		done <- result{cmd, err}
	}()
	select {
	case r := <-done:
		return r.cmd, r.err
	case <-s.Abandoned():
		return root, errInterrupted
	}
}

// execute runs the command, and returns the one that was found for the arguments; the root if a panic came before.
func execute(root *cobra.Command) (cmd *cobra.Command, err error) {
	cmd = root
	defer work.Caught(&err)
	cmd, err = root.ExecuteC()
	return cmd, err
}

// exitCode is the one place where errors become exit codes. An unknown error counts as an error of the input. Of
// several joined errors, a defect takes precedence over an interruption, and an interruption over a failure. It
// never returns ExitTerminated: only Main knows the signal.
func exitCode(err error) int {
	var bug work.Defect
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &bug):
		return ExitDefect
	case errors.Is(err, errInterrupted):
		return ExitInterrupted
	case errors.Is(err, errFailed):
		return ExitFailed
	case errors.Is(err, errTimeout):
		return ExitTimeout
	}
	return ExitUsage
}

// Tell prints an error for the user, and the usage if the command line is wrong. Errors that have been reported
// already print nothing.
func Tell(w io.Writer, cmd *cobra.Command, err error, args []string) {
	var bug work.Defect
	var action actionError
	var usage work.Usage
	switch {
	case err == nil, errors.Is(err, errFailed), errors.Is(err, errWrongInput), errors.Is(err, errTimeout):
	case errors.As(err, &bug):
		tellDefect(w, bug, args)
	case errors.Is(err, errInterrupted):
		fmt.Fprintln(w, "sim: interrupted")
	case errors.As(err, &usage) || !errors.As(err, &action):
		fmt.Fprintf(w, "%s: %s\n\n%s", cmd.CommandPath(), strings.TrimSpace(err.Error()), usageOf(cmd))
	default:
		fmt.Fprintf(w, "%s\n", strings.TrimRight(err.Error(), "\n"))
	}
}

// usageOf returns the short form of a command's help.
func usageOf(cmd *cobra.Command) string {
	return fmt.Sprintf("Usage: %s\nTry '%s --help' for more.\n", cmd.UseLine(), cmd.CommandPath())
}

// tellDefect prints what a report of a defect needs.
func tellDefect(w io.Writer, bug work.Defect, args []string) {
	fmt.Fprintf(w, "%s\n", bug.Stack)
	fmt.Fprintf(w, "sim: internal error: this is a bug in sim, not in your input: %s\n", bug)
	fmt.Fprintf(w, "Please report it at %s with the lines above, your input, and:\n", reportURL)
	fmt.Fprintf(w, "  version: %s\n", strings.Join(versionLines(), ", "))
	fmt.Fprintf(w, "  command: %s\n", shell.Line(append([]string{"sim"}, args...)...))
}

// reportURL is the address for bug reports.
const reportURL = "https://github.com/statefulsim/statefulsim/issues"
