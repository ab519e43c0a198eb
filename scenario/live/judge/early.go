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
	"github.com/statefulsim/statefulsim/sim/timeline"
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
	var pods []*dump.Pod
	var list []*open
	for i := range e.stuck {
		why := e.stuck[i].Why
		p := e.pod(why.Object)
		if why.Code != model.WaitingForReady && why.Code != model.BudgetSpent || p == nil {
			return "", nil, 0
		}
		o := openFor(e, p)
		if o == nil {
			return "", nil, 0
		}
		pods, list = append(pods, p), append(list, o)
	}
	assumes = pods[0].Name + " does not become Ready"
	for i, o := range list {
		switch {
		// If nothing shows when the dump was taken, its newest time never moves on: a new dump would be too early again.
		case !Dated(pods[i]) || o.left <= 0 || e.Timeless:
			early = &Early{}
			if i == 0 {
				early.Shown = o.shown
			}
			return assumes, early, 0
		case early == nil:
			early, until = &Early{Again: o.again + ", and explain a new dump, before you use a fix.", Pods: pods}, Seconds(o.left)
		}
		until = min(until, Seconds(o.left))
	}
	return assumes, early, until
}

// open is that nobody can say for some time that a pod does not become Ready: why, and what shows that time; "" for nothing.
type open struct {
	again, shown string
	left         time.Duration
}

// openFor returns for how long nobody can say that a pod does not become Ready; nil if something shows that it does not.
// Of what has failed in it at first, it is no assumption any more when that time is over.
func openFor(e *evidence, p *sim.PodState) *open {
	f, running := e.Facts[p.Key()], undecided(e, p)
	if what, within := failedFirst(e, p); what != "" {
		left := within - time.Duration(-f.Since)
		if !running && (!Dated(p) || left <= 0) {
			return nil
		}
		return &open{left: left, again: fmt.Sprintf("%s may still become Ready: %s by itself. Wait for %s", p.Name, what, Whole(left))}
	}
	if !running {
		return nil
	}
	allowed, shown := allowedOf(e, p)
	why, lasted, since := "only need more time: "+cmp.Or(shown, "nothing in the dump shows how long it takes to become Ready"),
		"been Running", p.Started
	if f.Lost {
		why, lasted, since = "become Ready again by itself", "been unready", p.ReadySince
	}
	return &open{shown: shown, left: allowed - time.Duration(-since), again: fmt.Sprintf(
		"%s may %s. Wait until it has %s for %s", p.Name, why, lasted, Whole(allowed))}
}

// undecided reports whether a pod runs and is not Ready, and nothing says why: its containers run, its node answers.
func undecided(e *evidence, p *sim.PodState) bool {
	n := e.Node(p.Node)
	return p.Phase == model.Running && !p.Ready && !p.Terminating() && !p.Silenced && (n == nil || !n.Down) &&
		e.Facts[p.Key()].Waiting == ""
}

// Dated says whether the dump shows since when a pod is in its state. A server gives every pod the time of its
// creation, so a pod without it comes from a file from which the times were removed.
func Dated(p *sim.PodState) bool { return p.Created < 0 }

// patience is the time of a pod of which nothing shows how long it takes.
const patience = time.Minute

// Whole renders a time of which nobody reads parts of seconds.
func Whole(d time.Duration) string { return render.Clock(d.Round(time.Second)) }

