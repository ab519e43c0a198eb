package report

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// Number is one of the numbers of a run that a reader needs first, in words. Text and Markdown print them in a line,
// and the page draws them beside the verdict.
type Number struct {
	// Name says what it counts. Value is "" if it is not known, and Detail then says why; else Detail may add something.
	Name, Value, Detail string
	// At is the instant at which it was first so, nil if it has none.
	At *model.Time
}

// Numbers returns how long the run took, how few pods of a set served at least, and how many pods were replaced. Where
// there are several sets, the second number is of the set that came down the furthest; those of which never all pods
// served are named beside it.
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
