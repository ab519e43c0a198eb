package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim/command"
)

// addRecursive adds the flag that kubectl has for folders.
func addRecursive(cmd *cobra.Command, recursive *bool) {
	cmd.Flags().BoolVarP(recursive, "recursive", "R", false, "read subfolders too")
}

// recursiveWords returns the flag as a command has it, nothing if it is not given.
func recursiveWords(recursive bool) []string {
	if recursive {
		return []string{"--recursive"}
	}
	return nil
}

// manifestEndings are the endings of the files that kubectl reads in a folder.
var manifestEndings = []string{".json", ".yaml", ".yml"}

// filesOf returns the path itself, or the manifests in it where it is a folder, in the order of their names: as kubectl
// apply -f takes them. A folder of Kustomize is an error, as it is for kubectl apply -f: what Kustomize makes of the
// files is not in them. If they are to be read as they are, its own file is not one of them. The error of a folder
// without a manifest says so; files are not opened.
func filesOf(path string, recursive bool) ([]string, error) {
	info, err := os.Stat(path)
	if path == stdin || err != nil || !info.IsDir() {
		// What is wrong with a file is said where it is opened.
		return []string{path}, nil
	}
	for _, name := range manifest.Kustomizations {
		if file := filepath.Join(path, name); !recursive && isThere(file) {
			return nil, fmt.Errorf("%s: this folder is for Kustomize: pass what %s prints, or -R to read "+
				"the files as they are", file, command.Kubectl("kustomize", path))
		}
	}
	var files []string
	err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != path && !recursive:
			return filepath.SkipDir
		case !entry.IsDir() && slices.Contains(manifestEndings, filepath.Ext(name)) &&
			!slices.Contains(manifest.Kustomizations, filepath.Base(name)):
			files = append(files, name)
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: there is no *.json, *.yaml or *.yml in this folder: -R reads subfolders too", path)
	}
	return files, err
}

// isThere says whether there is a file of that name.
func isThere(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
