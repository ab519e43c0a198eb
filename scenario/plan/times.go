package plan

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
)

// The stages of a pod's life, as flags and annotations name them.
const (
	// The order is that of a replacement; arrays by stage have it.
	stop = iota
	start
	ready
	stages
)

// stageNames are the names of the stages.
var stageNames = [stages]string{"stop", "start", "ready"}

// annotation is the prefix of the annotations on a set.
const annotation = "statefulsim.dev/"

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

	delay behaviour.Delay
}

// String says it in a line.
func (t *Timing) String() string {
	switch {
	case t.Assumed:
		return fmt.Sprintf("%s: %s, assumed; give --%s, or the annotation %s%s", t.Stage, t.shown(), t.Stage, annotation,
			t.Stage)
	case t.Bound != "":
		return fmt.Sprintf("%s: %s %s, from %s", t.Stage, t.Bound, t.shown(), t.Source)
	}
	return fmt.Sprintf("%s: %s, from %s", t.Stage, t.shown(), t.Source)
}

// about says how well a time is known that was played with the times of the set: "about", "at most" or "at least"; ""
// if all of them are certain. The commands that it is about may stop new pods too, which are played with the grace
// period of the others.
func (e *edit) about() string {
	known := ""
	if e.timings[stop].Bound != "" && e.live != nil && regraced(e.live, e.shown()) {
		return about
	}
	for _, t := range e.timings {
		switch {
		case t.Assumed:
			return about
		case t.Bound != "":
			known = bound(known, t.Bound)
		}
	}
	return known
}

// inShort lists the times of the set that are not certain, in brackets; "" if all are.
func (e *edit) inShort() string {
	var parts []string
	for _, t := range e.timings {
		switch {
		case t.Assumed:
			parts = append(parts, fmt.Sprintf("%s %s, assumed", t.Stage, t.shown()))
		case t.Bound != "":
			parts = append(parts, fmt.Sprintf("%s %s %s", t.Stage, t.Bound, t.shown()))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// shown returns the value for people. For a distribution with many observations it is their range.
func (t *Timing) shown() string {
	const most = 60
	if d, constant := t.delay.(behaviour.Constant); constant {
		return clock(time.Duration(d))
	}
	if len(t.Value) <= most {
		return t.Value
	}
	return "a distribution"
}

// The times that are used in a run if they are only assumed. The order of events does not depend on them.
var assumed = [stages]time.Duration{2 * time.Second, 1 * time.Second, 2 * time.Second}

// timingsOf finds the times of a set's pods: from flags, else from recordings, else from the annotations of the set,
// else from the pods in the dump, else from the manifest. None is nil. The error is about annotations that cannot be
// read.
func (o *Options) timingsOf(in *Input, p *Pair, live, set *model.StatefulSet) ([stages]*Timing, error) {
	var timings [stages]*Timing
	var problems []error
	for i, name := range stageNames {
		if timings[i] = in.seen(p.Key, i); timings[i] == nil {
			timings[i] = fromManifest(i, live, set)
		}
		if text, where := p.annotated(name); text != "" {
			delay, err := scenario.ParseDelay(fmt.Sprintf("%s of %s", where, p.Key), text)
			problems = append(problems, err)
			timings[i] = &Timing{Source: "the annotation " + where, delay: delay}
		}
		if timing := recorded(o.Recordings, p.Key, i); timing != nil {
			timings[i] = timing
		}
		if delay := o.Times[i]; delay != nil {
			timings[i] = &Timing{Source: "--" + name, delay: delay}
		}
		if timings[i] == nil {
			timings[i] = &Timing{Assumed: true, Source: "assumed", delay: behaviour.Constant(assumed[i])}
		}
		timings[i].Stage = name
		if timings[i].delay != nil {
			timings[i].Value = timings[i].delay.String()
		}
	}
	return timings, errors.Join(problems...)
}

// annotated returns the annotation of the new set or, if it has none, of the running set, and where it was found.
func (p *Pair) annotated(name string) (text, where string) {
	where = annotation + name
	if p.New != nil && p.New.Object.Annotations[where] != "" {
		return p.New.Object.Annotations[where], where
	}
	if p.Old != nil {
		return p.Old.Object.Annotations[where], where
	}
	return "", where
}

// fromManifest returns what the pod templates say about a stage, or nil. The pods that a change stops are those that
// run, live, each with the grace period with which it was created.
func fromManifest(stage int, live, set *model.StatefulSet) *Timing {
	switch stage {
	case stop:
		grace, source := set.Spec.Template.Grace, "terminationGracePeriodSeconds"
		if regraced(live, set) {
			source += " of the pods that run now (new pods have " + clock(grace) + ")"
			grace = live.Spec.Template.Grace
		}
		return &Timing{Bound: atMost, Source: source, delay: behaviour.Constant(grace)}
	case ready:
		return readyFromProbes(set.Spec.Template.Lifecycle)
	}
	return nil
}

// regraced says whether new pods of a set have another grace period than those that run.
func regraced(live, set *model.StatefulSet) bool {
	return live != nil && live.Spec.Template.Grace != set.Spec.Template.Grace
}

// readyFromProbes returns the least time from Running to Ready that the readiness probes allow, or nil if they do not
// say.
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
		return &Timing{Source: "the manifest, which has no readiness probe: Ready when it runs", delay: behaviour.Constant(0)}
	case least > 0:
		return &Timing{Bound: atLeast, Source: "the probes (" + fields + ")", delay: behaviour.Constant(least)}
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

// typical returns the median of a delay. It is 0 for one that never happens.
func typical(d behaviour.Delay) time.Duration {
	ns, _ := d.Draw(choose.Func(func(_ choose.Kind, n int) int { return n / 2 }))
	return time.Duration(ns)
}

// varies says whether a time is drawn from a distribution.
func (t *Timing) varies() bool {
	_, constant := t.delay.(behaviour.Constant)
	return !constant
}
