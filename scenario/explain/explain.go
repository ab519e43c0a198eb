package explain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Options say what to explain.
type Options struct {
	// At is the instant; nil is the end of the run. The state after the last tick at or before it is explained.
	At *time.Duration
	// Pod limits the explanation to one pod, NAME or NAMESPACE/NAME; "" means all.
	Pod string
	// Lab, if set, plays the scenario, so that fixes can be tried: its Before are the scenario's own steps.
	Lab *play.Lab
}

// Explanation holds everything that is known about an instant: the document of `sim explain -o json`.
type Explanation struct {
	// At is the instant. End says that it is the end of the run; Verdict is then how the run ends. Sets are the
	// StatefulSets that exist at the instant.
	At      Instant          `json:"at"`
	End     bool             `json:"end"`
	Verdict timeline.Verdict `json:"verdict"`
	Sets    []*Set           `json:"sets"`
}

// Instant is virtual time; JSON has it in seconds.
type Instant model.Time

// MarshalJSON renders the seconds.
func (i Instant) MarshalJSON() ([]byte, error) { return []byte(model.Time(i).Seconds()), nil }

// Set is a set at the instant.
type Set struct {
	// Namespace and Name are those of the StatefulSet.
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Replicas is spec.replicas, Serving the number of its pods that are Ready and not Terminating.
	Replicas int `json:"replicas"`
	Serving  int `json:"serving"`
	// Pods are its pods, sorted by ordinal. Waits are what the controller waits for, the oldest first; at the end of a
	// run also what else keeps the set stuck.
	Pods  []Pod   `json:"pods"`
	Waits []*Wait `json:"waits"`
	// Strangers are the pods that have the names of its pods, and that it does not own: they keep it from creating its
	// own.
	Strangers []string `json:"strangers,omitempty"`
	// Missing are its pods that do not exist. Drains are the drains that may not evict some of its pods.
	Missing []string `json:"missing,omitempty"`
	Drains  []*Drain `json:"drains,omitempty"`
	// Repeats are the writes that repeat for ever, if the run ends in a livelock.
	Repeats []string `json:"repeats,omitempty"`
	// WaysOut are fixes for a run that ends stuck, as commands that people use. Each was played after the run. Those
	// that heal it come first, the best one at the top. Tried is true if fixes were looked for: an empty list then
	// means that there are none.
	WaysOut []WayOut `json:"waysOut,omitempty"`
	Tried   bool     `json:"tried,omitempty"`
	// Untried says why no fixes were looked for, or not all.
	Untried string `json:"untried,omitempty"`
	// Prevents is the change that keeps the set from a livelock if it is made before the last step; it was played.
	Prevents string `json:"prevents,omitempty"`
	// Ends says that the same change also ends a livelock that has begun; it was played with calls that take some time.
	Ends bool `json:"endsLivelock,omitempty"`
}

// Pod is a pod at the instant.
type Pod struct {
	// Name is the name of the pod, State a state of docs/timeline.md.
	Name  string `json:"name"`
	State string `json:"state"`
	// Since is when it entered its State; in a dump it is negative. Template is the N of @N in texts, Image the images
	// of its containers. Outdated says that it was not created from the current template, Ready that it is Ready.
	Since    Instant `json:"since"`
	Template int     `json:"template"`
	Image    string  `json:"image"`
	Outdated bool    `json:"outdated"`
	Ready    bool    `json:"ready"`
	// Shown is the status that kubectl shows instead of the phase, for example CrashLoopBackOff; Restarts counts the
	// restarts of the containers.
	Shown    string `json:"shown,omitempty"`
	Restarts int    `json:"restarts,omitempty"`
	// Held says that the controller waits for this pod.
	Held bool `json:"held"`
	// Warning is the last warning about a pod that is not Ready, as kubectl get events has it.
	Warning string `json:"warning,omitempty"`

	// uid tells the lives of one name apart; "" in a dump.
	uid model.UID
}

