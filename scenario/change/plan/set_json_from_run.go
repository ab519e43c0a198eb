package plan

import (
	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/search/atlas"
)

// notPlayed is the headline of a set whose run ended before the change came.
const notPlayed = "was not played"

// blank is the document of a set of which nothing is said yet.
func blank(s *stored.Set) Set {
	return Set{
		Namespace: s.Pair.Key.Namespace, Name: s.Pair.Key.Name, key: s.Pair.Key, pair: s.Pair,
		Changes: []diff.Change{}, Order: []string{}, Moves: run.Moves{},
	}
}

// document says what a change does to a set. It was played as r, unless that is nil; refusal is nil if it is not
// refused. traps are those of the atlas that the version has.
func document(f *stored.Frame, s *stored.Set, r *run.Run, refusal *Refusal, traps []*atlas.Trap) *Set {
	alarms, noted := alarm.Of(&alarm.Subject{Set: s, Input: f.Input, Run: r, Traps: traps, Version: f.Profile.Version()})
	base := blank(s)
	base.alarms, base.Changes, base.Notes = alarms, full(s.Changes), append(notes(f.Input, s, r), noted...)
	switch {
	case s.Fate == stored.Invalid:
		return base.refused("is invalid", &Refusal{
			Message: s.Message, Way: "correct it: this plan leaves it out", Unreadable: len(s.Pair.Wrong) > 0,
		})
	case refusal != nil:
		return base.refused("the API server refuses the change", refusal)
	case r == nil:
		base.Headline, base.Ends = notPlayed, "the run was ended before the change came: raise --max-events"
		return &base
	}
	return base.played(s, r)
}

func (set Set) refused(headline string, refusal *Refusal) *Set {
	set.Does, set.Headline, set.Ends, set.Refusal = Refused, headline, "it is refused", refusal
	return &set
}

func (set Set) played(s *stored.Set, r *run.Run) *Set {
	f, duration := r.Main, r.Duration
	duration.Timings = full(duration.Timings)
	word, sentence := does(s, f)
	set.Does, set.Headline, set.Shows = word, doubtful(s, sentence), s.Now
	set.Now, set.Then = judgements(s, f)
	set.Order, set.Moves = full(f.Moves.Order(false)), full(f.Moves)
	if !duration.Known {
		set.Moves = f.Moves.Untimed()
	}
	set.Completes, set.Ends, set.Volumes = f.Completes(), r.Ends(s), f.Volumes
	set.Fix, set.Duration, set.Budgets, set.Cases, set.Gates = r.Fix, &duration, r.Budgets, r.Cases, r.Gates
	set.Serving = &Serving{Before: f.Before, Fewest: f.Fewest, After: f.Serving, Replicas: f.Replicas}
	set.verdict, set.scales, set.onDelete, set.between = f.Verdict, s.Scales(), s.OnDelete(), f.StartsBetween()
	if set.scales {
		set.from = int(s.Live.Spec.Replicas)
	}
	set.young, set.doubt, set.provided = r.Young(s), s.Doubt(), f.Provided
	if why := s.Unanswered(); why != "" && set.Completes {
		set.Completes, set.Ends, set.Then = false, "it stays stuck: "+why, &s.Judged.Judgement
	}
	return &set
}

// judgements says how a set stands before and after the change; nil if no dump shows its pods.
func judgements(s *stored.Set, f *run.Facts) (now, then *judge.Judgement) {
	switch {
	case s.Judged == nil:
		return nil, nil
	case s.Young(f.Stuck):
		return &s.Judged.Judgement, &s.Judged.Judgement
	}
	return &s.Judged.Judgement, judge.AtEnd(&judge.End{
		Set: s.Pair.Key, Verdict: f.Verdict, Gone: f.Gone, Stuck: f.Stuck, Takes: f.Takes(), Provided: f.Provided,
		Doubted: s.Judged.Doubted,
	})
}

func (set Set) alarmed(trap, format string, args ...any) *Set {
	set.alarms = []alarm.Alarm{alarm.One(set.key, trap, format, args...)}
	return &set
}
