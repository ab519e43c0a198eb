package files

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Scenarios lists the files for the paths of `sim test`, each once: a file as it is named, and for a folder the
// scenarios among its YAML files, at any depth, in lexical order. Folders whose names start with a dot are skipped.
// A path that does not exist, or a folder without a scenario, is an error of usage, so that a misspelled path never
// passes.
func (f From) Scenarios(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		if text, handed := f.Handed[path]; handed && text.Names != nil {
			files = append(files, text.Names...)
			continue
		} else if handed {
			files = append(files, path)
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, work.Usagef("%s: there is no such file or folder", path)
		}
		if !info.IsDir() {
			files = append(files, filepath.Clean(path))
			continue
		}
		found, err := scenariosBelow(path)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, work.Usagef("%s: there is no scenario in this folder: a scenario is a .yaml file with steps", path)
		}
		files = append(files, found...)
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(files, func(file string) bool {
		again := seen[file]
		seen[file] = true
		return again
	}), nil
}

// scenariosBelow lists the scenarios in a folder. Links to folders are not followed, so there are no cycles.
func scenariosBelow(folder string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if path != folder && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		case !isFile(path, entry) || !slices.Contains(scenarioExtensions, strings.ToLower(filepath.Ext(path))):
			return nil
		}
		is, err := isScenario(path)
		if is {
			files = append(files, path)
		}
		return err
	})
	return files, err
}

// isFile reports whether an entry of a folder is a file, or a link to one, as the files of a mounted ConfigMap are.
func isFile(path string, entry fs.DirEntry) bool {
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// scenarioExtensions are the endings of files that may be scenarios, in lower case.
var scenarioExtensions = []string{".yaml", ".yml"}

// blockSteps and flowSteps match the keys that scenarios have and manifests do not have at the top level, in block
// style and in a flow such as JSON. They also match misspelled keys: a test that is never played would pass
// forever.
var (
	blockSteps = lazy.Regexp(`(?mi)^["']?(steps?|kubelet)["']?\s*:`)
	flowSteps  = lazy.Regexp(`(?i)[{,]\s*["']?(steps?|kubelet)["']?\s*:`)
)

// isScenario reports whether a YAML file in a folder is a scenario. It only looks for keys and does not parse, so
// that a scenario with mistakes is found, and its test fails, instead of being left out. A file that no command
// would read, since it is too large, is none.
func isScenario(path string) (bool, error) {
	data, err := Source{Path: path}.Read(strict.DefaultLimits().FileSize)
	if errors.As(err, new(strict.Problems)) {
		return false, nil
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return flowSteps().Match(data), err
	}
	return blockSteps().Match(data), err
}
