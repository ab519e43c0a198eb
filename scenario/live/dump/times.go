package dump

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/lists"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
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
