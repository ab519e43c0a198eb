// Command profile merges CPU profiles into the one with which Go compiles sim, and writes it to standard output:
//
//	profile rollouts.pprof upgrade.pprof > default.pgo
//
// It leaves out where they come from: the paths of files and programs, and the time.
package main

import (
	"fmt"
	"os"

	"github.com/google/pprof/profile"
)

func main() {
	if err := merge(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "profile:", err)
		os.Exit(1)
	}
}

func merge(files []string) error {
	var all []*profile.Profile
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		p, err := profile.Parse(file)
		file.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		strip(p)
		all = append(all, p)
	}
	merged, err := profile.Merge(all)
	if err != nil {
		return err
	}
	merged.TimeNanos, merged.DurationNanos = 0, 0
	return merged.Write(os.Stdout)
}

// strip leaves out what Go does not look at when it compiles with a profile.
func strip(p *profile.Profile) {
	for _, m := range p.Mapping {
		m.File, m.BuildID = "", ""
	}
	for _, f := range p.Function {
		f.Filename = ""
	}
	p.Comments = nil
}
