package scenario

import (
	"path"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// mostFolders is the greatest depth of Kustomize folders that name each other. It ends a cycle of folders.
const mostFolders = 20

// fromFolder reads the manifests of a folder: those that its kustomization names as its resources, or else all, as
// kubectl apply -f does with a folder. n is the place in the scenario that names the folder, depth how many folders of
// Kustomize have led to it.
func (s *step) fromFolder(n *yaml.Node, name string, depth int) []*manifest.Set {
	if depth > mostFolders {
		s.r.Problem(n, "the folder "+name+" cannot be read",
			"Kustomize folders refer to each other, or are nested too deeply")
		return nil
	}
	if isRegular(s.dir, path.Join(name, manifest.ChartFile)) {
		what, want := manifest.OfChart(name)
		s.r.Problem(n, "the folder "+name+" cannot be read: "+what, want)
		return nil
	}
	names, err := manifestsIn(s.dir, name)
	if err != nil {
		s.r.Problem(n, "the folder "+name+" cannot be read", why(err))
		return nil
	}
	for _, file := range manifest.Kustomizations {
		if path := path.Join(name, file); isRegular(s.dir, path) {
			return s.kustomized(n, name, path, depth)
		}
	}
	if len(names) == 0 {
		s.r.Problem(n, "the folder "+name+" has no manifests", "they are the files that end in .yaml, .yml or .json")
	}
	var sets []*manifest.Set
	for _, file := range names {
		sets = append(sets, s.fromFile(n, path.Join(name, file))...)
	}
	return sets
}

// kustomized reads the resources of a folder of Kustomize, in their order. Anything that changes resources (patches,
// images, namePrefix) is a problem, because manifests that are read without it would be other ones.
func (s *step) kustomized(n *yaml.Node, folder, file string, depth int) []*manifest.Set {
	data, err := readFile(s.dir, file, s.r.Limits)
	if err != nil {
		s.r.Problem(n, "the file "+file+" cannot be read", why(err))
		return nil
	}
	s.digest.Write(data)
	root, problems := strict.ParseOne(s.beside(file), data, s.r.Limits)
	r := &strict.Reader{File: s.beside(file), Limits: s.r.Limits, Problems: problems}
	m := r.Map(root, "a kustomization")
	for _, key := range m.Keys() {
		if !slices.Contains([]string{"apiVersion", "kind", "metadata", "resources"}, key) {
			r.Problem(m.Key(key), key+" is for Kustomize, and sim reads only resources", "apply what "+
				shell.Kubectl("kustomize", folder)+" prints")
		}
	}
	var names []string
	for _, item := range m.List("resources") {
		if text, ok := r.String(item, "a resource"); ok {
			names = append(names, path.Join(folder, text))
		}
	}
	s.others = append(s.others, r.Problems...)
	var sets []*manifest.Set
	for _, name := range names {
		if isFolder(s.dir, name) {
			sets = append(sets, s.fromFolder(n, name, depth+1)...)
		} else {
			sets = append(sets, s.fromFile(n, name)...)
		}
	}
	return sets
}
