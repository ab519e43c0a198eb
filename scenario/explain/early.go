package explain

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/render"
)

// assume says what is taken for granted when the set is said to be stuck, and whether it is too early to say so. That a
// pod runs and is not Ready does not show that it never will be: every pod of a healthy rollout begins like that.
func (s *LiveSet) assume(d *dump.Dump, lab *play.Lab) {
	var slow []*sim.PodState
	for _, w := range s.Waits {
		p := d.Pod(model.Key{Namespace: s.Namespace, Name: w.Object})
		if w.Code != model.WaitingForReady && w.Code != model.BudgetSpent || p == nil || !undecided(p, d) {
			return
		}
		slow = append(slow, p)
	}
	if len(slow) == 0 {
		return
	}
	s.Assumes = slow[0].Name + " does not become Ready"
	for _, p := range slow {
		allowed := s.allowed(p, d, lab)
		if !dated(p) || age(p, d) >= allowed.time {
			s.TooEarly = ""
			if p == slow[0] && allowed.shown != "" {
				s.Facts = slices.Insert(s.Facts, min(1, len(s.Facts)), render.Capital(allowed.shown)+".")
			}
			return
		}
		if s.TooEarly == "" {
			s.TooEarly = fmt.Sprintf("%s may %s. Wait until it has %s for %s, and explain a new dump, before you use a fix.",
				p.Name, allowed.why(d.Facts[p.Key()].Lost), lasted(p, d), whole(allowed.time))
		}
	}
}

// undecided says whether a pod runs and is not Ready, and nothing in the dump says why: its containers run, and its
// node answers.
func undecided(p *sim.PodState, d *dump.Dump) bool {
	down := slices.ContainsFunc(d.State.Nodes, func(n sim.NodeState) bool { return n.Name == p.Node && n.Down })
	return p.Phase == model.Running && !p.Ready && !p.Terminating() && !p.Silenced && !down &&
		d.Facts[p.Key()].Waiting == ""
}

// dated says whether the dump shows since when a pod is in its state. A server gives every pod the time of its
// creation, so a pod without it comes from somebody who has removed the times.
func dated(p *sim.PodState) bool { return p.Created < 0 }

// age is how long an undecided pod has been running or, if it was Ready before, has not been Ready.
func age(p *sim.PodState, d *dump.Dump) time.Duration {
	if d.Facts[p.Key()].Lost {
		return time.Duration(-p.ReadySince)
	}
	return time.Duration(-p.Started)
}

// lasted is the verb for the age of an undecided pod.
func lasted(p *sim.PodState, d *dump.Dump) string {
	if d.Facts[p.Key()].Lost {
		return "been unready"
	}
	return "been Running"
}

// allowance is a time within which nobody can say that a pod does not become Ready. shown is where it comes from; ""
// means that nothing shows it.
type allowance struct {
	time  time.Duration
	shown string
}

// why says why a pod has that time, as the rest of a sentence about it.
func (a allowance) why(lost bool) string {
	switch {
	case lost:
		return "become Ready again by itself"
	case a.shown == "":
		return "only need more time: nothing in the dump shows how long it takes to become Ready"
	}
	return "only need more time: " + a.shown
}

// patience is the allowance of a pod of which nothing shows how long it takes.
const patience = time.Minute

// whole renders a time of which nobody reads parts of seconds.
func whole(d time.Duration) string { return render.Clock(d.Round(time.Second)) }

// allowed returns the allowance of an undecided pod: the longest of twice the time of the other pods of the set, the
// time that its probes give it, and the time that was given.
func (s *LiveSet) allowed(p *sim.PodState, d *dump.Dump, lab *play.Lab) allowance {
	if d.Facts[p.Key()].Lost {
		return allowance{time: patience}
	}
	var longest allowance
	others := s.tookReady(d)
	if len(others) > 0 {
		took := others[len(others)/2]
		longest = allowance{2 * max(took, time.Second), fmt.Sprintf("%s took %s to become Ready",
			render.Agree(len(others), "another pod", "the other pods"), whole(took))}
	}
	ready, is := s.givenReady(lab)
	if is && ready > longest.time {
		longest = allowance{ready, "the time given for it to become Ready is " + whole(ready)}
	}
	if probed := probing(p.Template); probed > longest.time {
		longest = allowance{probed, "its probes give it " + whole(probed)}
	}
	if len(others) == 0 && !is && longest.time < patience {
		return allowance{time: patience}
	}
	return longest
}

// tookReady returns the times from Running to Ready of the Ready pods of the set, sorted.
func (s *LiveSet) tookReady(d *dump.Dump) []time.Duration {
	return taken(d, func(p *sim.PodState) bool {
		return p.Namespace == s.Namespace && slices.ContainsFunc(s.Pods, func(own Pod) bool { return own.Name == p.Name })
	}).ready
}

// times are those that pods took, sorted: until they ran, and from then on until they were Ready.
type times struct{ start, ready []time.Duration }

// taken returns the times that the Ready pods of a dump took. Pods whose containers were restarted do not count.
func taken(d *dump.Dump, of func(*sim.PodState) bool) (took times) {
	for i := range d.State.Pods {
		if p := &d.State.Pods[i]; p.Ready && d.Facts[p.Key()].Restarts == 0 && of(p) {
			took.start = append(took.start, max(0, p.Started.Sub(p.Bound)))
			if ready := max(0, p.ReadySince.Sub(p.Started)); ready <= dump.LongestReady {
				took.ready = append(took.ready, ready)
			}
		}
	}
	slices.Sort(took.start)
	slices.Sort(took.ready)
	return took
}

// givenReady returns the time from Running to Ready that was given in addition to the dump, if it was.
func (s *LiveSet) givenReady(lab *play.Lab) (time.Duration, bool) {
	ready := s.times(lab).Ready
	constant, is := ready.(behaviour.Constant)
	return time.Duration(constant), is && source(ready, s.othersTook.ready, defaultReady) == given
}

// probing returns how long the probes of a pod may take until it is Ready, without a failure that counts.
func probing(template *model.Template) time.Duration {
	if template == nil || template.Lifecycle == nil {
		return 0
	}
	longest := time.Duration(0)
	for _, c := range template.Lifecycle.Containers {
		var takes time.Duration
		if p := c.Startup; p != nil {
			takes = p.InitialDelay + time.Duration(cmp.Or(p.Failures, 1))*p.Period
		}
		if p := c.Readiness; p != nil {
			takes = max(takes, p.InitialDelay) + time.Duration(cmp.Or(p.Successes, 1))*p.Period
		}
		longest = max(longest, takes)
	}
	return longest
}
