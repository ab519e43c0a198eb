package answer

import (
	"slices"

	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/scenario/runs/verdict"
	"github.com/statefulsim/statefulsim/sim/output/report"
)

// Engine does the work of the commands. Tests replace it, and leave out what they do not call. Its functions may be
// called by several goroutines.
type Engine struct {
	// Load reads a scenario. Wrong input is an error that says where and what.
	Load func(in source, o *World) (scene, error)
	// Check judges a recorded timeline by the expectations of a file.
	Check func(timeline, expectations source, o *World) (*played, error)
	// Expand writes a scenario's short forms out.
	Expand func(in source, o *World) ([]byte, error)
	// Schema is the JSON Schema of scenarios.
	Schema func() ([]byte, error)
	// Versions lists the Kubernetes versions, oldest first; VersionTable says in what they differ, and VersionChanges in
	// what two of them do.
	Versions       func() []string
	VersionTable   func() *report.VersionTable
	VersionChanges func(from, to string) (*report.VersionChanges, error)
	// Causes and cures say why runs part, and what leads out of them.
	Causes verdict.Causes
	Cures  verdict.Cures
}

// What the engine takes and gives.
type (
	source = files.Source
	scene  = verdict.Scene
	ends   = verdict.Ends
	stream = verdict.Stream
	played = verdict.Run
)

// carry gives the run its scenario as the file has it, for reports that show it. A file that cannot be read again, or
// is too long, is left out.
func carry(p *played, in source, limit int64) {
	if data, err := in.Read(limit); err == nil && int64(len(data)) <= limit {
		p.Source = string(data)
	}
}

// loadAll loads n scenarios, and reports what is wrong in any of them, each problem once. They are in their order.
func loadAll[T any](n int, load func(i int) (T, error)) ([]T, error) {
	var all []T
	var problems wrongInput
	for i := range n {
		one, err := load(i)
		if err != nil && !slices.Contains(problems, err.Error()) {
			problems = append(problems, err.Error())
		}
		all = append(all, one)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return all, nil
}
