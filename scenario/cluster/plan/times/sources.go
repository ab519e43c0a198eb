package times

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/recording"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

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
	behaviour.Constant(2 * time.Second), behaviour.Constant(time.Second), behaviour.Constant(2 * time.Second),
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

// fromFlag returns the time that the user gives for a stage, or nil.
func (s *Sources) fromFlag(stage int) *Timing {
	if s.Flags[stage] == nil {
		return nil
	}
	return &Timing{Source: "--" + Names[stage], Delay: s.Flags[stage]}
}

// fromRecording returns the times that recordings show for a stage of the set's pods, or nil.
func (s *Sources) fromRecording(stage int) *Timing {
	seen := recording.Of(s.Recordings, s.Key, stage)
	if seen == nil {
		return nil
	}
	return &Timing{Source: seen.Source, Delay: seen.Delay}
}

// fromAnnotation returns the time that an annotation of the set gives for a stage, or nil.
func (s *Sources) fromAnnotation(stage string) (*Timing, error) {
	text, where := s.Annotated(stage)
	if text == "" {
		return nil, nil
	}
	delay, err := scenario.ParseDelay(fmt.Sprintf("%s of %s", where, s.Key), text)
	return &Timing{Source: "the annotation " + where, Delay: delay}, err
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
		Source: fmt.Sprintf("the dump (%s)", render.Count(len(seen), "pod")), Delay: behaviour.Constant(seen[len(seen)/2]),
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
