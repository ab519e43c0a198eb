package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Figures are the numbers that a run comes to.
type Figures struct {
	// Duration is the virtual time until the run ended. LastStep is the time from the last step until the last
	// change, nil if the run did not settle or had no step. A rewrite of an unchanged status is not a change.
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
	// Complete is true if all replicas have served at some time; Fewest is the least number of pods that served
	// from then on, at the end of an instant, FewestAt when it was first reached, and FewestOf the wanted replicas
	// at that time. Replicas is the final number in the spec.
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

// lower reports whether a smaller share of the wanted pods served than in another set. A set that wants no pods has
// no share.
func (s *SetFigures) lower(other *SetFigures) bool {
	if s.FewestOf == 0 || other.FewestOf == 0 {
		return s.FewestOf > 0
	}
	return s.Fewest*other.FewestOf < other.Fewest*s.FewestOf
}

// never returns the names of the sets that want pods but never had all of them serving at once.
func (f *Figures) never() []string {
	var names []string
	for i := range f.Sets {
		if set := &f.Sets[i]; !set.Complete && set.Replicas > 0 {
			names = append(names, set.Key.Name)
		}
	}
	return names
}

// Number is a number of a run that a reader needs first, in words. Text and Markdown print the numbers in a line,
// and the page draws them next to the verdict.
type Number struct {
	// Name is what it counts. Value is "" if it is not known, and Detail then says why; otherwise Detail may add
	// something.
	Name, Value, Detail string
	// At is the instant when it was first reached, nil if it has none.
	At *model.Time
}

// Numbers returns how long the run took, how few pods of a set served at least, and how many pods were replaced.
// With several sets, the second number is about the set that fell the furthest; sets that never had all pods
// serving are named next to it.
func (f *Figures) Numbers() []Number {
	duration := Number{Name: "duration", Value: render.Clock(f.Duration)}
	if f.LastStep != nil {
		duration.Detail = "last step " + render.Clock(*f.LastStep)
	}
	return []Number{duration, f.fewest(), {Name: "replaced", Value: render.Count(f.Replaced, "pod")}}
}

// fewest returns how few pods of a set served at least.
func (f *Figures) fewest() Number {
	const name = "fewest serving"
	least, never := f.Least(), f.never()
	switch {
	case least == nil && len(never) == 0 && len(f.Sets) > 0:
		return Number{Name: name, Detail: "0 replicas at the end"}
	case least == nil:
		return Number{Name: name, Detail: "never all at once"}
	}
	detail := "at " + render.Clock(least.FewestAt)
	if len(f.Sets) > 1 {
		detail = "of " + least.Key.Name + " " + detail
	}
	if len(never) > 0 {
		detail += ", and " + render.List(never, 3) + " never all at once"
	}
	return Number{
		Name: name, Value: fmt.Sprintf("%d of %d", least.Fewest, least.FewestOf), Detail: detail, At: &least.FewestAt,
	}
}

// line says the numbers in a line: duration 32s, last step 20s; fewest serving 3 of 4 at 12s; replaced 4 pods.
func (f *Figures) line() string { return numbersLine(f.Numbers()) }

// numbersLine joins numbers to a line. One that is not known is followed by why.
func numbersLine(all []Number) string {
	texts := make([]string, 0, len(all))
	for _, n := range all {
		text := n.Name + " " + n.Value
		switch {
		case n.Value == "":
			text = n.Name + ": " + n.Detail
		case n.At != nil:
			text += " " + n.Detail
		case n.Detail != "":
			text += ", " + n.Detail
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// figuresJSON are the same numbers, for programs.
type figuresJSON struct {
	Duration jsonSeconds      `json:"duration"`
	LastStep *jsonSeconds     `json:"lastStep,omitempty"`
	Sets     []setFiguresJSON `json:"sets"`
	Replaced int              `json:"replaced"`
}

// setFiguresJSON are the SetFigures for programs. The fewest serving are left out for a set that was never complete.
type setFiguresJSON struct {
	Namespace       string       `json:"namespace"`
	StatefulSet     string       `json:"statefulset"`
	Replicas        int          `json:"replicas"`
	FewestServing   *int         `json:"fewestServing,omitempty"`
	FewestServingOf *int         `json:"fewestServingOf,omitempty"`
	FewestServingAt *jsonSeconds `json:"fewestServingAt,omitempty"`
}

// figuresOf returns the numbers of a run. Those of one that was cut off say only how far it came.
func figuresOf(run *Run) *figuresJSON {
	f := Figure(run)
	as := &figuresJSON{Duration: jsonSeconds(f.Duration), Replaced: f.Replaced, Sets: []setFiguresJSON{}}
	if f.LastStep != nil {
		took := jsonSeconds(*f.LastStep)
		as.LastStep = &took
	}
	for i := range f.Sets {
		set := &f.Sets[i]
		one := setFiguresJSON{Namespace: set.Key.Namespace, StatefulSet: set.Key.Name, Replicas: set.Replicas}
		if set.Complete {
			at := jsonSeconds(set.FewestAt)
			one.FewestServing, one.FewestServingOf, one.FewestServingAt = &set.Fewest, &set.FewestOf, &at
		}
		as.Sets = append(as.Sets, one)
	}
	return as
}
