package dump

import (
	"cmp"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
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
			c.Facts[key].probes(e)
		}
		warning := e.Reason + ": " + e.Message
		comes, never := symptom.Autoscaler(e.Reason, cmp.Or(e.Source.Component, e.ReportingController))
		switch kind := e.InvolvedObject.Kind; {
		case kind == kindSet && e.Reason == "FailedCreate":
			note(c.Sets, key, func(f *SetFacts) { f.FailedCreate = e.Message })
		case kind == kindSet && symptom.Recreates.Has(e.Reason):
			// The message ends with the name of the pod that the controller has created again.
			name := e.Message[strings.LastIndexByte(e.Message, ' ')+1:]
			if f := c.Facts[model.Key{Namespace: key.Namespace, Name: name}]; f != nil {
				f.Recreated, f.Within = int(e.Count), lastOf(e).Sub(e.FirstTimestamp.Time)
			}
		case kind == kindSet && e.Reason == "SuccessfulCreate":
			note(c.Sets, key, func(f *SetFacts) { f.FailedCreate = "" })
			c.remade(e, key)
		case kind == kindSet && e.Reason == symptom.FailedDelete:
			note(c.Sets, key, func(f *SetFacts) { f.FailedDelete = e.Message })
		case kind == kindSet && e.Reason == "SuccessfulDelete" && c.Sets[key].FailedDelete != "":
			note(c.Sets, key, func(f *SetFacts) { f.FailedDelete = "" })
		case kind == kindPod && e.Reason == symptom.Preempted && c.Facts[key] != nil:
			c.Facts[key].Preempted = c.instant(lastOf(e))
		case kind == kindPod && comes && c.isAbout(e, key):
			asked := max(c.Pod(key).Created, c.instant(cmp.Or(e.FirstTimestamp.Time, lastOf(e))))
			c.Facts[key].Asked, c.Facts[key].Unasked = min(asked, -1), "" // 0 is never.
		case kind == kindPod && never && c.Pod(key) != nil && c.isSince(e, c.Pod(key).Created):
			c.Facts[key].Asked, c.Facts[key].Unasked = 0, OneLine(e.Message)
		case kind == kindPod && symptom.PullSecret.In(warning) && c.isAbout(e, key):
			c.Facts[key].PullSecret = symptom.PullSecret.Found(warning)
		case kind == kindPod && e.Type == "Warning" && c.isAbout(e, key) &&
			!symptom.Repeats(c.Facts[key].Event, c.Facts[key].Waiting, e.Reason, e.Message):
			c.Facts[key].Event = OneLine(warning)
		case kind == kindClaim && symptom.ClaimFails(e.Reason, e.Message) && c.Claim(key) != nil && c.isSince(e, c.Claim(key).Created):
			note(c.Claims, key, func(f *ClaimFacts) { f.Failed = e.Message })
		case kind == kindClaim && symptom.ResizeFailures.Has(e.Reason):
			note(c.Claims, key, func(f *ClaimFacts) { f.NotResized = e.Message })
		case kind == kindClaim && symptom.Resized.Has(e.Reason):
			note(c.Claims, key, func(f *ClaimFacts) { f.NotResized = "" })
		}
	}
}

// pulls notes of an event about a pod, which is later than those before, whether its kubelet pulls an image.
func (f *Facts) pulls(e *corev1.Event, at model.Time) {
	f.Pulls, f.Pulling = "", 0
	if e.Reason == symptom.Pulling {
		f.Pulls, f.Pulling = OneLine(e.Message), at
	}
}

// probes notes of an event about a pod, which is later than those before, whether the kubelet stops a container for a
// probe, and whether a volume is attached for which the pod has waited.
func (f *Facts) probes(e *corev1.Event) {
	if probe := symptom.StoppedByProbe(e.Reason, e.Message); probe != "" {
		f.Stopped, f.Times = probe, f.Times+max(1, int(e.Count))
	}
	if symptom.Unanswered.In(e.Reason + ": " + e.Message) {
		f.Unanswered = OneLine(e.Message)
	}
	if symptom.Mends(f.Event, e.Reason, e.Message) {
		f.Event = ""
	}
}

// remade counts the sets that have had the name of a set before it: each has another UID.
func (c *converter) remade(e *corev1.Event, set model.Key) {
	uid := e.InvolvedObject.UID
	is := slices.ContainsFunc(c.sets, func(s *appsv1.StatefulSet) bool {
		return s.Namespace == set.Namespace && s.Name == set.Name && s.UID == uid
	})
	if uid == "" || is || c.earlier[uid] {
		return
	}
	c.earlier[uid] = true
	note(c.Sets, set, func(f *SetFacts) { f.Remade++ })
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

// lastOf returns the time of an event, in its old or its new form.
func lastOf(e *corev1.Event) time.Time {
	if e.LastTimestamp.IsZero() {
		return e.EventTime.Time
	}
	return e.LastTimestamp.Time
}
