// Package times says how long the pods of a set take, stage by stage, and where each number comes from.
package times

import (
	"fmt"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/scenario/cluster/recording"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// Names are the names of the stages, in their order (recording.Stop and so on).
var Names = [recording.Stages]string{"stop", "start", "ready"}

// Annotation is the prefix of the annotations on a set.
const Annotation = "statefulsim.dev/"

// Timings are the times of a set's pods by stage.
type Timings [recording.Stages]*Timing

// Timing says how long a stage takes, and where that number comes from.
type Timing struct {
	// Stage is start, ready or stop.
	Stage string `json:"stage"`
	// Value is the time in the format of a scenario. Source names where it comes from, for people.
	Value  string `json:"value"`
	Source string `json:"source"`
	// Assumed is true if no source gives the time. Value is then only what the simulation assumes.
	Assumed bool `json:"assumed"`
	// Bound is "at most" or "at least" if the source gives only a bound.
	Bound string `json:"bound,omitempty"`

	Delay behaviour.Delay `json:"-"`
}

// String says it in a line.
func (t *Timing) String() string {
	switch {
	case t.Assumed:
		return fmt.Sprintf("%s: %s, assumed; give --%s, or the annotation %s%s", t.Stage, t.Shown(), t.Stage, Annotation,
			t.Stage)
	case t.Bound != "":
		return fmt.Sprintf("%s: %s %s, from %s", t.Stage, t.Bound, t.Shown(), t.Source)
	}
	return fmt.Sprintf("%s: %s, from %s", t.Stage, t.Shown(), t.Source)
}

// What is known of a time that is not known exactly. It is about so long if there are bounds of both kinds.
const (
	AtMost  = "at most"
	AtLeast = "at least"
	About   = "about"
)

// Bounds returns what is known of a duration of which a stage has a bound, together with what is known of the others.
func Bounds(others, of string) string {
	if others == "" || others == of {
		return of
	}
	return About
}

// Shown returns the value for people. For a distribution with many observations it is their range.
func (t *Timing) Shown() string {
	const most = 60
	if d, constant := t.Delay.(behaviour.Constant); constant {
		return render.Brief(time.Duration(d))
	}
	if len(t.Value) <= most {
		return t.Value
	}
	return "a distribution"
}

// Varies says whether a time is drawn from a distribution.
func (t *Timing) Varies() bool {
	_, constant := t.Delay.(behaviour.Constant)
	return !constant
}

// About says how well a time is known that was played with these times: "about", "at most" or "at least"; "" if all of
// them are certain. New pods, with whose other grace period nothing is played, may be stopped too.
func (all *Timings) About(regraced bool) string {
	known := ""
	if all[recording.Stop].Bound != "" && regraced {
		return About
	}
	for _, t := range all {
		switch {
		case t.Assumed:
			return About
		case t.Bound != "":
			known = Bounds(known, t.Bound)
		}
	}
	return known
}

// Uncertain lists the times that are not certain, in brackets; "" if all are.
func (all *Timings) Uncertain() string {
	var parts []string
	for _, t := range all {
		switch {
		case t.Assumed:
			parts = append(parts, fmt.Sprintf("%s %s, assumed", t.Stage, t.Shown()))
		case t.Bound != "":
			parts = append(parts, fmt.Sprintf("%s %s %s", t.Stage, t.Bound, t.Shown()))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}
