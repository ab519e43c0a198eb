package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Program is a program on this machine that sim starts because a flag asks for it: never through a shell, for a limited
// time, and what it prints is bounded.
type Program struct {
	// Name is looked up in PATH, and Missing says what to do without it.
	Name, Missing string
	// Of names what it prints in messages, limit is the most that it may print, in bytes.
	Of    string
	Limit int64
	// Longest is how long it may take, and late the error if it takes longer.
	Longest time.Duration
	Late    string
	// in is its standard input, environment its additional environment.
	in          []byte
	environment []string
}

// said is the output of a program. failed is true if it ended with an exit code.
type said struct {
	out, err []byte
	failed   bool
}

// OnMachine reports whether there is a program of this name in PATH.
func OnMachine(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

// start runs a program to its end. It gives up when the user interrupts, when the program takes too long, or when
// it prints too much. The error is about a program that did not run to its end, not about one that failed.
func (s *Console) start(p *Program, arguments ...string) (said, error) {
	path, err := exec.LookPath(p.Name)
	if err != nil {
		return said{}, errors.New(p.Name + " was not found in PATH: " + p.Missing)
	}
	ctx, cancel := context.WithTimeout(s.Ctx, p.Longest)
	defer cancel()
	run := exec.CommandContext(ctx, path, arguments...)
	run.Env = append(os.Environ(), p.environment...)
	if p.in != nil {
		run.Stdin = bytes.NewReader(p.in)
	}
	out, beside := &bounded{most: p.Limit, full: cancel}, &bounded{most: mostTold, full: func() {}}
	run.Stdout, run.Stderr, run.WaitDelay = out, beside, time.Second
	if err = runWhole(run); errors.Is(err, exec.ErrWaitDelay) {
		// The program ended well, and a process that it started keeps its output open: a login, for example.
		err = nil
	}
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) && !ended.Exited() {
		// Ctrl-C in a terminal reaches the program too, which may hear it first.
		select {
		case <-s.Ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
	switch {
	case s.Interrupted():
		return said{}, ErrInterrupted
	case out.over:
		return said{}, strict.TooLarge(p.Of, p.Limit)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return said{}, errors.New(p.Late)
	case err != nil && !errors.As(err, new(*exec.ExitError)):
		return said{}, fmt.Errorf("%s: %w", p.Name, err)
	}
	return said{out.kept.Bytes(), beside.kept.Bytes(), err != nil}, nil
}

// runWhole runs a program. If its context ends, the processes that it has started end with it.
func runWhole(run *exec.Cmd) error {
	var f family
	run.SysProcAttr, run.Cancel = f.begin(), func() error { return f.kill(run.Process) }
	defer f.end()
	if err := run.Start(); err != nil {
		return err
	}
	f.add(run.Process.Pid)
	return run.Wait()
}

// mostTold is how many bytes of a program's standard error are read.
const mostTold = 1 << 16

// bounded keeps what is written up to a number of bytes; then it calls full once, and drops the rest. It has no other
// method of a buffer: one that reads would be used in the place of Write, and keep all.
type bounded struct {
	kept bytes.Buffer
	most int64
	over bool
	full func()
}

// Write writes, or drops what is too much.
func (b *bounded) Write(p []byte) (int, error) {
	if int64(b.kept.Len()+len(p)) > b.most && !b.over {
		b.over = true
		b.full()
	}
	if !b.over {
		_, _ = b.kept.Write(p)
	}
	return len(p), nil
}
