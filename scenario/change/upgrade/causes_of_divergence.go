package upgrade

import (
	"slices"
	"sync"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
)

// Play plays something under a profile from its beginning. It may stop at the virtual time that is given, unless that
// is 0; it may also play on, as the caller cuts the timeline itself. It must be deterministic: Pair calls it again
// with changed profiles and compares the timelines event by event. The caller does not change what it returns.
type Play func(profile statefulset.Profile, until time.Duration) []timeline.Event

// Pair is one thing that was played under two profiles.
type Pair struct {
	From, To statefulset.Profile
	// Runs are the timelines under From and under To, both whole: each ends with its result.
	Runs [2][]timeline.Event
	// Parting is the point where they diverge; nil if they are alike.
	Parting *versus.Parting

	play Play
}

// NewPair plays something under two profiles, whole, the earlier one first.
func NewPair(from, to statefulset.Profile, play Play) *Pair {
	return pairOf(from, to, play, [2][]timeline.Event{play(from, 0), play(to, 0)})
}

// pairOf returns the pair of two runs that were played whole, which may be one run. Play is kept to look for causes.
func pairOf(from, to statefulset.Profile, play Play, runs [2][]timeline.Event) *Pair {
	pair := &Pair{From: from, To: to, play: play, Runs: runs}
	if &runs[0][0] != &runs[1][0] {
		pair.Parting = versus.Find(runs[0], runs[1])
	}
	return pair
}

// Causes returns the differences between the two profiles that make the later one do what it does where the runs
// diverge: with any one of them reverted, it does something else there. If there is none, because several differences
// each have this effect, it returns those that have it alone. It may be empty. Each difference costs one or two runs
// up to the divergence.
func (p *Pair) Causes() []statefulset.Difference {
	return p.causes(slices.DeleteFunc(slices.Clone(statefulset.Differences), func(d statefulset.Difference) bool {
		return d.On(p.From) == d.On(p.To)
	}))
}

// causes returns the differences that are the reasons. It changes the list that it is given. A caller that knows that
// some differences cannot matter leaves them out, and so saves their runs.
func (p *Pair) causes(differ []statefulset.Difference) []statefulset.Difference {
	switch {
	case p.Parting == nil:
		return nil
	case len(differ) == 1:
		// With it reverted nothing differs.
		return differ
	}
	parting := sync.OnceValue(func() *versus.Parting { return p.until(p.Runs[1]) })
	same := func(run []timeline.Event) bool { return &run[0] == &p.Runs[1][0] || p.until(run).Same(parting()) }
	needless := func(d statefulset.Difference) bool {
		return same(p.play(d.With(p.To, d.On(p.From)), p.limit()))
	}
	if needed := slices.DeleteFunc(slices.Clone(differ), needless); len(needed) > 0 {
		return needed
	}
	return slices.DeleteFunc(differ, func(d statefulset.Difference) bool {
		return !same(p.play(d.With(p.From, d.On(p.To)), p.limit()))
	})
}

// CausesOfLeft returns the differences between the two profiles without any one of which the later run leaves
// something else behind at its end, where the two runs do not leave the same. Each difference costs a whole run. It is
// empty if several differences each have the effect alone, as no single one is then needed.
func (p *Pair) CausesOfLeft() []statefulset.Difference {
	if left := versus.Left(p.Runs[0], p.Runs[1]); left[0] == left[1] {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(statefulset.Differences), func(d statefulset.Difference) bool {
		if d.On(p.From) == d.On(p.To) {
			return true
		}
		left := versus.Left(p.Runs[1], p.play(d.With(p.To, d.On(p.From)), 0))
		return left[0] == left[1]
	})
}

// whole says whether the runs differ in how they end, which only whole runs show.
func (p *Pair) whole() bool {
	for _, side := range p.Parting.Sides {
		if m := side.Moment; m != nil && m.Verdict != "" && m.Verdict != timeline.Livelock {
			return true
		}
	}
	return false
}

// limit returns the time at which a run may end if only its acts at the divergence matter; 0 means that it must be
// whole. One nanosecond is added, because a divergence at 0 must not mean that.
func (p *Pair) limit() time.Duration {
	if p.whole() {
		return 0
	}
	return time.Duration(p.Parting.T) + 1
}

// until finds where a run diverges from the earlier version's, if it does so up to the given instant; nil if it does
// not.
func (p *Pair) until(run []timeline.Event) *versus.Parting {
	switch {
	case &run[0] == &p.Runs[0][0]:
		return nil
	case p.whole():
		return versus.Find(p.Runs[0], run)
	}
	return versus.Find(cut(p.Runs[0], p.Parting.T), cut(run, p.Parting.T))
}

func cut(events []timeline.Event, t model.Time) []timeline.Event {
	end := 0
	for end < len(events) && events[end].T <= t && events[end].Kind != timeline.KindResult {
		end++
	}
	return events[:end]
}
