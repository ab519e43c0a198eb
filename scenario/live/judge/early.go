package judge

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Early is about a pod that is not Ready, of which nothing shows that it never will be.
type Early struct {
	// Again says why it is too early, and when to look again, in sentences; "" if it is not too early any more.
	Again string
	// Shown is where the time comes from that the pod has had already, as a clause; "" if nothing shows it.
	Shown string
	// Pods are the pods of which it is too early to say that they do not become Ready.
	Pods []*dump.Pod
}

// assumed says what is taken for granted when a set is said to be stuck, and whether it is too early to say so. That a
// pod runs and is not Ready does not show that it never will be: every pod of a healthy rollout begins like that. Nor
// does what has failed only once. It is too early if that holds for all pods that the set waits for; until is when the
// first of them is due.
func assumed(e *evidence) (assumes string, early *Early, until Seconds) {
	var slow []*sim.PodState
	for i := range e.stuck {
		why := e.stuck[i].Why
		p := e.pod(why.Object)
		if why.Code != model.WaitingForReady && why.Code != model.BudgetSpent || p == nil ||
			!undecided(e, p) && !failing(e, p) {
			return "", nil, 0
		}
		slow = append(slow, p)
	}
	for i, p := range slow {
		again, shown, left := openFor(e, p)
		switch {
		// If nothing shows when the dump was taken, its newest time never moves on: a new dump would be too early again.
		case !Dated(p) || left <= 0 || e.Timeless:
			early = &Early{}
			if i == 0 {
				early.Shown = shown
			}
			return slow[0].Name + " does not become Ready", early, 0
		case early == nil:
			early, until = &Early{Again: again + ", and explain a new dump, before you use a fix."}, Seconds(left)
		}
		until = min(until, Seconds(left))
	}
	early.Pods = slow
	return slow[0].Name + " does not become Ready", early, until
}

// failing says whether it is too early to say of a pod that it does not become Ready although something has failed in
// it. Later it is no assumption any more.
func failing(e *evidence, p *sim.PodState) bool {
	first := failedFirst(e, p)
	return first != nil && Dated(p) && first.time > time.Duration(-e.Facts[p.Key()].Since)
}

// openFor returns for how long nobody can say that a pod does not become Ready, why, and where that time comes from.
func openFor(e *evidence, p *sim.PodState) (again, shown string, left time.Duration) {
	f := e.Facts[p.Key()]
	if first := failedFirst(e, p); first != nil {
		left = first.time - time.Duration(-f.Since)
		return fmt.Sprintf("%s may still become Ready: %s by itself. Wait for %s", p.Name, first.what, Whole(left)), "", left
	}
	allowed := allowedOf(e, p)
	age, lasted := age(p, e.Dump)
	return fmt.Sprintf("%s may %s. Wait until it has %s for %s", p.Name, allowed.why(f.Lost), lasted,
		Whole(allowed.time)), allowed.shown, allowed.time - age
}

// undecided says whether a pod runs and is not Ready, and nothing in the dump says why: its containers run, and its
// node answers.
func undecided(e *evidence, p *sim.PodState) bool {
	n := e.Node(p.Node)
	return p.Phase == model.Running && !p.Ready && !p.Terminating() && !p.Silenced && (n == nil || !n.Down) &&
		e.Facts[p.Key()].Waiting == ""
}

// Dated says whether the dump shows since when a pod is in its state. A server gives every pod the time of its
// creation, so a pod without it comes from a file from which the times were removed.
func Dated(p *sim.PodState) bool { return p.Created < 0 }

