package sweep

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// Sum is the result of many seeds of one scenario on one version: `sweeps[]` of `sim sweep -o json`. The caller sets
// File, Kubernetes, PreRelease, Digest, First and Shards; Add and Merge keep the rest up to date.
type Sum struct {
	// File is the path of the scenario, as the command has it, and Kubernetes the version that it was played on. sim
	// merge adds up the sums that have both in common.
	File       string `json:"file"`
	Kubernetes string `json:"kubernetes"`
	model.PreRelease
	// Digest identifies the scenario as it was read.
	Digest string `json:"digest"`
	// First is the first seed, Runs how many runs there are. Shards are the parts of the sweep that are in it;
	// if there are none, it is the whole sweep.
	First  uint64        `json:"first"`
	Runs   int           `json:"runs"`
	Shards search.Shards `json:"shards,omitempty"`
	// Stopped says that the sweep, or a part of it, was interrupted: runs are missing.
	Stopped bool `json:"stopped,omitempty"`
	// Held counts the runs in which all expectations held.
	Held Share `json:"held"`
	// Verdicts count how the runs ended, sorted by verdict, each once.
	Verdicts []Verdict `json:"verdicts"`
	// Takes is the distribution of the time from the last step to the last change of a pod, in seconds.
	Takes Durations `json:"takes"`
	// Sets are the StatefulSets, sorted by NAMESPACE/NAME, each with the fewest pods that served. Runs in which a set
	// never served with all its replicas are not counted for it.
	Sets []Serving `json:"sets,omitempty"`
	// Worst are at most ten runs, the worst first: runs in which an expectation failed, then those with the fewest
	// pods that served, then the longest, then the lowest seed.
	Worst []Worst `json:"worst"`
}

// Share is a count of runs and the certainty of its percentage of the Sum's Runs; all are 0 while those are 0.
type Share struct {
	// Count is the number of runs. Low and High bound their percentage with a confidence of 95 % (Wilson's interval).
	Count int     `json:"count"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Verdict counts the runs that ended in one way.
type Verdict struct {
	// Verdict says how they ended: settled, stuck and so on, as in the expectation ends.
	Verdict string `json:"verdict"`
	Share
}

// Serving counts the runs by the fewest serving pods of a set. The runs of all counts together are at most those of the
// sum: fewer, if the set never served with all its replicas in some.
type Serving struct {
	// Set is NAMESPACE/NAME.
	Set string `json:"set"`
	// Fewest counts the runs by the fewest pods that served, the fewest first.
	Fewest []Count `json:"fewest"`
}

// Count is the number of runs with a value.
type Count struct {
	// Value is a number of pods, Runs the number of runs in which it was the fewest.
	Value int `json:"value"`
	Runs  int `json:"runs"`
}

// Worst is a run that is worth a look.
type Worst struct {
	// Seed plays the run again, with sim run --seed. Held says whether all expectations held. Fewest is the fewest
	// serving pods over all sets, 0 if there is none; Takes is in seconds.
	Seed    uint64  `json:"seed"`
	Verdict string  `json:"verdict"`
	Held    bool    `json:"held"`
	Fewest  int     `json:"fewestServing"`
	Takes   float64 `json:"takes"`
}

// keptWorst is the number of the worst runs that are kept.
const keptWorst = 10

// Durations are a distribution of durations.
type Durations struct {
	// Min, Max, Mean and the percentiles P50, P90 and P99 are in seconds, exact to three digits.
	Min  float64 `json:"min"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
	Mean float64 `json:"mean"`
	// Bars are the values in milliseconds and their counts, from which distributions are merged and made.
	Bars [][2]int64 `json:"bars"`
}

// longest is the longest duration that is distinguished, in milliseconds: the greatest virtual time that a file may
// name. Longer ones count as this.
const longest = int64(10 * 365 * 24 * time.Hour / time.Millisecond)

