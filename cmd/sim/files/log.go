package files

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Log is a file that a command adds lines to as things happen. However the process ends, all lines but the last are
// complete.
type Log struct {
	path string
	mode fs.FileMode
	// mu guards what follows: lines may be added by several goroutines, also after the end.
	mu sync.Mutex
	// file is open once there is a line; size is the length of the whole lines.
	file *os.File
	size int64
	// dirty asks for new data to be flushed to the disk, and clean is closed once that has stopped.
	dirty, clean chan struct{}
	// wrong is the first error: nothing is added after it, so that there are no gaps.
	wrong error
}

// NewLog checks that a log can be written to a path, and changes nothing there. The first line replaces an existing
// file if ours accepts its start, or if it is empty: other files are not overwritten. If the path is a link, its
// target counts.
func NewLog(path string, mode fs.FileMode, ours func(begin []byte) bool) (*Log, error) {
	l := &Log{path: path, mode: mode, dirty: make(chan struct{}, 1), clean: make(chan struct{})}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s: this is a folder: name a file in it", path)
	case err == nil && !info.Mode().IsRegular():
		if l.file, err = os.OpenFile(path, os.O_WRONLY, 0); err == nil {
			go l.settle()
		}
		return l, err
	case err == nil:
		err = l.mayReplace(ours)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return l, Written{Path: path, Mode: mode}.tryBeside()
}

// mayReplace is the error of a file that is not to be replaced, or cannot be written.
func (l *Log) mayReplace(ours func(begin []byte) bool) error {
	old, err := os.OpenFile(l.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(old.Close(), mayReplace(l.path, ours))
}

// settle puts what is added onto the disk, until the end.
func (l *Log) settle() {
	defer close(l.clean)
	for range l.dirty {
		_ = l.file.Sync() // A pipe has no disk.
	}
}

// Add adds a line, which ends with a line end. It is in the file when Add returns, so that it outlives the process, and
// on the disk soon after.
func (l *Log) Add(line []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wrong != nil {
		return l.wrong
	}
	var text bytes.Buffer
	guard := render.NewGuard(&text)
	_, _ = guard.Write(line)
	guard.Flush()
	if l.file == nil {
		l.wrong = l.first(text.Bytes())
	} else if _, err := l.file.Write(text.Bytes()); err != nil {
		_ = l.file.Truncate(l.size) // This removes half a line.
		l.wrong = err
	}
	if l.wrong != nil {
		l.wrong = Written{Path: l.path}.named(l.wrong)
		return l.wrong
	}
	l.size += int64(text.Len())
	select {
	case l.dirty <- struct{}{}:
	default:
	}
	return nil
}

// first replaces the existing file by a file with the first line. The new file is never more readable than the mode
// allows, even if the old file was.
func (l *Log) first(line []byte) error {
	w := Written{Path: l.path, Text: line, Mode: l.mode}
	if info, err := os.Stat(l.path); err == nil {
		w.Mode &= info.Mode().Perm() | 0o600
	}
	err := w.replace(nil)
	if err == nil {
		l.file, err = os.OpenFile(l.path, os.O_WRONLY|os.O_APPEND, 0)
	}
	if err == nil {
		go l.settle()
	}
	return err
}

// Close puts what was added onto the disk. The error is the first one of all. Nothing is added afterwards.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	wrong := l.wrong
	l.wrong = cmp.Or[error](wrong, fs.ErrClosed)
	if l.file == nil {
		return wrong
	}
	close(l.dirty)
	<-l.clean
	return errors.Join(wrong, l.file.Close())
}
