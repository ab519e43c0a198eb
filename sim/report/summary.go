package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/page"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// summary is what is left of a timeline when it is over.
type summary struct {
	sets  []*setSummary
	steps []stepSummary
	// longest is the controller's longest wait for something that would let it go on; nil where it never waited.
	longest *waitSummary
	byKey   map[model.Key]*setSummary
	// nodes are those nodes that have changed, as they are now.
	nodes map[string]*timeline.Node
}

type setSummary struct {
	key     model.Key
	deleted bool
	spec    spec
	// pods are in the order of their ordinals once the summary is complete.
	pods   []*podSummary
	byName map[string]*podSummary
	// serving is the number of pods that are Ready and not Terminating; fewest is its least value at the end of an
	// instant, from the first instant at which the set was complete.
	serving  int
	complete bool
	fewest   int
	fewestAt model.Time
	// touched says that a pod has changed since stock was taken.
	touched bool
}

// podSummary is what became of one pod's name.
type podSummary struct {
	name     string
	state    timeline.State
	since    model.Time
	reason   string
	template int
	image    string
	node     string
	// lives is how often a pod of the name was created, deletes how often one was deleted.
	lives, deletes  int
	wasReady, ready bool
	firstReady      model.Time
	// shown is what kubectl shows of the containers in place of the phase, restarts how often they were started again in
	// the pod's present life.
	shown    string
	restarts int
	// warning is the last warning about the pod in its present life.
	warning string
	// terminating keeps the pod from being served by, whatever its Ready condition.
	terminating bool
}

type stepSummary struct {
	t    model.Time
	step *timeline.Step
	// last is the instant of the last change before the next step.
	last model.Time
}

func summarize(events []timeline.Event) *summary {
	sum := &summary{byKey: map[model.Key]*setSummary{}, nodes: map[string]*timeline.Node{}, longest: longestWait(events)}
	for i := range events {
		sum.event(&events[i])
		if i+1 == len(events) || events[i+1].T != events[i].T {
			sum.tick(events[i].T)
		}
	}
	for _, set := range sum.sets {
		slices.SortFunc(set.pods, comparePods)
	}
	return sum
}

// comparePods orders pods by ordinal, so that web-10 comes after web-9.
func comparePods(a, b *podSummary) int {
	setA, ordinalA := model.SplitPodName(a.name)
	setB, ordinalB := model.SplitPodName(b.name)
	return cmp.Or(cmp.Compare(setA, setB), cmp.Compare(ordinalA, ordinalB), cmp.Compare(a.name, b.name))
}

func (sum *summary) event(event *timeline.Event) {
	switch event.Kind {
	case timeline.KindStep:
		// A step acts at a fixed point of the controller, and so what was reached before it counts.
		sum.tick(event.T)
		sum.step(event)
	case timeline.KindNode:
		sum.nodes[event.Node] = event.NodeState
	case timeline.KindOwner:
		sum.owner(event)
	case timeline.KindPod:
		if event.Bare {
			break
		}
		set := sum.set(event.Set)
		set.pod(event)
		set.touched = true
	case timeline.KindStatus:
		if event.Reason == timeline.ReasonDeleted {
			sum.set(event.Set).deleted = true
		}
	case timeline.KindContainer:
		if pod := sum.pod(event.Set, event.Pod); pod != nil {
			pod.containers(event)
		}
	case timeline.KindK8sEvent:
		if pod := sum.pod(event.Set, event.Pod); pod != nil && event.Warning {
			pod.warning = event.Reason + ": " + event.Message
		}
	}
	if len(sum.steps) > 0 && slices.Contains(changes, event.Kind) {
		sum.steps[len(sum.steps)-1].last = event.T
	}
}

// changes are the kinds of event that change the world.
var changes = []timeline.Kind{timeline.KindPod, timeline.KindStatus, timeline.KindRevision, timeline.KindClaim}

// owner lets a set gain or lose a pod.
func (sum *summary) owner(event *timeline.Event) {
	set, change := sum.set(event.Set), event.Owned.Change
	if event.Pod == "" || change == timeline.LeftBehind ||
		change == timeline.Adopted && sum.pod(event.Set, event.Pod) != nil {
		return
	}
	entered := *event
	if change == timeline.Released {
		entered.State = timeline.Gone
	}
	set.pod(&entered)
	set.byName[event.Pod].template, set.byName[event.Pod].image = event.Template, event.Image
	set.touched = true
}

func (sum *summary) step(event *timeline.Event) {
	sum.steps = append(sum.steps, stepSummary{t: event.T, step: event.Step, last: event.T})
	for _, stored := range event.Step.Sets {
		set := sum.set(stored.Key())
		set.spec = spec{replicas: stored.Spec.Replicas, minReadySeconds: stored.Spec.MinReadySeconds}
		set.deleted = false
	}
	for _, key := range event.Step.Removed {
		sum.set(key).deleted = true
	}
}

