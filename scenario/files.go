package scenario

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// folder is a folder of the machine. Unlike os.DirFS it lets paths lead out of it, as the path of a manifest may.
type folder string

// Open opens the file at a path that is absolute or begins in the folder.
func (f folder) Open(name string) (fs.File, error) {
	if filepath.IsAbs(name) {
		return os.Open(name)
	}
	return os.Open(filepath.Join(string(f), name))
}

// Stat looks at the file without opening it: opening a pipe that nobody writes to would hang.
func (f folder) Stat(name string) (fs.FileInfo, error) {
	if filepath.IsAbs(name) {
		return os.Stat(name)
	}
	return os.Stat(filepath.Join(string(f), name))
}

// readFile reads a file that must be a regular one and no larger than the limit.
func readFile(dir fs.FS, name string, limits strict.Limits) ([]byte, error) {
	info, err := fs.Stat(dir, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", name)
	}
	file, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, limits.OrDefault().FileSize+1))
	return data, errors.Join(err, file.Close())
}

// why gives the reason of a file error without the path and the system call.
func why(err error) string {
	var path *fs.PathError
	if errors.Is(err, fs.ErrNotExist) {
		return "there is no such file"
	}
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