// Wait is something that the controller waits for.
type Wait struct {
	// Code and Rule are a reason and a rule of docs/timeline.md; Object is the pod, the PVC or the revision that they
	// are about, "" if there is none. Sentence says the same in words.
	Code     model.Code `json:"code"`
	Object   string     `json:"object,omitempty"`
	Rule     model.Rule `json:"rule,omitempty"`
	Sentence string     `json:"sentence"`
	// Since is when the wait began.
	Since Instant `json:"since"`
	// Release says what ends such a wait.
	Release string `json:"release"`
	// Error is the error of a call; "" if it is not known. Released says when and by what the wait ends in this run, ""
	// if it does not.
	Error    string `json:"error,omitempty"`
	Released string `json:"released,omitempty"`

	// why is the reason of which the fields above are the words.
	why model.Why
	// down is the node of the pod if it does not answer and keeps the pod, "" if not.
	down string
}

// Explain looks at a run, which must have a result. The state is that after the last tick at or before the instant. An
// error says which of the options does not fit the run. With a laboratory it plays the ways out of each stuck set,
// which costs some dozen runs. The timeline is not changed, and the explanation shares its events. A pod that is named
// may exist at another time of the run only: then it is among the Missing of its set.
func Explain(events []timeline.Event, o Options) (*Explanation, error) {
	last := events[len(events)-1]
	e := &Explanation{At: Instant(last.T), End: true, Verdict: last.Result.Verdict}
	cut := len(events)
	if o.At != nil && model.Time(*o.At) < last.T {
		e.At, e.End = Instant(*o.At), false
		cut = slices.IndexFunc(events, func(event timeline.Event) bool { return event.T > model.Time(*o.At) })
	}
	var fold timeline.Fold
	for i := range cut {
		fold.Apply(&events[i])
	}
	known := o.Pod == ""
	var others []string
	for _, set := range fold.Sets() {
		s := &Set{
			Namespace: set.Key.Namespace, Name: set.Key.Name,
			Replicas: int(set.Spec.Spec.Replicas), Serving: set.Serving(),
		}
		s.Waits = waits(events, cut, set.Key)
		s.pods(set)
		s.warned(events[:cut])
		s.failed(events[:cut], set.Key)
		s.drains(events[:cut], &fold, set.Key)
		var state *sim.State
		if e.End {
			state = s.end(events, last.Result, o.Lab)
			s.failures(last.Result)
			s.prevent(set.Spec, o.Lab)
		}
		s.released(&fold, state, e)
		if o.Pod != "" {
			pod := strings.TrimPrefix(o.Pod, s.Namespace+"/")
			if parent, _ := model.SplitPodName(pod); parent != s.Name {
				continue
			}
			if !s.knows(pod, events) {
				others = append(others, s.names()...)
				continue
			}
			known = true
			s.only(pod)
		}
		e.Sets = append(e.Sets, s)
	}
	switch {
	case len(others) > 0 && !known:
		return nil, fmt.Errorf("there is no pod %s in the run: the pods at %s are %s", o.Pod, clock(e.At),
			render.List(others, 10))
	case !known:
		return nil, fmt.Errorf("there is no pod %s at %s: it belongs to no set", o.Pod, clock(e.At))
	}
	return e, nil
}

// waits lists what the controller waits for at a point of a run, the oldest first, and how each wait ends. Released has
// only what lies behind the cut. It costs O(events).
func waits(events []timeline.Event, cut int, key model.Key) []*Wait {
	var open []*Wait
	for i := range events[:cut] {
		if event := &events[i]; event.Wait != nil && event.Set == key {
			open = slices.DeleteFunc(open, func(w *Wait) bool { return w.is(event.Why) })
			if !event.Wait.Ended {
				open = append(open, newWait(event.Why, event.Wait.Since))
			}
		}
	}
	for i := cut; i < len(events); i++ {
		event := &events[i]
		if event.Wait == nil || !event.Wait.Ended || event.Set != key {
			continue
		}
		for _, w := range open {
			if w.Released == "" && w.is(event.Why) {
				w.Released = "at " + event.T.Clock() + by(events, i)
			}
		}
	}
	return open
}

// newWait returns a wait for a reason.
func newWait(why model.Why, since model.Time) *Wait {
	return &Wait{
		Code: why.Code, Object: why.Object, Rule: why.Rule, Sentence: why.Sentence(),
		Since: Instant(since), why: why,
	}
}

// named is the sentence of a wait, with the names of its reason.
func (w *Wait) named() string { return w.Sentence + " (" + reasons.Names(w.why) + ")" }

