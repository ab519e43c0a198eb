// Package sweep plays a scenario with many seeds and sums up the results: how long it took, how many pods served at
// least, how it ended, and which seeds were worst.
//
// A Sum is a monoid: adding runs in any order, in any number of parts, and merging the parts in any order gives the
// same Sum, byte for byte in JSON. So shards can be played on different machines.
//
// The command line calls it, for `sim sweep` and `sim merge`; it reads no files and prints no errors. A Sum holds no
// run: its size does not grow with the number of runs, only with that of the distinct durations, sets and verdicts.
package sweep

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Run is the result of one seed.
type Run struct {
	// Seed is the one that it was played with, Verdict how it ended.
	Seed    uint64
	Verdict timeline.Verdict
	// Held says whether all expectations held, and the run ended as one of them says, or settled.
	Held bool
	// Takes is the time from the last step to the last change of a pod; 0 if nothing changed after it.
	Takes time.Duration
	// Fewest are, for each set, the fewest of its pods that served at a fixed point once all its replicas had, as sim run
	// counts them (timeline.SetTally). A set that never served with all its replicas is not among them.
	Fewest []Fewest
}

// Fewest is the fewest pods of a set that served at the same time.
type Fewest struct {
	Set  model.Key
	Pods int
}

// Play plays a scenario with a seed. The scenario itself does not change, so several seeds may be played at the same
// time. The Chooser of the options must be nil, or the seed has no effect. The result holds nothing of the timeline.
func Play(s *scenario.Scenario, seed uint64, o scenario.RunOptions) Run {
	seeded := *s
	seeded.Seed = seed
	outcome := seeded.Run(o)
	r := Run{Seed: seed, Verdict: outcome.Result.Verdict, Held: outcome.Held()}
	r.look(outcome.Timeline)
	return r
}

// look reads the duration and the pods that served from a timeline.
func (r *Run) look(events []timeline.Event) {
	var step, change model.Time
	for i := range events {
		switch e := &events[i]; e.Kind {
		case timeline.KindStep:
			step = e.T
		case timeline.KindPod:
			change = e.T
		}
	}
	r.Takes = max(0, change.Sub(step))
	for _, set := range timeline.TallyOf(events).Sets() {
		if set.Complete {
			r.Fewest = append(r.Fewest, Fewest{set.Key, set.Fewest})
		}
	}
}

// Seeds are the seeds of a sweep: so many from First on, of which a shard plays its part. Each calls its argument for
// each number below n, and Done is told how many of all are played; it plays until Interrupted.
type Seeds struct {
	First       uint64
	Runs        int
	Shard       search.Shard
	Sim         string
	Interrupted func() bool
	Each        func(n int, work func(i int))
	Done        func(done, all int)
}

// batch is the number of runs that are summed up at a time, so that none has to be kept for long.
const batch = 1000

// Sum plays the seeds of one scenario that belong to the shard: those whose index leaves the rest of the shard. After
// an interruption no batch begins; the runs of the one that is under way end at once, and those that were cut off are
// not in the sum.
func (o *Seeds) Sum(file string, s *scenario.Scenario) *Sum {
	version := s.Profile.Version()
	sum := &Sum{File: file, Kubernetes: version, PreRelease: statefulset.Unreleased(version), Digest: s.Digest,
		First: o.First}
	if o.Shard.Of > 1 {
		sum.Shards = search.Shards{o.Shard.String()}
	}
	var seeds []uint64
	for i := range o.Runs {
		if o.Shard.Of <= 1 || i%o.Shard.Of == o.Shard.Index {
			seeds = append(seeds, o.First+uint64(i))
		}
	}
	done := 0
	for part := range slices.Chunk(seeds, batch) {
		if o.Interrupted() {
			break
		}
		runs := make([]Run, len(part))
		o.Each(len(part), func(i int) {
			runs[i] = Play(s, part[i], scenario.RunOptions{Sim: o.Sim, Interrupted: o.Interrupted})
		})
		sum.Add(slices.DeleteFunc(runs, func(r Run) bool { return r.Verdict == timeline.Interrupted }))
		done += len(part)
		o.Done(done, len(seeds))
	}
	sum.Stopped = sum.Runs < len(seeds)
	return sum
}
