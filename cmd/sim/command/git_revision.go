package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Revision is the state of a repository of Git at a revision, written into a folder of our own. Git itself writes the
// files, so that attributes, links and large files are as in a working tree.
type Revision struct {
	*Console
	// Name is the user's name for it; limit is the limit for Git's output.
	Name  string
	limit int64
	// top is the working tree, folder is ours: the files are below folder/tree.
	top, folder string
}

// RenderPatience is how long git, helm or kustomize may take.
const RenderPatience = 2 * time.Minute

// At returns a revision of the repository that has a path. Its folder is the caller's to remove.
func (s *Console) At(name, path string, limit int64) (*Revision, error) {
	r := &Revision{Console: s, Name: name, limit: limit}
	top, err := r.git(nil, "-C", folderOf(path), "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	r.top = strings.TrimRight(string(top), "\r\n")
	if r.folder, err = os.MkdirTemp("", "sim-plan-"); err != nil {
		return nil, err
	}
	if _, err = r.git(nil, "-C", r.top, "read-tree", name+"^{tree}"); err != nil {
		r.Remove()
		return nil, fmt.Errorf("--git %s: git does not know this revision: %w", shell.Quote(name), err)
	}
	return r, nil
}

// Remove removes the folder.
func (r *Revision) Remove() { _ = os.RemoveAll(r.folder) }

// folderOf returns a folder, or the folder of a file.
func folderOf(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path
	}
	return filepath.Dir(path)
}

// git runs git with an index of our own, and returns what it prints.
func (r *Revision) git(in []byte, arguments ...string) ([]byte, error) {
	p := Program{
		Name: "git", Of: "git", Limit: r.limit, Longest: RenderPatience, in: in,
		Missing: "install it, or give OLD as a file: sim plan OLD NEW",
		Late:    fmt.Sprintf("git has not ended within %s: %s", RenderPatience, shell.Line(append([]string{"git"}, arguments...)...)),
	}
	if r.folder != "" {
		p.environment = []string{"GIT_INDEX_FILE=" + filepath.Join(r.folder, "index")}
	}
	return r.Printed(&p, arguments...)
}

// Printed runs a program that must not fail, and returns what it prints. The error has what it says.
func (s *Console) Printed(p *Program, arguments ...string) ([]byte, error) {
	said, err := s.start(p, arguments...)
	if err != nil {
		return nil, err
	}
	var lines []string
	for line := range strings.Lines(string(said.err)) {
		if line = strings.TrimRight(line, " \r\n"); line != "" {
			lines = append(lines, render.Visible(line))
		}
	}
	told := strings.Join(lines, "\n")
	if said.failed {
		if told == "" {
			told = "it failed, and did not say why"
		}
		return nil, errors.New(shell.Line(append([]string{p.Name}, arguments...)...) + ": " + told)
	}
	if told != "" {
		fmt.Fprintln(s.Err, told)
	}
	return said.out, nil
}

// InTree returns where a path of the working tree is at the revision, "" if it is not there. Only what is at or below
// the path is written; with whole, all of the repository, since charts and Kustomize may read all of it.
func (r *Revision) InTree(path string, whole bool) (string, error) {
	folder := folderOf(path)
	prefix, err := r.git(nil, "-C", folder, "rev-parse", "--show-prefix")
	if err != nil {
		return "", err
	}
	inside := filepath.FromSlash(strings.TrimRight(string(prefix), "\r\n"))
	if folder != path {
		inside = filepath.Join(inside, filepath.Base(path))
	}
	// literal, because a file name may contain pattern characters; top, because git otherwise starts at a folder.
	spec := ":(top,literal)" + filepath.ToSlash(inside)
	if whole {
		spec = ":(top)"
	}
	names, err := r.git(nil, "-C", r.top, "ls-files", "-z", "--", spec)
	if err != nil {
		return "", err
	}
	tree := filepath.Join(r.folder, "tree") + string(filepath.Separator)
	if _, err := r.git(names, "-C", r.top, "checkout-index", "--quiet", "--force", "-z", "--stdin", "--prefix="+tree); err != nil {
		return "", err
	}
	there := filepath.Join(tree, inside)
	if _, err := os.Lstat(there); err != nil {
		return "", nil
	}
	return there, nil
}

// Called returns how messages name what is at a path at the revision, as Git does.
func (r *Revision) Called(path string) string { return r.Name + ":" + filepath.ToSlash(path) }

// Renamed returns an error about a file in our folder as one about the path at the revision.
func (r *Revision) Renamed(err error, there, path string) error {
	var problems strict.Problems
	if !errors.As(err, &problems) {
		return fmt.Errorf("%s", strings.ReplaceAll(err.Error(), there, r.Called(path)))
	}
	for i := range problems {
		problems[i].File = strings.Replace(problems[i].File, there, r.Called(path), 1)
	}
	return problems
}

// IsRevision reports whether a text may be a revision: git would take another for a flag.
func IsRevision(name string) bool {
	return name != "" && name[0] != '-' && !strings.ContainsAny(name, ":\x00\n")
}
