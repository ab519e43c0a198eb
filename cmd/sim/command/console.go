package command

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Console is the input and the output of a command, and what it has to know about them. Tests and the playground have
// their own.
//
// Only the goroutine of the command writes: workers hand their results to it (work.InOrder), so that the output
// does not depend on their number. Output for programs is written to Out; progress, warnings and errors to Err.
// Workers may call only the methods Interrupted and ends.
type Console struct {
	In       io.Reader
	Out, Err io.Writer
	// OutTerminal and ErrTerminal are true if a human is watching; Width is the terminal's number of columns, and
	// Asked the value of COLUMNS if that is not known. Both are 0 if unknown.
	OutTerminal, ErrTerminal bool
	Width, Asked             int
	// Color is one of Colors, "" is the first. NoColor is set if the environment forbids colour; it wins over Color.
	Color   string
	NoColor bool
	// Playground is the address of the playground as seen from the pages that are written, "" if it is not known.
	Playground string
	// Keys lets the terminal that In is hand over each key at once, and returns what puts it back; nil if In is none.
	Keys func() (restore func())
	// HandOver lets a program replace this one after the end of the command: its path, and its arguments. It is nil
	// if nothing can be started, as in a browser.
	HandOver func(words []string)
	// Ctx ends when the user interrupts, or the process is terminated from outside. Its cause is a work.Stopped.
	Ctx context.Context
	// Engine does the work.
	Engine *Engine
	// Handed are texts that are read in the place of files, by the names that arguments give them.
	Handed map[string]files.Handed
}

// Colors are the values of --color.
var Colors = []string{"auto", "always", "never"}

// Guarded returns the console with a guard before both outputs.
func (s *Console) Guarded() *Console {
	guarded := *s
	guarded.Out, guarded.Err = render.NewGuard(s.Out), render.NewGuard(s.Err)
	return &guarded
}

// Flush writes what the guards still hold.
func (s *Console) Flush() {
	s.Out.(*render.Guard).Flush()
	s.Err.(*render.Guard).Flush()
}

// From is where files are read from.
func (s *Console) From() files.From {
	return files.From{Ctx: s.Ctx, In: s.In, Told: s.Err, Handed: s.Handed}
}

// Ends returns the reasons to end a run early: the user, or too much memory. They serve one run.
func (s *Console) Ends(memory int64, interrupted func() bool) Ends {
	return Ends{Interrupted: interrupted, Exhausted: work.NewCeiling(memory).Exhausted}
}

// Top returns a ceiling over all that a command plays.
func (s *Console) Top(limit int64) *work.Shared { return work.Top(limit, s.Interrupted, s.Err) }

// Interrupted reports whether the user has asked for the end. It may be called by several goroutines.
func (s *Console) Interrupted() bool { return s.Ctx.Err() != nil }

// LastMoment is how long an interrupted command may take to print its results so far.
const LastMoment = 300 * time.Millisecond

// Moment returns a function that reports whether the time to print the results so far is over: it starts when the
// function first sees the interruption. It may be called by several goroutines.
func (s *Console) Moment(long time.Duration) func() bool {
	begins := sync.OnceValue(time.Now)
	return func() bool { return s.Interrupted() && time.Since(begins()) > long }
}

// Impatient is a writer that takes nothing any more once it is enough.
type Impatient struct {
	io.Writer
	Enough func() bool
}

// Write writes, as long as it is not enough.
func (w Impatient) Write(p []byte) (int, error) {
	if w.Enough() {
		return 0, ErrInterrupted
	}
	return w.Writer.Write(p)
}

// Patience is how long after an interruption a command may continue without printing anything, and idle how long it
// may pause once it has started to print its results so far. Anything that takes longer is not worth waiting for.
const (
	Patience = 800 * time.Millisecond
	idle     = Patience / 4
)

// Abandoned returns a channel that is closed when an interrupted command has continued for too long.
func (s *Console) Abandoned() <-chan struct{} {
	over := make(chan struct{})
	context.AfterFunc(s.Ctx, func() {
		defer close(over)
		out, is := s.Out.(*work.QuietWriter)
		if is {
			out.Busy()
		}
		time.Sleep(Patience)
		for is && out.Busy() {
			time.Sleep(idle)
		}
	})
	return over
}

// WriteError returns the first error of the writes to standard output, or nil. It is nil for other writers than the
// process's own, as in tests.
func (s *Console) WriteError() error {
	if q, is := s.Out.(*work.QuietWriter); is && q.Err() != nil {
		return q.Err()
	}
	return nil
}

// Style returns the style of reports for people on standard output. All commands wrap at one width: the terminal's;
// else the value of COLUMNS; else 100. Nothing is wider than 120, except the tables in a pipe of unknown width.
func (s *Console) Style() render.Style {
	style := render.Style{Color: s.Color == Colors[1] || s.Color != Colors[2] && s.OutTerminal}
	style.Color = style.Color && !s.NoColor
	if guard, is := s.Out.(*render.Guard); is {
		guard.Colours(style.Color)
	}
	known := s.Asked
	if s.OutTerminal && s.Width > 0 {
		known = s.Width
	}
	style.Width = min(known, render.MaxWidth)
	if known == 0 {
		style.Width, style.Pipe = render.PipeWidth, !s.OutTerminal
	}
	return style
}
