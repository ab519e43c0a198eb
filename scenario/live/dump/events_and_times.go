package dump

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/lists"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// The times of pods that are assumed if nothing gives them.
const (
	DefaultStart = time.Second
	DefaultReady = 2 * time.Second
	DefaultStop  = 2 * time.Second
)

// Took are the times that pods took, sorted: from their nodes until they ran, and from then on until they were Ready.
type Took struct{ Start, Ready []time.Duration }

// Took returns the times of those of some pods of the dump that have been Ready since they started.
func (d *Dump) Took(pods []*Pod) Took {
	var took Took
	for _, p := range pods {
		f := d.Facts[p.Key()]
		if !p.Ready || f == nil || f.Lost || f.Restarts > 0 {
			continue
		}
		took.Start = append(took.Start, max(0, p.Started.Sub(p.Bound)))
		if ready := max(0, p.ReadySince.Sub(p.Started)); ready <= recording.LongestReady {
			took.Ready = append(took.Ready, ready)
		}
	}
	slices.Sort(took.Start)
	slices.Sort(took.Ready)
	return took
}

// TookAll returns the times of all pods of the dump.
func (d *Dump) TookAll() Took {
	pods := make([]*Pod, len(d.State.Pods))
	for i := range d.State.Pods {
		pods[i] = &d.State.Pods[i]
	}
	return d.Took(pods)
}

// Fill fills in the times that are not given: the median of the times of the pods in the dump.
func (d *Dump) Fill(times *behaviour.Times) {
	took := d.TookAll()
	*times = times.Filled(behaviour.Times{Schedule: behaviour.Constant(0), Stop: behaviour.Constant(DefaultStop),
		Start: behaviour.Constant(median(took.Start, DefaultStart)), Ready: behaviour.Constant(median(took.Ready, DefaultReady))})
}

// median returns the median of sorted times, or another time if there are none.
func median(seen []time.Duration, otherwise time.Duration) time.Duration {
	if len(seen) == 0 {
		return otherwise
	}
	return Median(seen)
}

// Median returns the time in the middle of some sorted ones, of which there must be one.
func Median(seen []time.Duration) time.Duration { return seen[len(seen)/2] }

// SlackOf is how much longer than assumed each pod of a set may take to stop: all of its grace period.
func SlackOf(set *model.StatefulSet) time.Duration {
	return max(0, set.Spec.Template.Grace-DefaultStop)
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// timeKeys are the fields of objects whose times are in the past when the object is printed.
var timeKeys = []string{"creationTimestamp", "lastTransitionTime", "startedAt", "finishedAt", "startTime",
	"lastHeartbeatTime", "lastProbeTime", "time", "timeAdded", "firstTimestamp", "lastTimestamp", "eventTime"}

// newestIn returns the newest time in an object, but not deletionTimestamp, the end of the grace period in the future.
func newestIn(fields map[string]any) time.Time {
	newest := time.Time{}
	metadata, _ := fields["metadata"].(map[string]any)
	if deletion := timeOf(metadata["deletionTimestamp"]); !deletion.IsZero() {
		grace, _ := number(metadata["deletionGracePeriodSeconds"])
		newest = deletion.Add(-model.Seconds(grace))
	}
	for _, part := range []any{metadata, fields["status"], fields["lastTimestamp"]} {
		newest = later(newest, newestOf(part))
	}
	return newest
}

// newestOf returns the newest time in a part of an object.
func newestOf(v any) time.Time {
	newest := time.Time{}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range timeKeys {
			newest = later(newest, timeOf(v[key]))
		}
		for _, key := range nested {
			newest = later(newest, newestOf(v[key]))
		}
	case []any:
		for _, item := range v {
			newest = later(newest, newestOf(item))
		}
	case string:
		newest = timeOf(v)
	}
	return newest
}

// timeOf returns a time of an object, the zero time for anything else. Most of the fields that may hold one are absent,
// and an error of time.Parse costs more than a time.
func timeOf(v any) (t time.Time) {
	if text := lists.Text(v); text != "" {
		t, _ = time.Parse(time.RFC3339, text)
	}
	return t
}

// nested are the fields that contain objects with times.
var nested = []string{"managedFields", "conditions", "containerStatuses", "initContainerStatuses", "state", "lastState",
	"running", "terminated"}

// beats reports whether a kubelet has written when it last saw its node. A node without such a time is no clock.
func beats(node *corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool { return !c.LastHeartbeatTime.IsZero() })
}

// Since says how long something has lasted at the time of a dump, " for 16s"; "" if the dump does not show it, or if it
// has just begun: the time of the dump may be a guess.
func Since(at model.Time) string {
	if at > -second {
		return ""
	}
	return " for " + Age(at)
}

const second, minute, hour = model.Time(1e9), model.Time(60e9), model.Time(3600e9)

// Age returns how long before the dump an instant was, as kubectl shows ages: nobody reads the seconds of an hour.
func Age(at model.Time) string {
	t := max(0, -at)
	switch {
	case t < second:
		return "less than 1s"
	case t < 2*minute:
		return fmt.Sprintf("%ds", t/second)
	case t < 2*hour:
		return fmt.Sprintf("%dm", t/minute)
	case t < 48*hour:
		return fmt.Sprintf("%dh", t/hour)
	}
	return fmt.Sprintf("%dd", t/(24*hour))
}

// Lasting returns the verb of a sentence about a state that began at an instant, and how long it has lasted: "has
// been" and " for 16s". If the dump does not show since when, or it has just begun, it is "is" and "".
func Lasting(at model.Time, known bool) (is, long string) {
	if long = Since(at); !known || long == "" {
		return "is", ""
	}
	return "has been", long
}

// OneLine joins the lines of a message.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

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
			since := c.instant(cmp.Or(e.FirstTimestamp.Time, lastOf(e)))
			note(c.Sets, key, func(f *SetFacts) { f.FailedCreate, f.Refused = e.Message, min(f.Refused, since) })
		case kind == kindSet && symptom.Recreates.Has(e.Reason):
			// The message ends with the name of the pod that the controller has created again.
			name := e.Message[strings.LastIndexByte(e.Message, ' ')+1:]
			if f := c.Facts[model.Key{Namespace: key.Namespace, Name: name}]; f != nil {
				f.Recreated, f.Within = int(e.Count), lastOf(e).Sub(e.FirstTimestamp.Time)
			}
		case kind == kindSet && e.Reason == "SuccessfulCreate":
			note(c.Sets, key, func(f *SetFacts) { f.FailedCreate, f.Refused = "", 0 })
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
		case kind == kindClaim && (symptom.ResizeFailures.Has(e.Reason) || symptom.Expanding.In(e.Message)):
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
