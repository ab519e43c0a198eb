package explore

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Report says what an exploration has found, and what it has searched: the document of `sim explore -o json`.
type Report struct {
	// Found has one finding of each class for each part: those of grave promises first, then those with the fewest
	// deviations, then those that deviate first. It is an empty list, and not null, if nothing was found.
	Found []*Found `json:"found"`
	// Waived are the findings that a waiver has taken out of Found, in the same order.
	Waived []*Found `json:"waived,omitempty"`
	// Searched is the sum over all parts.
	Searched Searched `json:"searched"`
	// Parts are the scenarios and versions that were explored, in the order in which they were given. Reports are merged
	// part by part, so a part keeps its own findings, waived or not.
	Parts []*Part `json:"parts"`
}

// Searched says how far a search got.
type Searched struct {
	// Runs counts all runs, Random those of the random search; States the states that the others reached.
	Runs   int `json:"runs"`
	Random int `json:"random"`
	States int `json:"states"`
	// Complete is the number of deviations up to which every run was made, in all parts.
	Complete int `json:"complete"`
	// Stopped is true if the search was ended from outside.
	Stopped bool `json:"stopped,omitempty"`
}

// Part is the search of one scenario on one version, or some shards of it.
type Part struct {
	// File is the file that was explored, Kubernetes the version on which it was.
	File       string `json:"file"`
	Kubernetes string `json:"kubernetes"`
	model.PreRelease
	// Digest identifies what was explored. Parts with one digest and one file are shards of one search.
	Digest string `json:"digest"`
	// Shards are the parts of the search that are in it, "3/8", in order; if there are none, it is the whole search.
	Shards search.Shards `json:"shards,omitempty"`
	// Result is what the search itself found and counted, from which sim merge makes the whole. Found has, for each of
	// its findings in the same order, what people read.
	Result search.Result `json:"result"`
	Found  []*Found      `json:"found,omitempty"`
	// Refused says what the API server refuses of a change that the files ask for.
	Refused []string `json:"refused,omitempty"`
}

// Settings say how far an exploration goes.
type Settings struct {
	// Deviations, Runs, Random, Seed, Shard, Every, Stop and Tell are those of the search. Runs is for each part.
	Deviations, Runs, Random int
	Seed                     uint64
	Shard                    search.Shard
	Every                    func(n int, part func(i int))
	Stop                     func() bool
	Tell                     func(states int)
	// Blind searches without the knowledge of states: no run stops because another has been in its state. Tests use it.
	Blind bool
}

// Explore searches, and reports what it has found. Its time is that of the runs, and of the plain scenarios that are
// played to simplify each finding (at most some hundreds for one). It returns an error only if a finding cannot be
// told, which is a defect of the simulator.
func (x *Explorer) Explore(s Settings) (*Part, error) {
	r := search.Search(search.Options{
		Subject: x.Subject, Open: x.Open, Deviations: s.Deviations, Runs: s.Runs, Random: s.Random, Seed: s.Seed,
		Shard: s.Shard, Every: s.Every, Stop: s.Stop, Tell: s.Tell, Blind: s.Blind,
	})
	part := &Part{
		File: x.source.Name, Kubernetes: x.Kubernetes(), PreRelease: statefulset.Unreleased(x.Kubernetes()),
		Digest: x.Digest(), Result: r,
	}
	part.Refused = x.refused()
	if s.Shard.Of > 1 {
		part.Shards = search.Shards{s.Shard.String()}
	}
	var err error
	part.Found, err = x.tellAll(r.Found, s.Every)
	return part, err
}

// tellAll tells all findings of a search, in their order, several at a time if every plays them so.
func (x *Explorer) tellAll(all []search.Found, every func(n int, part func(i int))) ([]*Found, error) {
	if len(all) == 0 {
		return nil, nil
	}
	told, errs := make([]*Found, len(all)), make([]error, len(all))
	tell := func(i int) { told[i], errs[i] = x.Tell(all[i]) }
	if every != nil {
		every(len(all), tell)
	} else {
		for i := range all {
			tell(i)
		}
	}
	return told, errors.Join(errs...)
}

// NewReport makes a report of several parts. It shares their findings, which it does not change.
func NewReport(parts []*Part) *Report {
	r := &Report{Found: []*Found{}, Parts: parts}
	for i, p := range parts {
		all := p.Result.First.Plus(p.Result.Rest)
		r.Searched.Runs += all.Runs
		r.Searched.Random += all.Random
		r.Searched.States += all.States
		r.Searched.Stopped = r.Searched.Stopped || p.Result.Stopped
		if i == 0 || p.Result.Complete < r.Searched.Complete {
			r.Searched.Complete = p.Result.Complete
		}
		r.Found = append(r.Found, p.Found...)
	}
	slices.SortStableFunc(r.Found, func(a, b *Found) int {
		return cmp.Or(search.FalseFirst(!a.grave(), !b.grave()), search.CompareTapes(a.Tape, b.Tape))
	})
	return r
}

