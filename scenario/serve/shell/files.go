// Package shell is what runs in a simulated container: a few files, and a shell with the programs that people and
// probes use on files. It reads no file of this machine, starts no program, and ends: it knows no loops.
package shell

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// Tree is a file system by path, / its root. A directory is there if it has an entry of its own, or something is in it.
// Trees are shared: a volume is one tree in all containers that mount it.
type Tree map[string]Node

// Node is a file, a directory or, if Link is its target, a symbolic link.
type Node struct {
	Dir        bool
	Data, Link string
}

// Bounds of a tree: how many entries it may have, and how long a file may be. mostLinks is how many links are followed.
const (
	mostNodes = 2_000
	longest   = 1 << 20
	mostLinks = 20
)

// Files are a container's view: its own tree, which is lost when it restarts, and its mounts by their paths.
type Files struct {
	Own    Tree
	Mounts map[string]Tree
}

// In returns the tree that a path is in, and the path in it: of the deepest mount above it, or else the container's
// own.
func (f *Files) In(at string) (tree Tree, within string) {
	tree, within = f.Own, at
	for _, mount := range slices.Sorted(maps.Keys(f.Mounts)) {
		if at == mount || strings.HasPrefix(at, mount+"/") {
			tree, within = f.Mounts[mount], path.Join("/", at[len(mount):])
		}
	}
	return tree, within
}

// follow returns where a path leads, links followed.
func (f *Files) follow(at string) string {
	at = path.Join("/", at)
	for range mostLinks {
		node, _ := f.look(at)
		switch {
		case node.Link == "":
			return at
		case path.IsAbs(node.Link):
			at = path.Clean(node.Link)
		default:
			at = path.Join(path.Dir(at), node.Link)
		}
	}
	return at
}

// Get returns the node at a path, following links.
func (f *Files) Get(at string) (Node, bool) {
	node, is := f.look(f.follow(at))
	return node, is && node.Link == ""
}

// look returns the node at a clean path itself.
func (f *Files) look(at string) (Node, bool) {
	tree, within := f.In(at)
	if node, is := tree[within]; is {
		return node, true
	}
	return Node{Dir: true}, within == "/" || len(f.below(at)) > 0
}

// below returns the names of the files in a directory.
func (f *Files) below(dir string) []string {
	tree, within := f.In(dir)
	names := append(inside(slices.Sorted(maps.Keys(tree)), within), inside(slices.Sorted(maps.Keys(f.Mounts)), dir)...)
	slices.Sort(names)
	return slices.Compact(names)
}

// inside returns the first name after a directory, for each of the paths inside it.
func inside(paths []string, dir string) []string {
	var names []string
	for _, at := range paths {
		if rest, is := strings.CutPrefix(at, strings.TrimSuffix(dir, "/")+"/"); is && rest != "" {
			name, _, _ := strings.Cut(rest, "/")
			names = append(names, name)
		}
	}
	return names
}

// Put puts a node at a path, through a link if there is one, and says what is wrong if that is impossible.
func (f *Files) Put(at string, node Node) string {
	at = f.follow(at)
	tree, within := f.In(at)
	was, is := f.look(at)
	parent, housed := f.Get(path.Dir(at))
	switch {
	case is && was.Dir:
		return "Is a directory"
	case !housed:
		return "No such file or directory"
	case !parent.Dir:
		return "Not a directory"
	case len(tree) >= mostNodes || len(node.Data) > longest:
		return "No space left on device"
	}
	tree[within] = node
	return ""
}

// remove removes the node at a path, and everything in it.
func (f *Files) remove(at string) {
	tree, within := f.In(at)
	maps.DeleteFunc(tree, func(other string, _ Node) bool {
		return other == within || strings.HasPrefix(other, within+"/")
	})
}
