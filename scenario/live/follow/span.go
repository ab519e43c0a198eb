package follow

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Span is a time that is only known to lie between two.
type Span struct{ Shortest, Longest time.Duration }

// about is a time in the span, with the span where that tells more.
func (s Span) about(usual time.Duration) string {
	text := "about " + render.Brief(usual)
	if s.Longest-s.Shortest <= usual/4 {
		return text
	}
	return text + " (" + render.Brief(s.Shortest) + " to " + render.Brief(s.Longest) + ")"
}

// spanOf returns how long it is until a set is complete: if all pods are as quick as the quickest that was seen, and if
// they are as slow as the slowest. Before one was seen to stop, pods take anything up to their grace period for it.
func spanOf(d *dump.Dump, lab *play.Lab, set *judge.Set, stops []time.Duration) Span {
	usual := time.Duration(set.Takes)
	if set.State != judge.Continues {
		return Span{usual, usual}
	}
	quick := pace{stops: stops, pick: slices.Min[[]time.Duration], late: true}
	slow := pace{stops: stops, pick: slices.Max[[]time.Duration]}
	if len(stops) == 0 {
		quick.stops, slow.stops = []time.Duration{0}, []time.Duration{set.Now.Spec.Spec.Template.Grace}
	}
	takes := func(p pace) time.Duration {
		sets, _ := judge.Of(d, p.of(d, lab))
		if paced := judge.ByKey(sets)[set.Key]; paced.State != judge.Stuck && paced.Takes > 0 {
			return time.Duration(paced.Takes)
		}
		return usual
	}
	return Span{min(usual, takes(quick)), max(usual, takes(slow))}
}

// pace is how quick pods are: they take that of the times that were seen which pick picks. stops are the times to stop
// that were seen, sorted. With late, a pod that takes longer already than that stops at once; without, it takes all of
// its grace period.
type pace struct {
	stops []time.Duration
	pick  func([]time.Duration) time.Duration
	late  bool
}

// of returns a laboratory whose pods have the pace. The times that the user gave, and those of recordings, stay; and so
// do those for which nothing was seen.
func (p pace) of(d *dump.Dump, lab *play.Lab) *play.Lab {
	took, other := d.TookAll(), *lab
	times := &other.World.Kubelet.Default
	if len(took.Start) > 0 && judge.Source(times.Start, took.Start, dump.DefaultStart) != judge.Given {
		times.Start = behaviour.Constant(p.pick(took.Start))
	}
	if len(took.Ready) > 0 && judge.Source(times.Ready, took.Ready, dump.DefaultReady) != judge.Given {
		times.Ready = behaviour.Constant(p.pick(took.Ready))
	}
	if len(p.stops) == 0 || judge.Source(times.Stop, nil, dump.DefaultStop) == judge.Given {
		return &other
	}
	stop := p.pick(p.stops)
	times.Stop = behaviour.Constant(stop)
	other.World.Kubelet.Rules = append([]behaviour.Rule{{
		Match: behaviour.Match{That: func(pod *model.Pod) bool {
			of := d.Pod(pod.Key())
			return of != nil && of.UID == pod.UID && d.Slow(of) && (p.late || time.Duration(-of.Deletion.At) < stop)
		}}, Times: behaviour.Times{Stop: times.Stop},
	}}, other.World.Kubelet.Rules...)
	return &other
}

// stopped returns how long the pods took to stop that have gone between two looks.
func stopped(before, after *Look) (took []time.Duration) {
	for _, p := range before.Pods {
		next := find(after, p.Name)
		switch {
		case p.Deleted.IsZero():
		case next == nil:
			took = append(took, after.At.Sub(p.Deleted))
		case !next.Created.Equal(p.Created):
			took = append(took, max(0, next.Created.Sub(p.Deleted)))
		}
	}
	return took
}
