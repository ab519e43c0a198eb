package report

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Figures are the numbers that a run comes to.
type Figures struct {
	// Duration is the virtual time until the run ended; LastStep is that from the last step until nothing changed any
	// more, nil if the run did not settle or had no step. A status that is written again as it was is no change.
	Duration time.Duration
	LastStep *time.Duration
	// Sets are the numbers of each set, in the order in which the sets appear.
	Sets []SetFigures
	// Replaced is the number of pods that were created under a name that an earlier pod had, of all sets.
	Replaced int
}

// SetFigures are the numbers of one set.
type SetFigures struct {
	Key model.Key
	// Complete says that all replicas have served at some time; Fewest is the least number of pods that served from then
	// on, at the end of an instant, FewestAt when that was first so, and FewestOf the replicas that were wanted then.
	// Replicas are what the spec asks for at last.
	Complete                   bool
	Fewest, FewestOf, Replicas int
	FewestAt                   model.Time
}

// Figure counts what a run comes to. It costs O(events).
func Figure(run *Run) Figures { return figure(run, summarize(run.Events)) }

// figure is Figure for a caller that has summed the timeline up already.
func figure(run *Run, sum *summary) Figures {
	f := Figures{Duration: time.Duration(run.end())}
	if last := run.result(); last != nil && last.Result.Verdict == timeline.Settled && len(sum.steps) > 0 {
		step := &sum.steps[len(sum.steps)-1]
		took := step.last.Sub(step.t)
		f.LastStep = &took
	}
	for _, set := range sum.Sets() {
		f.Replaced += set.Replaced()
		f.Sets = append(f.Sets, SetFigures{
			Key: set.Key, Complete: set.Complete, Fewest: set.Fewest, FewestAt: set.FewestAt,
			FewestOf: int(set.FewestOf), Replicas: int(set.Replicas),
		})
	}
	return f
}

// Least returns the set that came down the furthest, by its share of serving pods, the first of several; nil if none
// was ever complete. The result points into f.Sets.
func (f *Figures) Least() *SetFigures {
	var least *SetFigures
	for i := range f.Sets {
		set := &f.Sets[i]
		if set.Complete && set.Replicas > 0 && (least == nil || set.lower(least)) {
			least = set
		}
	}
	return least
}

// lower says whether a smaller share of the pods that were wanted served than of another set. None of none is no share.
func (s *SetFigures) lower(other *SetFigures) bool {
	if s.FewestOf == 0 || other.FewestOf == 0 {
		return s.FewestOf > 0
	}
	return s.Fewest*other.FewestOf < other.Fewest*s.FewestOf
}

// never returns the names of the sets that ask for pods, and of which all have never served at once.
func (f *Figures) never() []string {
	var names []string
	for i := range f.Sets {
		if set := &f.Sets[i]; !set.Complete && set.Replicas > 0 {
			names = append(names, set.Key.Name)
		}
	}
	return names
}
