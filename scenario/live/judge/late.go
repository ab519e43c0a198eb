package judge

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// A set that continues in the run may be stuck all the same: the run assumes that the controller, the scheduler and the
// kubelets work. One of them is late if it has not done what a healthy one does by now. For some time that means
// little, and it is too early to say more; from then on the run, or against, says that the set is stuck.

// prompt is the time within which a controller and a scheduler have done what they do at once.
const prompt = 5 * time.Second

// tardy is something that is late: why is the sentence about it, and assumes a clause about what it would mean. left is
// the time until more can be said.
type tardy struct {
	name, why, assumes string
	pod                *dump.Pod
	left               time.Duration
}

// late returns what is late in a set that continues in the run; nil if nothing is.
func late(e *evidence) *tardy {
	for _, find := range []func(*evidence) *tardy{controllerLate, schedulerLate, startLate} {
		if l := find(e); l != nil {
			return l
		}
	}
	return nil
}

// early judges a set of which it is too early to say whether it continues, because something is late.
func early(e *evidence, s Set, l *tardy) *Set {
	wait := Whole(l.left)
	s = *continues(e, s)
	s.Provided = ""
	s.Why, s.Assumes = l.why, l.assumes
	s.Early = &Early{Again: fmt.Sprintf("%s. Wait for %s, and explain a new dump, before you use a fix.",
		render.Capital(l.why), wait)}
	of, see := objectOf(e.spec), "To see whether it works: "+
		shell.In("kube-system", "get", "lease", "kube-controller-manager")
	if l.pod != nil {
		see = "To see what it waits for: " + shell.In(l.pod.Namespace, "describe", "pod", l.pod.Name)
		s.StuckOn, of, s.Early.Pods = l.pod.Name, podObject(l.pod.Namespace, l.pod.Name), []*dump.Pod{l.pod}
	}
	causes := []Cause{{Name: l.name, Sentence: l.why, of: []Object{of}, advice: []string{see}}}
	if l.name == "image-being-pulled" {
		causes[0].advice = append(causes[0].advice, "A large image takes long: "+l.pod.Name+
			" should not be deleted meanwhile. To see the progress: crictl and the traffic of "+l.pod.Node+".")
	}
	if row := goesOn(e, l.pod); row != nil {
		causes[0].advice = []string{e.Say(l.pod, row, row.Ends)}
	}
	s.Judgement = Judgement{State: TooEarly, Until: Seconds(l.left), Causes: causes, Blockers: blockersOf(causes)}
	return &s
}

// startLate: a pod has a node, and its containers have not started for longer than those of other pods, or an event
// says that something fails.
func startLate(e *evidence) *tardy {
	for _, p := range e.PodsOf(e.spec) {
		f := e.Facts[p.Key()]
		if p.Node == "" || p.Phase != model.Pending || p.Terminating() || f.Waiting != "" || f.Init != "" || !Dated(p) {
			continue
		}
		age, patience := time.Duration(-p.Bound), f.Patience()
		if age <= e.startsWithin() && !symptom.Fails(f.Event) || age > patience {
			continue
		}
		if row := goesOn(e, p); row != nil {
			return &tardy{name: row.Name, pod: p, left: looks, assumes: p.Name + " does not start",
				why: "for " + dump.Age(p.Bound) + " " + e.Say(p, row, row.Sentence)}
		}
		if f.Pulls != "" {
			return &tardy{name: "image-being-pulled", pod: p, left: looks, assumes: p.Name + " does not start",
				why: fmt.Sprintf("for %s the kubelet of %s has been pulling an image of %s: %s", dump.Age(f.Pulling), p.Node,
					p.Name, f.Pulls)}
		}
		return &tardy{name: "not-started", pod: p, left: max(patience-age, time.Second), assumes: p.Name + " does not start",
			why: fmt.Sprintf("the containers of %s have not started for %s", p.Name, dump.Age(p.Bound))}
	}
	return nil
}

// goesOn returns what the kubelet is still doing for a pod, as it says; nil if it says nothing, or if there is no pod.
func goesOn(e *evidence, p *dump.Pod) *symptom.Row {
	if p == nil || e.Facts[p.Key()].NotStarted() == nil || e.Facts[p.Key()].NotStarted().Within < symptom.Day {
		return nil
	}
	return e.Facts[p.Key()].NotStarted()
}

// looks is the time after which one looks again at a kubelet that pulls a large image, or changes the owner of files:
// it goes on by itself.
const looks = 10 * time.Minute

// startsWithin is the time within which the containers of a pod start: several times what other pods of the dump took,
// or what was given.
func (e *evidence) startsWithin() time.Duration {
	const least, times = 20 * time.Second, 3
	longest := least
	if n := len(e.seen.Start); n > 0 {
		longest = max(longest, times*e.seen.Start[n/2])
	}
	if given, is := TimesOf(e.lab, e.key).Start.(behaviour.Constant); is {
		longest = max(longest, times*time.Duration(given))
	}
	return longest
}

