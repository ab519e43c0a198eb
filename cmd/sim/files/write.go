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
	// Fresh says that there must be no such file yet: the error is fs.ErrExist if there is.
	Fresh bool
	// Ours, if it is given, says from the beginning of an old file whether sim has written it: only then, or if it is
	// empty, it is replaced.
	Ours func(begin []byte) bool
}

// Write writes the file: beside it, onto the disk, and then in its place. So a full disk, a crash, or another process
// that writes the same file leaves the old text or a new one, never a part. Where the path is a link, the file behind
// it is replaced. What is no file, such as a pipe or a terminal, is written as it is. What it writes passes the same
// guard as what is printed.
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

// Try is the error of a file that could not be written now: who writes it only at its end asks before it begins. What is
// there stays as it is.
func (w Written) Try() error {
	switch info, err := os.Stat(w.Path); {
	case errors.Is(err, fs.ErrNotExist):
		return w.tryBeside()
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s: this is a folder: name a file in it", w.Path)
	case !info.Mode().IsRegular():
		return nil // To open a pipe may take for ever.
	}
	if err := mayReplace(w.Path, w.Ours); err != nil {
		return err
	}
	return w.tryBeside()
}

// tryBeside is the error of a file that cannot be made, or has no room, where the path leads.
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

// mostOfOld is how much of an old file is read to tell what it is.
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

// create writes a file that must be new. The name is taken first, so that of two processes one fails.
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

// named names the file itself in an error about the one beside it, which the user does not know.
func (w Written) named(err error) error {
	if wrong := (*fs.PathError)(nil); errors.As(err, &wrong) {
		wrong.Path = w.Path
	}
	return err
}

// replace puts a new file in the place of the one behind the path; old is nil if there is none to take the permissions
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

// besides counts the files that were opened beside others, so that each has a name of its own.
var besides atomic.Int64

// besideName is the name of a file that is opened beside another one: with the number of the process, and a count.
const besideName = ".sim-%d-%d.tmp"

// beside opens a new file in a folder. Its name is short, since that of the file may be as long as names can be.
func (w Written) beside(folder string) (*os.File, error) {
	for {
		name := filepath.Join(folder, fmt.Sprintf(besideName, os.Getpid(), besides.Add(1)))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, w.Mode)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// clean removes the files that were opened beside others by processes that do not run any more: they were killed before
// they could remove them. A file that is younger than an hour stays: its process may run where its number means another
// one, as in a container.
func clean(folder string) {
	left, _ := filepath.Glob(filepath.Join(globless(folder), ".sim-*-*.tmp"))
	for _, path := range left {
		info, err := os.Lstat(path)
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > time.Hour && isBeside(path) {
			_ = os.Remove(path)
		}
	}
}

// isBeside reports whether a path has a name that beside gives.
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

// Page writes a page into a file. What is there already is replaced if it is a page of sim.
func Page(path string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	return Written{Path: path, Text: text.Bytes(), Mode: 0o644, Ours: isPage}.Write()
}

// isPage reports whether a file begins as each page of sim does: it loads nothing.
func isPage(begin []byte) bool {
	return bytes.HasPrefix(begin, []byte("<!DOCTYPE html>")) &&
		bytes.Contains(begin[:min(len(begin), 1<<10)], []byte("content=\"default-src &#39;none&#39;; img-src data:;"))
}