// age is how long an undecided pod has been running or, if it was Ready before, has not been Ready, and its verb.
func age(p *sim.PodState, d *dump.Dump) (age time.Duration, lasted string) {
	if d.Facts[p.Key()].Lost {
		return time.Duration(-p.ReadySince), "been unready"
	}
	return time.Duration(-p.Started), "been Running"
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

// Whole renders a time of which nobody reads parts of seconds.
func Whole(d time.Duration) string { return render.Clock(d.Round(time.Second)) }

// allowedOf returns the allowance of an undecided pod: the longest of twice the time of the other pods of the set, the
// time that its probes give it, and the time that was given.
func allowedOf(e *evidence, p *sim.PodState) allowance {
	if e.Facts[p.Key()].Lost {
		return allowance{time: patience}
	}
	var longest allowance
	others := e.Took(e.PodsOf(e.spec)).Ready
	if len(others) > 0 {
		took := dump.Median(others)
		longest = allowance{2 * max(took, time.Second), fmt.Sprintf("%s took %s to become Ready",
			render.Agree(len(others), "another pod", "the other pods"), Whole(took))}
	}
	ready, is := givenReady(e)
	if is && ready > longest.time {
		longest = allowance{ready, "the time given for it to become Ready is " + Whole(ready)}
	}
	if probed := probing(p.Template); probed > longest.time {
		longest = allowance{probed, "its probes give it " + Whole(probed)}
	}
	if len(others) == 0 && !is && longest.time < patience {
		return allowance{time: patience}
	}
	return longest
}

// givenReady returns the time from Running to Ready that was given in addition to the dump, if it was.
func givenReady(e *evidence) (time.Duration, bool) {
	ready := TimesOf(e.lab, e.key).Ready
	constant, is := ready.(behaviour.Constant)
	return time.Duration(constant), is && Source(ready, e.seen.Ready, dump.DefaultReady) == Given
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

// A container that has ended once, or an image that could not be pulled at first, shows little: the kubelet tries again
// by itself, and pods of a healthy rollout begin like that, for example while the database that they look for starts.

// scaleUp is the time within which a node is expected that an autoscaler has asked for.
const scaleUp = 10 * time.Minute

// failure is what has gone wrong in a pod so far, as a clause about it, and the time within which that says little.
type failure struct {
	what string
	time time.Duration
}

// failedFirst returns what has failed in a pod only for the first time, and what its kubelet, or the scheduler with the
// node that comes, tries again by itself; nil if there is nothing like that.
func failedFirst(e *evidence, p *sim.PodState) *failure {
	f, n := e.Facts[p.Key()], e.Node(p.Node)
	if p.Node == "" && f.Asked < 0 && f.Unschedulable != "" {
		asked := "an autoscaler asked for a node for it " + dump.Age(f.Asked) + " ago"
		return &failure{asked + ", and the scheduler gives it one", scaleUp + time.Duration(f.Asked-f.Since)}
	}
	if p.Node == "" || p.Ready || p.Terminating() || p.Finished() || p.Silenced || n != nil && n.Down || f.Added {
		return nil
	}
	switch image, row := f.NoImage(), f.NotRun(); {
	case image != nil && image.Within > 0:
		return &failure{"the image " + f.Image + " could not be pulled at first, and the kubelet tries again", image.Within}
	case row != nil && row.Within > 0:
		return &failure{"its container " + f.Container + " could not be created at first, and the kubelet tries again",
			row.Within}
	case f.Restarts <= 1 && endsByItself(f) && !endsOften(e, p):
		times := "once"
		if f.Restarts == 1 && !f.Crashed {
			times = "twice"
		}
		return &failure{fmt.Sprintf("its container %s has ended only %s, and the kubelet starts it again", f.Container,
			times), patience}
	}
	return nil
}

// endsByItself says whether a container has run and ended: one that the kubelet cannot start at all fails again.
func endsByItself(f *dump.Facts) bool {
	row := f.NotRun()
	return (f.Crashed || symptom.Ends.Has(f.Waiting)) && !symptom.NotMade(f.ExitReason) && !symptom.NotMade(f.Waiting) &&
		(row == nil || !row.OfNode)
}

// endsOften says whether another pod of the same template shows that its container ends again and again.
func endsOften(e *evidence, p *sim.PodState) bool {
	return slices.ContainsFunc(e.PodsOf(e.spec), func(other *dump.Pod) bool {
		f := e.Facts[other.Key()]
		return other.Template == p.Template && !other.Ready && f.Restarts > 1 && f.Waiting != ""
	})
}
