package cli

import (
	"os"
	"strconv"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// SystemStreams returns the process's own streams, and a function that gives back the signals.
func SystemStreams() (*command.Console, func()) {
	ctx, stop := work.UntilSignal()
	work.IgnoreBrokenPipes()
	out, err := &work.QuietWriter{W: os.Stdout}, &work.QuietWriter{W: os.Stderr}
	s := &command.Console{In: os.Stdin, Out: out, Err: err, Ctx: ctx}
	s.Width, s.OutTerminal = terminal(os.Stdout)
	_, s.ErrTerminal = terminal(os.Stderr)
	if _, is := terminal(os.Stdin); is {
		s.Keys = func() func() { return singleKeys(os.Stdin) }
	}
	if asked, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil {
		s.Asked = max(asked, 0)
	}
	s.Playground = os.Getenv("SIM_PLAYGROUND")
	s.NoColor = os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"
	return s, stop
}
