package scenario

import (
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Options change how a scenario is read. The zero value changes nothing.
type Options struct {
	// Kubernetes, Gates and Seed override what the scenario says.
	Kubernetes string
	Gates      map[string]bool
	Seed       *uint64
	// With are fields that every set is given that a step creates, applies or replaces, over what its manifest says.
	With []Setting
	// Limits are the limits of what a file may ask for; those that are 0 have their defaults.
	Limits strict.Limits
	// Root is the folder that paths of manifests may not leave; "" is the scenario's own.
	Root string
}

// Scenario is a scenario as it was read: a world, the steps in it, and what is expected.
type Scenario struct {
	// Name is the name in the file, or else its file name. Path is the path that was passed to Load.
	Name, Path, Description string
	// Kubernetes is the version as the scenario, or an option, names it. Profile is that version with the gates.
	Kubernetes string
	Profile    statefulset.Profile
	// Gates are the feature gates that the scenario, or an option, names.
	Gates []timeline.Gate
	Seed  uint64
	// Until is the virtual time at which a run ends unsettled. Where the file does not give it, and UntilGiven is not set
	// for an option that does, a run that repeats itself ends before that.
	Until      time.Duration
	UntilGiven bool
	// MaxEvents, MaxReplicas and MaxCost are the limits of the options, for the run and for what its conditions cost.
	MaxEvents, MaxReplicas int
	MaxCost                int64
	Kubelet                behaviour.Behaviour
	Cluster                sim.Cluster
	Machinery              sim.Machinery
	Volumes                sim.Volumes
	Collector              sim.Collector
	Steps                  []sim.Step
	// StepLines are the lines of the steps in the file, FaultLines those of the faults, in their order.
	StepLines, FaultLines []int
	// Start is the dump that the world begins with, nil if it begins empty.
	Start *dump.Dump
	// Faults are the faults, in the order of the file.
	Faults []sim.Fault
	// DNSDelay is the time from a change of a pod to the new answer of the DNS, DNSTTL the time for which answers are
	// cached.
	DNSDelay, DNSTTL time.Duration
	// Expectations are the expectations by which the run is judged.
	Expectations []*expect.Expectation
	// Ignored names the objects of manifests that play no part, each once.
	Ignored []string
	// Warnings say what of the manifests kubectl lets pass though it is hardly meant: a doubled key.
	Warnings []string
	// Exploration is the block explore, nil if there is none.
	Exploration *Exploration
	// Others are all objects of manifests that are no StatefulSets, in their order.
	Others []manifest.Other
	// Digest is the digest of the scenario and of the manifests it names, as they were read.
	Digest string

	// carried are the expectations that steps have of themselves.
	carried []*expect.Expectation
}

// Load reads a scenario file. Paths in it begin in its folder. Where the input is wrong the error is strict.Problems,
// with all that is wrong.
func Load(path string, o Options) (*Scenario, error) {
	data, err := readScenario(path, o.Limits)
	if err != nil {
		return nil, strict.Problems{{File: path, What: "the scenario cannot be read", Want: why(err)}}
	}
	return Parse(path, data, Folder(filepath.Dir(path), o.Root), o)
}

// Parse reads a scenario. Its name is for messages; the paths in it are opened in dir, which may be nil if there are
// none. Where the input is wrong the error is strict.Problems, with all that is wrong.
func Parse(name string, data []byte, dir fs.FS, o Options) (*Scenario, error) {
	l := newLoader(name, dir, o)
	l.digest.Write(data)
	docs, problems := strict.Parse(name, data, o.Limits)
	if len(docs) > 0 && l.isManifest(docs[0]) {
		return nil, l.err()
	}
	root, problems := strict.One(name, docs, problems)
	l.r.Problems = problems
	if root != nil {
		l.file(root)
	}
	if err := l.err(); err != nil {
		return nil, err
	}
	for _, warning := range slices.Concat(l.r.Warnings, l.warnings).Sorted() {
		l.scenario.Warnings = append(l.scenario.Warnings, warning.Error())
	}
	return l.scenario, nil
}