// Add takes in the runs of one part, in any order. It sorts nothing but the worst runs, so parts may be long; runs are
// not kept. Seeds are not compared: a run that is given twice counts twice.
func (s *Sum) Add(runs []Run) {
	takes := s.Takes.histogram()
	for i := range runs {
		r := &runs[i]
		s.Runs++
		if r.Held {
			s.Held.Count++
		}
		s.ended(string(r.Verdict), 1)
		if err := takes.RecordValue(min(r.Takes.Milliseconds(), longest)); err != nil {
			panic(fmt.Sprintf("sweep: a duration of %s: %v", r.Takes, err))
		}
		fewest := math.MaxInt
		for _, f := range r.Fewest {
			s.served(f.Set.String(), f.Pods, 1)
			fewest = min(fewest, f.Pods)
		}
		if len(r.Fewest) == 0 {
			fewest = 0
		}
		s.Worst = append(s.Worst, Worst{r.Seed, string(r.Verdict), r.Held, fewest, r.Takes.Seconds()})
		if len(s.Worst) > 100*keptWorst {
			s.keepWorst()
		}
	}
	s.Takes = durations(takes)
	s.finish()
}

// Merge adds another part of the same sweep, which does not change. The error says that it is part of another sweep, or
// that a shard would be counted twice; then s is as it was. File is not compared. Both must be sums that a
// sweep can have (check).
func (s *Sum) Merge(other *Sum) error {
	if s.Digest != other.Digest || s.Kubernetes != other.Kubernetes || s.First != other.First {
		return fmt.Errorf("%s on %s: these are parts of different sweeps", s.File, statefulset.Title(s.Kubernetes))
	}
	shards, err := s.Shards.With(other.Shards)
	if err != nil {
		return fmt.Errorf("%s on %s: %w", s.File, statefulset.Title(s.Kubernetes), err)
	}
	s.Shards, s.Stopped = shards, s.Stopped || other.Stopped
	s.Runs += other.Runs
	s.Held.Count += other.Held.Count
	for _, v := range other.Verdicts {
		s.ended(v.Verdict, v.Count)
	}
	for _, set := range other.Sets {
		for _, c := range set.Fewest {
			s.served(set.Set, c.Value, c.Runs)
		}
	}
	takes := s.Takes.histogram()
	takes.Merge(other.Takes.histogram())
	s.Takes = durations(takes)
	s.Worst = append(s.Worst, other.Worst...)
	s.finish()
	return nil
}

// check says what is wrong with a sum that was read and that no sweep can have, with a path that begins at the sum.
func (s *Sum) check() *strict.Wrong {
	if s == nil {
		return &strict.Wrong{What: "a sweep is null", Want: "it must be a report of sim sweep -o json"}
	}
	on := fmt.Sprintf("%s on %s: ", s.File, statefulset.Title(s.Kubernetes))
	if s.Runs < 0 {
		return &strict.Wrong{Path: []any{"runs"}, What: fmt.Sprintf("%sno sweep has %d runs", on, s.Runs)}
	}
	runs := int64(0)
	for i, bar := range s.Takes.Bars {
		if bar[0] < 0 || bar[0] > longest || bar[1] < 1 || bar[1] > int64(s.Runs) {
			return &strict.Wrong{Path: []any{"takes", "bars", i}, Want: "a bar is [milliseconds, runs]",
				What: fmt.Sprintf("%sno sweep of %d runs has the bar [%d, %d]", on, s.Runs, bar[0], bar[1])}
		}
		runs += bar[1]
	}
	if runs != int64(s.Runs) {
		return &strict.Wrong{Path: []any{"takes", "bars"}, What: fmt.Sprintf("%sthe bars count %d runs", on, runs),
			Want: fmt.Sprintf("the sweep has %d", s.Runs)}
	}
	for i, set := range s.Sets {
		if len(set.Fewest) == 0 {
			return &strict.Wrong{Path: []any{"sets", i}, What: fmt.Sprintf("%sthe set %q counts no runs", on, set.Set),
				Want: "it must say how many pods served"}
		}
	}
	return nil
}