// released says of each wait what ends it, in the world of that instant. state, if known, shows what a timeline does
// not, such as finalizers.
func (s *Set) released(fold *timeline.Fold, state *sim.State, e *Explanation) {
	stuck := e.End && (e.Verdict == timeline.IsStuck || e.Verdict == timeline.Settled)
	key := model.Key{Namespace: s.Namespace, Name: s.Name}
	for _, w := range s.Waits {
		world := reasons.At(fold, key, w.Object, stuck)
		world.Finalizers = finalizers(state, model.Key{Namespace: s.Namespace, Name: w.Object})
		w.Release = reasons.Release(w.why, world)
	}
}

// finalizers returns the finalizers of a pod that is being deleted, without those that only the garbage collector
// removes.
func finalizers(state *sim.State, pod model.Key) []string {
	if state == nil {
		return nil
	}
	for i := range state.Pods {
		if p := &state.Pods[i]; p.Key() == pod && p.Terminating() {
			return heal.Finalizers(p.Pod)
		}
	}
	return nil
}

// is says whether a reason is that of the wait.
func (w *Wait) is(why model.Why) bool {
	return w.Code == why.Code && w.Object == why.Object && w.Rule == why.Rule
}

// holds says whether one of the waits is for the pod.
func holds(waits []*Wait, pod string) bool {
	return slices.ContainsFunc(waits, func(w *Wait) bool { return w.Object == pod })
}

// by finds what ended a wait: what happened to its pod at that instant, or the step of that instant. It is "" if
// nothing of both happened.
func by(events []timeline.Event, at int) string {
	for i := at - 1; i >= 0 && events[i].T == events[at].T; i-- {
		event := &events[i]
		if event.Kind == timeline.KindPod && event.Pod == events[at].Why.Object {
			return fmt.Sprintf(", when %s becomes %s", event.Pod, event.State)
		}
		if event.Step != nil {
			return fmt.Sprintf(", by step %d: %s", event.Step.Number, event.Step.Does)
		}
	}
	return ""
}

// pods describes the pods of the set, and names those that are missing or not its own. The waits must be known: they
// say which pods are held.
func (s *Set) pods(set *timeline.Set) {
	for pod := range set.Pods.All {
		s.Pods = append(s.Pods, Pod{
			Name: pod.Name, State: pod.State.String(), Since: Instant(pod.Since), Template: pod.Template, Image: pod.Image,
			Outdated: pod.Template != set.Spec.Spec.Template.ID, Ready: pod.Ready,
			Shown: pod.Shown, Restarts: pod.Restarts, uid: pod.UID,
			Held: holds(s.Waits, pod.Name),
		})
	}
	s.Strangers = strangers(set)
	for i := range s.Replicas {
		name := set.Spec.PodName(set.Spec.Start() + i)
		if !s.has(name) && !slices.Contains(s.Strangers, name) {
			s.Missing = append(s.Missing, name)
		}
	}
}

// names returns the names of the pods that the set has, or should have.
func (s *Set) names() []string {
	var names []string
	for i := range s.Pods {
		names = append(names, s.Pods[i].Name)
	}
	return slices.Concat(names, s.Strangers, s.Missing)
}

// knows says whether the set has a pod, or should have it, or the pod exists at another time of the run.
func (s *Set) knows(pod string, events []timeline.Event) bool {
	return slices.Contains(s.names(), pod) || slices.ContainsFunc(events, func(e timeline.Event) bool {
		return e.Pod == pod && e.Set.Namespace == s.Namespace
	})
}

// strangers returns the pods that have the names of a set's pods, and that it does not own.
func strangers(set *timeline.Set) []string {
	var names []string
	for i := range int(set.Spec.Spec.Replicas) {
		name := set.Spec.PodName(set.Spec.Start() + i)
		if set.Bare.Any(func(pod *timeline.Pod) bool { return pod.Name == name }) {
			names = append(names, name)
		}
	}
	return names
}

// failed gives a wait for the retry of a call the error of the last attempt before the instant. The other waits keep
// theirs.
func (s *Set) failed(events []timeline.Event, key model.Key) {
	for _, w := range s.Waits {
		for i := range events {
			if e := &events[i]; w.Code == model.SyncError && e.Kind == timeline.KindSync && e.Set == key &&
				e.Reason == string(model.SyncError) {
				w.Error = e.Message
			}
		}
	}
}

