package files

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mostStamped is the number of files that a Stamp looks at: a folder may be the whole disk.
const mostStamped = 10_000

// Stamp returns a text that changes when an input below some paths changes: for a folder all YAML and JSON files in
// it, for a file all files next to it, because a scenario names manifests. n is the number of files. An unreadable
// file counts as absent.
func Stamp(paths []string) (stamp string, n int) {
	var lines []string
	add := func(path string, info fs.FileInfo) {
		line := fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
		if !slices.Contains([]string{".yaml", ".yml", ".json", ".jsonl"}, filepath.Ext(path)) || len(lines) >= mostStamped {
			return
		}
		lines = append(lines, line)
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err == nil && info.IsDir() {
			_ = filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
				if err == nil && !entry.IsDir() {
					if info, err := entry.Info(); err == nil {
						add(path, info)
					}
				}
				return nil
			})
			continue
		}
		entries, _ := os.ReadDir(filepath.Dir(path))
		for _, entry := range entries {
			if info, err := entry.Info(); err == nil && !entry.IsDir() {
				add(filepath.Join(filepath.Dir(path), entry.Name()), info)
			}
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	return strings.Join(lines, "\n"), len(lines)
}