// grave says whether the broken promise is a grave one, see promise.Promise. A promise that this version of the
// simulator does not know is not grave.
func (f *Found) grave() bool {
	p, _ := promise.Lookup(f.Promise)
	return p.Grave
}

// Everything is the name that waives all known traps.
const Everything = "all"

// Waive moves the findings that are known under one of the names from Found to Waived. A finding without a known name
// is never waived, not even by Everything: that is how a new trap makes a check fail. It changes the report and not
// its parts.
func (r *Report) Waive(names []string) {
	known := func(f *Found) bool {
		return f.Known != "" && (slices.Contains(names, f.Known) || slices.Contains(names, Everything))
	}
	for _, f := range r.Found {
		if known(f) {
			r.Waived = append(r.Waived, f)
		}
	}
	r.Found = slices.DeleteFunc(r.Found, known)
}

// Merge combines the reports of several shards. Neither their order matters, nor whether some were merged before. The
// error says why two of them are no parts of one search; it is a strict.Wrong. The names that one of the reports has
// waived are waived in the whole.
func Merge(reports []*Report) (*Report, error) {
	var parts []*Part
	var waived []string
	for document, r := range reports {
		if wrong := r.check(); wrong != nil {
			wrong.Document = document
			return nil, wrong
		}
		for _, f := range r.Waived {
			waived = append(waived, f.Known)
		}
		for k, p := range r.Parts {
			same := func(q *Part) bool { return q.Digest == p.Digest && q.File == p.File }
			i := slices.IndexFunc(parts, same)
			if i < 0 {
				parts = append(parts, p)
				continue
			}
			merged, err := parts[i].with(p)
			if err != nil {
				return nil, &strict.Wrong{Document: document, Path: []any{"parts", k},
					What: fmt.Sprintf("%s on %s: %s", p.File, statefulset.Title(p.Kubernetes), err)}
			}
			parts[i] = merged
		}
	}
	for _, p := range parts {
		p.Shards = p.Shards.Settled()
	}
	whole := NewReport(parts)
	whole.Waive(waived)
	return whole, nil
}

// check says what is wrong with a report that was read and that no exploration can have.
func (r *Report) check() *strict.Wrong {
	null := func(path ...any) *strict.Wrong {
		return &strict.Wrong{Path: path, What: "a part or a finding is null",
			Want: "it must be a report of sim explore -o json"}
	}
	if i := slices.Index(r.Waived, nil); i >= 0 {
		return null("waived", i)
	}
	for k, p := range r.Parts {
		if p == nil {
			return null("parts", k)
		}
		if i := slices.Index(p.Found, nil); i >= 0 {
			return null("parts", k, "found", i)
		}
		for i := range p.Result.Found {
			if toldOf(&p.Result.Found[i], p.Found) == nil {
				return &strict.Wrong{Path: []any{"parts", k, "result", "found", i}, What: fmt.Sprintf(
					"%s on %s: parts.found must describe each finding of parts.result.found", p.File, statefulset.Title(p.Kubernetes))}
			}
		}
	}
	return nil
}

// with merges a part with another of the same search; neither changes. Each finding of the merged result is one that a
// shard has told already, so nothing is played.
func (p *Part) with(other *Part) (*Part, error) {
	shards, err := p.Shards.With(other.Shards)
	if err != nil {
		return nil, err
	}
	result, err := search.Merge(p.Result, other.Result)
	if err != nil {
		return nil, err
	}
	merged := *p
	merged.Result = result
	merged.Shards = shards
	merged.Found = nil
	for i := range result.Found {
		merged.Found = append(merged.Found, toldOf(&result.Found[i], p.Found, other.Found))
	}
	return &merged, nil
}

// toldOf returns the finding in lists that describes a result of the search, nil if none does.
func toldOf(f *search.Found, lists ...[]*Found) *Found {
	for _, list := range lists {
		for _, told := range list {
			if told.Class == f.Class && search.CompareTapes(told.Tape, f.Tape) == 0 && told.Runs == f.Runs {
				return told
			}
		}
	}
	return nil
}

// refused returns the refusals of the plain run, each as a sentence. Where the files are a change, and not a scenario
// that may mean to be refused, nothing of the change happens then, so a search that finds nothing says nothing of it.
func (x *Explorer) refused() []string {
	if !x.source.Change {
		return nil
	}
	var list []string
	outcome := x.scenario.Run(scenario.RunOptions{Interrupted: x.Interrupted})
	for i := range outcome.Timeline {
		if step := outcome.Timeline[i].Step; step != nil && step.Effect == timeline.Refused && step.ExpectedRefusal == "" {
			list = append(list, fmt.Sprintf("Kubernetes %s refuses the change: %s", x.scenario.Profile.Title(), step.Refusal))
		}
	}
	return list
}

// Refused returns the refusals of all parts, each once.
func (r *Report) Refused() []string {
	var list []string
	for _, part := range r.Parts {
		for _, text := range part.Refused {
			if !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}