// schedulerLate: no scheduler has looked at a pod yet.
func schedulerLate(e *evidence) *tardy {
	for _, p := range e.PodsOf(e.spec) {
		f, age := e.Facts[p.Key()], time.Duration(-p.Created)
		if p.Node != "" || p.Finished() || f.Scheduled || f.Scheduler == "" || age <= prompt || age > -idle {
			continue
		}
		return &tardy{name: "scheduler-idle", pod: p, left: -idle - age, assumes: "no scheduler works",
			why: fmt.Sprintf("the scheduler %s has not looked at %s, which was created %s ago", f.Scheduler, p.Name,
				dump.Age(p.Created))}
	}
	return nil
}

// controllerLate: the controller has something to do at the very instant of the dump, and nothing shows that it has
// become so only now. Where the dump shows that it has not for a minute, it is idle (controllerIdle).
func controllerLate(e *evidence) *tardy {
	l := &tardy{name: "controller-idle", assumes: "kube-controller-manager does not work"}
	seen := e.spec.Status.ObservedGeneration
	age := e.quiet()
	switch written, dated := e.Written[e.key]; {
	case seen < e.spec.Generation:
		l.why = "kube-controller-manager has not looked at the newest spec of " + e.key.Name
		if dated {
			age = time.Duration(-written)
		}
	default:
		does := e.owes(&age)
		if does == "" {
			return nil
		}
		l.why = "kube-controller-manager has not done yet what it does at once: " + does
	}
	if age <= prompt {
		return nil
	}
	l.left = max(2*prompt, -idle-age)
	return l
}

// owes returns what the controller does at once and has not done; "" for nothing. It sets the age of that if it is not
// that of the last change of the set.
func (e *evidence) owes(age *time.Duration) string {
	for _, p := range e.PodsOf(e.spec) {
		if claim := e.unfound(p); claim != "" {
			*age = time.Duration(-e.Facts[p.Key()].Since)
			return "to create the PVC " + claim
		}
	}
	due := e.due()
	if _, claim := e.Uncreated(e.spec); due == nil || claim != "" {
		return ""
	}
	return "to " + due.verb + " " + due.pod
}

// due is what the controller does to a pod at once: verb is create or delete. late is true if the dump dates all that
// may have led to it: no pod has gone since the controller last wrote the status.
type due struct {
	verb, pod string
	late      bool
}

// due returns what the controller does first to the pods of the set at the instant of the dump; nil if it does nothing.
// In the run the kubelets act at that instant too: a pod that takes longer than others starts, becomes Ready, or is
// gone. That is assumed, so a real controller need not have answered it.
func (e *evidence) due() *due {
	if answered(e.later) == nil {
		return nil
	}
	first := answered(e.still().LaterOf(e.key))
	if first == nil {
		return nil
	}
	if first.State != timeline.Terminating && first.State != timeline.Gone {
		return &due{verb: "create", pod: first.Pod}
	}
	return &due{"delete", first.Pod, int(e.spec.Status.Replicas) == e.now.Pods.Len()}
}

// still returns the first instant of a run in which no kubelet does anything.
func still(lab play.Lab, x *dump.Index) *Run {
	never := behaviour.Times{Start: behaviour.Never, Ready: behaviour.Never, Stop: behaviour.Never}
	lab.World.Kubelet.Rules = append([]behaviour.Rule{{Times: never}}, lab.World.Kubelet.Rules...)
	lab.World.Until = time.Nanosecond
	return RunOf(lab.Run(nil), x)
}

// answered returns the first event at the beginning in which the controller creates or deletes a pod, if nothing else
// has happened to a pod of the set before, which it may answer; nil if there is none.
func answered(events []timeline.Event) *timeline.Event {
	at := slices.IndexFunc(events, func(e timeline.Event) bool {
		return e.T > 0 || e.Kind == timeline.KindPod && e.Actor != timeline.Scheduler
	})
	if at < 0 || events[at].T > 0 || events[at].Actor != timeline.Controller {
		return nil
	}
	return &events[at]
}

// quiet is the time for which nothing has changed that the dump shows of the set and of its pods.
func (e *evidence) quiet() time.Duration {
	newest := e.spec.Created
	if written, known := e.Written[e.key]; known {
		newest = max(newest, written)
	}
	for _, p := range e.PodsOf(e.spec) {
		newest = max(newest, p.Created, e.Facts[p.Key()].Since)
		if p.Node != "" {
			newest = max(newest, p.Bound)
		}
		if p.Phase == model.Running {
			newest = max(newest, p.Started)
		}
		if p.Ready {
			newest = max(newest, p.ReadySince.Add(time.Duration(e.spec.Spec.MinReadySeconds)*time.Second))
		}
	}
	return time.Duration(-newest)
}
