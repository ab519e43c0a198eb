package plan

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/atlas"
	"github.com/statefulsim/statefulsim/scenario/judge"
	"github.com/statefulsim/statefulsim/scenario/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/plan/facts"
	"github.com/statefulsim/statefulsim/scenario/plan/run"
	"github.com/statefulsim/statefulsim/scenario/plan/stored"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Set says what a change does to one set.
type Set struct {
	// Namespace and Name are those of the StatefulSet.
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Does is rolls, scales, moves, policy, labels, creates, refused, removes or stays; Headline
	// says it in a sentence.
	Does     string `json:"does"`
	Headline string `json:"headline"`
	// Now says how it stands in a dump before the change, Then how the change leaves it; they are left out where no
	// dump shows its pods. Shows is the state in which the dump shows it, in words; "" if it is at rest or no dump
	// shows it.
	Now   *judge.Judgement `json:"now,omitempty"`
	Then  *judge.Judgement `json:"then,omitempty"`
	Shows string           `json:"shows,omitempty"`
	// Changes are the fields that change, Notes are remarks on them.
	Changes []diff.Change `json:"changes"`
	Notes   []string      `json:"notes,omitempty"`
	// Refusal is set if the API server does not accept the change; then only the ways around it were played.
	Refusal *Refusal `json:"refusal,omitempty"`
	// Order is the order in which pods are deleted and created, in words; Moves is the same pod by pod.
	Order []string    `json:"order"`
	Moves facts.Moves `json:"moves"`
	// Completes says whether the change completes if nothing goes wrong; Ends says how it ends.
	Completes bool   `json:"completes"`
	Ends      string `json:"ends"`
	// Fix heals a change that does not complete from the state of a dump; it is left out if none is needed or known.
	// Duration says how long the change takes.
	Fix      *run.Fix      `json:"fix,omitempty"`
	Duration *run.Duration `json:"duration,omitempty"`
	// Serving counts the serving pods. It is left out if nothing was played, and so is Duration.
	Serving *Serving `json:"serving,omitempty"`
	// Volumes are the claims that the change deletes, with their volumes. Budgets are the PodDisruptionBudgets of its
	// pods, Requirements what --require and the annotation ask for, and Cases what happens if something goes wrong.
	Volumes      []string        `json:"volumes,omitempty"`
	Budgets      []*facts.Budget `json:"budgets,omitempty"`
	Requirements []*Requirement  `json:"requirements,omitempty"`
	Cases        []*run.Case     `json:"cases,omitempty"`
	// Differences say what is different on the other versions.
	Differences []Difference `json:"differences,omitempty"`

	key    model.Key
	alarms []alarm.Alarm
	// verdict is that of the run in which nothing goes wrong.
	verdict timeline.Verdict
	// scales says that the number of replicas changes, onDelete that the strategy of the new set is OnDelete, between
	// that its rollout starts only between two crashes of a pod.
	scales, onDelete, between bool
	// young is true if it is stuck only on pods of which it is too early to say that they do not become Ready.
	young bool
	// doubt says why nothing about it is certain; "" if it can be trusted. provided is what must be true, and a dump
	// does not show, so that it completes.
	doubt, provided string
}

// Refusal is the API server's answer to a change that it does not accept, with a way around it.
type Refusal struct {
	// Message is the API server's message. Changes are the fields that it is about.
	Message string        `json:"message"`
	Changes []diff.Change `json:"changes"`
	// Way says how to make the change nevertheless and, if that was played, its result. Commands are its commands: they
	// were played as they are printed, pasted in one go.
	Way      string   `json:"way"`
	Commands []string `json:"commands,omitempty"`
	// Heals says that with the commands the set is as the new files want it; FewestServing is the least number of
	// serving pods on the way, and Takes how long it takes with the times of the plan.
	Heals         bool          `json:"heals"`
	FewestServing int           `json:"fewestServing"`
	Takes         facts.Seconds `json:"takes,omitempty"`

	// events is the run of the way, nil if none was played.
	events []timeline.Event
	// unreadable is true if its manifest says something that no version of Kubernetes can read.
	unreadable bool
}

// Serving counts the pods that are Ready and not Terminating.
type Serving struct {
	// Before is the number when the change comes, Fewest the least on the way, After the number at its end, of
	// Replicas.
	Before   int `json:"before"`
	Fewest   int `json:"fewest"`
	After    int `json:"after"`
	Replicas int `json:"replicas"`
}

