package follow

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// The bounds of --fail-on: Stuck ends also if that is not certain, TooSlow if the rollout takes half as long again as
// was forecast at the beginning, and BelowBudget if a PodDisruptionBudget asks for more healthy pods than serve. Outdated
// is broken by an OnDelete set with old pods; it counts also if no bound is given.
const (
	OnStuck       = "stuck"
	OnTooSlow     = "too-slow"
	OnBelowBudget = "below-budget"
	OnOutdated    = "outdated"
)

// Bounds returns the bounds, in the order of their names.
func Bounds() []string { return []string{OnBelowBudget, OnOutdated, OnStuck, OnTooSlow} }

// Outcome says in a word how following ended.
type Outcome string

// The outcomes. WaitsForYou: the controller has nothing to do, and OnDelete leaves old pods until a person deletes them.
const (
	Complete    Outcome = "complete"
	WaitsForYou Outcome = "waits for you"
	IsStuck     Outcome = "stuck"
	Deleted     Outcome = "deleted"
	TooSlow     Outcome = "too slow"
	BelowBudget Outcome = "below budget"
	TimedOut    Outcome = "timeout"
	Interrupted Outcome = "interrupted"
	Over        Outcome = "the recording ends"
)

// End is how following ends: its outcome, and a sentence about it. Good means the exit code 0.
type End struct {
	// Outcome is "complete", "waits for you", "stuck", "deleted", "too slow", "below budget", "timeout", "interrupted" or
	// "the recording ends". Sentence says more. An OnDelete set with old pods "waits for you", and so does its state.
	Outcome  Outcome `json:"outcome"`
	Sentence string  `json:"sentence"`
	Good     bool    `json:"-"`
}

// End says whether there is nothing more to follow; nil if there is. bounds are those that end it too.
func (f Followed) End(bounds map[string]bool) *End {
	set, took := f.Last.Set, f.Last.At.Sub(f.First.At)
	switch {
	case set == nil:
		return &End{Outcome: Deleted, Sentence: "the StatefulSet was deleted"}
	case set.State == judge.AtRest && len(f.yours()) > 0:
		return &End{WaitsForYou, f.waits(took), len(bounds) > 0 && !bounds[OnOutdated]}
	case set.State == judge.AtRest:
		return &End{Complete, f.complete(took), true}
	case set.State == judge.Stuck && (set.Certain || bounds[OnStuck]):
		return &End{Outcome: IsStuck, Sentence: fmt.Sprintf("stuck after %s; %s%s", render.Brief(took), set.Standstill(), because(set))}
	case bounds[OnBelowBudget] && f.Last.Short != "":
		return &End{Outcome: BelowBudget, Sentence: fmt.Sprintf(
			"the PodDisruptionBudget %s asks for more pods than the %d that serve", f.Last.Short, f.Last.Serving)}
	case bounds[OnTooSlow] && f.slow():
		return &End{Outcome: TooSlow, Sentence: fmt.Sprintf("not complete after %s; the forecast was %s", render.Brief(took),
			render.Brief(f.Begun.Sub(f.First.At)))}
	}
	return nil
}

// complete says how long it took, beside the forecast.
func (f Followed) complete(took time.Duration) string {
	if len(f.Lines) == f.New {
		return fmt.Sprintf("complete: %d of %d serve, and nothing is to come", f.Last.Serving,
			f.Last.Set.Now.Spec.Spec.Replicas)
	}
	return fmt.Sprintf("complete after %s (the forecast was %s); at least %d served", render.Brief(took),
		render.Brief(f.Begun.Sub(f.First.At)), f.Fewest)
}

// yours are the old pods of an OnDelete set, which nothing but a person deletes, the highest ordinal first.
func (f Followed) yours() []string {
	if f.Last.Set.Now.Spec.Spec.Strategy.Type != model.OnDeleteStrategy {
		return nil
	}
	var list []string
	for _, p := range slices.Backward(f.Last.Pods) {
		if p.Outdated {
			list = append(list, p.Name)
		}
	}
	return list
}

// waits says how many pods wait to be deleted, and after which time that is all that is left.
func (f Followed) waits(took time.Duration) string {
	begins, old := "nothing to follow: ", len(f.yours())
	if len(f.Lines) > f.New {
		begins = "nothing is left to follow after " + render.Brief(took) + ": "
	}
	return begins + fmt.Sprintf("OnDelete. %d of %d pods %s at the old revision; %s gets the new one when you delete it",
		old, len(f.Last.Pods), render.Agree(old, "is", "are"), render.Agree(old, "it", "each"))
}

// slow says whether the rollout takes half as long again as was forecast at the beginning, and longer than with the
// slowest pods.
func (f Followed) slow() bool {
	forecast := f.Begun.Sub(f.First.At)
	return !f.Begun.IsZero() && f.Last.At.Sub(f.First.At) > max(forecast+forecast/2, f.Latest.Sub(f.First.At))+slack
}

// Stopped is the end if somebody else ends it: after a time, or with a signal.
func (f Followed) Stopped(outcome Outcome) *End {
	text := fmt.Sprintf("%s after %s; %s", outcome, render.Brief(f.Last.At.Sub(f.First.At)), f.stands())
	if f.Ends.Compare(f.Last.At) > 0 {
		text += fmt.Sprintf("; it completes in about %s", render.Brief(f.Ends.Sub(f.Last.At)))
	}
	return &End{Outcome: outcome, Sentence: text}
}
