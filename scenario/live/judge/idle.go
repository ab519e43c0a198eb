package judge

import (
	"fmt"
	"slices"
	"strings"
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

// against returns what the dump shows against a run in which the set continues: the controller, the scheduler or a
// kubelet does not do, for a minute or more, what it does at once in the run. It is empty if nothing does.
func against(e *evidence) []Cause {
	var list []Cause
	// A set that is older is not made again any more.
	if c := e.madeAgain(); c != nil && time.Duration(-e.spec.Created) < lasts {
		list = append(list, *c)
	}
	for _, c := range append([]*Cause{rejected(e)}, stalled(e)...) {
		if c != nil {
			list = append(list, *c.told())
		}
	}
	return list
}

// lasts is the age from which on a set is taken to stay that others of its name were there before.
const lasts = 5 * time.Minute

// stalled returns the first thing that the controller, and the scheduler, has not done for so long that it does not work.
func stalled(e *evidence) (list []*Cause) {
	for _, u := range e.undone() {
		name, see := "controller-idle", []string{whetherItWorks}
		if u.Name == "scheduler-idle" {
			name, see = u.Name, nil
		}
		again := slices.ContainsFunc(list, func(c *Cause) bool { return c.Name == name })
		if u.Age <= u.Within || again {
			continue
		}
		if c := e.undeleted(u); c != nil {
			list = append(list, c)
			continue
		}
		c := (&Cause{Name: name, Sentence: u.In(u.Sentence), Evidence: said(u.Says), of: []Object{objectOf(e.spec)}}).
			advising(see...)
		if pod := u.Names["pod"]; pod != "" && see == nil {
			c.of = []Object{podObject(e.key.Namespace, pod)}
		} else if pod != "" {
			c.of = append(c.of, podObject(e.key.Namespace, pod))
		}
		list = append(list, c)
	}
	return list
}

// undeleted: the controller has to delete a pod, and the API server does not let it.
func (e *evidence) undeleted(u *dump.Undone) *Cause {
	says, pod := e.Sets[e.key].FailedDelete, u.Names["pod"]
	if says == "" || pod == "" || u.Name != "step not taken" {
		return nil
	}
	refusal, who := dump.OneLine(says), "what refuses it"
	if _, after, cut := strings.Cut(refusal, " failed error: "); cut {
		refusal = after
	}
	if row := symptom.Refusal(says); row.Name == "webhook" {
		who = "the policy behind the webhook " + row.Found(says)
	}
	row, names := &symptom.Unremovable, symptom.Names{"pod": pod, "says": strings.TrimRight(refusal, ". "), "who": who}
	c := &Cause{Name: row.Name, Sentence: names.In(row.Sentence), Evidence: said(says),
		of: []Object{podObject(e.key.Namespace, pod), objectOf(e.spec)}}
	return c.advising(names.In(row.Ends))
}

// whetherItWorks is said where the controller may not work.
var whetherItWorks = "To see whether it works: " + shell.In("kube-system", "get", "lease", "kube-controller-manager")

// undone returns what the controllers have not done yet: what the dump shows, and then the next step of the controller in
// the run, if nothing has changed before which it may still have to answer.
func (e *evidence) undone() []*dump.Undone {
	list := e.Undone(e.spec)
	due := e.due()
	if due == nil {
		return list
	}
	quiet := e.quiet()
	u := &dump.Undone{Row: symptom.Named("step not taken"), Names: symptom.Names{"set": e.key.Name, "pod": due.pod,
		"found": due.verb, "age": dump.Age(model.Time(-quiet))}}
	if due.late && e.spec.Status.ObservedGeneration == e.spec.Generation {
		u.Age = quiet
	}
	return append(list, u)
}

// prompt is the time within which a controller and a scheduler have done what they do at once, and idle that after which
// one that has not is taken not to work.
const prompt, idle = 5 * time.Second, time.Minute

// tardy is something late: why says it, assumes what it would mean, as a clause; left is the time until more can be said.
type tardy struct {
	name, why, assumes string
	pod                *dump.Pod
	left               time.Duration
}

// late returns what is late in a set that continues in the run; nil if nothing is.
func late(e *evidence) *tardy {
	if l := controllerLate(e); l != nil {
		return l
	}
	for _, u := range e.Undone(e.spec) {
		// No scheduler has looked at a pod yet.
		if u.Name == "scheduler-idle" && u.Age > prompt && u.Age <= idle {
			return &tardy{name: u.Name, pod: u.Pod, left: idle - u.Age, assumes: "no scheduler works", why: u.In(u.Late)}
		}
	}
	return startLate(e)
}

// early judges a set of which it is too early to say whether it continues, because something is late.
func early(e *evidence, s Set, l *tardy) *Set {
	wait := Whole(l.left)
	s = *continues(e, s)
	s.Provided = ""
	s.Why, s.Assumes = l.why, l.assumes
	s.Early = &Early{Again: fmt.Sprintf("%s. Wait for %s, and explain a new dump, before you use a fix.",
		render.Capital(l.why), wait)}
	of, see := objectOf(e.spec), whetherItWorks
	if l.pod != nil {
		see = "To see what it waits for: " + shell.In(l.pod.Namespace, "describe", "pod", l.pod.Name)
		s.StuckOn, of, s.Early.Pods = l.pod.Name, podObject(l.pod.Namespace, l.pod.Name), []*dump.Pod{l.pod}
	}
	if row := goesOn(e, l.pod); !row.None() {
		see = e.Say(l.pod, row, row.Ends)
	}
	is := s.held(Cause{Name: l.name, Sentence: l.why, of: []Object{of}, advice: []string{see}})
	is.State, is.Until = TooEarly, Seconds(l.left)
	return is
}

// controllerLate: the controller has something to do at the instant of the dump, and nothing shows that this is new.
func controllerLate(e *evidence) *tardy {
	_, claim := e.Uncreated(e.spec)
	for _, u := range e.undone() {
		age := u.Age
		switch {
		case u.Late == "" || u.Name == "scheduler-idle" || u.Name == "step not taken" && claim != "":
			continue
		case u.Names["claim"] == "" && !(u.Name == "spec not seen" && e.Sets[e.key].Dated):
			age = e.quiet()
		}
		if age <= prompt {
			return nil
		}
		return &tardy{name: "controller-idle", assumes: "kube-controller-manager does not work", why: u.In(u.Late),
			left: max(2*prompt, idle-age)}
	}
	return nil
}

// startLate: the containers of a pod with a node take longer to start than others, or an event says that something fails.
func startLate(e *evidence) *tardy {
	for _, p := range e.PodsOf(e.spec) {
		f := e.Facts[p.Key()]
		if p.Node == "" || p.Phase != model.Pending || p.Terminating() || f.Waiting != "" || f.Init != "" || !Dated(p) {
			continue
		}
		age, patience := time.Duration(-p.Bound), f.Patience()
		if age <= e.startsWithin() && !symptom.Fails.In(f.Event) || age > patience {
			continue
		}
		if row := goesOn(e, p); !row.None() {
			since := p.Bound
			if f.Pulls != "" {
				since = f.Pulling
			}
			return &tardy{name: row.Name, pod: p, left: looks, assumes: p.Name + " does not start",
				why: "for " + dump.Age(since) + " " + e.Say(p, row, row.Sentence)}
		}
		return &tardy{name: "not-started", pod: p, left: max(patience-age, time.Second), assumes: p.Name + " does not start",
			why: e.Names(p).With(symptom.Names{"age": dump.Age(p.Bound)}).In(symptom.Named("not-started").Late)}
	}
	return nil
}

// goesOn returns what the kubelet is still doing for a pod, as it says; Nothing if it says nothing, or there is no pod.
func goesOn(e *evidence, p *dump.Pod) *symptom.Row {
	if p != nil && e.Facts[p.Key()].NotStarted().Within >= symptom.Day {
		return e.Facts[p.Key()].NotStarted()
	}
	return symptom.Nothing
}

// looks is when one looks again at a kubelet that pulls a large image, or changes the owner of files: it goes on.
const looks = 10 * time.Minute

// startsWithin is the time in which the containers of a pod start: several times what other pods took, or what was given.
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
	if f := e.Sets[e.key]; f.Dated {
		newest = max(newest, f.Written)
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

// newest says whether a pod is of a revision that is being rolled out, and a pod of the one before is Ready.
func (e *evidence) newest(p *dump.Pod) bool {
	status := &e.spec.Status
	return p.Revision() == status.UpdateRevision && slices.ContainsFunc(e.PodsOf(e.spec), func(other *dump.Pod) bool {
		return other.Ready && other.Revision() == status.CurrentRevision && other.Revision() != p.Revision()
	})
}

// failedOften returns that pods which are Ready now have failed again and again: they most likely do so again.
func failedOften(e *evidence) []Cause {
	var list []Cause
	for _, p := range e.PodsOf(e.spec) {
		f := e.Facts[p.Key()]
		if falls := e.Falls(p); falls != "" {
			list = append(list, Cause{Name: "crash-loop", Sentence: p.Name + " is Ready now, and " + falls,
				of: []Object{podObject(p.Namespace, p.Name)}})
		}
		if !f.FailsAgain() || !p.Ready || p.Created.Add(time.Hour) < 0 {
			continue
		}
		c := &Cause{Name: "fails-again", of: []Object{podObject(p.Namespace, p.Name)},
			Sentence: fmt.Sprintf("%s has failed again and again: the controller has created it again %d times within %s, the "+
				"last time %s ago", p.Name, f.Recreated, dump.Age(model.Time(-f.Within)), dump.Age(p.Created))}
		list = append(list, *c.told().advising(e.Again(p, symptom.Named("fails-again").Ends)))
	}
	return list
}

// rejected: a kubelet rejects the pod, and will reject the next one: the scheduler does not see why, or is not asked since
// the template names the node. Or the controller has created the pod again and again.
func rejected(e *evidence) *Cause {
	for _, p := range e.PodsOf(e.spec) {
		f := e.Facts[p.Key()]
		of := []Object{podObject(p.Namespace, p.Name)}
		if p.Node != "" {
			of = append(of, nodeObject(p.Node))
		}
		reason, _, _ := strings.Cut(f.Status, ":")
		row := symptom.Rejection(reason, f.Status, strings.Contains(p.Template.Data, `"nodeName":`))
		switch {
		case p.Finished() && !p.Terminating() && !row.None():
			names := e.Names(p).With(symptom.Names{"reason": reason,
				"see": shell.In(p.Namespace, "rollout", "undo", "statefulset/"+e.key.Name)})
			c := &Cause{Name: "rejected-by-kubelet", of: of, Evidence: said(f.Status), Sentence: names.In(row.Sentence)}
			if f.Recreated > 0 {
				c.Evidence = append(c.Evidence, e.Again(p, "the controller has created {pod} again {times} times within {long}"))
			}
			if e.newest(p) && row.Ends != "" {
				return c.advising(names.In(row.Ends))
			}
			return c.advising(names.In(row.Needs))
		case f.FailsAgain() && !p.Ready:
			return &Cause{Name: "fails-again", of: of, Evidence: said(f.Status),
				Sentence: e.Again(p, symptom.Named("fails-again").Sentence)}
		}
	}
	return nil
}
