package main

import (
	"context"
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/statefulsim/statefulsim/scenario/course"
	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

// streams are the input and the output of a command, and what it has to know about them. Tests and the playground have
// their own; only systemStreams looks at the process.
//
// The goroutine of the command alone writes: workers hand their results to it (inOrder), so that what is printed does
// not depend on their number. What a program reads goes to out; progress, warnings and errors go to err. Of the methods
// only interrupted and ends may be called by workers.
type streams struct {
	in       io.Reader
	out, err io.Writer
	// outTerminal and errTerminal say that a human looks on; width is the terminal's number of columns, asked is what
	// COLUMNS asks for where that is not known. Both are 0 if unknown.
	outTerminal, errTerminal bool
	width, asked             int
	// noColor is set if the environment forbids colour; it wins over --color.
	noColor bool
	// playground is the address of the playground as seen from the pages that are written, "" if it is not known.
	playground string
	// state is the folder of what is remembered from one call to the next, "" if nothing is.
	state string
	// ctx ends when the user interrupts, or somebody else ends the process. Its cause is a work.Stopped.
	ctx context.Context
}

// systemStreams returns the process's own streams, and a function that gives back the signals.
func systemStreams() (*streams, func()) {
	ctx, stop := work.UntilSignal()
	work.IgnoreBrokenPipes()
	s := &streams{in: os.Stdin, out: &work.QuietWriter{W: os.Stdout}, err: &work.QuietWriter{W: os.Stderr}, ctx: ctx}
	s.width, s.outTerminal = terminal(os.Stdout)
	_, s.errTerminal = terminal(os.Stderr)
	if asked, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil {
		s.asked = max(asked, 0)
	}
	s.state, s.playground = course.StateDir(), os.Getenv("SIM_PLAYGROUND")
	s.noColor = os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"
	return s, stop
}

// guarded returns the streams with a guard before both outputs.
func (s *streams) guarded() *streams {
	guarded := *s
	guarded.out, guarded.err = render.NewGuard(s.out), render.NewGuard(s.err)
	return &guarded
}

// flush writes what the guards still hold.
func (s *streams) flush() {
	s.out.(*render.Guard).Flush()
	s.err.(*render.Guard).Flush()
}

// from is where files are read from.
func (s *streams) from() files.From { return files.From{Ctx: s.ctx, In: s.in, Told: s.err} }

// ends returns the reasons to end a run early: the user, or too much memory. They serve one run.
func (s *streams) ends(memory int64, interrupted func() bool) ends {
	return ends{Interrupted: interrupted, Exhausted: work.NewCeiling(memory).Exhausted}
}

// top returns a ceiling over all that a command plays.
func (s *streams) top(limit int64) *work.Shared { return work.Top(limit, s.interrupted, s.err) }

// interrupted says whether the user has asked for the end. It may be called by several goroutines.
func (s *streams) interrupted() bool { return s.ctx.Err() != nil }

// lastMoment is how long a command that was interrupted may take to tell what was found so far.
const lastMoment = 300 * time.Millisecond

// moment returns a function that says whether the time to tell what was found so far is over: so long after it first
// saw that the user had interrupted. It may be called by several goroutines.
func (s *streams) moment(long time.Duration) func() bool {
	begins := sync.OnceValue(time.Now)
	return func() bool { return s.interrupted() && time.Since(begins()) > long }
}

// impatient is a writer that takes nothing any more once it is enough.
type impatient struct {
	io.Writer
	enough func() bool
}

// Write writes, as long as it is not enough.
func (w impatient) Write(p []byte) (int, error) {
	if w.enough() {
		return 0, errInterrupted
	}
	return w.Writer.Write(p)
}

// patience is how long after an interruption a command may go on without printing anything, and idle how long it may
// pause once it has begun to print what was found so far. Whatever it does then is not worth waiting for.
const (
	patience = 800 * time.Millisecond
	idle     = patience / 4
)

// abandoned returns a channel that is closed when a command that was interrupted has gone on for too long.
func (s *streams) abandoned() <-chan struct{} {
	over := make(chan struct{})
	context.AfterFunc(s.ctx, func() {
		defer close(over)
		out, is := s.out.(*work.QuietWriter)
		if is {
			out.Busy()
		}
		time.Sleep(patience)
		for is && out.Busy() {
			time.Sleep(idle)
		}
	})
	return over
}

// writeError returns the first error of the writes to standard output, or nil. It is nil for other writers than the
// process's own, as in tests.
func (s *streams) writeError() error {
	if q, is := s.out.(*work.QuietWriter); is && q.Err() != nil {
		return actionError{q.Err()}
	}
	return nil
}

// colorChoice is the value of --color.
type colorChoice string

var colorChoices = []string{"auto", "always", "never"}

// style returns the style of reports for people on standard output. All commands wrap at one width: that of the
// terminal; else what COLUMNS says; else 100. Nothing is wider than 120, but the tables in a pipe of no known width.
func (s *streams) style(color colorChoice) render.Style {
	style := render.Style{Color: color == "always" || color == "auto" && s.outTerminal}
	style.Color = style.Color && !s.noColor
	if guard, is := s.out.(*render.Guard); is {
		guard.Colours(style.Color)
	}
	known := s.asked
	if s.outTerminal && s.width > 0 {
		known = s.width
	}
	style.Width = min(known, render.MaxWidth)
	if known == 0 {
		style.Width, style.Pipe = render.PipeWidth, !s.outTerminal
	}
	return style
}
