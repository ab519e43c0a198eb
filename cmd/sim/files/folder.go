package files

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/statefulsim/statefulsim/cmd/sim/files/forms"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// ManifestEndings are the endings of the files that kubectl reads in a folder.
var ManifestEndings = []string{".json", ".yaml", ".yml"}

// Manifests returns the path itself or, for a folder, the manifests in it in the order of their names, as kubectl
// apply -f takes them. A Kustomize folder is an error, as it is for kubectl apply -f: the files do not contain the
// output of Kustomize. If they should be read as they are, Kustomize's own file is left out. A Helm chart is an
// error too, since its files are not manifests yet. A folder without a manifest has its own error. With recursive,
// other files are skipped with a message on standard error; without, files are not opened.
func (f From) Manifests(path string, recursive bool, limit int64) ([]string, error) {
	if text, handed := f.Handed[path]; handed && text.Names != nil {
		return text.Names, nil
	} else if handed {
		return []string{path}, nil
	}
	info, err := os.Stat(path)
	if path == Stdin || err != nil || !info.IsDir() {
		// Errors in a file are reported where it is opened.
		return []string{path}, nil
	}
	if err := Unrendered(path, recursive); err != nil {
		return nil, err
	}
	files, charts, err := manifestsIn(path, recursive)
	if err != nil {
		return nil, err
	}
	if recursive {
		files, err = f.withObjects(files, charts, limit)
	}
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: there is no *.json, *.yaml or *.yml in this folder: -R reads subfolders too", path)
		if recursive {
			err = fmt.Errorf("%s: there is no manifest in this folder", path)
		}
	}
	return files, err
}

// Unrendered is the error for a folder whose files become manifests only through another program, else nil.
func Unrendered(path string, recursive bool) error {
	if file := filepath.Join(path, manifest.ChartFile); isThere(file) {
		what, want := manifest.OfChart(path)
		return fmt.Errorf("%s: %s: %s", file, what, want)
	}
	for _, name := range manifest.Kustomizations {
		if file := filepath.Join(path, name); !recursive && isThere(file) {
			return fmt.Errorf("%s: this folder is for Kustomize: pass what %s prints, or -R to read "+
				"the files as they are", file, shell.Kubectl("kustomize", path))
		}
	}
	return nil
}

// manifestsIn returns the files in a folder that may be manifests, and the Helm charts below it, which have none.
func manifestsIn(path string, recursive bool) (files, charts []string, err error) {
	err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != path && !recursive:
			return filepath.SkipDir
		case entry.IsDir() && isThere(filepath.Join(name, manifest.ChartFile)):
			charts = append(charts, name)
			return filepath.SkipDir
		case !entry.IsDir() && slices.Contains(ManifestEndings, filepath.Ext(name)) &&
			!slices.Contains(manifest.Kustomizations, filepath.Base(name)):
			files = append(files, name)
		}
		return nil
	})
	return files, charts, err
}

// withObjects returns the files that have Kubernetes objects, and reports skipped files and charts on standard
// error. An unreadable file stays: its error is reported when it is read again.
func (f From) withObjects(files, charts []string, limit int64) ([]string, error) {
	var with, without []string
	for _, file := range files {
		in, err := f.Open(file, limit)
		if err != nil {
			return nil, err
		}
		if data, err := in.Read(limit); err == nil {
			plain, _, err := forms.Plain(forms.File{Name: file, Data: data}, limit)
			if err == nil && !manifest.Looks(plain.Data) {
				without = append(without, file)
				continue
			}
		}
		with = append(with, file)
	}
	f.tellLeftOut(without, charts)
	return with, nil
}

// tellLeftOut says on standard error which files and charts are left out.
func (f From) tellLeftOut(without, charts []string) {
	if len(without) > 0 {
		n := len(without)
		fmt.Fprintf(f.Told, "%s no object of Kubernetes and %s left out: %s\n",
			render.Agree(n, "One file has", fmt.Sprintf("%d files have", n)), render.Agree(n, "is", "are"),
			render.List(without, mostLeftOut))
	}
	for _, chart := range charts {
		_, want := manifest.OfChart(chart)
		fmt.Fprintf(f.Told, "%s: a Helm chart, which is left out: %s\n", chart, want)
	}
}

// mostLeftOut is how many of the files that are left out are named.
const mostLeftOut = 5

// isThere reports whether there is a file of that name.
func isThere(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
