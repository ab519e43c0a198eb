package follow

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// The bounds of --fail-on: Stuck ends also if that is not certain, TooSlow if the rollout takes half as long again as
// was forecast at the beginning, and BelowBudget if a PodDisruptionBudget asks for more healthy pods than serve.
const (
	OnStuck       = "stuck"
	OnTooSlow     = "too-slow"
	OnBelowBudget = "below-budget"
)

// Bounds returns the bounds, in the order of their names.
func Bounds() []string { return []string{OnBelowBudget, OnStuck, OnTooSlow} }

// Outcome says in a word how following ended.
type Outcome string

// The outcomes. Nothing but Complete is good.
const (
	Complete    Outcome = "complete"
	IsStuck     Outcome = "stuck"
	Deleted     Outcome = "deleted"
	TooSlow     Outcome = "too slow"
	BelowBudget Outcome = "below budget"
	TimedOut    Outcome = "timeout"
	Interrupted Outcome = "interrupted"
	Over        Outcome = "the recording ends"
)

// End is how following ends: its outcome, and a sentence about it.
type End struct {
	Outcome  Outcome `json:"outcome"`
	Sentence string  `json:"sentence"`
}

// End says whether there is nothing more to follow; nil if there is. bounds are those that end it too.
func (f Followed) End(bounds map[string]bool) *End {
	set, took := f.Last.Set, f.Last.At.Sub(f.First.At)
	switch {
	case set == nil:
		return &End{Deleted, "the StatefulSet was deleted"}
	case set.State == judge.AtRest:
		return &End{Complete, f.complete(took)}
	case set.State == judge.Stuck && (set.Certain || bounds[OnStuck]):
		return &End{IsStuck, fmt.Sprintf("stuck after %s; %s%s", render.Brief(took), set.Standstill(), because(set))}
	case bounds[OnBelowBudget] && f.Last.Short != "":
		return &End{BelowBudget, fmt.Sprintf("the PodDisruptionBudget %s asks for more pods than the %d that serve",
			f.Last.Short, f.Last.Serving)}
	case bounds[OnTooSlow] && f.slow():
		return &End{TooSlow, fmt.Sprintf("not complete after %s; the forecast was %s", render.Brief(took),
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
	return &End{outcome, text}
}
