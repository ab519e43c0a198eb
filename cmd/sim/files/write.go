package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Written is a file that a command writes. It is written whole or not at all.
type Written struct {
	Path string
	Text []byte
	// Mode are the permissions of a new file, which the umask reduces; an old file keeps its own.
	Mode fs.FileMode
	// Fresh is true if the file must not exist yet: the error is fs.ErrExist if it does.
	Fresh bool
	// Ours, if set, reports from the start of an old file whether sim has written it: the file is replaced only
	// then, or if it is empty.
	Ours func(begin []byte) bool
}

// Write writes a temporary file next to the file, flushes it to the disk, and renames it. So a full disk, a crash,
// or another process that writes the same file leaves the old text or a new one, never a part. If the path is a
// link, its target is replaced. A pipe or a terminal is written directly. The text passes the same guard as printed
// output.
func (w Written) Write() error {
	var text bytes.Buffer
	guard := render.NewGuard(&text)
	_, _ = guard.Write(w.Text)
	guard.Flush()
	w.Text = text.Bytes()
	info, err := os.Stat(w.Path)
	switch {
	case w.Fresh:
		return w.create()
	case errors.Is(err, fs.ErrNotExist):
		return w.replace(nil)
	case err != nil:
		return err
	}
	for _, stream := range []*os.File{os.Stdout, os.Stderr} {
		if own, err := stream.Stat(); err == nil && os.SameFile(own, info) {
			_, err := stream.Write(w.Text)
			return err
		}
	}
	if info.Mode().IsRegular() {
		if err := mayReplace(w.Path, w.Ours); err != nil {
			return err
		}
		return w.replace(info)
	}
	out, err := os.OpenFile(w.Path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = out.Write(w.Text)
	return errors.Join(err, out.Close())
}

// Try is the error for a file that could not be written now: a caller that writes only at its end calls it first.
// The existing file stays as it is.
func (w Written) Try() error {
	switch info, err := os.Stat(w.Path); {
	case errors.Is(err, fs.ErrNotExist):
		return w.tryBeside()
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s: this is a folder: name a file in it", w.Path)
	case !info.Mode().IsRegular():
		return nil // Opening a pipe may take forever.
	}
	if err := mayReplace(w.Path, w.Ours); err != nil {
		return err
	}
	return w.tryBeside()
}

// tryBeside is the error for a file that cannot be made, or has no room, at the target of the path.
func (w Written) tryBeside() error {
	path, err := behindLinks(w.Path)
	if err != nil {
		return err
	}
	trial, err := w.beside(filepath.Dir(path))
	if err != nil {
		return w.named(err)
	}
	_, err = trial.Write([]byte("\n")) // A full disk has no block for it.
	return errors.Join(w.named(errors.Join(err, trial.Close())), os.Remove(trial.Name()))
}

// mostOfOld is how much of an old file is read to recognize it.
const mostOfOld = 1 << 20

// mayReplace is the error of a file that is not ours to be replaced. Without ours each is.
func mayReplace(path string, ours func(begin []byte) bool) error {
	if ours == nil {
		return nil
	}
	old, err := os.Open(path)
	if err != nil {
		return err
	}
	defer old.Close()
	begin, err := io.ReadAll(io.LimitReader(old, mostOfOld))
	if err == nil && len(begin) > 0 && !ours(begin) {
		return fmt.Errorf("%s is there already, and was not written by sim: it is not overwritten, name another file", path)
	}
	return err
}

// create writes a file that must be new. The name is taken first, so that one of two processes fails.
func (w Written) create() error {
	taken, err := Make(w.Path, nil, w.Mode)
	if err != nil {
		return err
	}
	_ = taken.open.Close() // Where an open file cannot be replaced.
	if err := w.replace(nil); err != nil {
		return errors.Join(err, taken.Remove())
	}
	return nil
}

// named makes an error name the file itself instead of the temporary one, which the user does not know.
func (w Written) named(err error) error {
	if wrong := (*fs.PathError)(nil); errors.As(err, &wrong) {
		wrong.Path = w.Path
	}
	return err
}

// replace puts a new file in the place of the path's target; old is nil if there is no file to take the permissions
// from.
func (w Written) replace(old fs.FileInfo) (err error) {
	path, err := behindLinks(w.Path)
	if err != nil {
		return err
	}
	clean(filepath.Dir(path))
	beside, err := w.beside(filepath.Dir(path))
	if err != nil {
		return w.named(err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(beside.Name())
			err = w.named(err)
		}
	}()
	_, err = beside.Write(w.Text)
	if err == nil && old != nil {
		err = beside.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = beside.Sync()
	}
	if err = errors.Join(err, beside.Close()); err != nil {
		return err
	}
	return os.Rename(beside.Name(), path)
}

// besides counts the temporary files, so that each has a name of its own.
var besides atomic.Int64

// besideName is the name of a temporary file next to another one: it has the number of the process, and a count.
const besideName = ".sim-%d-%d.tmp"

// beside opens a new temporary file in a folder. Its name is short, because the file's own name may be as long as
// names can be.
func (w Written) beside(folder string) (*os.File, error) {
	for {
		name := filepath.Join(folder, fmt.Sprintf(besideName, os.Getpid(), besides.Add(1)))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, w.Mode)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// clean removes temporary files of processes that no longer run: they were killed before they could remove them. A
// file that is less than an hour old stays: its process may have another number here, as in a container.
func clean(folder string) {
	left, _ := filepath.Glob(filepath.Join(globless(folder), ".sim-*-*.tmp"))
	for _, path := range left {
		info, err := os.Lstat(path)
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > time.Hour && isBeside(path) {
			_ = os.Remove(path)
		}
	}
}

// isBeside reports whether a path has a name from beside.
func isBeside(path string) bool {
	process, count := 0, 0
	name := filepath.Base(path)
	_, err := fmt.Sscanf(name, besideName, &process, &count)
	return err == nil && name == fmt.Sprintf(besideName, process, count)
}

// globless returns a path as a pattern that means only this path.
func globless(path string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(path)
}

// mostLinks is how many links a path may go through: what systems allow.
const mostLinks = 40

// behindLinks follows links to the file, which need not exist.
func behindLinks(path string) (string, error) {
	for range mostLinks {
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return "", fmt.Errorf("%s: too many links", path)
}

// Page writes a page into a file. An existing file is replaced if it is a page of sim.
func Page(path string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	return Written{Path: path, Text: text.Bytes(), Mode: 0o644, Ours: isPage}.Write()
}

// isPage reports whether a file starts like a page of sim: it loads nothing.
func isPage(begin []byte) bool {
	return bytes.HasPrefix(begin, []byte("<!DOCTYPE html>")) &&
		bytes.Contains(begin[:min(len(begin), 1<<10)], []byte("content=\"default-src &#39;none&#39;; img-src data:;"))
}
