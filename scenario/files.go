package scenario

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// folder is a folder of the machine. Paths in it may be absolute and may lead out of dir, as far as root. It is not a
// strict fs.FS, because fs.ValidPath forbids both.
type folder struct{ dir, root string }

// Folder returns a folder for the manifests of scenarios. Their paths are relative to dir, and none leads out of
// the folder root, not even through a symbolic link: a scenario may come from a stranger. An empty root is dir
// itself. Neither folder need exist before a file is opened.
func Folder(dir, root string) fs.FS {
	if root == "" {
		root = dir
	}
	return folder{dir, root}
}

// errOutside is why a path that leads out of the root is not opened.
var errOutside = errors.New("it is outside of the scenario's folder; --root DIR allows the files in DIR")

// Open opens the file or the folder at a path.
func (f folder) Open(name string) (fs.File, error) {
	var file *os.File
	err := f.in(name, func(root *os.Root, path string) (err error) {
		file, err = root.Open(path)
		return err
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}

// Stat looks at the file without opening it: opening a pipe without a writer would hang.
func (f folder) Stat(name string) (info fs.FileInfo, err error) {
	err = f.in(name, func(root *os.Root, path string) (err error) {
		info, err = root.Stat(path)
		return err
	})
	return info, err
}

// in does something with a path below the root. It returns errOutside if the path leads out of it; os.Root refuses
// symbolic links that do.
func (f folder) in(name string, do func(root *os.Root, path string) error) error {
	if !filepath.IsAbs(name) {
		name = filepath.Join(f.dir, name)
	}
	from, err := filepath.Abs(f.root)
	to, err2 := filepath.Abs(name)
	if err = errors.Join(err, err2); err != nil {
		return err
	}
	path, err := filepath.Rel(from, to)
	if err != nil || !filepath.IsLocal(path) {
		return errOutside
	}
	root, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	return errors.Join(do(root, path), root.Close())
}

// readScenario reads the file of a scenario, which may be a pipe too, as in `sim run <(helm template …)`. At most one
// byte more than the limit is read; the parser refuses a text that is longer than the limit.
func readScenario(path string, limits strict.Limits) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && info.Mode()&fs.ModeNamedPipe == 0 {
		return nil, errors.New(notAFile(info))
	}
	if err := tooLarge(info, limits); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	data, err := readLimited(file, limits)
	return data, errors.Join(err, file.Close())
}

// notAFile says what is wrong with something other than a regular file.
func notAFile(info fs.FileInfo) string {
	if info.IsDir() {
		return "it is a folder: name a file in it"
	}
	return "it is no regular file"
}

// tooLarge is the error of a file that is longer than the limit, before it is read.
func tooLarge(info fs.FileInfo, limits strict.Limits) error {
	limit := limits.OrDefault().FileSize
	if !info.Mode().IsRegular() || info.Size() <= limit {
		return nil
	}
	p := strict.TooLarge("", limit)
	return fmt.Errorf("%s: %s", p.What, p.Want)
}

// readLimited reads at most one byte more than the limit, which tells the parser that there is more.
func readLimited(file io.Reader, limits strict.Limits) ([]byte, error) {
	return io.ReadAll(io.LimitReader(file, limits.OrDefault().FileSize+1))
}

// readFile reads a file that a scenario names. It must be a regular one, so that reading cannot hang, and is read as
// far as the limit.
func readFile(dir fs.FS, name string, limits strict.Limits) ([]byte, error) {
	info, err := fs.Stat(dir, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New(notAFile(info))
	}
	if err := tooLarge(info, limits); err != nil {
		return nil, err
	}
	file, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	data, err := readLimited(file, limits)
	return data, errors.Join(err, file.Close())
}

// isRegular reports whether a path leads to a regular file.
func isRegular(dir fs.FS, name string) bool {
	info, err := fs.Stat(dir, name)
	return err == nil && info.Mode().IsRegular()
}

// isFolder reports whether a path leads to a folder.
func isFolder(dir fs.FS, name string) bool {
	info, err := fs.Stat(dir, name)
	return err == nil && info.IsDir()
}

// manifestsIn returns the names of the files of manifests in a folder, sorted, as kubectl apply -f takes them without
// -R: those in folders below it are not among them.
func manifestsIn(dir fs.FS, name string) ([]string, error) {
	file, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	list, is := file.(fs.ReadDirFile)
	if !is {
		return nil, errors.Join(fmt.Errorf("%s cannot be listed", name), file.Close())
	}
	entries, err := list.ReadDir(-1)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		if slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(entry.Name())) && !entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// why gives the reason of a file error without the path and the system call, which messages have already, or which
// differ between systems.
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
