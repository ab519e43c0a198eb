package dump

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// failures collects, for each set, the last message about a pod that could not be created, unless one was created
// later; for each claim without a volume, or one that does not grow, the last message about that; and for each pod the
// last warning. Events may be in any order.
func (c *converter) failures() {
	slices.SortStableFunc(c.events, func(a, b *corev1.Event) int { return lastOf(a).Compare(lastOf(b)) })
	for _, e := range c.events {
		key := model.Key{Namespace: e.InvolvedObject.Namespace, Name: e.InvolvedObject.Name}
		if !isKubernetes(e.InvolvedObject.Kind, e.InvolvedObject.APIVersion) {
			continue
		}
		if e.InvolvedObject.Kind == kindPod && c.isAbout(e, key) && e.Reason != "Scheduled" {
			c.Facts[key].pulls(e, c.instant(lastOf(e)))
		}
		comes, never := symptom.Autoscaler(e.Reason, cmp.Or(e.Source.Component, e.ReportingController))
		switch kind := e.InvolvedObject.Kind; {
		case kind == kindSet && e.Reason == "FailedCreate":
			c.FailedCreates[key] = e.Message
		case kind == kindSet && slices.Contains(recreations, e.Reason):
			c.recreated(e)
		case kind == kindSet && e.Reason == "SuccessfulCreate":
			delete(c.FailedCreates, key)
		case kind == kindPod && e.Reason == "Preempted" && c.Facts[key] != nil:
			c.Facts[key].Preempted = c.instant(lastOf(e))
		case kind == kindPod && comes && c.isAbout(e, key):
			asked := max(c.Pod(key).Created, c.instant(cmp.Or(e.FirstTimestamp.Time, lastOf(e))))
			c.Facts[key].Asked, c.Facts[key].Unasked = min(asked, -1), "" // 0 is never.
		case kind == kindPod && never && c.Pod(key) != nil && c.isSince(e, c.Pod(key).Created):
			c.Facts[key].Asked, c.Facts[key].Unasked = 0, OneLine(e.Message)
		case kind == kindPod && e.Reason == noPullSecret && c.isAbout(e, key):
			c.Facts[key].PullSecret = pullSecrets().FindString(e.Message)
		case kind == kindPod && e.Type == "Warning" && c.isAbout(e, key) && !c.Facts[key].follows(e):
			c.Facts[key].Event = e.Reason + ": " + OneLine(e.Message)
		case kind == kindClaim && slices.Contains(claimFailures, e.Reason) && !strings.Contains(e.Message, conflict) &&
			c.Claim(key) != nil && c.isSince(e, c.Claim(key).Created):
			c.FailedClaims[key] = e.Message
		case kind == kindClaim && slices.Contains(resizeFailures, e.Reason):
			c.failedResizes[key] = e.Message
		case kind == kindClaim && slices.Contains(resizeEnds, e.Reason):
			delete(c.failedResizes, key)
		}
	}
}

// pulls notes of an event about a pod, which is later than those before, whether its kubelet pulls an image.
func (f *Facts) pulls(e *corev1.Event, at model.Time) {
	f.Pulls, f.Pulling = "", 0
	if e.Reason == "Pulling" {
		f.Pulls, f.Pulling = OneLine(e.Message), at
	}
}

// recreations are the reasons of the events about pods that the controller creates again since they have ended.
var recreations = []string{"RecreatingFailedPod", "RecreatingTerminatedPod"}

// recreated notes how often the controller has created a pod again. The message ends with the name of the pod.
func (c *converter) recreated(e *corev1.Event) {
	name := e.Message[strings.LastIndexByte(e.Message, ' ')+1:]
	if f := c.Facts[model.Key{Namespace: e.InvolvedObject.Namespace, Name: name}]; f != nil {
		f.Recreated, f.Within = int(e.Count), lastOf(e).Sub(e.FirstTimestamp.Time)
	}
}

// noPullSecret is the reason of the event about a Secret for images that does not exist; pullSecrets finds its name.
const noPullSecret = "FailedToRetrieveImagePullSecret"

var pullSecrets = lazy.Regexp(`\([^)]+\)`)

// follows says whether a warning only says what comes of the last one: a volume that is not attached is not mounted; or
// only what the status says too: "Error: ImagePullBackOff".
func (f *Facts) follows(e *corev1.Event) bool {
	return e.Reason == "FailedMount" && strings.Contains(f.Event, symptom.MultiAttach) ||
		f.Waiting != "" && e.Message == "Error: "+f.Waiting
}

// isAbout says whether an event is about the pod of that name which the dump has, and not about an earlier one. What
// the scheduler says of a pod stands in its status.
func (c *converter) isAbout(e *corev1.Event, pod model.Key) bool {
	p := c.Pod(pod)
	return p != nil && e.Reason != symptom.FailedScheduling && c.isSince(e, p.Created)
}

// isSince says whether an event is not from before the object was created that has the name now.
func (c *converter) isSince(e *corev1.Event, created model.Time) bool {
	return lastOf(e).IsZero() || c.instant(lastOf(e)) >= created
}

// claimFailures are the reasons of events about claims that get no volume. A conflict is none: whoever has met it tries
// again.
var claimFailures = []string{"ProvisioningFailed", "FailedBinding", "VolumeMismatch"}

const conflict = "the object has been modified"

// lastOf returns the time of an event, in its old or its new form.
func lastOf(e *corev1.Event) time.Time {
	if e.LastTimestamp.IsZero() {
		return e.EventTime.Time
	}
	return e.LastTimestamp.Time
}