// String says it in a line.
func (s *Serving) String() string {
	if s.Before == 0 {
		return fmt.Sprintf("%d of %d after; none before", s.After, s.Replicas)
	}
	switch {
	case s.Replicas == 0:
		return fmt.Sprintf("%d before, %d after", s.Before, s.After)
	case s.Fewest == 0:
		return fmt.Sprintf("at times none of %d; %d before, %d after", s.Replicas, s.Before, s.After)
	case s.Fewest == s.Replicas && s.Before == s.After && s.After == s.Replicas:
		return fmt.Sprintf("%d of %d all the time", s.Fewest, s.Replicas)
	}
	return fmt.Sprintf("at least %d of %d on the way; %d before, %d after", s.Fewest, s.Replicas, s.Before, s.After)
}

// notPlayed is the headline of a set whose run ended before the change came.
const notPlayed = "was not played"

// document says what a change does to a set. It was played as r, unless that is nil; around is the way around its
// refusal, nil if there is none. traps are those of the atlas that the version has.
func document(f *stored.Frame, s *stored.Set, r *run.Run, around *run.Around, traps []*atlas.Trap) *Set {
	alarms, noted := alarm.Of(&alarm.Subject{Set: s, Input: f.Input, Run: r, Traps: traps})
	base := Set{
		Namespace: s.Pair.Key.Namespace, Name: s.Pair.Key.Name, key: s.Pair.Key, alarms: alarms,
		Changes: full(s.Changes), Order: []string{}, Moves: facts.Moves{}, Notes: append(notes(f.Input, s, r), noted...),
	}
	switch {
	case s.Fate == stored.Invalid:
		return base.refused("is invalid", &Refusal{
			Message: s.Message, Way: "correct it: this plan leaves it out", unreadable: len(s.Pair.Wrong) > 0,
		})
	case around != nil:
		return base.refused("the API server refuses the change", &Refusal{
			Message: s.Message, Changes: full(s.Fixed), Way: around.Says, Commands: around.Commands, Heals: around.Heals,
			FewestServing: around.FewestServing, Takes: facts.Seconds(around.Takes), events: around.Events,
		})
	case s.Fate == stored.Refused:
		return base.refused("the API server refuses the change", &Refusal{Message: s.Message, Changes: full(s.Fixed)})
	case r == nil:
		base.Headline, base.Ends = notPlayed, "the run was ended before the change came: raise --max-events"
		return &base
	}
	return base.played(s, r)
}

// refused is the document of a set whose change is refused.
func (set Set) refused(headline string, refusal *Refusal) *Set {
	set.Does, set.Headline, set.Ends, set.Refusal = Refused, headline, "it is refused", refusal
	return &set
}

// played is the document of a set whose change was played.
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
	set.Fix, set.Duration, set.Budgets, set.Cases = r.Fix, &duration, r.Budgets, r.Cases
	set.Serving = &Serving{Before: f.Before, Fewest: f.Fewest, After: f.Serving, Replicas: f.Replicas}
	set.verdict, set.scales, set.onDelete, set.between = f.Verdict, s.Scales(), s.OnDelete(), f.StartsBetween()
	set.young, set.doubt, set.provided = r.Young(s), s.Doubt(), f.Provided
	return &set
}

// judgements says how a set stands before the change, and how the change leaves it; nil if no dump shows its pods.
// Where it is too early to say how the set stands, it is so behind a change that waits for the same pods.
func judgements(s *stored.Set, f *facts.Facts) (now, then *judge.Judgement) {
	switch {
	case s.Judged == nil:
		return nil, nil
	case s.Young(f.Stuck):
		return &s.Judged.Judgement, &s.Judged.Judgement
	}
	return &s.Judged.Judgement, judge.AtEnd(&judge.End{
		Set: s.Pair.Key, Verdict: f.Verdict, Gone: f.Gone, Stuck: f.Stuck, Takes: f.Takes(), Provided: f.Provided,
	})
}

// full returns a list that is not nil, so that programs find a list in the JSON and no null.
func full[S ~[]E, E any](items S) S {
	if items == nil {
		return S{}
	}
	return items
}