// end adds what is known about the end of a run. It returns the objects of that instant if the set is stuck and a
// laboratory is given.
func (s *Set) end(events []timeline.Event, result *timeline.Result, lab *play.Lab) *sim.State {
	key := model.Key{Namespace: s.Namespace, Name: s.Name}
	if result.Verdict == timeline.Livelock {
		s.Repeats = result.Repeats
	}
	isStuck := false
	for _, stuck := range result.Stuck {
		if stuck.Set == key {
			isStuck = true
			s.stuck(stuck)
		}
	}
	if !isStuck || lab == nil {
		return nil
	}
	found := heal.Stuck{Key: key, Lab: lab, Events: events, State: lab.State(nil)}
	s.WaysOut = waysOut(found.All(), before{key: key, serving: s.Serving})
	s.Untried = found.Untried()
	s.Tried = s.Untried == "" || len(s.WaysOut) > 0
	return found.State
}

// failures gives the waits the errors for which the set is tried again and again at the end of a run.
func (s *Set) failures(result *timeline.Result) {
	for _, stuck := range result.Stuck {
		for _, w := range s.Waits {
			if stuck.Set == (model.Key{Namespace: s.Namespace, Name: s.Name}) && w.is(stuck.Why) {
				w.Error = stuck.Error
			}
		}
	}
}

// warned gives the pods that are not Ready the last warnings about them. A warning of the scheduler is over once the
// pod has a node. Warnings about an earlier pod of the same name do not count.
func (s *Set) warned(events []timeline.Event) {
	for i := range events {
		e := &events[i]
		warns := e.Kind == timeline.KindK8sEvent && e.Warning && !e.Passing
		if !warns && e.Kind != timeline.KindPod || e.Set.Namespace != s.Namespace {
			continue
		}
		for j := range s.Pods {
			switch p := &s.Pods[j]; {
			case p.Name != e.Pod || p.uid != e.UID || p.Ready:
			case warns:
				p.Warning = e.Reason + ": " + e.Message
			case e.Node != "" && strings.HasPrefix(p.Warning, timeline.ReasonFailedScheduling+": "):
				p.Warning = ""
			}
		}
	}
}

// stuck adds a reason for which the set is stuck, if the controller does not wait for it: it may not know of what is
// missing, or have no part in it.
func (s *Set) stuck(stuck timeline.Stuck) {
	told := stuck.Why.Code == model.DrainBlocked && len(s.Drains) > 0
	if !told && !slices.ContainsFunc(s.Waits, func(w *Wait) bool { return w.is(stuck.Why) }) {
		s.Waits = append(s.Waits, newWait(stuck.Why, stuck.Since))
	}
}

// prevent looks for a change that keeps the set from a livelock: before the last step, and once the loop has begun. It
// plays both, and claims nothing if the first does not help.
func (s *Set) prevent(set *model.StatefulSet, lab *play.Lab) {
	if len(s.Repeats) == 0 || lab == nil || !play.LacksBlock(set) {
		return
	}
	key, block, early := set.Key(), play.WriteBlock(set.Key()), *lab
	last := max(0, len(lab.Before)-1)
	early.Before = slices.Insert(slices.Clone(lab.Before), last, sim.Step{
		Verb: block.Verb, Does: block.Kubectl, When: sim.When{Trigger: sim.After}, Act: ifThere(key, block.Act),
	})
	events := early.Run(nil)
	if verdict := events[len(events)-1].Result.Verdict; verdict == timeline.Settled || verdict == timeline.IsStuck {
		s.Prevents, s.Ends = block.Kubectl, heal.BlockEnds(key, lab, nil)
	}
}

// ifThere acts only if the set exists.
func ifThere(key model.Key, act func(*sim.User) sim.Outcome) func(*sim.User) sim.Outcome {
	return func(u *sim.User) sim.Outcome {
		if u.Set(key) == nil {
			return sim.Outcome{Effect: timeline.None}
		}
		return act(u)
	}
}

// only keeps one pod. The waits stay: the pod may be kept waiting by another one. A pod that does not exist at the
// instant is missing.
func (s *Set) only(pod string) {
	s.Pods = slices.DeleteFunc(s.Pods, func(p Pod) bool { return p.Name != pod })
	s.Strangers = slices.DeleteFunc(s.Strangers, func(name string) bool { return name != pod })
	if s.Missing = nil; len(s.Pods)+len(s.Strangers) == 0 {
		s.Missing = []string{pod}
	}
	s.Drains = slices.DeleteFunc(s.Drains, func(d *Drain) bool { return !slices.Contains(d.Pods, pod) })
}
