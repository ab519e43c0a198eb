// Package times says how long the pods of a set take, stage by stage, and where each number comes from.
package times

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/view/render"
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
	// given is true if the user gives it, with a flag, a recording or an annotation.
	given bool
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

// MayBeShorter and MayBeLonger say whether a stage is assumed to take the time, or has only that bound.
func (t *Timing) MayBeShorter() bool { return t.Assumed || t.Bound == AtMost }

// MayBeLonger is about the other bound.
func (t *Timing) MayBeLonger() bool { return t.Assumed || t.Bound == AtLeast }

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

// Given returns the times that the user gives. Those of the others that the dump shows, or that are assumed, are for a
// world that begins with a dump to fill in, as sim explain does.
func (all *Timings) Given() (given behaviour.Times) {
	for i, to := range [recording.Stages]*behaviour.Delay{&given.Stop, &given.Start, &given.Ready} {
		if all[i].given {
			*to = behaviour.Constant(recording.Typical(all[i].Delay))
		}
	}
	return given
}

// Sources are where the times of a set's pods may come from.
type Sources struct {
	// Flags are times that the user gives; nil is not given. Recordings hold the times that pods were seen to take.
	Flags      [recording.Stages]behaviour.Delay
	Recordings []*recording.Recording
	// Annotated returns what an annotation of the set says, and its name; the text is "" if there is none.
	Annotated func(name string) (text, where string)
	// Dump shows the set; nil if no dump does.
	Dump *dump.Index
	// Key names the set. Live is the set that runs, nil if none does, and Set the one whose template new pods have.
	Key       model.Key
	Live, Set *model.StatefulSet
}

// assumed are the times that are used in a run if nothing gives them. The order of events does not depend on them.
var assumed = [recording.Stages]behaviour.Delay{
	behaviour.Constant(dump.DefaultStop), behaviour.Constant(dump.DefaultStart), behaviour.Constant(dump.DefaultReady),
}

// Of finds the times of a set's pods: from flags, else from recordings, else from the annotations of the set, else from
// the pods in the dump, else from the manifest. None is nil. The error is about annotations that cannot be read.
func Of(s *Sources) (timings Timings, err error) {
	var problems []error
	for i, name := range Names {
		annotated, err := s.fromAnnotation(name)
		problems = append(problems, err)
		timing := cmp.Or(s.fromFlag(i), s.fromRecording(i), annotated, s.fromDump(i), fromManifest(i, s.Live, s.Set),
			&Timing{Assumed: true, Source: "assumed", Delay: assumed[i]})
		timing.Stage = name
		if timing.Delay != nil {
			timing.Value = timing.Delay.String()
		}
		timings[i] = timing
	}
	return timings, errors.Join(problems...)
}

func (s *Sources) fromFlag(stage int) *Timing {
	if s.Flags[stage] == nil {
		return nil
	}
	return &Timing{Source: "--" + Names[stage], Delay: s.Flags[stage], given: true}
}

func (s *Sources) fromRecording(stage int) *Timing {
	seen := recording.Of(s.Recordings, s.Key, stage)
	if seen == nil {
		return nil
	}
	return &Timing{Source: seen.Source, Delay: seen.Delay, given: true}
}

func (s *Sources) fromAnnotation(stage string) (*Timing, error) {
	text, where := s.Annotated(stage)
	if text == "" {
		return nil, nil
	}
	delay, err := scenario.ParseDelay(fmt.Sprintf("%s of %s", where, s.Key), text)
	return &Timing{Source: "the annotation " + where, Delay: delay, given: true}, err
}

// fromDump returns the median of the times that the dump shows for a stage of the set's pods, or nil.
func (s *Sources) fromDump(stage int) *Timing {
	if s.Dump == nil {
		return nil
	}
	took := s.Dump.Took(s.Dump.Pods(s.Key))
	seen := [recording.Stages][]time.Duration{recording.Start: took.Start, recording.Ready: took.Ready}[stage]
	if len(seen) == 0 {
		return nil
	}
	return &Timing{
		Source: fmt.Sprintf("the dump (%s)", render.Count(len(seen), "pod")), Delay: behaviour.Constant(dump.Median(seen)),
	}
}

// fromManifest returns what the pod templates say about a stage, or nil. The pods that a change stops are those that
// run, live, each with the grace period with which it was created.
func fromManifest(stage int, live, set *model.StatefulSet) *Timing {
	switch stage {
	case recording.Stop:
		grace, source := set.Spec.Template.Grace, "terminationGracePeriodSeconds"
		if Regraced(live, set) {
			source += " of the pods that run now (new pods have " + render.Brief(grace) + ")"
			grace = live.Spec.Template.Grace
		}
		return &Timing{Bound: AtMost, Source: source, Delay: behaviour.Constant(grace)}
	case recording.Ready:
		return readyFromProbes(set.Spec.Template.Lifecycle)
	}
	return nil
}

// Regraced says whether new pods of a set have another grace period than those that run.
func Regraced(live, set *model.StatefulSet) bool {
	return live != nil && live.Spec.Template.Grace != set.Spec.Template.Grace
}

// readyFromProbes returns the least time from Running to Ready that the probes allow, nil if they do not say.
func readyFromProbes(lifecycle *model.Lifecycle) *Timing {
	var least time.Duration
	probes, fields := 0, ""
	for i := range lifecycle.Containers {
		c := &lifecycle.Containers[i]
		if c.Readiness == nil && c.Startup == nil {
			continue
		}
		probes++
		var initial, rounds time.Duration
		if p := c.Startup; p != nil {
			initial = p.InitialDelay
		}
		if p := c.Readiness; p != nil {
			initial, rounds = max(initial, p.InitialDelay), time.Duration(p.Successes-1)*p.Period
		}
		if initial+rounds > least {
			least, fields = initial+rounds, probeFields(initial, rounds)
		}
	}
	switch {
	case probes == 0:
		return &Timing{Source: "the manifest, which has no readiness probe: Ready when it runs", Delay: behaviour.Constant(0)}
	case least > 0:
		return &Timing{Bound: AtLeast, Source: "the probes (" + fields + ")", Delay: behaviour.Constant(least)}
	}
	return nil
}

// probeFields names the fields of probes that make up a time: a delay, and the rounds after the first.
func probeFields(initial, rounds time.Duration) string {
	switch {
	case rounds == 0:
		return "initialDelaySeconds"
	case initial == 0:
		return "periodSeconds, successThreshold"
	}
	return "initialDelaySeconds, periodSeconds, successThreshold"
}