// allowedOf returns the time within which nobody can say that an undecided pod does not become Ready: the longest of twice
// the time of the other pods of the set, the time that its probes give it, and the time that was given. shown is where
// it comes from; "" means that nothing shows it.
func allowedOf(e *evidence, p *sim.PodState) (longest time.Duration, shown string) {
	if e.Facts[p.Key()].Lost {
		return patience, ""
	}
	others := e.Took(e.PodsOf(e.spec)).Ready
	if len(others) > 0 {
		took := dump.Median(others)
		longest, shown = 2*max(took, time.Second), fmt.Sprintf("%s took %s to become Ready",
			render.Agree(len(others), "another pod", "the other pods"), Whole(took))
	}
	ready, is := givenReady(e)
	if is && ready > longest {
		longest, shown = ready, "the time given for it to become Ready is "+Whole(ready)
	}
	if probed := probing(p.Template); probed > longest {
		longest, shown = probed, "its probes give it "+Whole(probed)
	}
	if len(others) == 0 && !is && longest < patience {
		return patience, ""
	}
	return longest, shown
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

// failedFirst returns, as a clause, what has failed in a pod only for the first time, and its kubelet, or the scheduler
// with the node that comes, tries again by itself, and the time within which that says little; "" for nothing.
func failedFirst(e *evidence, p *sim.PodState) (what string, within time.Duration) {
	f, n := e.Facts[p.Key()], e.Node(p.Node)
	if p.Node == "" && f.Asked < 0 && f.Unschedulable != "" {
		return "an autoscaler asked for a node for it " + dump.Age(f.Asked) + " ago, and the scheduler gives it one",
			scaleUp + time.Duration(f.Asked-f.Since)
	}
	if p.Node == "" || p.Ready || p.Terminating() || p.Finished() || p.Silenced || n != nil && n.Down || f.Added {
		return "", 0
	}
	switch image, row := f.NoImage(), f.NotRun(); {
	case image.Within > 0:
		return "the image " + f.Image + " could not be pulled at first, and the kubelet tries again", image.Within
	case row.Within > 0:
		return "its container " + f.Container + " could not be created at first, and the kubelet tries again", row.Within
	case f.Restarts <= 1 && endsByItself(f) && !endsOften(e, p):
		times := "once"
		if f.Restarts == 1 && !f.Crashed {
			times = "twice"
		}
		return fmt.Sprintf("its container %s has ended only %s, and the kubelet starts it again", f.Container, times), patience
	}
	return "", 0
}

// endsByItself says whether a container has run and ended: one that the kubelet cannot start at all fails again.
func endsByItself(f *dump.Facts) bool {
	return (f.Crashed || symptom.Ends.Has(f.Waiting)) && !symptom.NotMade(f.ExitReason) && !symptom.NotMade(f.Waiting) &&
		!f.NotRun().OfNode
}

// endsOften says whether another pod of the same template shows that its container ends again and again.
func endsOften(e *evidence, p *sim.PodState) bool {
	return slices.ContainsFunc(e.PodsOf(e.spec), func(other *dump.Pod) bool {
		f := e.Facts[other.Key()]
		return other.Template == p.Template && !other.Ready && f.Restarts > 1 && f.Waiting != ""
	})
}

// restsOn returns what a set is stuck for in the end. The run assumes of a pod that runs and is not Ready, and whose
// template no other pod proves, that neither it nor any other pod of that template becomes Ready. Then the run may get
// stuck on pods that are still to come, or on old ones that a rollout would replace. If the set is not stuck in a run
// in which the pods of that template do become Ready, it is stuck for those that run alone.
func restsOn(e *evidence) []timeline.Stuck {
	var open []*dump.Pod
	for _, p := range e.PodsOf(e.spec) {
		if undecided(e, p) {
			open = append(open, p)
		}
	}
	waits := func(s timeline.Stuck) bool {
		return slices.ContainsFunc(open, func(p *dump.Pod) bool { return s.Why.Object == p.Name })
	}
	others := slices.ContainsFunc(e.stuck, func(s timeline.Stuck) bool { return !waits(s) })
	if len(open) == 0 || !others || !hopeful(e, open) {
		return e.stuck
	}
	var list []timeline.Stuck
	for _, p := range open {
		stuck := timeline.Stuck{Set: e.key, Why: model.Why{Code: model.WaitingForReady, Object: p.Name}}
		if at := slices.IndexFunc(e.stuck, func(s timeline.Stuck) bool { return s.Why.Object == p.Name }); at >= 0 {
			stuck = e.stuck[at]
		}
		list = append(list, stuck)
	}
	return list
}

// hopeful says whether the set is not stuck in a run in which the pods of the templates of some pods become Ready.
func hopeful(e *evidence, open []*dump.Pod) bool {
	lab := *e.lab
	rule := behaviour.Rule{Times: behaviour.Times{Ready: behaviour.Constant(dump.DefaultReady)}}
	rule.Match.That = func(pod *model.Pod) bool {
		return slices.ContainsFunc(open, func(p *dump.Pod) bool {
			known := pod.Template != nil && p.Template != nil
			return pod.Namespace == p.Namespace && known && pod.Template.Data == p.Template.Data
		})
	}
	lab.World.Kubelet.Rules = append([]behaviour.Rule{rule}, lab.World.Kubelet.Rules...)
	events := lab.Run(nil)
	return !slices.ContainsFunc(events[len(events)-1].Result.Stuck, func(s timeline.Stuck) bool { return s.Set == e.key })
}

// comeBack returns the pods that a set is stuck on, if it is stuck only because they crash again and again, and each
// was Ready in its last run: the set continues while they are Ready, since the controller does not know that they crash
// again. whole says that the set is complete then.
func comeBack(e *evidence) (pods []*dump.Pod, whole bool) {
	for i := range e.stuck {
		why := e.stuck[i].Why
		p := e.pod(why.Object)
		if why.Code != model.WaitingForReady && why.Code != model.BudgetSpent || p == nil || p.Terminating() ||
			!e.Facts[p.Key()].Comes() {
			return nil, false
		}
		pods = append(pods, p)
	}
	if e.spec.Terminating() {
		return nil, false
	}
	all := int(e.spec.Spec.Replicas)
	old := e.now.Pods.Any(func(p *timeline.Pod) bool {
		return p.Template != e.spec.Spec.Template.ID && e.spec.Spec.Strategy.Type == model.RollingUpdateStrategy &&
			!e.spec.BelowPartition(e.spec.OrdinalOf(p.Name))
	})
	return pods, e.now.Serving()+len(pods) == all && e.now.Pods.Len() == all && !old
}

// stable is the time for which a container runs until its kubelet takes it for stable: then the back-off begins anew.
const stable = 10 * time.Minute

// mayEnd says whether some pods may not last: a container of one has been restarted, and may well end again, or its
// node is not among those of the dump. If there is no such node any more, the pod is deleted within a minute.
func mayEnd(d *dump.Dump, pods []*dump.Pod) bool {
	return slices.ContainsFunc(pods, func(p *dump.Pod) bool {
		return d.Facts[p.Key()].Restarts > 0 && time.Duration(-max(p.Started, p.ReadySince)) < stable ||
			!d.Nodeless && slices.Contains(d.Unseen, p.Node)
	})
}
