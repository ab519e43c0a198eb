package scenario

import (
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Options change how a scenario is read. The zero value changes nothing.
type Options struct {
	// Kubernetes, Gates and Seed override what the scenario says; "" and nil override nothing, Gates one by one.
	Kubernetes string
	Gates      map[string]bool
	Seed       *uint64
	// With are fields that override the manifest of every set that a step creates, applies or replaces. They are applied
	// in their order: of two settings of one field, the last wins.
	With []Setting
	// Limits are the limits on what a file may ask for; 0 means the default.
	Limits strict.Limits
	// Root is the folder that paths of manifests may not leave; "" is the scenario's own. Only Load heeds it: Parse opens
	// files in the folder that it is given.
	Root string
}

// Scenario is a scenario as it was read: a world, the steps in it, and what is expected. Nothing in this module
// changes it after it was read, so several goroutines may play it at the same time.
type Scenario struct {
	// Name is the name in the file, or else its file name. Path is the path that was passed to Load.
	Name, Path, Description string
	// Kubernetes is the version as the scenario, an option or the dump names it ("1.36"). Profile is that version to the
	// patch, with the gates.
	Kubernetes string
	Profile    statefulset.Profile
	// Gates are the feature gates that the scenario, or an option, names, sorted by name. Gates that have their default
	// without being named are not in it.
	Gates []timeline.Gate
	// Seed is the seed of all that is drawn.
	Seed uint64
	// Until is the virtual time when a run ends unsettled, with the verdict limit. If neither the file nor an
	// option gives it, UntilGiven is false: then a run that repeats itself ends before that, with the same verdict.
	Until      time.Duration
	UntilGiven bool
	// MaxEvents, MaxReplicas and MaxCost are the limits from the options: on the events of the timeline, the
	// replicas of a set, and the cost of evaluating all conditions (in CEL's units).
	MaxEvents, MaxReplicas int
	MaxCost                int64
	// Kubelet to Collector are the parts of the world as sim.Config has them.
	Kubelet   behaviour.Behaviour
	Cluster   sim.Cluster
	Machinery sim.Machinery
	Volumes   sim.Volumes
	Collector sim.Collector
	// Steps are the steps in the order of the file. A step's Number is its place in it from 1.
	Steps []sim.Step
	// StepLines are the lines of the steps in the file, FaultLines the lines of the faults: step n is on line
	// StepLines[n-1].
	StepLines, FaultLines []int
	// Start is the dump that the world starts from, nil if it starts empty.
	Start *dump.Dump
	// Faults are the faults, in the order of the file.
	Faults []sim.Fault
	// DNSDelay is the time from a change of a pod to the new answer of the DNS, DNSTTL how long answers are cached;
	// 0 means at once, and not at all. DNSTTL only matters to expectations.
	DNSDelay, DNSTTL time.Duration
	// Expectations are the expectations of the block expect, in its order. Steps may expect more.
	Expectations []*expect.Expectation
	// Ignored names the objects of manifests that have no influence on StatefulSets (KIND/NAME), each once, in the order
	// in which they were read.
	Ignored []string
	// Warnings are about parts of the manifests that kubectl accepts and that are probably mistakes, like a key that
	// occurs twice; each has file, line and column, and they are sorted.
	Warnings []string
	// Exploration is the block explore, nil if there is none.
	Exploration *Exploration
	// Others are all objects of manifests that are no StatefulSets, in their order.
	Others []manifest.Other
	// Digest is "sha256:" and the digest of the scenario, of the manifests and dumps that it names, as they were read,
	// and of Options.With. The version, gates and seed of the options are not in it: they are in the header of a timeline
	// by themselves.
	Digest string

	// carried are the expectations that steps have of themselves: that they are refused, and that they come in time.
	carried []*expect.Expectation
}

// Load reads a scenario file. Paths in it are relative to its folder. If it is wrong the error is strict.Problems.
func Load(path string, o Options) (*Scenario, error) {
	data, err := readScenario(path, o.Limits)
	if err != nil {
		return nil, strict.Problems{{File: path, What: "the file cannot be read", Want: why(err)}}
	}
	return Parse(path, data, Folder(filepath.Dir(path), o.Root), o)
}

// Parse reads a scenario. Its name is for messages; the paths in it are opened in dir, which may be nil if there are
// none. If the input is wrong the error is strict.Problems, with all that is wrong, and never another type. The data
// is not kept.
func Parse(name string, data []byte, dir fs.FS, o Options) (*Scenario, error) {
	l := newLoader(name, dir, o)
	l.digest.Write(data)
	if _, err := l.parse(data); err != nil {
		return nil, err
	}
	for _, warning := range slices.Concat(l.r.Warnings, l.warnings).Sorted() {
		l.scenario.Warnings = append(l.scenario.Warnings, warning.Error())
	}
	return l.scenario, nil
}
