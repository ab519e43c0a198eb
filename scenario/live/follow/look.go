package follow

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Look is what one look at the cluster shows of a StatefulSet, and what is forecast from there.
type Look struct {
	// At is the time in the cluster.
	At time.Time
	// Set is how the set stands; nil if there is no such set.
	Set *judge.Set
	// Pods are its pods, in the order of their ordinals.
	Pods []Pod
	// Next are the changes of its pods that come if nobody does anything, in their order. Takes is how long it is until
	// the last of them, if pods are as quick, or as slow, as any that was seen; it is zero where there is a forecast
	// already.
	Next  []Due
	Takes Span
	// Serving is how many of its pods are Ready and not Terminating; Fewest is the fewest that serve from here on, if
	// nobody does anything.
	Serving, Fewest int
	// run is the run that begins with the look.
	run *judge.Run
	// Short is the first PodDisruptionBudget of its pods that asks for more healthy pods than serve; "" for none.
	Short string
}

// Pod is a pod at a look. Created tells two pods of one name apart; Deleted is when it was deleted, the zero time if it
// was not.
type Pod struct {
	Name     string
	Created  time.Time
	Deleted  time.Time
	State    timeline.State
	Outdated bool
	// Shown is the status that kubectl shows in the place of the phase, for example CrashLoopBackOff.
	Shown string
}

// Due is a change of a pod that is forecast, and when.
type Due struct {
	Pod   string
	State timeline.State
	At    time.Time
}

// See returns what a dump shows of a set. The laboratory is one whose worlds begin with the dump.
func See(d *dump.Dump, lab *play.Lab, key model.Key) *Look { return Followed{}.see(d, lab, key) }

// See returns what a later dump shows. How long the pods took to stop that were seen to, it knows by then.
func (f Followed) See(d *dump.Dump, lab *play.Lab) *Look { return f.see(d, lab, f.First.Set.Key) }

func (f Followed) see(d *dump.Dump, lab *play.Lab, key model.Key) *Look {
	sets, run := judge.Of(d, pace{stops: f.stops, pick: dump.Median}.of(d, lab))
	look := &Look{At: d.At, Set: judge.ByKey(sets)[key]}
	if look.Set == nil {
		return look
	}
	look.run = run
	now := look.Set.Now
	for p := range now.Pods.All {
		pod := Pod{Name: p.Name, State: p.State, Outdated: p.Template != now.Spec.Spec.Template.ID, Shown: p.Shown}
		if p.Ready && pod.State == timeline.Running {
			pod.State = timeline.Ready
		}
		if of := d.Pod(model.Key{Namespace: key.Namespace, Name: p.Name}); of != nil {
			pod.Created = d.At.Add(time.Duration(of.Created))
			if of.Terminating() {
				pod.Deleted = d.At.Add(time.Duration(of.Deletion.At))
			}
		}
		look.Pods = append(look.Pods, pod)
	}
	look.Serving = now.Serving()
	look.Next, look.Fewest = look.forecast(run.LaterOf(key))
	// It is told with the first forecast, and with that of another spec.
	if !f.foreseen || f.Last.changed(look) {
		look.Takes = spanOf(d, lab, look.Set, f.stops)
	}
	look.Short = short(d, now.Spec, look.Serving)
	return look
}

// Forecast returns what deploy tools say that begin to wait for the set at the look; nil if there is no set.
func (l *Look) Forecast(gates []*gate.Gate) []*gated.Answer {
	if l.run == nil {
		return nil
	}
	return gated.Of(l.run.Events, l.run.First()-1, l.Set.Key, gates)
}

// changed says whether the set has another spec at a later look.
func (l *Look) changed(later *Look) bool {
	return later.Set.Now.Spec.Generation != l.Set.Now.Spec.Generation
}

// forecast returns the changes of pods in a run that begins with the look, and the fewest that serve in it at the end
// of an instant.
func (l *Look) forecast(events []timeline.Event) (next []Due, fewest int) {
	serves := map[string]bool{}
	for _, p := range l.Pods {
		serves[p.Name] = p.State == timeline.Ready
	}
	now, fewest := l.Serving, l.Serving
	for i := range events {
		e := &events[i]
		if e.Kind == timeline.KindPod && !e.Bare {
			next = append(next, Due{Pod: e.Pod, State: e.State, At: l.At.Add(time.Duration(e.T))})
			if is := e.State == timeline.Ready; is != serves[e.Pod] {
				serves[e.Pod] = is
				now += map[bool]int{true: 1, false: -1}[is]
			}
		}
		if i+1 == len(events) || events[i+1].T != e.T {
			fewest = min(fewest, now)
		}
	}
	return next, fewest
}

// short returns the first budget of the pods of a set that asks for more healthy pods than serve.
func short(d *dump.Dump, set *model.StatefulSet, serving int) string {
	for _, b := range d.State.Budgets {
		if b.Covers(set.Namespace, set.Spec.Template.Labels) && int(b.Desired(set.Spec.Replicas)) > serving {
			return b.Name
		}
	}
	return ""
}
