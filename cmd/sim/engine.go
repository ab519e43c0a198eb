package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// engine does the work of the commands. Tests replace it, and leave out what they do not call. Its functions may be
// called by several goroutines.
type engine struct {
	// load reads a scenario. Wrong input is an error that says where and what.
	load func(in source, o *worldOptions) (scene, error)
	// check judges a recorded timeline by the expectations of a file.
	check func(timeline, expectations source, o *worldOptions) (*played, error)
	// expand writes a scenario's short forms out.
	expand func(in source, o *worldOptions) ([]byte, error)
	// schema is the JSON Schema of scenarios.
	schema func() ([]byte, error)
	// versions lists the Kubernetes versions, oldest first; versionTable says in what they differ, and versionChanges in
	// what two of them do.
	versions       func() []string
	versionTable   func() *report.VersionTable
	versionChanges func(from, to string) (*report.VersionChanges, error)
	// causes says which differences between the versions of two scenes make the second do what it does where they part.
	causes func(from, to scene, interrupted func() bool) []report.Cause
	// cures plays the ways out of a scene whose run has ended stuck, and returns those that heal, and why it has not tried
	// all; nil plays none.
	cures func(of scene, events []timeline.Event, interrupted func() bool) (cures []report.Cure, untried string)
}

// scene is a scenario that is ready to be played.
type scene interface {
	// Name is the name in the scenario.
	Name() string
	// Play plays it, and judges it. It may be called again, with the same result, and by several goroutines.
	Play(until ends) *played
	// Stream is Play for who wants the events while it goes on. NeedsHistory says why the scenario cannot be played with
	// stream.forget, nil if it can.
	Stream(until ends, to stream) *played
	NeedsHistory() error
}

// stream is handed the events of a run while it goes on.
type stream struct {
	// written is given the events in their order, each once; the slice is valid during the call.
	written func([]timeline.Event)
	// forget says that the run forgets them then: what was played has the header, the steps and the result only.
	forget bool
}

// ends are the reasons to end a run early; both are asked now and then, from the goroutine of the run. interrupted is
// never nil; exhausted is nil where nothing limits the run, as in a lesson.
type ends struct {
	// interrupted says that the user wants the end at once.
	interrupted func() bool
	// exhausted says why the run may not go on, or "".
	exhausted func() string
}

// played is a run and its judgement.
type played struct {
	report.Run
	// ok says that all expectations held, and that the run ended as expected. The exit code follows it.
	ok bool
	// interrupted says that the user ended the run; then ok means nothing.
	interrupted bool
	// ignored names the objects that have no effect, each once.
	ignored []string
	// warnings are things in manifests that are probably mistakes.
	warnings []string
}

// source is a file that was named on the command line. Of data and live at most one is given; if neither is, the file
// is read from its path.
type source struct {
	// path is the file's path, "-" for standard input.
	path string
	// data is the content of standard input or of a pipe with a name, read when the argument was opened; nil for a file,
	// which is read when it is needed, perhaps several times.
	data []byte
	// live is standard input, or a pipe, that is too long to be read at once; nil for all else. It can be read once.
	live io.ReadCloser
	// ctx ends the reading of a file when the user interrupts; nil does not.
	ctx context.Context
}

// stdin is the argument that means standard input.
const stdin = "-"

// reader opens the source. The caller closes it. A source that is live has one reader, which is returned each time.
func (s source) reader() (io.ReadCloser, error) {
	switch {
	case s.live != nil:
		return s.live, nil
	case s.data != nil:
		return io.NopCloser(bytes.NewReader(s.data)), nil
	}
	switch info, err := os.Stat(s.path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such file", s.path)
	case err == nil && info.IsDir():
		if err := unrendered(s.path, false); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s: this is a folder: name a file in it", s.path)
	}
	return os.Open(s.path)
}

// open returns the source behind an argument. Standard input, and a pipe such as <(helm template db), can only be read
// once: they are read at once. That a file does not exist, or is longer than limit, shows when it is read. The error is
// one of reading, or errInterrupted.
func (s *streams) open(path string, limit int64) (source, error) {
	if info, err := os.Stat(path); path != stdin && (err != nil || info.Mode()&fs.ModeNamedPipe == 0) {
		return source{path: path, ctx: s.ctx}, nil
	}
	data, err := s.readAll(path, limit)
	return source{path: path, data: data, ctx: s.ctx}, err
}

// openAll opens the files of a command line, of which at most one is standard input.
func (s *streams) openAll(paths []string, limit int64) ([]source, error) {
	if err := onceStdin(paths); err != nil {
		return nil, err
	}
	var all []source
	for _, path := range paths {
		in, err := s.open(path, limit)
		if err != nil {
			return nil, err
		}
		all = append(all, in)
	}
	return all, nil
}

// loadAll loads n scenarios, and reports what is wrong in any of them, each problem once. They are in their order.
func loadAll[T any](n int, load func(i int) (T, error)) ([]T, error) {
	var all []T
	var problems wrongInput
	for i := range n {
		one, err := load(i)
		if err != nil && !slices.Contains(problems, err.Error()) {
			problems = append(problems, err.Error())
		}
		all = append(all, one)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return all, nil
}

// openLive returns the source behind an argument that may be longer than fits into memory as it is. Standard input, and
// a pipe with a name, are read when the source is. Errors come from its reader, errInterrupted too.
func (s *streams) openLive(path string) source {
	if path == stdin {
		return source{path: path, live: s.untilInterrupted(func() (io.Reader, error) { return s.in, nil })}
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return source{path: path, live: s.untilInterrupted(func() (io.Reader, error) { return os.Open(path) })}
	}
	return source{path: path}
}

// onceStdin makes sure that at most one argument is standard input, which can only be read once.
func onceStdin(paths []string) error {
	n := 0
	for _, path := range paths {
		if path == stdin {
			n++
		}
	}
	if n > 1 {
		return usagef("- is standard input, which can only be read once")
	}
	return nil
}

// fail adds to a failed run the command that repeats it, and the reason if no expectation has failed. It must be called
// only if ok is false: it does not look.
func (p *played) fail(repeat string) {
	p.Repeat = repeat
	failed := func(e report.Expectation) bool { return e.Verdict == report.Failed }
	if slices.ContainsFunc(p.Expectations, failed) || p.interrupted || len(p.Events) == 0 {
		return
	}
	p.Complaint = "the timeline has no result: it was cut off"
	if result := p.Events[len(p.Events)-1].Result; result != nil {
		p.Complaint = fmt.Sprintf("the run did not settle, and no expectation said so: "+
			"if it should end like that, expect `ends: %s`", result.Verdict)
	}
}

// Seed returns the seed of the run's header, which may come from the scenario; 0 if there is no run.
func (p *played) Seed() uint64 {
	if len(p.Events) == 0 || p.Events[0].Run == nil {
		return 0
	}
	return p.Events[0].Run.Seed
}

// wrong says what made the run fail: the expectations that did not hold, or else how it ended, as fail has noted it. It
// is "" if nothing went wrong, or the user ended the run before.
func (p *played) wrong() string {
	var failed []string
	for i := range p.Expectations {
		if e := &p.Expectations[i]; e.Verdict == report.Failed {
			failed = append(failed, e.Text)
		}
	}
	if len(failed) == 0 {
		return p.Complaint
	}
	return strings.Join(failed, "; ")
}
