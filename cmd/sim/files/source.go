// Package files reads the files that a command names, within the limits of their size and until the user interrupts,
// and writes files, each whole or not at all. It belongs to commands: no simulation uses it.
package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// From is where a command reads: Ctx ends when the user interrupts, In is standard input, and Told is told which files
// of a folder are left out.
type From struct {
	Ctx  context.Context
	In   io.Reader
	Told io.Writer
	// Handed are texts that are read in the place of files, by the names that arguments give them.
	Handed map[string]Handed
}

// Handed is a text that replaces a file or, for a folder, the names of the texts in it. Folder is the folder that
// the paths of a text are relative to.
type Handed struct {
	Text   []byte
	Folder string
	Names  []string
}

// Source is a file that was named on the command line. At most one of Data and Live is given; if neither is, the
// file is read from its path.
type Source struct {
	// Path is the file's path, "-" for standard input.
	Path string
	// Data is the content of standard input or of a pipe with a name, read when the argument was opened; nil for a file,
	// which is read when it is needed, perhaps several times.
	Data []byte
	// Live is standard input, or a pipe, that is too long to be read at once; otherwise nil. It can be read once.
	Live io.ReadCloser
	// Ctx ends the reading of a file when the user interrupts; nil does not.
	Ctx context.Context
	// folder is the folder of a text that was handed over, "" for others.
	folder string
}

// Stdin is the argument that means standard input.
const Stdin = "-"

// Reader opens the source. The caller closes it. A source that is live has one reader, which is returned each time.
func (s Source) Reader() (io.ReadCloser, error) {
	switch {
	case s.Live != nil:
		return s.Live, nil
	case s.Data != nil:
		return io.NopCloser(bytes.NewReader(s.Data)), nil
	}
	switch info, err := os.Stat(s.Path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such file", s.Path)
	case err == nil && info.IsDir():
		if err := Unrendered(s.Path, false); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s: this is a folder: name a file in it", s.Path)
	}
	return os.Open(s.Path)
}

// Open returns the source for an argument. Standard input, and a pipe such as <(helm template db), can only be read
// once: they are read at once. A missing file, or one that is longer than limit, causes an error when it is read.
// The error of Open is a read error, or work.ErrInterrupted.
func (f From) Open(path string, limit int64) (Source, error) {
	if text, is := f.Handed[path]; is {
		if int64(len(text.Text)) > limit {
			return Source{}, strict.Problems{strict.TooLarge(path, limit)}
		}
		return f.Source(path), nil
	}
	if info, err := os.Stat(path); path != Stdin && (err != nil || info.Mode()&fs.ModeNamedPipe == 0) {
		return Source{Path: path, Ctx: f.Ctx}, nil
	}
	data, err := f.readAll(path, limit)
	return Source{Path: path, Data: data, Ctx: f.Ctx}, err
}

// Source returns the source of a file, or of a text that was handed over.
func (f From) Source(path string) Source {
	text := f.Handed[path]
	return Source{Path: path, Data: text.Text, folder: text.Folder}
}

// Read opens the source for an argument and reads it.
func (f From) Read(path string, limit int64) (Source, []byte, error) {
	in, err := f.Open(path, limit)
	if err != nil {
		return in, nil, err
	}
	data, err := in.Read(limit)
	return in, data, err
}

// OpenAll opens the files of a command line; at most one may be standard input.
func (f From) OpenAll(paths []string, limit int64) ([]Source, error) {
	if err := OnceStdin(paths); err != nil {
		return nil, err
	}
	var all []Source
	for _, path := range paths {
		in, err := f.Open(path, limit)
		if err != nil {
			return nil, err
		}
		all = append(all, in)
	}
	return all, nil
}

// OpenLive returns the source for an argument that may be too long for memory. Standard input, and a named pipe,
// are read when the source is. Errors, including work.ErrInterrupted, come from its reader.
func (f From) OpenLive(path string) Source {
	if path == Stdin {
		return Source{Path: path, Live: f.untilInterrupted(func() (io.Reader, error) { return f.In, nil })}
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return Source{Path: path, Live: f.untilInterrupted(func() (io.Reader, error) { return os.Open(path) })}
	}
	return Source{Path: path}
}

// OnceStdin makes sure that at most one argument is standard input, which can only be read once.
func OnceStdin(paths []string) error {
	n := 0
	for _, path := range paths {
		if path == Stdin {
			n++
		}
	}
	if n > 1 {
		return work.Usagef("- is standard input, which can only be read once")
	}
	return nil
}

// stdinName is the name of standard input in messages.
const stdinName = "<stdin>"

// Name returns the name of the source in messages.
func (s Source) Name() string {
	if s.Path == Stdin {
		return stdinName
	}
	return s.Path
}

// Folder returns the folder that the paths of the source are relative to: the working directory for standard input,
// and for a text that was handed over the folder that came with it.
func (s Source) Folder() string {
	if s.folder != "" {
		return s.folder
	}
	if s.Path == Stdin {
		return "."
	}
	return filepath.Dir(s.Path)
}

// Read returns the content of the source. It refuses content that is longer than limit: a file before it is read,
// anything else after one byte too many. It gives up when the user interrupts.
func (s Source) Read(limit int64) ([]byte, error) {
	if s.Data != nil {
		return s.Data, nil
	}
	if err := s.TooLarge(limit); err != nil {
		return nil, err
	}
	return work.Await(s.Ctx, func() ([]byte, error) {
		file, err := s.Reader()
		if err != nil {
			return nil, err
		}
		data, err := limited(s.Name(), file, limit)
		return data, errors.Join(err, file.Close())
	})
}

// TooLarge is the error of a file that says itself that it is longer than limit. A device says nothing.
func (s Source) TooLarge(limit int64) error {
	info, err := os.Stat(s.Path)
	if s.Path == Stdin || err != nil || !info.Mode().IsRegular() || info.Size() <= limit {
		return nil
	}
	return strict.Problems{strict.TooLarge(s.Name(), limit)}
}

// limited reads up to limit. A text that continues is a file that is too large. Without an error the data is never
// nil.
func limited(name string, from io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, strict.Problems{strict.TooLarge(name, limit)}
	}
	return data, err
}

// cutOff is a text that is read as far as limit; then reading it fails.
type cutOff struct {
	io.ReadCloser
	name        string
	left, limit int64
}

// Read reads on, or fails.
func (c *cutOff) Read(into []byte) (int, error) {
	n, err := c.ReadCloser.Read(into)
	if c.left -= int64(n); c.left < 0 {
		return 0, strict.TooLarge(c.name, c.limit)
	}
	return n, err
}

// readAll reads standard input or a pipe, and gives up when the user interrupts: a goroutine may then still wait
// for input, or for a writer of the pipe. Data that are longer than limit are refused. Without an error the data
// are never nil.
func (f From) readAll(path string, limit int64) ([]byte, error) {
	if path != Stdin {
		return Source{Path: path, Ctx: f.Ctx}.Read(limit)
	}
	return work.Await(f.Ctx, func() ([]byte, error) { return limited(stdinName, f.In, limit) })
}

// untilInterrupted returns what open opens. Its next read fails once the user interrupts: a goroutine may then
// still wait for input, or for a writer of the pipe. An error of open is returned by the first read.
func (f From) untilInterrupted(open func() (io.Reader, error)) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		in, err := open()
		if err == nil {
			_, err = io.Copy(w, in)
		}
		_ = w.CloseWithError(err)
	}()
	context.AfterFunc(f.Ctx, func() { _ = w.CloseWithError(work.ErrInterrupted) })
	return r
}
