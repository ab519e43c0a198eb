package files

import (
	"errors"
	"io/fs"
	"os"
)

// Made is a file that this process has made: there was none of that name before.
type Made struct {
	path string
	as   fs.FileInfo
	// open keeps the file open, so that no other file gets its number while the two must be told apart.
	open *os.File
}

// Make makes a file with a text. It never touches an existing file or link, even a dangling one: the error is then
// fs.ErrExist. It is for files that the process removes when it ends.
func Make(path string, text []byte, mode fs.FileMode) (*Made, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	as, err := file.Stat()
	made := &Made{path, as, file}
	if err == nil {
		_, err = file.Write(text)
	}
	if err != nil {
		return nil, errors.Join(err, made.Remove())
	}
	return made, nil
}

// Remove removes the file if the path still leads to the one that was made: what another process has put there stays.
func (m *Made) Remove() error {
	now, err := os.Lstat(m.path)
	_ = m.open.Close()
	if err != nil || m.as == nil || !os.SameFile(now, m.as) {
		return nil
	}
	return os.Remove(m.path)
}
