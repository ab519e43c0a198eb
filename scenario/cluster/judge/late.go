package judge

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
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
		command.In("kube-system", "get", "lease", "kube-controller-manager")
	if l.pod != nil {
		see = "To see what it waits for: " + command.In(l.pod.Namespace, "describe", "pod", l.pod.Name)
		s.StuckOn, of, s.Early.Pods = l.pod.Name, podObject(l.pod.Namespace, l.pod.Name), []*dump.Pod{l.pod}
	}
	causes := []Cause{{Name: l.name, Sentence: l.why, of: []Object{of}, advice: []string{see}}}
	if l.pod != nil && e.Facts[l.pod.Key()].Chowns() {
		causes[0].advice = []string{"A new pod would begin again, so " + l.pod.Name + " should not be deleted meanwhile. " +
			"With fsGroupChangePolicy: OnRootMismatch in the template, later starts are quick."}
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
		if age <= e.startsWithin() && !f.Fails() || age >= patience {
			continue
		}
		if f.Chowns() {
			return &tardy{name: "volume-ownership", pod: p, left: chowns, assumes: p.Name + " does not start",
				why: fmt.Sprintf("for %s the kubelet has been giving the files of a volume of %s to its fsGroup",
					dump.Age(p.Bound), p.Name)}
		}
		return &tardy{name: "not-started", pod: p, left: patience - age, assumes: p.Name + " does not start",
			why: fmt.Sprintf("the containers of %s have not started for %s", p.Name, dump.Age(p.Bound))}
	}
	return nil
}

// chowns is the time after which one looks again at a kubelet that changes the owner of files: it reports every minute.
const chowns = 10 * time.Minute

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
// become so only now.
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
		does := e.atOnce()
		if _, claim := e.Uncreated(e.spec); does == "" || claim != "" {
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

// atOnce returns what the controller does to the pods of the set at the instant of the dump in the run; "" for nothing.
func (e *evidence) atOnce() string {
	at := slices.IndexFunc(e.later, func(event timeline.Event) bool {
		return event.T == 0 && event.Kind == timeline.KindPod && event.Actor == timeline.Controller
	})
	if at < 0 {
		return ""
	}
	if e.later[at].State == timeline.Terminating || e.later[at].State == timeline.Gone {
		return "to delete " + e.later[at].Pod
	}
	return "to create " + e.later[at].Pod
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
	}
	return time.Duration(-newest)
}
