package report

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// summary holds the numbers of a timeline after its end.
type summary struct {
	// The sets and pods at the end, with their counts.
	*timeline.Tally
	// steps are the user's steps in their order.
	steps []stepSummary
	// longest is the controller's longest wait for something that would let it go on; nil if it never waited.
	longest *waitSummary
}

// stepSummary is a step of the user with its effect in time; last is never before t.
type stepSummary struct {
	t    model.Time
	step *timeline.Step
	// last is the instant of the last change before the next step.
	last model.Time
}

// summarize counts a timeline. It costs O(events).
func summarize(events []timeline.Event) *summary {
	return &summary{Tally: timeline.TallyOf(events), steps: stepsOf(events), longest: longestWait(events)}
}

// changes are the kinds of event that change the world. If a set is deleted and leaves its pods and revisions
// behind, the only change is their owner.
var changes = []timeline.Kind{
	timeline.KindPod, timeline.KindStatus, timeline.KindRevision, timeline.KindClaim, timeline.KindOwner,
}

// statuses are the last ones of sets.
type statuses map[model.Key]*model.Status

// again reports whether an event only writes the status of a set as it is, as a controller does after a conflict
// whose view is old. It notes the status.
func (s statuses) again(e *timeline.Event) bool {
	if e.Kind != timeline.KindStatus || e.Status == nil {
		return false
	}
	last := s[e.Set]
	s[e.Set] = e.Status
	return last != nil && reflect.DeepEqual(*last, *e.Status)
}

// stepsOf returns the steps, each with the last change before the next step: the last step has all that follows.
func stepsOf(events []timeline.Event) []stepSummary {
	var steps []stepSummary
	known := statuses{}
	for i := range events {
		event := &events[i]
		if event.Kind == timeline.KindStep {
			steps = append(steps, stepSummary{t: event.T, step: event.Step, last: event.T})
		} else if slices.Contains(changes, event.Kind) && !known.again(event) && len(steps) > 0 {
			steps[len(steps)-1].last = event.T
		}
	}
	return steps
}

// reasonOf says why a pod is in its state, "" if that needs no words.
func reasonOf(pod *timeline.Pod) string { return reason(pod.Reason, pod.Message) }

// podSentence says what state a pod is in: @2, Pending since 12s: ImagePullBackOff.
func podSentence(pod *timeline.Pod) string {
	text := fmt.Sprintf("@%d, %s since %s", pod.Template, pod.State, render.Clock(pod.Since))
	if why := reasonOf(pod); why != "" {
		text += ": " + why
	}
	if pod.Restarts > 0 {
		text += ", " + render.Count(pod.Restarts, "restart")
	}
	return text
}

// setSentence describes the state of a set: 5/5 serving; 3 at @2 app:v2, 2 at @1 app:v1. For a deleted set, it is
// about the pods that are left.
func setSentence(set *timeline.SetTally) string {
	text := fmt.Sprintf("%d/%d serving", set.Serving(), set.Replicas)
	switch {
	case set.Exists():
	case set.Alive() == 0:
		return "deleted"
	default:
		text = fmt.Sprintf("deleted, %s left", render.Count(set.Alive(), "pod"))
	}
	separator := "; "
	for _, m := range madeFrom(set) {
		text += separator + strings.TrimRight(fmt.Sprintf("%d at @%d %s", m.pods, m.template, m.image), " ")
		separator = ", "
	}
	return text
}

// made counts the pods that were made from one template.
type made struct {
	template int
	image    string
	pods     int
}

// madeFrom counts the pods of a set by their templates, the newest first, without deleted pods. Pods with the same
// template and different images are counted separately.
func madeFrom(set *timeline.SetTally) []made {
	var list []made
	for _, pod := range set.Pods {
		if pod.Gone() {
			continue
		}
		at := slices.IndexFunc(list, func(m made) bool { return m.template == pod.Template && m.image == pod.Image })
		if at < 0 {
			at = len(list)
			list = append(list, made{template: pod.Template, image: pod.Image})
		}
		list[at].pods++
	}
	slices.SortFunc(list, func(a, b made) int {
		return cmp.Or(-cmp.Compare(a.template, b.template), cmp.Compare(a.image, b.image))
	})
	return list
}