func (sum *summary) set(key model.Key) *setSummary {
	set := sum.byKey[key]
	if set == nil {
		set = &setSummary{key: key, byName: map[string]*podSummary{}}
		sum.byKey[key] = set
		sum.sets = append(sum.sets, set)
	}
	return set
}

// pod returns what is known of a pod that exists, or nil.
func (sum *summary) pod(set model.Key, name string) *podSummary {
	known := sum.byKey[set]
	if known == nil {
		return nil
	}
	if pod := known.byName[name]; pod != nil && pod.state != timeline.Gone {
		return pod
	}
	return nil
}

func (set *setSummary) pod(event *timeline.Event) {
	pod := set.byName[event.Pod]
	if pod == nil {
		pod = &podSummary{name: event.Pod}
		set.byName[event.Pod] = pod
		set.pods = append(set.pods, pod)
	}
	before := pod.serving()
	pod.enter(event)
	if after := pod.serving(); after != before {
		set.serving += map[bool]int{true: 1, false: -1}[after]
	}
}

func (pod *podSummary) serving() bool { return pod.ready && !pod.terminating }

func (pod *podSummary) enter(event *timeline.Event) {
	if event.State == timeline.Pending && pod.state != timeline.Pending {
		pod.lives++
		pod.template, pod.image, pod.ready, pod.terminating = event.Template, event.Image, false, false
		pod.warning = ""
	}
	pod.state, pod.since, pod.reason, pod.node = event.State, event.T, "", event.Node
	switch event.State {
	case timeline.Ready:
		pod.ready = true
		if !pod.wasReady {
			pod.wasReady, pod.firstReady = true, event.T
		}
	case timeline.Unready, timeline.Failed, timeline.Succeeded, timeline.Gone:
		pod.ready = false
	case timeline.Terminating:
		pod.terminating = true
		pod.deletes++
	}
	if event.Why.Code == "" {
		pod.reason = because(event)
	}
	pod.containers(event)
}

// containers notes what the kubelet says of the pod's containers.
func (pod *podSummary) containers(event *timeline.Event) {
	pod.shown, pod.restarts = "", 0
	if event.Containers == nil {
		return
	}
	pod.restarts = event.Containers.Restarts
	if pod.state != timeline.Gone && !pod.terminating {
		pod.shown = event.Containers.Shown
	}
	if event.Kind == timeline.KindContainer {
		pod.reason = ""
	}
	if pod.shown != "" {
		pod.reason = because(event)
	}
}

// tick takes stock at the end of an instant.
func (sum *summary) tick(t model.Time) {
	for _, set := range sum.sets {
		if !set.touched {
			continue
		}
		set.touched = false
		if !set.complete && set.serving >= int(set.spec.replicas) && set.spec.replicas > 0 {
			set.complete, set.fewest, set.fewestAt = true, set.serving, t
		}
		if set.complete && set.serving < set.fewest {
			set.fewest, set.fewestAt = set.serving, t
		}
	}
}

// sentence says what state a pod is in: Pending since 12s (ImagePullBackOff).
func (pod *podSummary) sentence() string {
	text := fmt.Sprintf("@%d and %s since %s", pod.template, pod.state, page.Clock(pod.since))
	if pod.reason != "" {
		text += " (" + pod.reason + ")"
	}
	if pod.restarts > 0 {
		text += " after " + page.Count(pod.restarts, "restart")
	}
	return text
}

// sentence says how a set stands: 5/5 ready; 3 at @2 app:v2, 2 at @1 app:v1.
func (set *setSummary) sentence() string {
	if set.deleted && set.alive() == 0 {
		return "deleted"
	}
	text := fmt.Sprintf("%d/%d serving", set.serving, set.spec.replicas)
	if set.deleted {
		text = fmt.Sprintf("deleted, %s left", page.Count(set.alive(), "pod"))
	}
	type kind struct {
		template int
		image    string
	}
	counts := map[kind]int{}
	var kinds []kind
	for _, pod := range set.pods {
		if pod.state == timeline.Gone {
			continue
		}
		k := kind{pod.template, pod.image}
		if counts[k] == 0 {
			kinds = append(kinds, k)
		}
		counts[k]++
	}
	slices.SortFunc(kinds, func(a, b kind) int {
		return cmp.Or(-cmp.Compare(a.template, b.template), cmp.Compare(a.image, b.image))
	})
	separator := "; "
	for _, k := range kinds {
		text += separator + strings.TrimRight(fmt.Sprintf("%d at @%d %s", counts[k], k.template, k.image), " ")
		separator = ", "
	}
	return text
}

func (set *setSummary) alive() int {
	n := 0
	for _, pod := range set.pods {
		if pod.state != timeline.Gone {
			n++
		}
	}
	return n
}