// ended counts runs by their verdict.
func (s *Sum) ended(verdict string, runs int) {
	at, found := slices.BinarySearchFunc(s.Verdicts, verdict, func(v Verdict,
		name string) int {
		return cmp.Compare(v.Verdict, name)
	})
	if !found {
		s.Verdicts = slices.Insert(s.Verdicts, at, Verdict{Verdict: verdict})
	}
	s.Verdicts[at].Count += runs
}

// served counts runs by the fewest pods of a set.
func (s *Sum) served(set string, pods, runs int) {
	at, found := slices.BinarySearchFunc(s.Sets, set, func(s Serving, name string) int { return cmp.Compare(s.Set, name) })
	if !found {
		s.Sets = slices.Insert(s.Sets, at, Serving{Set: set})
	}
	fewest := &s.Sets[at].Fewest
	i, found := slices.BinarySearchFunc(*fewest, pods, func(c Count, n int) int { return cmp.Compare(c.Value, n) })
	if !found {
		*fewest = slices.Insert(*fewest, i, Count{Value: pods})
	}
	(*fewest)[i].Runs += runs
}

// finish brings what follows from the counts up to date. Takes is set by whoever changes the counts.
func (s *Sum) finish() {
	s.Held = share(s.Held.Count, s.Runs)
	for i := range s.Verdicts {
		s.Verdicts[i].Share = share(s.Verdicts[i].Count, s.Runs)
	}
	s.keepWorst()
}

// keepWorst keeps the worst runs. The order is total, so it does not matter in which order runs came.
func (s *Sum) keepWorst() {
	slices.SortFunc(s.Worst, func(a, b Worst) int {
		return cmp.Or(search.FalseFirst(a.Held, b.Held), cmp.Compare(a.Fewest, b.Fewest), cmp.Compare(b.Takes, a.Takes),
			cmp.Compare(a.Seed, b.Seed))
	})
	s.Worst = s.Worst[:min(len(s.Worst), keptWorst)]
}

// share returns a count with its interval, in percent with two digits behind the point.
func share(count, of int) Share {
	if of == 0 {
		return Share{}
	}
	const z = 1.959964
	n, p := float64(of), float64(count)/float64(of)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	round := func(x float64) float64 { return math.Round(min(max(x, 0), 1)*1e4) / 100 }
	return Share{Count: count, Low: round(middle - half), High: round(middle + half)}
}

// histogram returns the bars as a histogram, to which runs can be added.
func (d *Durations) histogram() *hdrhistogram.Histogram {
	h := hdrhistogram.New(1, longest, 3)
	for _, bar := range d.Bars {
		if err := h.RecordValues(bar[0], bar[1]); err != nil {
			panic(fmt.Sprintf("sweep: a bar of %d ms: %v", bar[0], err))
		}
	}
	return h
}

// durations reads the quantiles from a histogram. Without runs it is 0, with Bars not nil, which is a list in JSON.
func durations(h *hdrhistogram.Histogram) Durations {
	d := Durations{Mean: math.Round(h.Mean()) / 1000, Bars: [][2]int64{}}
	bars := slices.DeleteFunc(h.Distribution(), func(b hdrhistogram.Bar) bool { return b.Count == 0 })
	for _, bar := range bars {
		d.Bars = append(d.Bars, [2]int64{bar.From, bar.Count})
	}
	// A bar stands for all values in it. The least of them is printed, which is a round number if the times are.
	seconds := func(value int64) float64 {
		at := slices.IndexFunc(bars, func(b hdrhistogram.Bar) bool { return value <= b.To })
		if at < 0 {
			return 0
		}
		return float64(bars[at].From) / 1000
	}
	d.Min, d.Max = seconds(h.Min()), seconds(h.Max())
	d.P50, d.P90, d.P99 = seconds(h.ValueAtPercentile(50)), seconds(h.ValueAtPercentile(90)),
		seconds(h.ValueAtPercentile(99))
	return d
}
